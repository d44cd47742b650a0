from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from adapter.demo.story import PROMPT, check, prepare, scripts
from adapter.scripted.script import ToolBlock, parse_scripts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    prepare(tmp_path / "workspace", tmp_path / "home")
    return tmp_path / "workspace"


def tool_inputs(workspace: Path, tool: str) -> list[dict[str, Any]]:
    (steps,) = parse_scripts(scripts(workspace)).values()
    return [
        block.input for step in steps for block in step.blocks if isinstance(block, ToolBlock) and block.tool == tool
    ]


def edit(workspace: Path) -> None:
    """Does what Claude Code does with the edit of the script; the old text must be there exactly once."""
    (change,) = tool_inputs(workspace, "Edit")
    file = workspace / "greeting.py"
    assert change["file_path"] == str(file)
    assert file.read_text().count(change["old_string"]) == 1
    file.write_text(file.read_text().replace(change["old_string"], change["new_string"]))


def run_command(workspace: Path) -> str:
    (command,) = tool_inputs(workspace, "Bash")
    return subprocess.run(
        command["command"], shell=True, cwd=workspace, capture_output=True, text=True, check=True
    ).stdout


def test_the_prompt_names_the_script(workspace: Path) -> None:
    assert [f"[[{name}]]" for name in scripts(workspace)] == [PROMPT.split()[0]]


def test_the_program_has_a_bug_that_the_edit_fixes(workspace: Path) -> None:
    assert run_command(workspace) == "Hello, {name}!\n"
    edit(workspace)
    assert run_command(workspace) == "Hello, Ada!\n"


def test_nothing_is_true_before(workspace: Path) -> None:
    assert [(item.text, item.holds) for item in check(workspace)] == [
        ("greeting.py has not changed on disk", False),
        ("the command has not run", False),
    ]


def test_everything_is_true_afterwards(workspace: Path) -> None:
    edit(workspace)
    run_command(workspace)
    assert [(item.text, item.holds) for item in check(workspace)] == [
        ("greeting.py has changed on disk", True),
        ("the command has run and printed 'Hello, Ada!'", True),
    ]


def test_a_run_without_the_fix_is_not_enough(workspace: Path) -> None:
    run_command(workspace)
    assert [item.holds for item in check(workspace)] == [False, False]


def test_every_task_is_done_in_the_end(workspace: Path) -> None:
    last = {update["taskId"]: update["status"] for update in tool_inputs(workspace, "TaskUpdate")}
    created = tool_inputs(workspace, "TaskCreate")
    assert last == {str(number): "completed" for number in range(1, len(created) + 1)}


def test_claude_code_is_told_to_ask(tmp_path: Path, workspace: Path) -> None:
    settings = json.loads((tmp_path / "home" / ".claude" / "settings.json").read_text())
    assert settings["permissions"]["defaultMode"] == "default"
