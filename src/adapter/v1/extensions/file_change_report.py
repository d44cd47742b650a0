"""Which files a prompt has changed, as AIR asks with the prompt: by a dry run of the rewind of its checkpoint.

Source: docs/air-extensions.md, *Agent file-change report*. The report goes out before the prompt's answer, which waits
for it at most two seconds and is never changed by it.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Any

import orjson

from adapter.shared.effects import Effects, Fail, RespondOutcome, SendControl, StartTimer, StopTimer
from adapter.shared.inputs import ControlAnswered, PromptReceived
from adapter.shared.outcome import StopReason
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.v1.extensions.open_prompts import OpenPrompts
from adapter.v1.extensions.updates import AirUpdate, FailedOutcome, session_info

KEY = "report"
SECONDS = 2.0
MAX_PATHS = 1024
MAX_LENGTH = 4096
MAX_BYTES = 256 * 1024
CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")


Roots = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A prompt whose report is being made.

    Attributes:
        report_id: AIR's id of the report.
        answer: The answer to the prompt.
    """

    report_id: str
    answer: RespondOutcome | Fail


class FileChangeReports(SessionPart):
    """The reports of one session.

    Args:
        roots: The workspace's folders, each as it was given and without links; files elsewhere are not reported.
        prompts: The session's open prompts.
    """

    def __init__(self, roots: Roots, prompts: OpenPrompts) -> None:
        self._roots = roots
        self._prompts = prompts
        self._asked: set[str] = set()
        self._waiting: dict[str, Waiting] = {}
        self._over = False
        self.answers = {KEY: self._answered}

    def rewrite(self, effects: Effects) -> Effects:
        """Keep the answer to a prompt until its report has gone out."""
        return [rewritten for effect in effects for rewritten in self._rewritten(effect)]

    def timer_fired(self, name: str) -> Effects:
        """Claude Code takes too long."""
        waiting = self._waiting.pop(name, None)
        return [] if waiting is None else [unavailable(waiting.report_id, "timeout"), waiting.answer]

    def process_gone(self) -> Effects:
        """No report will come."""
        return self._give_up("providerError")

    def session_over(self) -> Effects:
        """The same."""
        self._over = True
        return self._give_up("cancelled")

    def _give_up(self, reason: str) -> Effects:
        waiting, self._waiting = self._waiting, {}
        return [
            effect
            for name, entry in waiting.items()
            for effect in (StopTimer(name), unavailable(entry.report_id, reason), entry.answer)
        ]

    def _rewritten(self, effect: Any) -> Effects:
        if not isinstance(effect, RespondOutcome | Fail):
            return [effect]
        prompt = self._prompts.of(effect.request)
        if not isinstance(prompt, PromptReceived) or not prompt.report_id or prompt.report_id in self._asked:
            return [effect]
        self._asked.add(prompt.report_id)
        if isinstance(effect, Fail) or isinstance(effect.outcome, FailedOutcome):
            return [unavailable(prompt.report_id, "providerError"), effect]
        if effect.outcome.stop is StopReason.CANCELLED or self._over:
            return [unavailable(prompt.report_id, "cancelled"), effect]
        name = f"{KEY} {prompt.uuid}"
        self._waiting[name] = Waiting(prompt.report_id, effect)
        rewind = {"subtype": "rewind_files", "user_message_id": prompt.uuid, "dry_run": True}
        return [StartTimer(name, SECONDS), SendControl(name, rewind)]

    def _answered(self, event: ControlAnswered) -> Effects:
        waiting = self._waiting.pop(event.key, None)
        if waiting is None:
            return []
        if event.error:
            told = unavailable(waiting.report_id, "providerError")
        else:
            told = report(waiting.report_id, event.response, self._roots)
        return [StopTimer(event.key), told, waiting.answer]


def unavailable(report_id: str, reason: str) -> AirUpdate:
    """There is no report."""
    told = {"version": 1, "requestId": report_id, "status": "unavailable", "reason": reason}
    return session_info(agentFileChangeReport=told)


def report(report_id: str, preview: Json, roots: Roots) -> AirUpdate:
    """The report of a rewind's dry run, as far as it is within the roots and the limits."""
    changed = preview.get("filesChanged")
    if preview.get("canRewind") is not True or not isinstance(changed, list):
        return unavailable(report_id, "invalidOutput")
    paths, whole = [], True
    for path in changed:
        canonical = canonical_path(path, roots)
        if not canonical:
            whole = False
        elif canonical not in paths:
            paths.append(canonical)
    kept = paths[:MAX_PATHS]
    told: Json = {
        "version": 1,
        "requestId": report_id,
        "status": "reported",
        "paths": kept,
        "declaredComplete": False,
        "truncated": not whole or len(kept) < len(paths),
    }
    while kept and len(orjson.dumps(told)) > MAX_BYTES:
        kept = kept[: len(kept) * 9 // 10]
        told |= {"paths": kept, "truncated": True}
    return session_info(agentFileChangeReport=told)


def canonical_path(path: Any, roots: Roots) -> str:
    """The path below its root without links; empty if it is in no root, is one itself, or cannot be sent."""
    if not isinstance(path, str) or CONTROL_CHARACTER.search(path) or not posixpath.isabs(path):
        return ""
    plain = posixpath.normpath(path)
    for given, real in roots:
        for root in (real, posixpath.normpath(given)):
            below = root.rstrip("/") + "/"
            if plain.startswith(below):
                found = posixpath.join(real, plain.removeprefix(below))
                return found if len(found) <= MAX_LENGTH else ""
    return ""
