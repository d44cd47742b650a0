"""Prompts on their way into Claude Code: each is given out once."""

from __future__ import annotations

from adapter.v2_native.messages import Insertions
from support.machine import prompt


def insertions(held: int = 0, written: int = 0) -> Insertions:
    """A table with so many prompts that are written, and so many that are not."""
    table = Insertions()
    for number in range(1, written + held + 1):
        table.add(prompt(number))
    for number in range(1, written + 1):
        table.written(f"p{number}")
    return table


def test_a_new_prompt_is_held() -> None:
    assert insertions(held=2).held() == [prompt(1), prompt(2)]


def test_a_written_prompt_is_held_no_more_and_still_open() -> None:
    table = insertions(written=1, held=1)
    assert table.held() == [prompt(2)]
    assert table.by_request(1) == prompt(1)
    assert table.waits("p1")
    assert table.by_request(3) is None


def test_a_prompt_is_taken_once() -> None:
    table = insertions(written=1)
    assert table.take("p1") == prompt(1)
    assert table.take("p1") is None
    assert table.by_request(1) is None
    assert not table.waits("p1")


def test_an_unknown_prompt_cannot_be_taken() -> None:
    assert insertions(written=1).take("another") is None


def test_a_cancel_drops_all_and_remembers_what_claude_code_has() -> None:
    table = insertions(written=1, held=1)
    assert table.drop_all() == [prompt(1), prompt(2)]
    assert table.was_dropped("p1")
    assert not table.was_dropped("p2")
    assert table.drop_all() == []


def test_a_dropped_prompt_is_forgotten_when_claude_code_is_done_with_it() -> None:
    table = insertions(written=1)
    table.drop_all()
    table.forget("p1")
    assert not table.was_dropped("p1")


def test_an_inserted_prompt_is_not_dropped() -> None:
    table = insertions(written=1)
    table.take("p1")
    table.drop_all()
    assert not table.was_dropped("p1")


def test_a_death_has_what_was_written_written_again_but_not_a_third_time() -> None:
    table = insertions(written=2, held=1)
    assert table.process_gone() == []
    assert table.held() == [prompt(1), prompt(2), prompt(3)]
    for number in (1, 3):
        table.written(f"p{number}")
    assert table.process_gone() == [prompt(1)]
    assert table.held() == [prompt(2), prompt(3)]
