"""Both cores of v2 on the same inputs, compared by what each of those that they talk to hears.

A recording holds for both cores, since both say the same to Claude Code: that is compared as well.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .replay import lines_of, play

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Json = dict[str, Any]
Difference = dict[str, Any]

DIFFERENCES = Path(__file__).parent / "differences"
BRIDGE, NATIVE = "v2_bridge", "v2_native"
HEARERS = {
    "client": ("update", "respond", "ask", "elicit", "withdraw", "complete", "end"),
    "claude": ("prompt", "control", "answer", "refuse", "start_process", "drop_process"),
}
"""Who hears an effect, by the member that tells its kind. Others, such as timers, are heard by nobody."""
PIECES = frozenset({"agent_message_chunk", "agent_thought_chunk"})
EARLY = ".early"
REQUESTS = frozenset({"PromptReceived", "SteerReceived", "ConfigRequested", "MethodCalled", "CloseRequested"})


def inputs(name: str) -> list[Json]:
    """The lines of a recording; with `EARLY` behind its name, one whose cancel came before the prompt's start was read.

    That happens where Claude Code begins with a prompt while the cancel is on its way to it.
    """
    lines = lines_of(BRIDGE, name.removesuffix(EARLY))
    if not name.endswith(EARLY):
        return lines
    cancel = next(index for index, line in enumerate(lines) if line.get("input") == "CancelReceived")
    begun = [index for index, line in enumerate(lines[:cancel]) if line.get("frame", {}).get("state") == "started"]
    return [*lines[: begun[-1]], lines[cancel], *lines[begun[-1] : cancel], *lines[cancel + 1 :]]


def differences(name: str) -> list[Difference]:
    """Where native differs from the bridge, by hearer: what the one says there, and what the other."""
    bridge, native = heard(BRIDGE, inputs(name)), heard(NATIVE, inputs(name))
    return [difference for hearer in HEARERS for difference in _between(hearer, bridge[hearer], native[hearer])]


def heard(core: str, lines: Iterable[Json]) -> dict[str, list[Json]]:
    """What each hearer hears of a core, in order."""
    said = [effect for _, effects in play(core, lines) for effect in effects]
    return {
        hearer: joined([effect for effect in said if any(kind in effect for kind in kinds)])
        for hearer, kinds in HEARERS.items()
    }


def joined(said: Iterable[Json]) -> list[Json]:
    """Adjacent pieces of one text are one text."""
    texts: list[Json] = []
    for effect in said:
        if texts and _is_piece(effect) and _without_text(texts[-1]) == _without_text(effect):
            whole = texts[-1]["update"]["content"]["text"] + effect["update"]["content"]["text"]
            update = {**effect["update"], "content": {**effect["update"]["content"], "text": whole}}
            texts[-1] = {**effect, "update": update}
        else:
            texts.append(effect)
    return texts


def left_open(core: str, lines: Sequence[Json]) -> list[Json]:
    """The requests of a recording that a core never answers, and what it has to end when the client goes."""
    asked = [line for line in lines if line.get("input") in REQUESTS]
    played = list(play(core, lines))
    answers = [effect.get("respond", effect.get("end")) for _, effects in played for effect in effects]
    ended = [
        effect
        for line, effects in played
        if line.get("input") == "ShutDown"
        for effect in effects
        if "respond" in effect or "stopReason" in effect.get("update", {})
    ]
    return [*(line for line in asked if line["request"] not in answers), *ended]


def listed(name: str) -> list[Difference]:
    """The differences of a recording that are explained: as `differences` gives them, each with its reason."""
    path = DIFFERENCES / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(name: str, found: Sequence[Difference]) -> None:
    """Keep what was found; a difference that is new has no reason yet, and one is to be written in."""
    known = {_key(difference): difference["reason"] for difference in listed(name)}
    entries = [{"reason": known.get(_key(difference), ""), **difference} for difference in found]
    path = DIFFERENCES / f"{name}.json"
    if entries:
        text = ",\n".join(laid_out(entry) for entry in entries)
        path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def laid_out(difference: Difference) -> str:
    """A difference as JSON, each thing that is heard on a line of its own."""
    members = ",\n".join(f" {json.dumps(name)}: {_laid_out(value)}" for name, value in difference.items())
    return f"{{\n{members}\n}}"


def complaint(found: Sequence[Difference], explained: Sequence[Difference], reasons: Iterable[str]) -> str:
    """What is wrong with the explanations; empty if each difference has one, and each one a difference."""
    keys = {_key(difference) for difference in explained if difference["reason"] in set(reasons)}
    new = [difference for difference in found if _key(difference) not in keys]
    gone = keys - {_key(difference) for difference in found}
    told = [f"native differs here, for no known reason:\n{laid_out(difference)}" for difference in new]
    return "\n".join([*told, *(f"native does not differ here any more:\n{key}" for key in sorted(gone))])


def ratchet(name: str, same: frozenset[str], *, differs: bool) -> str:
    """What is wrong with a name's place in `SAME_AS_BRIDGE`; empty if nothing is."""
    if differs:
        return f"native was the same as the bridge in {name}, and must stay so" if name in same else ""
    return "" if name in same else f"native is the same as the bridge in {name}: add it to SAME_AS_BRIDGE"


def stop(name: str, stops: frozenset[str], open_: Sequence[Json]) -> str:
    """What is wrong with a name's place in `NATIVE_STOPS`; empty if nothing is."""
    if open_:
        return "" if name in stops else f"native does not get through {name}: {json.dumps(open_)} stays open"
    return f"native gets through {name}: remove it from NATIVE_STOPS" if name in stops else ""


def _between(hearer: str, bridge: Sequence[Json], native: Sequence[Json]) -> list[Difference]:
    said, instead = ([json.dumps(effect, sort_keys=True) for effect in effects] for effects in (bridge, native))
    matcher = difflib.SequenceMatcher(None, said, instead, autojunk=False)
    return [
        {"heard by": hearer, "bridge": list(bridge[first:last]), "native": list(native[begin:end])}
        for tag, first, last, begin, end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _laid_out(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    said = ",".join(f"\n  {json.dumps(effect, ensure_ascii=False)}" for effect in value)
    return f"[{said}]"


def _is_piece(effect: Json) -> bool:
    update = effect.get("update", {})
    return update.get("sessionUpdate") in PIECES and update["content"]["type"] == "text"


def _without_text(effect: Json) -> Json | None:
    if not _is_piece(effect):
        return None
    update = effect["update"]
    return {**effect, "update": {**update, "content": {**update["content"], "text": ""}}}


def _key(difference: Difference) -> str:
    return json.dumps({part: difference[part] for part in ("heard by", "bridge", "native")}, sort_keys=True)
