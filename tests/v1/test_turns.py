"""Held prompts: the machine of one prompt, each state with each event, and the table of those that are open."""

from __future__ import annotations

import pytest

from adapter.v1.turns import (
    Answer,
    Cancelling,
    Held,
    Queued,
    Running,
    Sent,
    Settled,
    Settlement,
    TurnEvent,
    TurnState,
    TurnTable,
    advance,
)
from support.machine import prompt

BY_RESULT = Settled(Answer.BY_RESULT)
ENDED = Settled(Answer.ENDED)
CANCELLED = Settled(Answer.CANCELLED)
FAILED = Settled(Answer.FAILED)

OF_SENT: dict[TurnEvent, TurnState] = {
    TurnEvent.STARTED: Running(),
    TurnEvent.FOLDED_OVER: ENDED,
    TurnEvent.RESULT: BY_RESULT,
    TurnEvent.HELD: Held(),
    TurnEvent.HANDED_OVER: Queued(),
    TurnEvent.CANCEL: Cancelling(running=False),
    TurnEvent.DROPPED: CANCELLED,
    TurnEvent.REFUSED: FAILED,
}
CHANGES: dict[TurnState, dict[TurnEvent, TurnState]] = {
    Queued(): {TurnEvent.WRITTEN: Sent(), TurnEvent.CANCEL: CANCELLED},
    Queued(lost=True): {TurnEvent.WRITTEN: Sent(again=True), TurnEvent.CANCEL: CANCELLED},
    Sent(): {**OF_SENT, TurnEvent.LOST: Queued(lost=True)},
    Sent(again=True): {**OF_SENT, TurnEvent.LOST: FAILED},
    Running(): {
        TurnEvent.FOLDED_OVER: ENDED,
        TurnEvent.IDLE: ENDED,
        TurnEvent.RESULT: BY_RESULT,
        TurnEvent.HELD: Held(),
        TurnEvent.HANDED_OVER: Queued(),
        TurnEvent.CANCEL: Cancelling(running=True),
        TurnEvent.DROPPED: CANCELLED,
        TurnEvent.REFUSED: FAILED,
        TurnEvent.LOST: FAILED,
    },
    Held(): {
        TurnEvent.RELEASED: BY_RESULT,
        TurnEvent.IDLE: BY_RESULT,
        TurnEvent.HANDED_OVER: BY_RESULT,
        TurnEvent.CANCEL: CANCELLED,
        TurnEvent.GIVEN_UP: CANCELLED,
        TurnEvent.REFUSED: FAILED,
        TurnEvent.LOST: FAILED,
    },
    Cancelling(running=False): {
        TurnEvent.STARTED: Cancelling(running=True),
        TurnEvent.FOLDED_OVER: CANCELLED,
        TurnEvent.IDLE: CANCELLED,
        TurnEvent.RESULT: BY_RESULT,
        TurnEvent.HELD: BY_RESULT,
        TurnEvent.DROPPED: CANCELLED,
        TurnEvent.GIVEN_UP: CANCELLED,
        TurnEvent.REFUSED: CANCELLED,
        TurnEvent.LOST: CANCELLED,
    },
    Cancelling(running=True): {
        TurnEvent.FOLDED_OVER: CANCELLED,
        TurnEvent.IDLE: CANCELLED,
        TurnEvent.RESULT: BY_RESULT,
        TurnEvent.HELD: BY_RESULT,
        TurnEvent.DROPPED: CANCELLED,
        TurnEvent.GIVEN_UP: CANCELLED,
        TurnEvent.REFUSED: CANCELLED,
        TurnEvent.LOST: CANCELLED,
    },
    BY_RESULT: {},
    ENDED: {},
    CANCELLED: {},
    FAILED: {},
}
"""What each event makes of each state; an event that is absent leaves the state as it is."""


@pytest.mark.parametrize("event", TurnEvent)
@pytest.mark.parametrize("state", CHANGES, ids=str)
def test_advance(state: TurnState, event: TurnEvent) -> None:
    assert advance(state, event) == CHANGES[state].get(event, state)


