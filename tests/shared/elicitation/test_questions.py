"""AskUserQuestion becomes a form, and the form's answer what Claude reads."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.elicitation.questions import question_answer, question_form
from adapter.shared.elicitation.requests import ChoiceField, Elicitation, FormOption

COLOUR: dict[str, Any] = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "Warm"}, {"label": "Blue", "preview": "~~~"}],
}
SIZES: dict[str, Any] = {**COLOUR, "question": "Which sizes?", "header": "Sizes", "multiSelect": True}


def form(*questions: Any) -> Elicitation:
    made = question_form("k", "c", {"questions": list(questions)}, "agent")
    assert made is not None
    return made


def answered(asked: Elicitation, **content: Any) -> tuple[Any, Any]:
    response = question_answer(asked, {"action": "accept", "content": content}, failed=False)
    assert response is not None
    assert (response["behavior"], response["toolUseID"]) == ("allow", "c")
    given = response["updatedInput"]
    assert given["questions"] == asked.asked["questions"]
    return given["answers"], given.get("annotations")


def test_one_question_is_the_message() -> None:
    asked = form(COLOUR)
    assert (asked.message, asked.call_id, asked.agent_id) == ("Which colour?", "c", "agent")
    options = (FormOption("Red", "Red", "Warm"), FormOption("Blue", "Blue", "", "~~~"))
    assert asked.choices == (ChoiceField("question_0", "Colour", options, own_words="question_0_custom"),)


def test_several_questions_stand_at_their_fields() -> None:
    asked = form(COLOUR, SIZES)
    assert asked.message == "Please answer the following questions."
    assert [(choice.id, choice.description, choice.multiple) for choice in asked.choices] == [
        ("question_0", "Which colour?", False),
        ("question_1", "Which sizes?", True),
    ]


@pytest.mark.parametrize("given", [{}, {"questions": None}, {"questions": ["text", {}, {"question": 7}]}])
def test_an_input_without_a_question_is_no_form(given: Any) -> None:
    assert question_form("k", "c", given) is None


def test_a_question_without_options_can_still_be_answered() -> None:
    asked = form({"question": "Why?", "options": "none"})
    assert asked.choices[0].options == ()
    assert answered(asked, question_0_custom="Because")[0] == {"Why?": "Because"}


@pytest.mark.parametrize(
    ("content", "answer", "notes"),
    [
        ({"question_0": "Red"}, "Red", None),
        ({"question_0": "Red", "question_0_custom": "dark"}, "Red", "dark"),
        ({"question_0_custom": " green "}, "green", None),
        ({"question_0": "Red", "question_0_custom": "  "}, "Red", None),
    ],
)
def test_a_choice_with_the_persons_own_words(content: Any, answer: str, notes: str | None) -> None:
    expected = {"Which colour?": {"notes": notes}} if notes else None
    assert answered(form(COLOUR), **content) == ({"Which colour?": answer}, expected)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ({"question_0": ["Red", "Blue"]}, "Red, Blue"),
        ({"question_0": ["Red"], "question_0_custom": "green, too"}, 'Red, "green, too"'),
        ({"question_0_custom": "green"}, "green"),
        ({"question_0": ["Red", 7, ""]}, "Red"),
    ],
)
def test_several_choices_are_joined(content: Any, answer: str) -> None:
    assert answered(form(SIZES), **content) == ({"Which sizes?": answer}, None)


def test_a_question_that_was_left_out_is_marked() -> None:
    answers, annotations = answered(form(COLOUR, SIZES), question_0="Red", question_1="no list")
    assert answers == {"Which colour?": "Red"}
    assert annotations == {"Which sizes?": {"unanswered": "skipped"}}


def test_who_declines_has_answered_nothing() -> None:
    response = question_answer(form(COLOUR), {"action": "decline"}, failed=False)
    assert response is not None
    assert response["updatedInput"]["answers"] == {}
    assert response["updatedInput"]["annotations"] == {"Which colour?": {"unanswered": "dismissed"}}


@pytest.mark.parametrize("result", [{"action": "cancel"}, {"action": "more"}, None, "text", {}])
def test_anything_else_aborts_the_call(result: Any) -> None:
    assert question_answer(form(COLOUR), result, failed=False) is None


@pytest.mark.parametrize("result", [{"action": "accept"}, {"action": "decline"}, None])
def test_a_client_that_failed_aborts_the_call(result: Any) -> None:
    assert question_answer(form(COLOUR), result, failed=True) is None
