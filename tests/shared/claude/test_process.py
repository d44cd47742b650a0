"""A process is started, read and written to; whatever becomes of it is reported once, with what it said last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from adapter.shared.claude import process as process_module
from adapter.shared.claude.process import ProcessExit, signal_name
from adapter.shared.jsonrpc.errors import ClaudeFailure
from shared.claude.fake_cli import SECONDS, Run, install

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio


class Programs:
    """The programs of a test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.all: list[Run] = []

    async def __call__(self, script: str, *arguments: str, **how: Any) -> Run:
        """A program, started."""
        program = Run(install(self._folder, script), *arguments, folder=self._folder, **how)
        await program.process.start()
        self.all.append(program)
        return program


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Programs]:
    programs = Programs(tmp_path)
    yield programs
    for program in programs.all:
        await program.clear_away()


async def failure_to_start(command: str, folder: Path) -> ClaudeFailure:
    with anyio.fail_after(SECONDS), pytest.raises(ClaudeFailure) as raised:
        await Run(command, folder=folder).process.start()
    return raised.value


@pytest.fixture
def plain_file(tmp_path: Path) -> str:
    """A file without permission to execute it."""
    program = tmp_path / "claude"
    program.touch(0o644)
    return str(program)


@pytest.fixture
def alien(tmp_path: Path) -> str:
    """A program that this machine cannot execute."""
    program = tmp_path / "claude"
    program.write_bytes(b"\x7fELF, but not really")
    program.chmod(0o755)
    return str(program)


async def test_a_missing_program_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "no" / "claude")
    message = f"cannot start Claude Code at {path}: No such file or directory"
    assert await failure_to_start(path, tmp_path) == ClaudeFailure("start_failed", message, {"path": path})


async def test_a_file_that_is_no_program_is_named(plain_file: str, tmp_path: Path) -> None:
    message = f"cannot start Claude Code at {plain_file}: Permission denied"
    assert await failure_to_start(plain_file, tmp_path) == ClaudeFailure("start_failed", message, {"path": plain_file})


async def test_a_program_for_another_machine_is_named(alien: str, tmp_path: Path) -> None:
    failure = await failure_to_start(alien, tmp_path)
    assert failure.message == f"cannot start Claude Code at {alien}: Exec format error"


async def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "removed"
    path = install(tmp_path, "")
    failure = await failure_to_start(path, folder)
    text = f"cannot start Claude Code at {path}: its working directory {folder} does not exist"
    assert failure == ClaudeFailure("start_failed", text, {"path": path})


async def test_frames_come_in_order_and_before_the_end(run: Programs) -> None:
    script = "for number in range(2000): say(type='x', number=number)\nsys.stdout.write('{\"type\": \"last\"}')"
    started = await run(script)
    exit_ = await started.end()
    assert [frame["number"] for frame in started.frames[:-1]] == list(range(2000))
    assert started.frames[-1] == {"type": "last"}
    assert exit_ == ProcessExit(0, f"Claude Code at {started.process.path} exited with status 0", ())


async def test_lines_that_are_no_frames_are_passed_over(run: Programs) -> None:
    lines = ["plain text", "{broken", "", "[]", "\0\0", '{"type": "x"}']
    started = await run(f"print(*{lines!r}, sep='\\n')")
    await started.end()
    assert started.frames == [{"type": "x"}]


@pytest.mark.parametrize("size", [1_100_000, 8_000_000])
async def test_a_long_line_is_a_frame(run: Programs, size: int) -> None:
    started = await run(f"say(type='x', data='a' * {size})")
    await started.end()
    assert [len(frame["data"]) for frame in started.frames] == [size]


async def test_a_line_over_the_limit_ends_the_process(run: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "MAX_LINE_BYTES", 1000)
    started = await run("say(type='x')\nsay(type='y', data='a' * 2000)\nsay(type='z')\nhear()")
    exit_ = await started.end()
    assert started.frames == [{"type": "x"}]
    path = started.process.path
    assert exit_.reason == f"Claude Code at {path} sent a line longer than 1000 bytes and was stopped"


async def test_a_program_that_exits_at_once_is_reported_with_its_last_words(run: Programs) -> None:
    started = await run("complain('warning: x', '  cannot use X as root  ', '')\nsys.exit(127)")
    exit_ = await started.end()
    assert exit_.status == 127
    assert exit_.reason == f"Claude Code at {started.process.path} exited with status 127: cannot use X as root"
    assert exit_.stderr == ("warning: x", "cannot use X as root")


async def test_last_words_need_no_newline(run: Programs) -> None:
    started = await run("sys.stderr.write('first\\nlast')\nsys.exit(3)")
    assert (await started.end()).stderr == ("first", "last")


async def test_a_signal_is_named(run: Programs) -> None:
    started = await run("os.kill(os.getpid(), signal.SIGKILL)")
    exit_ = await started.end()
    assert exit_.status == -9
    assert exit_.reason == f"Claude Code at {started.process.path} was ended by signal SIGKILL"


