/* Loaded before the C library (LD_PRELOAD): the clock that a bot is told, by PDCHECK_CLOCK.

   "+N"  the date is N seconds later; every other clock is as it is
   "xN"  every clock starts at the same moment in each run, which N names, and goes on by N steps whenever any is read

   Waiting takes as long as it does. Threads wait for each other until moments of the monotonic clock, so in a program
   that starts one that clock is left alone, and only dates and CPU time are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define STEP 60000ULL                /* nanoseconds */
#define DATE 1893456000ULL           /* where the counted date starts, in seconds, and so many more for each N */
#define LATER 8640137ULL
#define MONOTONIC 1000ULL            /* where its other clocks start */
#define SECOND 1000000000ULL

typedef int starter(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int ready, threads;
static long long shift, counted;
static unsigned long long reads;

static void begin(void) {
    const char *how = getenv("PDCHECK_CLOCK");
    if (how && how[0] == 'x')
        counted = atoll(how + 1);
    else if (how)
        shift = atoll(how);
    ready = 1;
}

static int is_date(clockid_t id) {
    return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

static int is_cpu(clockid_t id) {
    return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) {
    starter *start = (starter *)dlsym(RTLD_NEXT, "pthread_create");
    threads = 1;
    return start(thread, how, run, with);
}

int clock_gettime(clockid_t id, struct timespec *now) {
    if (!ready)
        begin();
    if (counted && (!threads || is_date(id) || is_cpu(id))) {
        unsigned long long passed = __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED) * STEP * counted;
        now->tv_sec = (is_date(id) ? DATE + LATER * counted : MONOTONIC * counted) + passed / SECOND;
        now->tv_nsec = passed % SECOND;
        return 0;
    }
    int status = syscall(SYS_clock_gettime, id, now);
    if (status == 0 && is_date(id))
        now->tv_sec += shift; /* 0 where it is counted */
    return status;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where)
        *where = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
    return base == 1 && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

clock_t clock(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}
