"""What Claude Code reports beside the conversation: retries, denials, hooks, memory, losses, suggestions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from adapter.shared.claude.frames import Frame, note_unknown
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import MALFORMED, Conversation, text_of
from adapter.shared.effects import Effects
from adapter.shared.jsonrpc.errors import AUTH_ERROR_KINDS
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import integer, string
from adapter.shared.updates import (
    ConfigChanged,
    MemoryRecalled,
    Notice,
    PlanApproved,
    PromptSuggested,
    Speaker,
    TextChunk,
)

PATIENCE = 3
"""The attempt from which a person is told that the API is being asked again: the first two come within two seconds."""
SHOWN_PRIORITIES = frozenset({"high", "immediate"})
LOST = {"transcript": "lines of this session's transcript", "global_config": "changes to Claude Code's own settings"}


class Reports(SessionPart):
    """The reports of one session.

    Args:
        conversation: Where its tool calls are.
        config: Which model it runs with.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig) -> None:
        self._conversation = conversation
        self._config = config
        self._retries_told = False
        readers: dict[str, Callable[[Frame], Effects]] = {
            "prompt_suggestion": _suggestion,
            "user": _approved_plan,
            "system/api_retry": self._retry,
            "system/hook_response": _hook,
            "system/local_command_output": _local_output,
            "system/memory_recall": _memory,
            "system/model_refusal_fallback": self._fallback,
            "system/notification": _notification,
            "system/permission_denied": self._denied,
            "system/plugin_install": _plugin,
            "system/session_writes_lost": _writes_lost,
        }
        self.frames = {kind: partial(_guarded, reader) for kind, reader in readers.items()} | {
            "result": self._turn_over,
        }

    def process_gone(self) -> Effects:
        """Nothing is asked again any more."""
        self._retries_told = False
        return []

    def _turn_over(self, _frame: Frame) -> Effects:
        self._retries_told = False
        return []

    def _retry(self, frame: Frame) -> Effects:
        """Told once a turn: at once if Claude Code is refused, else when it begins to last."""
        attempt, most = int(frame["attempt"]), int(frame["max_retries"])
        refused = string(frame.get("error")) in AUTH_ERROR_KINDS
        if self._retries_told or not (refused or attempt >= PATIENCE):
            return []
        self._retries_told = True
        status = integer(frame.get("error_status"), 0)
        if refused:
            why = f"The API refuses the sign-in ({status or 'no status'}). Check the key, or sign in again."
        elif status:
            why = f"The API answers {status} ({string(frame.get('error')) or 'unknown'})."
        else:
            why = "The API cannot be reached. Check the network, the proxy and the base URL."
        return [Notice("warning", f"{why} Claude Code tries again, attempt {attempt} of {most}.")]

    def _fallback(self, frame: Frame) -> Effects:
        """A model has declined; another one has answered, and stays unless only a side question was declined."""
        original, fallback = string(frame["original_model"]), string(frame["fallback_model"])
        text = f"{original} declined this request; retried with {fallback}."
        if frame.get("scope") == "local":
            return [Notice("warning", text, heading="Model fallback")]
        notice = Notice("warning", f"{text} The session will continue on {fallback}.", heading="Model fallback")
        swapped = self._config.fell_back(fallback)
        return [notice, *([ConfigChanged(self._config.options())] if swapped else [])]

    def _denied(self, frame: Frame) -> Effects:
        """A call that was refused without a question; its result follows and ends it."""
        kinds = (("decision_reason_type", "decisionReasonType"), ("decision_reason", "decisionReason"))
        response = {name: frame[key] for key, name in kinds if string(frame.get(key))}
        message = string(frame.get("message"))
        why = string(frame.get("decision_reason")) or message
        denial = {**response, "message": message}
        return [*self._conversation.calls.denied(text_of(frame["tool_use_id"]), denial, f"Permission denied: {why}")]


def _guarded(reader: Callable[[Frame], Effects], frame: Frame) -> Effects:
    """A frame that lacks what it should have is logged and passed over."""
    try:
        return reader(frame)
    except MALFORMED as error:
        note_unknown(f"form of {frame['type']}", f"{error!r} in {frame}")
        return []


def _suggestion(frame: Frame) -> Effects:
    text = string(frame.get("suggestion"))
    return [PromptSuggested(text)] if text else []


def _approved_plan(frame: Frame) -> Effects:
    """The result of ExitPlanMode has the plan as it was approved."""
    result = frame.get("tool_use_result")
    text = string(result.get("plan")).strip() if isinstance(result, dict) and "isAgent" in result else ""
    return [PlanApproved(text)] if text else []


def _memory(frame: Frame) -> Effects:
    memories: list[Any] = frame["memories"]
    mode = string(frame.get("mode"))
    if mode == "synthesize":
        text = "\n\n".join(string(memory.get("content")) for memory in memories)
        return [MemoryRecalled(text_of(frame["uuid"]), mode, text=text)]
    return [MemoryRecalled(text_of(frame["uuid"]), mode, tuple(text_of(memory["path"]) for memory in memories))]


def _local_output(frame: Frame) -> Effects:
    content = string(frame["content"])
    return [TextChunk(Speaker.AGENT, text_of(frame["uuid"]), content)] if content else []


def _hook(frame: Frame) -> Effects:
    """A command of the user's own settings failed; what a hook that works has to say reaches Claude, not the client."""
    if frame.get("outcome") != "error":
        return []
    said = (string(frame.get("stderr")) or string(frame.get("output"))).strip()
    text = f"The hook {string(frame['hook_name'])} failed with exit code {integer(frame.get('exit_code'), -1)}"
    return [Notice("warning", f"{text}: {said}" if said else f"{text}.")]


def _notification(frame: Frame) -> Effects:
    """Those that name a key are about Claude Code's own screen."""
    text = string(frame.get("text"))
    shown = text and frame.get("priority") in SHOWN_PRIORITIES and "ctrl+" not in text
    return [Notice("notice", text)] if shown else []


def _plugin(frame: Frame) -> Effects:
    if frame.get("status") != "failed":
        return []
    return [Notice("warning", f"The plugin {string(frame.get('name'))} is not installed: {string(frame.get('error'))}")]


def _writes_lost(frame: Frame) -> Effects:
    lost = " and ".join(LOST.get(string(kind), string(kind)) for kind in frame["lost"])
    text = f"Claude Code could not save {lost} ({string(frame.get('error_code'))}: the disk or its quota is full)."
    return [Notice("warning", f"{text} A later load of the session may miss a part of it.")]
