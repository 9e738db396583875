"""Budget arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.referee.clock import Budget, Stamp

turns = st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5), st.floats(0, 5)), max_size=20)


@given(turns=turns, by_cpu=st.booleans())
def test_what_is_charged_is_the_sum_of_the_turns_and_nothing_between(
    turns: list[tuple[float, float, float]], by_cpu: bool
) -> None:
    budget = Budget(10.0, by_cpu=by_cpu)
    wall = cpu = 100.0
    costs = []
    for idle, took, burnt in turns:
        wall += idle
        cpu += idle  # whatever it does between its turns is not charged
        budget.start(Stamp(wall, cpu))
        wall += took
        cpu += burnt
        costs.append(budget.stop(Stamp(wall, cpu)))
        assert math.isclose(costs[-1], burnt if by_cpu else took, abs_tol=1e-9)
    assert math.isclose(budget.spent, sum(costs), abs_tol=1e-9)
    assert math.isclose(budget.left, 10.0 - sum(costs), abs_tol=1e-9)
    assert budget.longest == max(costs, default=0.0)


def test_a_second_start_in_the_same_turn_changes_nothing() -> None:
    budget = Budget(10.0)
    budget.start(Stamp(1.0))
    budget.start(Stamp(3.0))
    assert budget.stop(Stamp(4.0)) == 3.0


def test_nothing_runs_before_a_start_or_after_a_stop() -> None:
    budget = Budget(10.0)
    assert not budget.running
    assert budget.used(Stamp(5.0)) == 0.0
    assert budget.stop(Stamp(5.0)) == 0.0
    budget.start(Stamp(1.0))
    assert budget.running
    assert budget.used(Stamp(2.5)) == 1.5
    budget.stop(Stamp(3.0))
    assert not budget.running
    assert budget.used(Stamp(9.0)) == 0.0
    assert budget.spent == 2.0


@pytest.mark.parametrize(("took", "left"), [(9.0, 1.0), (10.0, 0.0), (12.0, -2.0)])
def test_a_budget_may_be_overdrawn(took: float, left: float) -> None:
    budget = Budget(10.0)
    budget.start(Stamp(0.0))
    budget.stop(Stamp(took))
    assert budget.left == left


@given(factor=st.floats(0.1, 10), wall=st.floats(0, 100), share=st.floats(0, 1))
def test_a_cpu_second_is_charged_so_many_times_and_waiting_as_it_is(
    factor: float, wall: float, share: float
) -> None:
    budget = Budget(10.0, cpu_factor=factor)
    budget.start(Stamp(5.0, 1.0))
    cpu = share * wall
    cost = budget.stop(Stamp(5.0 + wall, 1.0 + cpu))
    assert math.isclose(cost, (wall - cpu) + factor * cpu, abs_tol=1e-9)


@given(factor=st.floats(0.1, 10), left=st.floats(0, 100), share=st.floats(0, 1))
def test_no_single_core_uses_up_a_budget_before_it_lasts(factor: float, left: float, share: float) -> None:
    budget = Budget(left, cpu_factor=factor)
    wall = budget.lasts(left)
    budget.start(Stamp(0.0))
    assert budget.used(Stamp(wall, share * wall)) <= left + 1e-9


def test_more_cpu_than_wall_never_earns_time() -> None:
    budget = Budget(10.0, cpu_factor=0.5)
    budget.start(Stamp(0.0))
    assert budget.stop(Stamp(1.0, 4.0)) == 0.0
