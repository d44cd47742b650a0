"""Compares two recordings by meaning, leaf by leaf."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.conformance.view import LISTS, PARTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

ABSENT = "<absent>"
"""Stands for a leaf that one of the two does not have."""
PASSED_OVER = frozenset({"agentInfo", "info", "updatedAt"})
"""Members that are never compared: who the agent is, and when a session was touched."""
ID = re.compile(r"<id-\d+>")
MODEL_USAGE = "/model_usage"


@dataclass(frozen=True)
class Difference:
    """A leaf that is not the same.

    Attributes:
        place: Where it is: the part and the names and numbers that lead to it, with slashes.
        theirs: What the recording says there, or ``ABSENT``.
        ours: What the agent said, or ``ABSENT``.
    """

    place: str
    theirs: Any
    ours: Any


@dataclass(frozen=True)
class Comparison:
    """What a comparison came to.

    Attributes:
        leaves: How many leaves there are: those of the recording, and those that only the agent has.
        differences: Those that are not the same, in the order of the parts.
    """

    leaves: int
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> int:
        """How many leaves are the same."""
        return self.leaves - len(self.differences)


def compare(theirs: Mapping[str, Any], ours: Mapping[str, Any], parts: Collection[str] = PARTS) -> Comparison:
    """Compares two views.

    Args:
        theirs: The view of the recording, which is the measure.
        ours: The view of what the agent said.
        parts: The parts to look at.
    """
    total = 0
    differences: list[Difference] = []
    for part in PARTS:
        if part not in parts:
            continue
        pairs = _aligned(theirs[part], ours[part]) if part in LISTS else [("", theirs[part], ours[part])]
        for name, their, our in pairs:
            leaves, found = _compare_leaves(f"/{part}{name}", their, our)
            total += leaves
            differences += found
    return Comparison(total, tuple(differences))


_NOTHING = object()


def _compare_leaves(place: str, theirs: Any, ours: Any) -> tuple[int, list[Difference]]:
    """The number of leaves of both together, and those that differ."""
    their = dict(leaves(theirs, place)) if theirs is not _NOTHING else {}
    our = dict(leaves(ours, place)) if ours is not _NOTHING else {}
    places = list(dict.fromkeys([*their, *our]))
    found = [
        Difference(leaf, their.get(leaf, ABSENT), our.get(leaf, ABSENT))
        for leaf in places
        if leaf not in their or leaf not in our or not _is_same(their[leaf], our[leaf])
    ]
    return len(places), found


def _is_same(theirs: Any, ours: Any) -> bool:
    """Whether two leaves say the same; which number an id got says nothing."""
    if isinstance(theirs, str) and isinstance(ours, str):
        return ID.sub("<id>", theirs) == ID.sub("<id>", ours)
    return bool(theirs == ours) and isinstance(theirs, bool) == isinstance(ours, bool)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values in a JSON value, empty objects and lists among them, each with its place."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            if name not in PASSED_OVER:
                yield from leaves(part, f"{place}/{name}")
    elif isinstance(value, list) and value:
        for number, part in enumerate(value):
            yield from leaves(part, f"{place}/{number}")
    elif MODEL_USAGE in place and isinstance(value, int | float):
        # Whether Claude Code has asked for a title by then is chance, and the tokens of that are in it.
        yield place, "<number>"
    else:
        yield place, value


def _aligned(theirs: Sequence[Any], ours: Sequence[Any]) -> list[tuple[str, Any, Any]]:
    """Pairs of entries that are about the same, so that one entry more does not shift all that follow.

    Each pair has its place: that in the recording, or one behind a plus if only the agent has the entry.
    """
    matcher = difflib.SequenceMatcher(None, [_about(e) for e in theirs], [_about(e) for e in ours], autojunk=False)
    partners = {
        block.a + offset: block.b + offset for block in matcher.get_matching_blocks() for offset in range(block.size)
    }
    pairs = [
        (f"/{number}", entry, ours[partners[number]] if number in partners else _NOTHING)
        for number, entry in enumerate(theirs)
    ]
    taken = set(partners.values())
    return pairs + [(f"/+{number}", _NOTHING, entry) for number, entry in enumerate(ours) if number not in taken]


def _about(entry: Any) -> str:
    """What an entry of a list is about."""
    if isinstance(entry, dict):
        params = entry.get("params") or {}
        call = params.get("toolCall")
        subject = call.get("toolCallId") if isinstance(call, dict) else None
        return json.dumps([entry.get("method"), entry.get("session"), subject or params.get("title")])
    third = entry[2] if len(entry) > 2 else None
    if isinstance(third, dict):
        third = third.get("sessionId")
    return ID.sub("<id>", json.dumps([*entry[:2], third]))
