"""Glob, Grep and LS: what is searched for, and what was found."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import InputFacts, Location, ResultFacts, Text, ToolKind
from adapter.shared.tools.families import family_of
from shared.tools.contexts import PLAIN, failed, ran


@pytest.mark.parametrize(
    ("tool", "tool_input", "title"),
    [
        ("Glob", {}, "Find"),
        ("Glob", {"pattern": "**/*.py"}, "Find `**/*.py`"),
        ("Glob", {"pattern": "*.py", "path": "/w/src"}, "Find `src` `*.py`"),
        ("Glob", {"pattern": 7, "path": "/etc"}, "Find `/etc`"),
        ("Grep", {}, "grep"),
        ("Grep", {"pattern": "a b"}, 'grep "a b"'),
        ("Grep", {"pattern": "x", "path": "/w/src"}, 'grep "x" src'),
        ("Grep", {"pattern": "x", "-i": True, "-n": True, "multiline": True}, 'grep -i -n -P "x"'),
        ("Grep", {"pattern": "x", "-i": False, "-n": "yes"}, 'grep "x"'),
        ("Grep", {"pattern": "x", "-A": 2, "-B": 0, "-C": True}, 'grep -A 2 -B 0 "x"'),
        ("Grep", {"pattern": "x", "output_mode": "files_with_matches"}, 'grep -l "x"'),
        ("Grep", {"pattern": "x", "output_mode": "count"}, 'grep -c "x"'),
        ("Grep", {"pattern": "x", "output_mode": "content"}, 'grep "x"'),
        ("Grep", {"pattern": "x", "glob": "*.{a,b}", "type": "py"}, 'grep --include="*.{a,b}" --type=py "x"'),
        ("Grep", {"path": "/w/src"}, "grep src"),
        ("Grep", {"pattern": "x", "head_limit": 5}, 'grep "x" | head -5'),
        ("Grep", {"pattern": "x", "head_limit": 0}, 'grep "x"'),
        ("Grep", {"pattern": 'a"b`c$d$'}, 'grep "a\\"b\\`c\\$d$"'),
        ("LS", {}, "List the current directory"),
        ("LS", {"path": "/w/src"}, "List src"),
    ],
)
def test_what_is_searched_for_is_the_title(tool: str, tool_input: dict[str, Any], title: str) -> None:
    path = tool_input.get("path")
    locations = None if tool == "Grep" else (Location(path),) if path else ()
    facts = family_of(tool).describe(tool, tool_input, PLAIN)
    assert facts == InputFacts(title, ToolKind.SEARCH, locations=locations)


@pytest.mark.parametrize("tool", ["Glob", "Grep", "LS"])
def test_what_was_found_is_the_content(tool: str) -> None:
    family = family_of(tool)
    assert family.read_result(tool, {}, ran("a.py\nb.py"), PLAIN) == ResultFacts(content=(Text("a.py\nb.py"),))
    assert family.read_result(tool, {}, ran(""), PLAIN) == ResultFacts(content=())
    assert family.read_result(tool, {}, failed("oops"), PLAIN) == ResultFacts(content=(Text("```\noops\n```"),))
