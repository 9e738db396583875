"""The filter, run by hand: which calls are told to the kit."""

from __future__ import annotations

import struct

import pytest
from pdcheck.conformance.watch import calls

MACHINES = pytest.mark.parametrize("name", calls.MACHINES)
OTHER_ARCHITECTURE = 0x40000003


def answer(program: bytes, number: int, arch: int) -> int:
    """What the filter returns for a call: an interpreter of the few instructions that it is made of."""
    code = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack("=II", number, arch)
    at = accumulator = 0
    while True:
        kind, yes, no, k = code[at]
        at += 1
        if kind == 0x20:
            accumulator = struct.unpack_from("=I", data, k)[0]
        elif kind == 0x15:
            at += yes if accumulator == k else no
        elif kind == 0x35:
            at += yes if accumulator >= k else no
        else:
            assert kind == 0x06
            return int(k)


@MACHINES
def test_exactly_the_calls_of_the_table_are_told(name: str) -> None:
    machine = calls.MACHINES[name]
    program = calls.program(machine)
    told = {number for number in range(1000) if answer(program, number, machine.arch) == calls.NOTIFY}
    assert told == set(machine.numbers.values())
    assert answer(program, max(told) + 1, machine.arch) == calls.ALLOW


@MACHINES
def test_calls_of_another_architecture_are_let_through(name: str) -> None:
    machine = calls.MACHINES[name]
    program = calls.program(machine)
    number = machine.numbers["openat"]
    assert answer(program, number, OTHER_ARCHITECTURE) == calls.ALLOW
    assert answer(program, number | 0x40000000, machine.arch) == calls.ALLOW


@MACHINES
def test_every_call_has_a_shape(name: str) -> None:
    assert set(calls.MACHINES[name].numbers) <= set(calls.SHAPES)


def test_sizes_are_the_kernels() -> None:
    assert (calls.NOTICE.size, calls.ANSWER.size) == (80, 24)
