"""ACP wants absolute paths, whatever a model names: a relative path is one of the session's folder."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import CallContext, Diff, FileSnapshot, Location, Patch, ToolReport
from adapter.shared.tools.tracker import ToolCalls
from shared.tools.contexts import FIELDS, PATCHES, PLAIN, ran

READ = {"file_path": "src/a.py", "offset": 3}
EDIT = {"file_path": "src/a.py", "old_string": "b", "new_string": "c"}
WRITE = {"file_path": "src/a.py", "content": "c\n"}
HUNK = {"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 1, "lines": ["-b", "+c"]}
CHANGE = {"filePath": "src/a.py", "originalFile": "b\n", "structuredPatch": [HUNK]}


def places(reports: list[ToolReport]) -> list[Location | Diff | Patch]:
    """All that has a path in reports."""
    shown = [item for report in reports for name in ("locations", "content") for item in report.fields.get(name, ())]
    return [item for item in shown if isinstance(item, Location | Diff | Patch)]


@pytest.mark.parametrize("context", [PLAIN, PATCHES, FIELDS], ids=["plain", "patches", "fields"])
@pytest.mark.parametrize(
    ("tool", "tool_input", "change", "kinds"),
    [
        ("Read", READ, None, {Location}),
        ("Glob", {"pattern": "*.py", "path": "src/a.py"}, None, {Location}),
        ("Grep", {"pattern": "x", "path": "src/a.py"}, None, set()),
        ("LS", {"path": "src/a.py"}, None, {Location}),
        ("Edit", EDIT, CHANGE, {Location, Diff, Patch}),
        ("Write", WRITE, CHANGE, {Location, Diff, Patch}),
    ],
    ids=["Read", "Glob", "Grep", "LS", "Edit", "Write"],
)
def test_relative_paths_are_made_absolute(
    tool: str, tool_input: dict[str, Any], change: Any, kinds: set[type], context: CallContext
) -> None:
    calls = ToolCalls(context)
    reports = calls.open("c", tool) + calls.refine("c", tool_input) + calls.finish("c", ran("Done.", change))
    shown = places(reports)
    assert {item.path for item in shown} <= {"/w/src/a.py"}
    # A client gets changes as diffs or as patches.
    assert {type(item) for item in shown} & {Location} == kinds & {Location}
    assert any(isinstance(item, Diff | Patch) for item in shown) == (Patch in kinds)


@pytest.mark.parametrize("context", [PATCHES, FIELDS], ids=["patches", "fields"])
def test_the_preview_of_a_relative_path_has_an_absolute_one(context: CallContext) -> None:
    calls = ToolCalls(context)
    calls.open("c", "Edit")
    calls.refine("c", EDIT)
    calls.show_preview("c", FileSnapshot("text", "b\n"))
    (patch,) = calls.snapshot("c")["content"]
    assert isinstance(patch, Patch)
    assert patch.path == "/w/src/a.py"
