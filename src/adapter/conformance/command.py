"""The command ``claude-acp conformance``: plays scenarios on an agent, and records or compares what it says."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.conformance.arguments import parse
from adapter.conformance.brief import brief
from adapter.conformance.compare import compare
from adapter.conformance.library import (
    GOLDEN,
    Case,
    SelectionError,
    cases_to_compare,
    cases_to_record,
    read_recordings,
)
from adapter.conformance.place import ADAPTER
from adapter.conformance.recorder import Recorded, Recorder
from adapter.conformance.recording import RecordingError
from adapter.conformance.report import (
    STYLES,
    ProgressReport,
    console,
    says,
    show_differences,
    show_summary,
    show_unused,
)
from adapter.conformance.scenario import ScenarioError, all_scenarios
from adapter.conformance.verdict import (
    Allowance,
    AllowanceError,
    Outcome,
    Result,
    holds,
    judge,
    parse_allowances,
)
from adapter.conformance.view import view

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

DIFFERENT = 1
UNUSABLE = 2
INTERRUPTED = 130


class CommandError(Exception):
    """The agent's command cannot be run."""


def run(argv: list[str]) -> int:
    """Runs the command.

    Args:
        argv: The arguments after ``conformance``.

    Returns:
        The exit status: 0 if nothing differs, 1 if something differs or fails, 2 if nothing could be compared,
        130 after Ctrl-C.
    """
    options = parse(argv)
    try:
        signal.signal(signal.SIGTERM, _interrupt)
        return {"run": _run, "record": _record, "list": _list}[options.action](options)
    except (SelectionError, RecordingError, ScenarioError, AllowanceError, CommandError) as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped, and the agents with it.\n")
        return INTERRUPTED


def agent_command(words: Sequence[str]) -> list[str]:
    """The agent's command line: this adapter, or the words with paths that hold in any folder.

    Raises:
        CommandError: There is no such program.
    """
    if not words:
        return ADAPTER
    if shutil.which(words[0]) is None:
        raise CommandError(f"the agent cannot be started: no program {words[0]}")
    return [str(Path(word).absolute()) if os.sep in word and Path(word).exists() else word for word in words]


def _run(options: argparse.Namespace) -> int:
    command = agent_command(options.command)
    allowances = parse_allowances(options.allow.read_text(encoding="utf-8")) if options.allow else []
    recordings = read_recordings(options.against or GOLDEN)
    cases = cases_to_compare(all_scenarios(*options.scenarios), recordings, options.names, options.profiles)
    found: list[Result] = []

    def done(case: Case, recorded: Recorded) -> tuple[str, str]:
        _save(options.save, case, recorded, shorten=False)
        result = _compared(case, recorded, options.parts, allowances)
        found.append(result)
        return says(result), STYLES[result.outcome]

    _play(command, cases, options.jobs, done)
    found.sort(key=lambda result: result.name)
    out = console()
    show_differences(out, found, options.show)
    show_summary(out, found)
    show_unused(out, [one for one in allowances if not any(one in result.used for result in found)])
    return 0 if holds(found, options.min) else DIFFERENT


def _record(options: argparse.Namespace) -> int:
    command = agent_command(options.command)
    cases = cases_to_record(all_scenarios(*options.scenarios), options.names, options.profiles)
    failed: list[str] = []

    def done(case: Case, recorded: Recorded) -> tuple[str, str]:
        _save(options.out, case, recorded, shorten=options.brief)
        reason = recorded.recording.failed
        if reason is None:
            return f"{len(recorded.recording.entries)} messages", STYLES[Outcome.SAME]
        failed.append(case.name)
        return f"failed: {reason}{_tail(recorded)}", STYLES[Outcome.FAILED]

    _play(command, cases, options.jobs, done)
    console().print(f"{len(cases) - len(failed)} of {len(cases)} recorded in {options.out}", soft_wrap=True)
    return DIFFERENT if failed else 0


def _list(options: argparse.Namespace) -> int:
    out = console()
    for name, scenario in sorted(all_scenarios(*options.scenarios).items()):
        out.print(f"{name:20} {scenario.get('about', '')}", soft_wrap=True, markup=False)
    return 0


def _compared(case: Case, recorded: Recorded, parts: Sequence[str], allowances: Sequence[Allowance]) -> Result:
    assert case.measure is not None, "what is compared has a measure"
    if recorded.recording.failed is not None:
        return Result(case.name, failed=recorded.recording.failed + _tail(recorded))
    shows_setup = bool(case.scenario.get("shows_setup"))
    theirs, ours = (view(recording, shows_setup=shows_setup) for recording in (case.measure, recorded.recording))
    return judge(case.name, compare(theirs, ours, parts), allowances)


def _play(
    command: Sequence[str], cases: Sequence[Case], jobs: int, done: Callable[[Case, Recorded], tuple[str, str]]
) -> None:
    """Plays cases, some at a time, and tells of each; whatever happens, no agent and no folder is left."""
    root = Path(tempfile.mkdtemp(prefix="conformance-"))
    try:
        recorder = Recorder(command, root)
        with ProgressReport(console(stderr=True), len(cases)) as progress:
            for case, recorded in _recordings(recorder, cases, jobs):
                text, style = done(case, recorded)
                progress.done(case.name, text, style, recorded.seconds)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _recordings(recorder: Recorder, cases: Sequence[Case], jobs: int) -> Iterator[tuple[Case, Recorded]]:
    """Records cases and yields each as it is done."""
    pool = ThreadPoolExecutor(jobs)
    futures: dict[Future[Recorded], Case] = {
        pool.submit(recorder.record, case.scenario, case.profile): case for case in cases
    }
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        recorder.stop()
        pool.shutdown(wait=True)


def _save(folder: Path | None, case: Case, recorded: Recorded, *, shorten: bool) -> None:
    if folder is None:
        return
    recording = brief(recorded.recording, case.scenario) if shorten else recorded.recording
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{case.name}.jsonl").write_text(recording.text(), encoding="utf-8")


def _tail(recorded: Recorded) -> str:
    """What the agent wrote to its stderr last."""
    text = " ".join(line.strip() for line in recorded.stderr)
    return f" (its stderr: {text[-300:]})" if text else ""


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _complain(text: str) -> int:
    sys.stderr.write(f"claude-acp conformance: {text}\n")
    return UNUSABLE
