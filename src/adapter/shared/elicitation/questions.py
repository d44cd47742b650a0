"""AskUserQuestion as a form: a choice for each question, with a field for the person's own words beside it."""

from __future__ import annotations

from typing import Any

from adapter.shared.elicitation.requests import (
    Asker,
    ChoiceField,
    Elicitation,
    FormOption,
    accepted_content,
    is_declined,
)
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

SEVERAL = "Please answer the following questions."


def question_form(key: str, call_id: str, tool_input: Json, agent_id: str = "") -> Elicitation | None:
    """The form for the tool's input `{questions: [{question, header, multiSelect, options}]}`.

    `None` if the input has no question that could be asked.
    """
    questions = _questions(tool_input)
    if not questions:
        return None
    alone = len(questions) == 1
    return Elicitation(
        key=key,
        asker=Asker.QUESTIONS,
        message=string(questions[0].get("question")) if alone else SEVERAL,
        choices=tuple(_choice(index, question, alone=alone) for index, question in enumerate(questions)),
        call_id=call_id,
        agent_id=agent_id,
        asked=tool_input,
    )


def question_answer(form: Elicitation, result: Any, *, failed: bool) -> Json | None:
    """The `can_use_tool` response with the answers; `None` if the form was dismissed, which aborts the call.

    A person who declines has answered nothing, which Claude is told.
    """
    content = None if failed else accepted_content(result)
    if content is None and not (is_declined(result) and not failed):
        return None
    answers: dict[str, str] = {}
    annotations: dict[str, Json] = {}
    for choice, question in zip(form.choices, _questions(form.asked), strict=True):
        text = string(question.get("question"))
        answer, notes = _answer(choice, content or {})
        if answer:
            answers[text] = answer
        else:
            annotations[text] = {"unanswered": "dismissed" if content is None else "skipped"}
        if notes:
            annotations[text] = {"notes": notes}
    return {
        "behavior": "allow",
        "updatedInput": {**form.asked, "answers": answers, **({"annotations": annotations} if annotations else {})},
        "toolUseID": form.call_id,
    }


def _questions(tool_input: Json) -> list[Json]:
    asked = tool_input.get("questions")
    listed = asked if isinstance(asked, list) else []
    return [question for question in listed if isinstance(question, dict) and string(question.get("question"))]


def _choice(index: int, question: Json, *, alone: bool) -> ChoiceField:
    name = f"question_{index}"
    text = string(question.get("question"))
    listed = question.get("options")
    options = [option for option in listed if isinstance(option, dict)] if isinstance(listed, list) else []
    return ChoiceField(
        id=name,
        title=string(question.get("header")) or text,
        options=tuple(_option(option) for option in options if string(option.get("label"))),
        description="" if alone else text,
        multiple=question.get("multiSelect") is True,
        own_words=f"{name}_custom",
    )


def _option(option: Json) -> FormOption:
    label = string(option.get("label"))
    return FormOption(label, label, string(option.get("description")), string(option.get("preview")))


def _answer(choice: ChoiceField, content: Json) -> tuple[str, str]:
    """The answer to one question, and the person's notes to it."""
    own_words = string(content.get(choice.own_words)).strip()
    chosen = content.get(choice.id)
    if not choice.multiple:
        answer = string(chosen)
        return (answer, own_words) if answer else (own_words, "")
    several = [string(value) for value in chosen if string(value)] if isinstance(chosen, list) else []
    # Claude Code joins labels by a comma, so one of the person's own is quoted.
    return ", ".join(f'"{value}"' if "," in value else value for value in [*several, own_words] if value), ""
