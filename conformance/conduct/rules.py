"""What is no fault of a bot's conduct (PD-6): the threads, files and sockets that runtimes have of their own accord.

Law: tables; a row allows, none forbids. They are lenient where a runtime could be meant and
strict elsewhere: a thread of a program without a runtime, or a file that nobody's start-up needs, is the bot's own.
Thread names are as the kernel keeps them: cut to 15 characters.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Runtime(NamedTuple):
    """A runtime, how it is known, and the threads that it starts by itself.

    `programs`: the name of the running program's file; `libraries`: one of them is mapped. `threads`: pattern of a
    name → how many there may be. `nameless`: the same for threads that it gives no names, the process's first among
    them: they bear, beside a name of this pattern, one that the first thread has had (a script that the kernel starts
    gives it its own, and a program may rename it); `totals`: how many of these there may be (any of these numbers).
    """

    name: str
    programs: str
    libraries: str
    threads: tuple[tuple[str, int], ...]
    nameless: tuple[str, int] | None = None
    totals: tuple[int, ...] = ()


MANY = 1 << 30
HASKELL = Runtime("Haskell", "", r"libHSrts.*", ((r"ghc_\w+|.*:w|.*:sh|.*:ti", MANY),))
HASKELL_SIGN = "ghc_ticker"
"""A thread of every Haskell program; most have their runtime inside, not as a library."""
RUNTIMES = (
    Runtime(
        "JVM",
        r"java",
        r"libjvm\.so",
        (
            (
                r"GC Thread#\d*|G1 .*|Shenandoah.*|Z(Worker|Director|Driver|Stat|Unmapper|Uncommit|Relocat).*",
                MANY,
            ),
            (
                r"XWorker.*|Par(allel)? .*|Concurrent .*|CMS .*|Gang worker.*|RuntimeWorker.*|X?StatCollector",
                MANY,
            ),
            (r"VM Thread|VM Periodic Tas|VM Operation.*|Reference Handl|Finalizer|Signal Dispatch.*", MANY),
            (
                r"C1 CompilerThre|C2 CompilerThre|JVMCI.*|LibGraal.*|Sweeper thread|Common-Cleaner|Cleaner-.*",
                MANY,
            ),
            (
                r"Service Thread|Monitor Deflati|Notification Th|Attach Listener|DestroyJavaVM|StringDedup.*",
                MANY,
            ),
            (
                r"JFR .*|OpenJ9.*|JIT .*|GC (Worker|Slave|Master).*|IProfiler|Concurrent Mark.*|MemoryPoolDet.*",
                MANY,
            ),
        ),
        # The first thread waits for the one that runs `main`; both bear the program's name.
        (r"java|main", 2),
    ),
    Runtime(
        "Node.js",
        r"node|nodejs",
        r"libnode\.so.*",
        ((r"V8Worker|V8 DefaultWork.*|DelayedTaskSche.*|SignalInspector|libuv-worker|uv-.*|iou-.*", MANY),),
        # Up to version 22 the engine's own threads bear the program's name: 1 that runs the program, 4 workers of
        # V8, 1 for delayed tasks, 1 for the debugger's signal; and 4 of libuv, all at once, for files and DNS.
        (r"node|nodejs|MainThread", 11),
        (1, 2, 3, 4, 5, 6, 7, 11),
    ),
    Runtime(
        ".NET",
        r"dotnet",
        r"libcoreclr\.so|libclrjit\.so|libSystem\.Native\.so",
        (
            (
                r"\.NET (SynchManag.*|EventPipe.*|SigHandler|Finalizer|Tiered.*|Server GC|BGC|Signal.*|Debugger.*)",
                MANY,
            ),
            (r"\.NET (TP Gate|TP Wait|Timer|Sockets|Long.*|Background.*)|dotnet-.*", MANY),
            # Asynchronous input goes on in a thread of the pool.
            (r"\.NET (TP Worker|ThreadPool.*)", 1),
        ),
        # Threads that the debugger's side of the runtime starts bear the program's name.
        (r"dotnet", 3),
    ),
    Runtime(
        "Mono",
        r"mono(-sgen)?",
        r"libmonosgen.*",
        ((r"SGen worker|Finalizer|Timer-Scheduler|Threadpool.*|Thread Pool.*", MANY),),
    ),
    Runtime("Deno", r"deno", "", ((r"tokio-.*|V8 .*|DelayedTask.*|DenoWorker.*", MANY),), (r"deno", MANY)),
    Runtime(
        "Bun",
        r"bun",
        "",
        ((r"Bun Pool .*|HeapHelper|JITWorker|HTTP Client|JSC.*|File Watcher", MANY),),
        (r"bun", MANY),
    ),
    Runtime("Ruby", r"ruby.*", r"libruby.*", ((r"ruby-timer.*|timer_thr|.*timer_thread.*", MANY),)),
    Runtime("Erlang", r"beam\.smp", "", ((r".*", MANY),)),
    Runtime("SBCL", r"sbcl", "", ((r"finalizer", 1),)),
    HASKELL,
    Runtime("Dart", r"dart|dartvm", "", ((r"DartWorker", MANY),), (r"dart.*", MANY)),
    Runtime("Julia", r"julia", r"libjulia.*", ((r".*gc.*", MANY),), (r"julia", MANY)),
)
GO = Runtime("Go", "", "", ((r".*", MANY),))
"""A Go program's threads are its runtime's (garbage collector, monitor, one for each blocking call), and goroutines
do not show from outside: it is judged by its processes and by the CPU it uses in others' turns (PD-6.2)."""
WITH_RINGS = frozenset({"Node.js", "Bun"})
"""Runtimes that do their input and output through an io_uring in some of their versions."""
LIBRARY_THREADS = r"jemalloc_bg_thd|iou-(sqp|wrk)-.*"
"""Threads that a library starts wherever it is loaded."""
NUMERIC = re.compile(r"lib(gomp|omp|iomp5|openblas|blis|mkl_(rt|core)|scipy_openblas)\b.*|.*openblas.*")
"""BLAS and OpenMP: "set to 1 thread for the measurement, and that is said"; a whole match is played as the contest
does, so there a process that has one of them mapped is not judged by its threads."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

SHELLS = re.compile(r"(da|ba|z|k|mk|pdk|a)?sh|busybox|timeout|env|nice|stdbuf|setpriv|tini|dumb-init")
"""Programs that start another and wait for it: with a child they do not count as a process of the bot, and what they
read and start before the first message is the start script's business."""


