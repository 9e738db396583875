"""Archives: what comes out of good ones, and that nothing comes out of hostile ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.gate import archive
from pdcheck.conformance.gate.entries import Caps, Entry
from pdcheck.conformance.gate.refusal import Unfit
from uploads import PLAIN, member, symlink_zip, tar_of, tarred, zip_of_modes, zipped

CAPS = Caps(upload=1 << 20, unpacked=1 << 20, files=50)
TWO = {"bot.py": b"print(1)\n", "some/place/data.bin": bytes(range(256)) * 9}


def unpack(data: bytes, caps: Caps = CAPS) -> dict[str, bytes]:
    return {entry.path: entry.data for entry in archive.unpack(data, caps, lambda name: name == ".git")}


def refusal(data: bytes, caps: Caps = CAPS) -> str:
    try:
        assert archive.is_archive(data, "x")
        unpack(data, caps)
    except Unfit as refused:
        return refused.code
    pytest.fail("not refused")


@pytest.mark.parametrize("style", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_of_every_kind_gives_its_files(mode: str, style: int) -> None:
    data = tarred(TWO, mode=mode, style=style)
    assert archive.is_archive(data, "bot.py")
    assert unpack(data) == TWO


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_gives_its_files(packing: int) -> None:
    data = zipped({**TWO, "empty/": b""}, packing=packing)
    assert archive.is_archive(data, "bot")
    assert unpack(data) == TWO


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,60}(/[a-z]{1,80}){0,2}\.x", fullmatch=True),
        st.binary(max_size=2000),
        max_size=6,
    ),
    st.sampled_from([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, None]),
)
def test_what_python_writes_is_read_as_python_reads_it(files: dict[str, bytes], style: int | None) -> None:
    try:
        data = zipped(files) if style is None else tarred(files, style=style)
    except ValueError:  # a name too long for ustar
        return
    if files:
        assert unpack(data) == files


@pytest.mark.parametrize("style", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_and_foreign_names_are_whole(style: int) -> None:
    files = {f"{'d' * 90}/{'e' * 90}/{'f' * 99}.py": b"1", "素数/大貧民.py": b"2"}
    assert unpack(tarred(files, style=style)) == files
    assert unpack(zipped(files)) == files


def test_a_run_bit_is_kept_and_no_other() -> None:
    row = member("run", 1)
    row.mode = 0o6755
    for data in (tar_of([(row, b"x")]), zip_of_modes([("run", 0o106755, b"x")])):
        assert archive.unpack(data, CAPS, lambda _: False) == [Entry("run", b"x", True)]


def test_what_is_left_out_is_left_out_at_any_depth() -> None:
    files = {"a/.git/config": b"x", "a/b": b"y", ".git": b"z"}
    assert unpack(zipped(files)) == unpack(tarred(files)) == {"a/b": b"y"}


def test_an_archive_within_stays_one() -> None:
    inner = zipped(PLAIN)
    assert unpack(tarred({"inner.zip": inner})) == {"inner.zip": inner}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../bot.py", "outside"),
        ("a/../../bot.py", "outside"),
        ("/etc/passwd", "outside"),
        ("..", "outside"),
        ("a\\..\\b", "name-characters"),
        ("C:bot.py", "name-characters"),
        ("a\nb", "name-characters"),
        ("a\x1b[2Jb", "name-characters"),
        ("a\u202eb", "name-characters"),
        ("x" * 201, "name-too-long"),
        ("a/" * 13 + "b", "name-too-long"),
    ],
)
def test_a_name_that_leads_out_or_deceives_is_refused(name: str, code: str) -> None:
    assert refusal(zipped({name: b"x"})) == code
    assert refusal(tarred({name: b"x"})) == code


def test_a_name_that_is_not_unicode_is_refused() -> None:
    assert refusal(zipped({"bXt.py": b""}).replace(b"bXt", b"b\xfft")) == "name-not-utf8"
    row = tar_of([(member("b\udcfft.py"), b"")], style=tarfile.GNU_FORMAT)
    assert refusal(row) == "name-not-utf8"


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (tarfile.SYMTYPE, "link"),
        (tarfile.LNKTYPE, "link"),
        (tarfile.FIFOTYPE, "special-file"),
        (tarfile.CHRTYPE, "special-file"),
        (tarfile.BLKTYPE, "special-file"),
        (tarfile.CONTTYPE, ""),
        (tarfile.GNUTYPE_SPARSE, "archive-kind"),
        (b"V", "archive-kind"),
    ],
)
def test_only_files_and_folders_come_out_of_a_tar(kind: bytes, code: str) -> None:
    data = tar_of([(member("a", kind=kind, link="/etc/passwd"), b"")])
    assert (refusal(data) if code else unpack(data)) == (code or {"a": b""})


def test_a_link_out_of_a_zip_is_refused() -> None:
    assert refusal(symlink_zip("a", "/etc/passwd")) == "link"
    assert refusal(zip_of_modes([("a", 0o010644, b"")])) == "special-file"


def test_a_file_behind_a_link_is_not_written_through_it() -> None:
    data = tar_of([(member("a", kind=tarfile.SYMTYPE, link="/tmp"), b""), (member("a/b", 1), b"x")])
    assert refusal(data) == "link"


@pytest.mark.parametrize(
    "names",
    [
        ("a", "a"),
        ("a", "A"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("A/x", "a/y"),
        ("é", "e\u0301"),
        ("./a", "a"),
        ("ß", "SS"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_names_for_one_file_are_refused(names: tuple[str, str]) -> None:
    rows = [(name, 0o100644, b"x") for name in names]
    assert refusal(zip_of_modes(rows)) == "name-twice"
    assert refusal(tar_of([(member(name, 1), b"x") for name in names])) == "name-twice"


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb_is_given_up_within_the_limit(packed: Callable[[bytes], bytes]) -> None:
    bomb = packed(tarred({"zeros": bytes(48 << 20)}))
    tracemalloc.start()
    try:
        assert refusal(bomb) == "unpacked-too-big"
        assert tracemalloc.get_traced_memory()[1] < 32 << 20  # xz alone has a dictionary of 8
    finally:
        tracemalloc.stop()


def test_a_bomb_of_a_zip_is_given_up_within_the_limit() -> None:
    assert refusal(zipped({"zeros": bytes(64 << 20)})) == "unpacked-too-big"
    assert refusal(zipped({f"zeros{n}": bytes(100_000) for n in range(20)})) == "unpacked-too-big"


def test_too_many_files_are_given_up() -> None:
    files = {f"f{n}": b"" for n in range(51)}
    assert refusal(zipped(files)) == refusal(tarred(files)) == "too-many-files"
    assert refusal(zipped({f"f{n}": b"" for n in range(5000)})) == "too-many-files"
    assert refusal(tarred({f"{n}{'x' * 150}": b"" for n in range(40)})) == "too-many-files"  # headers count


def test_streams_without_end_are_given_up() -> None:
    assert refusal(gzip.compress(b"") * 20_000) == "archive-kind"
    assert unpack(gzip.compress(tarred(TWO)[:700]) + gzip.compress(tarred(TWO)[700:]) + bytes(99)) == TWO


def test_files_that_share_their_bytes_are_refused() -> None:
    """Eight rows, all good, for one and the same file: what is unpacked would have no relation to what was sent."""
    whole = zipped({"f0": random.Random(0).randbytes(5000)}, packing=zipfile.ZIP_STORED)
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    row = whole[start:end]
    rows = b"".join(row.replace(b"f0", b"f%d" % n) for n in range(8))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 8, 8, len(rows), start, 0)
    assert refusal(whole[:start] + rows + tail) == "archive-damaged"
    one = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(row), start, 0)
    assert len(unpack(whole[:start] + row + one)) == 1


def test_a_file_that_is_not_what_its_sum_says_is_refused() -> None:
    whole = zipped({"a": b"hello world"}, packing=zipfile.ZIP_STORED)
    assert refusal(whole.replace(b"hello", b"jello")) == "archive-damaged"


def test_an_encrypted_zip_is_told_as_such() -> None:
    data = bytearray(zipped(PLAIN))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(data)) == "archive-encrypted"


@pytest.mark.parametrize("head", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x00", b"\x28\xb5\x2f\xfd"])
def test_other_kinds_are_told_as_such(head: bytes) -> None:
    assert refusal(head + bytes(100)) == "archive-kind"
    assert refusal(zipped({"a": b"x" * 999}, packing=zipfile.ZIP_LZMA)) == "archive-kind"


def test_a_name_that_promises_an_archive_has_to_be_one() -> None:
    with pytest.raises(Unfit, match="archive-damaged"):
        archive.is_archive(b"hello", "bot.tar.gz")
    assert not archive.is_archive(b"hello", "bot.py")
    assert not archive.is_archive(b"BZh9 is a source, too\n", "bot.py")
    assert not archive.is_archive(b"", "bot.py")


@pytest.mark.parametrize(
    "whole", [zipped(TWO), tarred(TWO), tarred(TWO, mode="w:gz"), tarred(TWO, mode="w:xz")]
)
def test_a_broken_one_is_refused_wherever_it_breaks(whole: bytes) -> None:
    """Cut anywhere or with a byte changed, it gives its files or is refused; it never raises anything else."""
    rng = random.Random(0)
    for _ in range(300):
        broken = bytearray(whole)
        if rng.random() < 0.5:
            del broken[rng.randrange(len(broken)) :]
        else:
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        try:
            archive.unpack(bytes(broken), CAPS, lambda _: False)
        except Unfit:
            continue


@given(
    st.binary(max_size=3000),
    st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"BZh91AY&SY", b""]),
)
def test_noise_is_refused(noise: bytes, head: bytes) -> None:
    with pytest.raises(Unfit):
        archive.unpack(head + noise + b"\1", CAPS, lambda _: False)


@pytest.mark.parametrize(
    "record",
    [b"99999999 path=a\n", b"0 a=b\n", b"-5 a=b\n", b"path=a\n", b"12 path\n\0\0\0\0\0", b"9 size=-1\n"],
)
def test_a_pax_header_that_lies_is_refused(record: bytes) -> None:
    data = tar_of([(member("h", len(record)), record), (member("a", 1), b"x")])
    header = bytearray(data[:512])
    header[156:157] = b"x"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert refusal(bytes(header) + data[512:]) == "archive-damaged"


def test_a_zip_behind_other_bytes_is_read_by_its_own_table_only() -> None:
    """A zip within a zip's comment, or two ends: the last end counts, and what it says has to fit."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as both:
        both.writestr("a", b"x")
        both.comment = zipped({"b": b"y"})
    assert refusal(out.getvalue()) == "archive-damaged"
