"""A title that a person chose: by `session/set_title`, or by `/rename` in the chat, which no model sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapter.shared.effects import Effects, Fail, Respond, SendControl
from adapter.shared.history.summary import one_line
from adapter.shared.inputs import ControlAnswered, MethodCalled, PromptReceived
from adapter.shared.jsonrpc.errors import ClaudeFailure, request_cancelled
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.session_part import SessionPart
from adapter.shared.updates import Speaker, TextChunk, TitleChanged

SET_TITLE = "session/set_title"
RENAME = "/rename"
USAGE = "Usage: `/rename NEW NAME`"

Named = Callable[[str], TitleChanged | None]
Finish = Callable[[PromptReceived, Effects], Effects]


class Renaming(SessionPart):
    """Hands a chosen title to Claude Code, which keeps it in the transcript.

    Args:
        named: Told that the session has a chosen title; returns what the client is told.
        finish: Answers a prompt that goes to no model, behind these updates.
        reach: Returns `None` if Claude Code can be told now, else what brings it up.
    """

    def __init__(self, named: Named, finish: Finish, reach: Callable[[], Effects | None]) -> None:
        self._named = named
        self._finish = finish
        self._reach = reach
        self._open: dict[str, tuple[RequestId | PromptReceived, str]] = {}
        self._waiting: list[str] = []
        self._count = 0
        self.methods = {SET_TITLE: self._set_title}
        self.answers = {"rename": self._answered}

    def takes(self, prompt: PromptReceived) -> bool:
        """Whether a prompt is the command `/rename`."""
        return prompt.text.split(maxsplit=1)[:1] == [RENAME]

    def rename(self, prompt: PromptReceived) -> Effects:
        """The command `/rename NEW NAME`."""
        title = one_line(prompt.text.strip().removeprefix(RENAME))
        if not title:
            return self._finish(prompt, [TextChunk(Speaker.AGENT, f"{prompt.uuid}-answer", USAGE)])
        return self._ask(prompt, title)

    def process_started(self) -> Effects:
        """Send the titles that have waited for that."""
        waiting, self._waiting = self._waiting, []
        return [self._send(key) for key in waiting]

    def process_gone(self) -> Effects:
        """Claude Code can keep no title now."""
        return self._fail_all(ClaudeFailure("process_exited", "Claude Code ended before it had kept the title"))

    def session_over(self) -> Effects:
        """The session is being closed."""
        return self._fail_all(request_cancelled("the session is closed"))

    def _fail_all(self, error: Exception) -> Effects:
        failed, self._open = self._open, {}
        self._waiting.clear()
        return [Fail(_request(asker), error) for asker, _ in failed.values()]

    def _set_title(self, event: MethodCalled) -> Effects:
        return self._ask(event.request, event.params["title"])

    def _ask(self, asker: RequestId | PromptReceived, title: str) -> Effects:
        self._count += 1
        key = f"rename {self._count}"
        self._open[key] = (asker, title)
        starting = self._reach()
        if starting is None:
            return [self._send(key)]
        self._waiting.append(key)
        return starting

    def _send(self, key: str) -> SendControl:
        request = {"subtype": "rename_session", "title": self._open[key][1], "source": "host"}
        return SendControl(key, request)

    def _answered(self, event: ControlAnswered) -> Effects:
        asker, title = self._open.pop(event.key, (None, ""))
        if not title:
            return []
        if event.error:
            return [Fail(_request(asker), ClaudeFailure("control_failed", event.error))]
        changed = self._named(title)
        told: Effects = [changed] if changed is not None else []
        if isinstance(asker, PromptReceived):
            return self._finish(asker, told)
        return [*told, Respond(asker, {"title": title})]


def _request(asker: Any) -> RequestId:
    return asker.request if isinstance(asker, PromptReceived) else asker
