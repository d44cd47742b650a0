"""Applies the hunks of a unified diff, as `patch` does without fuzz, and refuses what does not fit."""

from __future__ import annotations

import re
from typing import NamedTuple

HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
LINE = re.compile(r"[^\n]*\n|[^\n]+")
NO_NEWLINE = "\\ No newline at end of file"


class Hunk(NamedTuple):
    """One hunk: where it stands, and its lines with their signs and their newlines."""

    old_start: int
    old_length: int
    new_start: int
    new_length: int
    lines: list[tuple[str, str]]

    def side(self, sign: str) -> list[str]:
        """The lines of the old side (`-`) or of the new one (`+`)."""
        return [text for mark, text in self.lines if mark in (" ", sign)]


def parse_hunks(text: str) -> list[Hunk]:
    """The hunks of a diff without file headers."""
    assert text == "" or text.endswith("\n")
    hunks: list[Hunk] = []
    for line in text.split("\n")[:-1]:
        if head := HEAD.fullmatch(line):
            old_start, old_length, new_start, new_length = (int(number or 1) for number in head.groups())
            hunks.append(Hunk(old_start, old_length, new_start, new_length, []))
        elif line == NO_NEWLINE:
            sign, last = hunks[-1].lines.pop()
            hunks[-1].lines.append((sign, last.removesuffix("\n")))
        else:
            assert line[0] in " -+", line
            hunks[-1].lines.append((line[0], line[1:] + "\n"))
    return hunks


def apply_hunks(old: str, text: str) -> str:
    """The text that a diff makes of `old`."""
    given = LINE.findall(old)
    made: list[str] = []
    position = 0
    for hunk in parse_hunks(text):
        # A side without lines names the line before it.
        start = hunk.old_start - 1 if hunk.old_length else hunk.old_start
        made += given[position:start]
        assert hunk.new_start == len(made) + (1 if hunk.new_length else 0)
        position = start + hunk.old_length
        assert hunk.side("-") == given[start:position]
        assert len(hunk.side("+")) == hunk.new_length
        made += hunk.side("+")
    return "".join(made + given[position:])
