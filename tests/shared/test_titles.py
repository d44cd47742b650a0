"""A session's title: generated once there is enough to go by, never in place of a chosen one."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.titles import LONGEST_REQUEST, LONGEST_TITLE, TitleKeeper
from adapter.shared.updates import TitleChanged

PROMPT = "Please fix the build\nof the project"


def request(description: str) -> dict[str, Any]:
    return {"subtype": "generate_session_title", "description": description, "persist": True}


@pytest.fixture
def titles() -> TitleKeeper:
    return TitleKeeper()


def test_a_title_is_asked_for_with_the_first_prompt(titles: TitleKeeper) -> None:
    assert titles.prompt_sent(f"  {PROMPT}\n") == request(PROMPT)
    assert titles.answered("Fix the build ") == TitleChanged("Fix the build")


def test_a_title_that_was_asked_for_never_replaces_one_that_was_chosen_meanwhile(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    assert titles.changed("Chosen") == TitleChanged("Chosen")
    assert titles.answered("Fix the build") is None


def test_nothing_is_asked_while_an_answer_is_due_nor_once_there_is_a_title(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    assert titles.prompt_sent("another long prompt") is None
    assert titles.turn_ended("an answer", cancelled=False) is None
    titles.answered("Fix the build")
    assert titles.prompt_sent("another long prompt") is None
    assert titles.turn_ended("an answer", cancelled=False) is None
    assert titles.turn_ended("", cancelled=True) is None


def test_a_short_prompt_is_not_enough_but_its_answer_may_be(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("123456789") is None
    assert titles.turn_ended("I answer", cancelled=False) == request("123456789\n\nI answer")


def test_ten_characters_are_enough(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("1234567890") == request("1234567890")


def test_a_turn_without_an_answer_may_not_be_enough(titles: TitleKeeper) -> None:
    titles.prompt_sent("hi")
    assert titles.turn_ended("", cancelled=False) is None
    assert titles.turn_ended("a longer answer", cancelled=False) == request("hi\n\na longer answer")


def test_after_a_turn_that_failed_silently_a_short_prompt_is_the_title_until_there_is_more(titles: TitleKeeper) -> None:
    titles.prompt_sent("hi")
    assert titles.turn_ended("", cancelled=False, silent=True) == TitleChanged("hi")
    assert titles.turn_ended("a longer answer", cancelled=False) == request("hi\n\na longer answer")
    assert titles.answered("Greeting") == TitleChanged("Greeting")


def test_a_turn_that_failed_silently_waits_for_the_title_that_was_asked_for(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    assert titles.turn_ended("", cancelled=False, silent=True) is None
    assert titles.answered("Fix the build") == TitleChanged("Fix the build")


def test_the_first_prompt_counts_not_the_later_ones(titles: TitleKeeper) -> None:
    titles.prompt_sent("hi")
    titles.prompt_sent("there")
    assert titles.turn_ended("a longer answer", cancelled=False) == request("hi\n\na longer answer")


def test_the_title_is_told_again_after_a_restart_once(titles: TitleKeeper) -> None:
    titles.prompt_sent("a prompt that is long enough")
    titles.restarted()
    assert titles.turn_ended("an answer", cancelled=False) is None
    assert titles.answered("First") == TitleChanged("First")
    titles.restarted()
    assert titles.turn_ended("an answer", cancelled=False) == TitleChanged("First")
    assert titles.turn_ended("an answer", cancelled=False) is None


def test_a_long_description_is_cut(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("x" * 5000) == request("x" * LONGEST_REQUEST)
    assert LONGEST_REQUEST == 4000


def test_a_command_is_a_title_itself_where_a_model_was_asked(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("/say-hello Ada", is_command=True) is None
    assert titles.turn_ended("a long answer", cancelled=False) == TitleChanged("/say-hello Ada")


def test_a_command_that_asks_no_model_is_no_title(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("/context", is_command=True) is None
    assert titles.turn_ended("a long answer", cancelled=False, local=True) is None
    assert titles.prompt_sent("/nosuchcommand with text") is not None


def test_a_cleared_conversation_gets_a_title_of_its_own(titles: TitleKeeper) -> None:
    titles.prompt_sent("a prompt that is long enough")
    assert titles.answered("First") == TitleChanged("First")
    titles.start_over()
    assert titles.prompt_sent("another one that is long enough") is not None
    assert titles.answered("First") == TitleChanged("First")


def test_a_chosen_title_survives_a_clear(titles: TitleKeeper) -> None:
    assert titles.changed("Mine") == TitleChanged("Mine")
    titles.start_over()
    assert titles.prompt_sent("another one that is long enough") is None


def test_a_prompt_without_text_makes_no_title(titles: TitleKeeper) -> None:
    assert titles.prompt_sent("") is None
    assert titles.turn_ended("a long answer", cancelled=False) is None


@pytest.mark.parametrize("answer", [None, "", "  ", 1, {}])
def test_the_first_line_of_the_prompt_stands_in_where_no_title_was_found(titles: TitleKeeper, answer: Any) -> None:
    titles.prompt_sent(PROMPT)
    assert titles.answered(answer) == TitleChanged("Please fix the build")


def test_a_title_that_was_not_found_is_asked_for_again(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    titles.answered(None)
    assert titles.turn_ended("done", cancelled=False) == request(f"{PROMPT}\n\ndone")
    assert titles.answered(None) is None
    assert titles.prompt_sent("another long prompt") == request("another long prompt")
    assert titles.answered("Another") == TitleChanged("Another")


def test_after_a_cancel_the_prompt_is_the_title(titles: TitleKeeper) -> None:
    titles.prompt_sent("hi\nthere")
    assert titles.turn_ended("", cancelled=True) == TitleChanged("hi")
    assert titles.turn_ended("", cancelled=True) is None


def test_a_cancel_waits_for_a_title_that_was_asked_for(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    assert titles.turn_ended("", cancelled=True) is None
    assert titles.answered("Fix the build") == TitleChanged("Fix the build")


def test_a_prompt_is_cut_where_it_is_the_title(titles: TitleKeeper) -> None:
    titles.prompt_sent("x" * 300)
    assert titles.answered(None) == TitleChanged("x" * LONGEST_TITLE)
    assert LONGEST_TITLE == 200


def test_a_session_that_was_renamed_keeps_its_name(titles: TitleKeeper) -> None:
    assert titles.changed("Mine") == TitleChanged("Mine")
    assert titles.prompt_sent(PROMPT) is None
    assert titles.turn_ended("done", cancelled=True) is None
    assert titles.changed("Mine") is None
    assert titles.changed("Other") == TitleChanged("Other")


def test_the_title_that_we_generated_is_told_once(titles: TitleKeeper) -> None:
    titles.prompt_sent(PROMPT)
    titles.answered("Fix the build")
    assert titles.changed("Fix the build") is None
