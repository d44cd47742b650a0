"""The consent to go on with another model after a refusal: Claude Code's dialog `refusal_fallback_prompt`."""

from __future__ import annotations

from typing import Any

from adapter.shared.elicitation.requests import Asker, ChoiceField, Elicitation, FormOption, accepted_content
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

DIALOG_KIND = "refusal_fallback_prompt"
CHOICE = "choice"
RETRY = "retry_fallback"
EDIT = "edit_prompt"


def refusal_form(key: str, payload: Any) -> Elicitation:
    """The form for the dialog's payload `{originalModel, fallbackModel, guidanceText?}`."""
    given: Json = payload if isinstance(payload, dict) else {}
    model = string(given.get("originalModel")) or "The model"
    other = string(given.get("fallbackModel")) or "another model"
    options = (
        FormOption(RETRY, f"Retry with {other}"),
        FormOption(EDIT, "Edit the prompt", "The turn ends here."),
    )
    return Elicitation(
        key=key,
        asker=Asker.REFUSAL,
        message=string(given.get("guidanceText")) or f"{model} declined this request. Retry it with {other}?",
        choices=(ChoiceField(CHOICE, "How to go on", options),),
    )


def refusal_answer(result: Any, *, failed: bool) -> Json:
    """The `request_user_dialog` response: what was chosen, or cancelled."""
    content = None if failed else accepted_content(result)
    chosen = None if content is None else content.get(CHOICE)
    return {"behavior": "completed", "result": chosen} if chosen in (RETRY, EDIT) else {"behavior": "cancelled"}