def test_a_signal_without_a_name_is_a_number() -> None:
    assert (signal_name(15), signal_name(999)) == ("SIGTERM", "999")


def test_an_end_is_a_failure_with_its_details() -> None:
    failure = ProcessExit(-9, "it died", ("a", "b")).failure()
    assert failure == ClaudeFailure("process_exited", "it died", {"exitStatus": -9, "stderr": ["a", "b"]})
    assert ProcessExit(1, "x", ()).failure() == ClaudeFailure("process_exited", "x", {"exitStatus": 1})


async def test_a_program_that_closes_its_output_is_stopped(run: Programs) -> None:
    started = await run("say(type='x')\nos.close(1)\nhear()")
    exit_ = await started.end()
    assert started.frames == [{"type": "x"}]
    assert exit_.reason == f"Claude Code at {started.process.path} closed its output and was stopped"


HOLDS_PIPES = "subprocess.Popen(['cat'], start_new_session=True)\nsay(type='x')\nsys.exit(5)"
"""Exits, but not its child, which has its pipes and ends with our end of its stdin."""


async def test_a_child_that_holds_the_pipes_hangs_nothing_and_costs_no_descriptors(run: Programs) -> None:
    closed: list[bool] = []
    started = await run(HOLDS_PIPES)
    started.on_end = lambda: closed.append(started.transport.is_closing())
    exit_ = await started.end()
    assert started.frames == [{"type": "x"}]
    assert exit_.status == 5
    assert closed == [True]


async def test_five_megabytes_on_stderr_block_nothing_and_the_last_lines_are_kept(run: Programs) -> None:
    script = "for number in range(50_000): print(number, 'x' * 100, file=sys.stderr)\nsay(type='x')\nsys.exit(1)"
    started = await run(script)
    exit_ = await started.end()
    assert started.frames == [{"type": "x"}]
    assert [line.split()[0] for line in exit_.stderr] == [str(number) for number in range(49_960, 50_000)]


async def test_a_long_line_on_stderr_is_cut_and_a_huge_one_dropped(run: Programs) -> None:
    started = await run("complain('a' * 3000, 'b' * 70_000, 'c')\nsys.stderr.write('d' * 70_000)")
    too_long = "(a line too long to keep)"
    assert (await started.end()).stderr == ("a" * 2000, too_long, "c", too_long)


async def test_bytes_on_stderr_that_are_no_utf_8_are_replaced(run: Programs) -> None:
    started = await run("os.write(2, b'caf\\xe9\\n')")
    assert (await started.end()).stderr == ("caf\ufffd",)


async def test_a_client_that_does_not_read_slows_claude_code_down(run: Programs) -> None:
    waits, goes_on = anyio.Event(), anyio.Event()

    async def relieved() -> None:
        waits.set()
        await goes_on.wait()

    script = "for number in range(3000): say(type='x', data='a' * 1000)\nhear()"
    started = await run(script, relieved=relieved)
    with anyio.fail_after(SECONDS):
        await waits.wait()
    before = len(started.frames)
    await anyio.wait_all_tasks_blocked()
    assert 0 < before == len(started.frames) < 1000
    goes_on.set()
    await started.frame(2999)


async def test_frames_of_ours_arrive_whole_and_in_order(run: Programs) -> None:
    started = await run("while frame := hear(): say(type='heard', frame=frame)")
    sent = [{"type": "a", "text": "ä"}, {"type": "b", "data": "x" * 5_000_000}, {"type": "c", "text": "\ud800"}]
    for frame in sent:
        started.process.send(frame)
    await started.frame(2)
    heard = [frame["frame"] for frame in started.frames]
    assert heard == [*sent[:2], {"type": "c", "text": "\ufffd"}]


async def test_frames_to_a_program_that_has_ended_are_dropped(run: Programs) -> None:
    started = await run("")
    await started.end()
    started.process.send({"type": "late"})
    await started.process.stop({"type": "farewell"})


async def test_the_environment_and_the_folder_are_what_they_are_told(run: Programs, tmp_path: Path) -> None:
    script = "say(type='x', cwd=os.getcwd(), environment=dict(os.environ), leader=os.getsid(0) == os.getpid())"
    started = await run(script, environment={"ONLY": "this", "LC_ALL": "C.UTF-8"})
    frame = await started.frame()
    assert frame["cwd"] == str(tmp_path)
    assert frame["environment"] == {"ONLY": "this", "LC_ALL": "C.UTF-8"}
    assert frame["leader"]


async def test_the_arguments_are_passed(run: Programs) -> None:
    script = "say(type='x', arguments=sys.argv[1:])"
    started = await run(script, "--a=b c", "", "ü", environment={"LC_ALL": "C.UTF-8"})
    assert (await started.frame())["arguments"] == ["--a=b c", "", "ü"]
