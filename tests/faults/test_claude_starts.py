"""Claude Code that cannot be started, or is not what it should be: an error in time that says what to look at."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from support.cores import Core, all_cores
from support.stub_cli import StubScript

from .session import adapter, session

if TYPE_CHECKING:
    from pathlib import Path


@all_cores
def test_it_exits_at_once(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_start().complains("loading").complains("libfoo.so: not found").exits(127)
    with adapter(tmp_path, script, core) as played:
        error = played.failed_start()
        assert error["data"]["errorKind"] == "start_failed"
        assert error["data"]["path"] == str(played.stub.executable)
        assert error["data"]["exitStatus"] == 127
        assert error["message"].endswith("exited with status 127: libfoo.so: not found")


def test_it_exits_with_a_result_that_says_why(tmp_path: Path) -> None:
    script = StubScript()
    result = {"type": "result", "is_error": True, "errors": ["The proxy is invalid"]}
    script.on_start().emits({**result, "startup_failure_reason": "proxy_invalid"}).exits(1)
    with adapter(tmp_path, script) as played:
        error = played.failed_start()
        assert error["data"]["reason"] == "proxy_invalid"
        assert "The proxy is invalid" in error["message"]


@pytest.mark.parametrize("path", ["/nonexistent/claude", "@PLAIN@", "@FOLDER@"])
def test_it_is_no_program(tmp_path: Path, path: str) -> None:
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    path = path.replace("@PLAIN@", str(plain)).replace("@FOLDER@", str(tmp_path))
    with adapter(tmp_path, StubScript(), env={"CLAUDE_CODE_EXECUTABLE": path}) as played:
        error = played.failed_start()
        assert error["data"] == {"errorKind": "start_failed", "path": path}
        assert path in error["message"]


@all_cores
def test_it_is_too_old(tmp_path: Path, core: Core) -> None:
    with adapter(tmp_path, StubScript(version="2.1.269"), core) as played:
        error = played.failed_start()
        assert error["data"] == {
            "errorKind": "cli_too_old",
            "path": str(played.stub.executable),
            "version": "2.1.269",
            "needed": "2.1.270",
        }
        played.check_none_runs()


def test_the_oldest_one_that_will_do(tmp_path: Path) -> None:
    with session(tmp_path, StubScript(version="2.1.270")) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"


def test_it_refuses_the_greeting(tmp_path: Path) -> None:
    script = StubScript()
    script.on_control("initialize").fails("no")
    with adapter(tmp_path, script) as played:
        assert played.failed_start()["data"]["errorKind"] == "start_failed"


@all_cores
def test_a_restart_that_fails_fails_the_prompt_and_the_next_one_tries_again(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_control("set_model").dies()
    with session(tmp_path, script, core) as played:
        played.lose()
        played.stub.executable.rename(tmp_path / "moved")
        error = played.client.response(played.prompt())["error"]
        assert (error["code"], error["data"]["errorKind"], error["data"]["cause"]) == (
            -32002,
            "resume_failed",
            "start_failed",
        )
        assert error["data"]["sessionId"] == played.id
        assert "No such file" in error["message"]
        (tmp_path / "moved").rename(played.stub.executable)
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"


@all_cores
@pytest.mark.parametrize("cwd", ["relative/folder", "/nonexistent/folder"])
def test_the_folder_of_a_session_must_be_there(tmp_path: Path, core: Core, cwd: str) -> None:
    with adapter(tmp_path, StubScript(), core) as played:
        error = played.client.response(played.start(cwd=cwd))["error"]
        assert (error["code"], error["data"]) == (-32602, {"cwd": cwd})
        assert played.stub.starts() == []


# What Claude Code is started with.


def test_the_marks_of_an_outer_session_are_not_passed_on(tmp_path: Path) -> None:
    outer = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "outer", "CLAUDE_CODE_SSE_PORT": "1", "CLAUDE_KEPT": "yes"}
    with session(tmp_path, StubScript(), env=outer) as played:
        environment = played.stub.starts()[0]["env"]
        assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT"} & environment.keys()
        assert environment["CLAUDE_KEPT"] == "yes"
        assert environment["CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"] == "1"


COPIER = """#!{python}
import os, shutil, sys
if "--mcp-config" in sys.argv:
    shutil.copyfile(sys.argv[sys.argv.index("--mcp-config") + 1], {copy!r})
os.execv({double!r}, [{double!r}, *sys.argv[1:]])
"""


def test_mcp_servers_go_in_a_file_and_not_on_the_command_line(tmp_path: Path) -> None:
    copy, copier = tmp_path / "copy.json", tmp_path / "copier"
    double = str(tmp_path / "double" / "claude-double")
    copier.write_text(COPIER.format(python=sys.executable, copy=str(copy), double=double))
    copier.chmod(0o755)
    server = {"name": "lab", "command": "lab", "args": ["-x"], "env": [{"name": "KEY", "value": "s3cret"}]}
    with adapter(tmp_path, StubScript(), env={"CLAUDE_CODE_EXECUTABLE": str(copier)}) as played:
        played.open(mcpServers=[server])
        (start,) = played.stub.starts()
        assert "s3cret" not in str(start["argv"])
        assert not (tmp_path / start["argv"][start["argv"].index("--mcp-config") + 1]).exists()
    assert json.loads(copy.read_text()) == {
        "mcpServers": {"lab": {"type": "stdio", "command": "lab", "args": ["-x"], "env": {"KEY": "s3cret"}}}
    }
