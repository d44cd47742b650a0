"""The table of docs/air-extensions.md: each key and rule has tests that exist, and the schema has each key."""

from __future__ import annotations

import json
import re
from pathlib import Path

from adapter.shared.client_capabilities import AIR_CAPABILITIES
from support.schemas import SCHEMAS

TESTS = Path(__file__).parents[2]
PAGE = TESTS.parent / "docs" / "air-extensions.md"
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
KEYS = {
    "agentFileChangeReport",
    "agentFileChangeReportRequest",
    "asyncTasks",
    "capabilities",
    "commandTitle",
    "contextCompaction",
    "customAnswer",
    "diffPatch",
    "fork",
    "goal",
    "kind",
    "loadReplayEnd",
    "mcp",
    "permission",
    "recommendedValue",
    "sessionFailure",
    "skill",
    "subagent",
}
SENT_BY_AIR = {"agentFileChangeReportRequest", "fork"}
REMOVED = {"diffStats", "skillPath", "contentDelta"}


def rows() -> dict[str, list[tuple[str, str]]]:
    """The table: the tests of each key or rule."""
    table = PAGE.read_text(encoding="utf-8").split("## What holds it", 1)[1]
    cells = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    return {rule.strip(): NAMED.findall(tests) for rule, tests in cells}


def test_each_row_names_tests_that_exist() -> None:
    assert len(rows()) > 140
    for rule, tests in rows().items():
        assert tests, f"{rule}: no test"
        for path, name in tests:
            source = (TESTS / path).read_text(encoding="utf-8")
            assert re.search(rf"^(async )?def {name}\(", source, re.MULTILINE), f"{rule}: {path}::{name}"


def test_each_key_and_capability_has_a_row() -> None:
    named = {word for rule in rows() for word in re.findall(r"`(\w+)`", rule)}
    assert named >= KEYS | AIR_CAPABILITIES | {"planContentDelta", "is_mcp_tool_call", "promptSuggestions"}


def test_no_row_is_there_twice() -> None:
    table = PAGE.read_text(encoding="utf-8").split("## What holds it", 1)[1]
    assert len(rows()) == sum(line.startswith("| ") for line in table.splitlines()) - 1


def names(schema: object) -> set[str]:
    """All names of properties in a schema."""
    if isinstance(schema, list):
        return {name for part in schema for name in names(part)}
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties")
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*(names(part) for part in schema.values()))


def test_the_schema_knows_every_key_of_airs() -> None:
    assert names(json.loads((SCHEMAS / "air.json").read_text(encoding="utf-8"))) >= KEYS - SENT_BY_AIR


def test_removed_keys_are_in_no_schema() -> None:
    assert not names(json.loads((SCHEMAS / "air.json").read_text(encoding="utf-8"))) & REMOVED