class Rule(NamedTuple):
    """Where something may be opened: the pattern of the whole path; always or only at the start; by every bot or only
    by programs of one runtime."""

    path: str
    write: bool = False
    start_only: bool = False
    why: str = ""
    runtime: str = ""


ANYWHERE = (
    Rule(
        r"/(usr|lib|lib32|lib64|libx32|bin|sbin|opt|nix/store|gnu/store|snap)(/.*)?",
        why="the system's programs",
    ),
    Rule(r"/dev/(null|zero|full|tty)", write=True, why="devices that keep nothing"),
    Rule(r"/dev/(u?random|stdin|fd)", why="devices that keep nothing"),
    Rule(
        r"/dev/(stdin|stdout|stderr|fd/[0-2])|/proc/(self|\d+)/fd/[0-2]",
        write=True,
        why="its own three streams",
    ),
    Rule(r"/etc/ld(\.so\..*|\.so-.*)", why="the loader"),
    Rule(r"/etc/(locale.*|localtime|timezone|default/locale|zoneinfo/.*)", why="locale and time zone"),
    Rule(
        r"/etc/(ssl|pki|crypto-policies|java.*|mono|alternatives|python.*|perl.*|ruby.*|node.*|dotnet)(/.*)?",
        why="settings of runtimes",
    ),
    Rule(
        r"/etc/(os-release|lsb-release|debian_version|malloc\.conf|inputrc|terminfo/.*)",
        why="settings of runtimes",
    ),
    Rule(
        r"/etc/(nsswitch\.conf|passwd|group|host\.conf)",
        start_only=True,
        why="who runs it, asked by libc at start",
    ),
    Rule(r"/proc", why="its own processes"),
    Rule(
        r"/proc/(cpuinfo|meminfo|stat|version|filesystems|mounts|loadavg|uptime|devices)", why="the machine"
    ),
    Rule(
        r"/proc/sys/(kernel|vm|fs)/.*|/proc/version_signature|/proc/cgroups|/proc/driver/.*",
        why="the machine",
    ),
    Rule(
        r"/sys/(devices/system/(cpu|node)|fs/cgroup|kernel/mm|kernel/debug/tracing|class/dmi)(/.*)?",
        why="the machine",
    ),
    Rule(
        r"/(var/)?run/(nscd/.*|current-system/.*)|/var/cache/nscd/.*|/var/db/nscd/.*", why="libc's name cache"
    ),
    Rule(
        r".*\.(so(\.[\d.]+)?|dll|py|pyc|pyd|pth|egg|whl|m?js|cjs|node|class|jar|jmod|jsa|rb|p[lm]|lua|php|beam|jl|hs)",
        start_only=True,
        why="libraries in folders of their own, loaded at the start: code is no table of data",
    ),
    # What runtimes write by themselves.
    Rule(r"/tmp/hsperfdata_[^/]+(/\d*)?", write=True, why="JVM: performance counters"),
    Rule(
        r"/proc/net/if_inet6",
        start_only=True,
        runtime="JVM",
        why="JVM: whether there is IPv6, asked when its network library is loaded (see `SOCKETS_AT_START`)",
    ),
    Rule(r"/tmp/\.java_pid\d+.*|/tmp/\.attach_pid\d+", write=True, why="JVM: attaching"),
    Rule(
        r"(/.*)?/(clr-debug-pipe|dotnet-diagnostic)-[^/]*|(/.*)?/\.dotnet/(shm|lockfiles)(/.*)?|/tmp/\.dotnet(/.*)?",
        write=True,
        why=".NET: diagnostics and locks, in TMPDIR",
    ),
    Rule(
        r"/dev/shm/(mono\..*|sem\..*|__KMP_REGISTERED_LIB_.*)",
        write=True,
        why="locks of a runtime or library",
    ),
    Rule(r"/memfd:.*|/dev/zero|/SYSV.*|/anon_hugepage|/\[aio\]|/dmabuf.*", write=True, why="memory"),
)
"""Paths that every bot may open, by any row that allows it; `write` rows for writing, too."""
OWN_PROCESS = r"/proc/(self|thread-self|{pids})(/task/(\d+|self))?(/(?!root(/|$)|cwd(/|$)|fd/\d|mem$)[^/]+)*"
"""A process may look at itself; not through itself at other files, and not at other processes."""
CACHES = re.compile(r".*/__pycache__(/[^/]+)?")
"""Byte code that Python writes beside modules: in the bot's own folder or its runtime's, for writing, too."""
ANCESTORS = re.compile(
    r"(package\.json|node_modules(/.*)?|pyvenv\.cfg|\.python-version|Gemfile|bunfig\.toml|\w+\._pth)"
)
"""Names that runtimes look for in every folder above the program."""
LOCAL_SOCKETS = re.compile(
    r"(/var)?/run/(nscd/socket|systemd/userdb/.*|\.nscd_socket)|(/.*)?/(dotnet-diagnostic|clr-debug)-[^/]*|"
)
"""Addresses of AF_UNIX sockets that libc and runtimes use by themselves ("": a pair within the bot)."""
HARMLESS_FAMILIES = frozenset({"AF_UNIX", "AF_NETLINK", "unix", "netlink", ""})
"""A socket of these kinds is no connection by itself: where it connects to is judged."""
SOCKETS_AT_START = {"JVM": frozenset({"AF_INET", "AF_INET6"})}
"""Runtime → sockets that it makes by itself at the start and connects to nothing. Java's `Files` loads the library
`net`, which tries which kinds there are; running a source file (`java Bot.java`) reads it by `Files`."""
