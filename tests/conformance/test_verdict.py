"""Who passes: allowances, the minimum, and what is counted."""

from __future__ import annotations

import pytest

from adapter.conformance.compare import Comparison, Difference
from adapter.conformance.verdict import (
    Allowance,
    AllowanceError,
    Outcome,
    Result,
    holds,
    judge,
    parse_allowances,
    total,
)

ONE = Difference("/timeline/3/kind", "a", "b")
OTHER = Difference("/tools/t/title", "a", "b")


def test_what_is_allowed_is_no_difference() -> None:
    allowance, idle = Allowance("*.plain", "/timeline/*", "why"), Allowance("*.v2", "*", "why")
    result = judge("hello.plain", Comparison(10, (ONE, OTHER)), [allowance, idle])
    assert (result.differences, result.allowed, result.used, result.equal) == ((OTHER,), 1, (allowance,), 8)
    assert result.outcome is Outcome.DIFFERS
    assert judge("hello.plain", Comparison(10, (ONE,)), [allowance]).outcome is Outcome.SAME


@pytest.mark.parametrize(
    ("recording", "place", "covered"),
    [
        ("hello.plain", "/timeline/3/kind", True),
        ("*", "/timeline/*/kind", True),
        ("hello.*", "*kind", True),
        ("hello", "*", False),
        ("hello.plain", "/timeline/3", False),
        ("hello?plain", "*", False),
        ("*", "/timeline/[3]/kind", False),
    ],
)
def test_a_star_stands_for_any_text_and_nothing_else_does(recording: str, place: str, covered: bool) -> None:
    assert Allowance(recording, place, "why").covers("hello.plain", ONE) is covered


def test_allowances_are_read_line_by_line() -> None:
    text = "# a comment\n\n  *.plain  /tools/*   we say  nothing \n"
    assert parse_allowances(text) == [Allowance("*.plain", "/tools/*", "we say  nothing")]
    with pytest.raises(AllowanceError, match=r"/tools/\*"):
        parse_allowances("*.plain /tools/*")


SAME = Result("a.plain", 10)
DIFFERS = Result("b.plain", 10, (ONE,), 1)
FAILED = Result("c.plain", failed="it ended")


def test_results_add_up() -> None:
    sums = total([SAME, DIFFERS, FAILED])
    assert (sums.leaves, sums.equal, sums.percent) == (20, 18, 90.0)
    assert sums.outcomes == {Outcome.SAME: 1, Outcome.DIFFERS: 1, Outcome.FAILED: 1}
    assert total([FAILED]).percent == 0


@pytest.mark.parametrize(
    ("results", "minimum", "passes"),
    [
        ([SAME], None, True),
        ([SAME, DIFFERS], None, False),
        ([SAME, DIFFERS], 95.0, True),
        ([SAME, DIFFERS], 95.1, False),
        ([SAME, FAILED], 0.0, False),
        ([], None, True),
    ],
)
def test_who_passes(results: list[Result], minimum: float | None, passes: bool) -> None:
    assert holds(results, minimum) is passes