def table_of(*states: tuple[int, TurnEvent]) -> TurnTable:
    """A table with prompts, each brought on its way by events of its own."""
    table = TurnTable()
    for number in dict.fromkeys(number for number, _ in states):
        table.add(prompt(number))
    for number, event in states:
        table.apply(event, f"p{number}")
    return table


SENT_1 = (1, TurnEvent.WRITTEN)
SENT_2 = (2, TurnEvent.WRITTEN)
SENT_3 = (3, TurnEvent.WRITTEN)
RUNS_1 = (1, TurnEvent.STARTED)


def settled(number: int, answer: Answer, *, cancelled: bool = False, ends_turn: bool = True) -> Settlement:
    return Settlement(prompt(number), answer, cancelled, ends_turn)


def open_numbers(table: TurnTable) -> list[int]:
    return [number for number in range(1, 4) if table.by_request(number)]


def test_a_new_prompt_waits_to_be_written() -> None:
    table = TurnTable()
    table.add(prompt(1))
    assert table.queued() == [prompt(1)]
    assert table.by_request(1) == prompt(1)
    assert not table.cancelling()


def test_a_written_prompt_waits_no_more() -> None:
    assert table_of(SENT_1).queued() == []


def test_a_settled_prompt_is_forgotten() -> None:
    table = table_of(SENT_1, RUNS_1)
    assert table.result(["p1"], of_host=True) == [settled(1, Answer.BY_RESULT, ends_turn=True)]
    assert table.by_request(1) is None
    assert table.result(["p1"], of_host=True) == []
    assert table.apply(TurnEvent.LOST, "p1") == []
    assert table.started("p1") == []


def test_a_folded_prompt_takes_the_turn_over() -> None:
    table = table_of(SENT_1, RUNS_1, SENT_2)
    assert table.started("p2") == [settled(1, Answer.ENDED, ends_turn=False)]
    assert table.result(["p1", "p2"], of_host=True) == [settled(2, Answer.BY_RESULT, ends_turn=True)]


def test_two_folded_prompts_are_answered_in_their_order() -> None:
    table = table_of(SENT_1, RUNS_1, SENT_2, SENT_3)
    assert table.started("p2") == [settled(1, Answer.ENDED, ends_turn=False)]
    assert table.started("p3") == [settled(2, Answer.ENDED, ends_turn=False)]
    assert table.result(["p1", "p2", "p3"], of_host=True) == [settled(3, Answer.BY_RESULT, ends_turn=True)]


def test_a_batch_of_queued_prompts_is_one_turn() -> None:
    table = table_of(SENT_1, RUNS_1, SENT_2, SENT_3)
    table.result(["p1"], of_host=True)
    assert table.started("p2") == []
    assert table.started("p3") == [settled(2, Answer.ENDED, ends_turn=False)]
    assert table.result(["p2", "p3"], of_host=True) == [settled(3, Answer.BY_RESULT, ends_turn=True)]


def test_a_prompt_that_starts_twice_runs_on() -> None:
    table = table_of(SENT_1, RUNS_1)
    assert table.started("p1") == []
    assert open_numbers(table) == [1]


def test_the_start_of_an_unknown_prompt_ends_nothing() -> None:
    table = table_of(SENT_1, RUNS_1)
    assert table.started("another") == []
    assert open_numbers(table) == [1]


def test_a_result_answers_the_prompt_that_it_names() -> None:
    table = table_of(SENT_1, SENT_2)
    assert table.result(["p2"], of_host=True) == [settled(2, Answer.BY_RESULT, ends_turn=False)]
    assert open_numbers(table) == [1]


def test_a_result_that_names_several_answers_the_owner_of_the_turn_and_ends_the_others() -> None:
    table = table_of(SENT_1, RUNS_1, SENT_2)
    assert table.result(["p1", "p2"], of_host=True) == [
        settled(2, Answer.ENDED, ends_turn=False),
        settled(1, Answer.BY_RESULT, ends_turn=True),
    ]
    assert open_numbers(table) == []


def test_a_result_that_names_prompts_of_no_known_start_answers_them_all() -> None:
    table = table_of(SENT_1, SENT_2)
    assert table.result(["p1", "p2"], of_host=True) == [
        settled(1, Answer.ENDED, ends_turn=False),
        settled(2, Answer.BY_RESULT, ends_turn=False),
    ]


