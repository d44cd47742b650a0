"""What docs/protocol-v2.md says of the draft's rules and of the bridge's modules is so.

The table of rules names, for each of them, a test that exists and holds it for both cores: one that runs on both, or
one of code that both have in common.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from users.test_checks import functions

TESTS = Path(__file__).parent
DOCUMENT = TESTS.parent / "docs" / "protocol-v2.md"
BRIDGE = TESTS.parent / "src" / "adapter" / "v2_bridge"
LARGEST_BRIDGE = 1500
"""Lines of the bridge's modules together: it translates, and decides nothing about turns."""
IN_COMMON = ("shared/", "test_schemas.py", "test_serve.py", "test_serve_process.py")
"""Where the tests are of code that both cores have in common, or that runs before one of them is chosen."""
CORES = {"bridge", "native"}
A_CORE = re.compile(r"bridge_core|native_core|BridgeSession|NativeSession")
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


def named_tests() -> list[str]:
    """The tests that the table names, as pytest names them under `tests/`."""
    return sorted({row[3].strip("`") for row in rules()})


def holds_for_both(name: str, collected: set[str]) -> bool:
    """Whether a test of the table is one of both cores, as pytest has collected it, or of what they have in common."""
    parameters = {part for one in collected if one.startswith(f"{name}[") for part in re.split(r"[\[\]-]", one)}
    file = name.partition("::")[0]
    return parameters >= CORES or (file.startswith(IN_COMMON) and not A_CORE.search((TESTS / file).read_text()))


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """All tests of the files that the table names, each with its parameters."""
    files = sorted({name.partition("::")[0] for name in named_tests()})
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-p", "no:cacheprovider", *files]
    output = subprocess.run(command, cwd=TESTS, check=True, capture_output=True, text=True).stdout
    return {line.removeprefix("tests/") for line in output.splitlines() if "::" in line}


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


@pytest.mark.parametrize("name", named_tests())
def test_a_rule_holds_for_both_cores(name: str, collected: set[str]) -> None:
    assert holds_for_both(name, collected)


def test_a_test_of_one_core_is_not_enough() -> None:
    both = {"v2/test_a.py::test_b[bridge-1]", "v2/test_a.py::test_b[native-1]"}
    assert holds_for_both("v2/test_a.py::test_b", both)
    assert not holds_for_both("v2/test_a.py::test_b", {"v2/test_a.py::test_b[native-1]"})
    assert not holds_for_both("v2_native/test_messages.py::test_a_prompt_is_taken_once", set())
    assert not holds_for_both("shared/test_reports.py::test_an_approved_plan_is_told_behind_its_call", set())
    assert holds_for_both("shared/test_ids.py::test_ids_are_random_uuids", set())


# The bridge.


def bridge_modules() -> dict[str, str]:
    """The modules of the table of the bridge's modules, each with what it translates."""
    table = DOCUMENT.read_text().partition("\n### The bridge's modules")[2].partition("\n#")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0].strip("`"): row[1] for row in rows}


def test_the_table_names_the_modules_of_the_bridge() -> None:
    there = {path.stem for path in BRIDGE.glob("**/*.py")} - {"__init__"}
    assert bridge_modules().keys() == there
    assert all(bridge_modules().values())


def test_the_bridge_is_small() -> None:
    assert sum(len(path.read_text().splitlines()) for path in BRIDGE.glob("**/*.py")) < LARGEST_BRIDGE
