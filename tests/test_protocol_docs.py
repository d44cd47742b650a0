"""The table of the draft's rules in docs/protocol-v2.md names, for each of them, a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from users.test_checks import functions

DOCUMENT = Path(__file__).parents[1] / "docs" / "protocol-v2.md"
PAGES = {
    "agent-plan",
    "authentication",
    "cancellation",
    "content",
    "elicitation",
    "extensibility",
    "initialization",
    "overview",
    "prompt-lifecycle",
    "session-config-options",
    "session-delete",
    "session-list",
    "session-setup",
    "slash-commands",
    "tool-calls",
    "transports",
}
"""The draft's documents that say what an agent must do."""


def rules() -> list[list[str]]:
    """The cells of the table's rows: the rule, its pages, how it is kept, the test."""
    table = DOCUMENT.read_text().partition("\n## The draft's rules")[2]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


@pytest.mark.parametrize("row", rules(), ids=lambda row: row[0])
def test_a_rule_has_a_test_that_exists(row: list[str]) -> None:
    assert len(row) == 4
    assert all(row)
    file, _, function = row[3].strip("`").partition("::")
    assert function.startswith("test_")
    assert function in functions(file)


def test_every_document_of_the_draft_has_its_rules() -> None:
    named = {page for row in rules() for page in re.findall(r"[a-z]+(?:-[a-z]+)*", row[1])}
    assert named >= PAGES