def test_a_result_that_names_only_others_answers_none() -> None:
    table = table_of(SENT_1, RUNS_1)
    assert table.result(["another"], of_host=True) == []
    assert open_numbers(table) == [1]


@pytest.mark.parametrize(
    ("states", "owner"),
    [
        ([SENT_1, SENT_2, (2, TurnEvent.STARTED)], 2),
        ([SENT_1, SENT_2, (2, TurnEvent.CANCEL)], 2),
        ([SENT_1, (1, TurnEvent.CANCEL), SENT_2, (2, TurnEvent.STARTED)], 2),
        ([SENT_1, SENT_2], 1),
    ],
    ids=["the one that runs", "the cancelled one", "the one that runs before the cancelled one", "the oldest"],
)
def test_a_result_that_names_none_answers(states: list[tuple[int, TurnEvent]], owner: int) -> None:
    (settlement,) = table_of(*states).result([], of_host=True)
    assert settlement.prompt == prompt(owner)


def test_a_result_answers_no_prompt_that_is_not_written() -> None:
    table = TurnTable()
    table.add(prompt(1))
    assert table.result([], of_host=True) == []


def test_a_result_of_a_turn_that_claude_code_began_answers_none() -> None:
    table = table_of(SENT_1, RUNS_1)
    assert table.result([], of_host=False) == []
    assert open_numbers(table) == [1]


def test_a_result_of_such_a_turn_answers_a_prompt_that_it_names() -> None:
    assert table_of(SENT_1, RUNS_1).result(["p1"], of_host=False) == [settled(1, Answer.BY_RESULT, ends_turn=True)]


def test_idle_ends_the_prompt_that_runs() -> None:
    assert table_of(SENT_1, RUNS_1).idle(interrupt_open=False) == [settled(1, Answer.ENDED, ends_turn=True)]


def test_idle_of_the_turn_before_leaves_the_next_prompt() -> None:
    table = table_of(SENT_1)
    assert table.idle(interrupt_open=False) == []
    assert open_numbers(table) == [1]


def test_idle_ends_a_cancelled_prompt_that_was_never_taken_in() -> None:
    table = table_of(SENT_1, (1, TurnEvent.CANCEL))
    assert table.idle(interrupt_open=True) == []
    assert table.idle(interrupt_open=False) == [settled(1, Answer.CANCELLED, cancelled=True, ends_turn=False)]


def test_idle_ends_a_cancelled_prompt_that_ran_also_while_the_interrupt_is_open() -> None:
    table = table_of(SENT_1, RUNS_1, (1, TurnEvent.CANCEL))
    assert table.idle(interrupt_open=True) == [settled(1, Answer.CANCELLED, cancelled=True, ends_turn=True)]


def test_a_cancel_settles_what_is_not_written_and_holds_the_rest() -> None:
    table = table_of(SENT_1, RUNS_1, SENT_2)
    table.add(prompt(3))
    assert table.apply_all(TurnEvent.CANCEL) == [settled(3, Answer.CANCELLED, cancelled=True, ends_turn=False)]
    assert table.cancelling()
    assert open_numbers(table) == [1, 2]


def test_a_cancelled_prompt_is_settled_as_such_by_its_result() -> None:
    table = table_of(SENT_1, RUNS_1, (1, TurnEvent.CANCEL))
    assert table.result(["p1"], of_host=True) == [settled(1, Answer.BY_RESULT, cancelled=True, ends_turn=True)]


def test_a_prompt_that_claude_code_cancelled_is_not_one_that_the_client_cancelled() -> None:
    assert table_of(SENT_1).apply(TurnEvent.DROPPED, "p1") == [settled(1, Answer.CANCELLED, ends_turn=False)]


def test_a_failed_start_fails_only_the_prompts_that_wait() -> None:
    table = table_of(SENT_1, RUNS_1)
    table.add(prompt(2))
    assert table.fail_queued() == [settled(2, Answer.FAILED, ends_turn=False)]
    assert open_numbers(table) == [1]
