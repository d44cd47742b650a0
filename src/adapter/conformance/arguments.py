"""The arguments of ``claude-acp conformance``."""

from __future__ import annotations

import argparse
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.conformance.profiles import CORES, PROFILES
from adapter.conformance.view import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ABOUT = """\
Takes an ACP agent through scenarios, with the real Claude Code and a scripted model on this machine, and compares by
meaning what it says with recordings. No account, no key, no network. docs/conformance.md has the formats.
"""
EXIT = "exit status: 0 if nothing differs, 1 if something differs or fails, 2 if nothing could be compared"
MOST_JOBS = 4


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parses the arguments after ``conformance``; ``command`` is what follows ``--``, if there is anything.

    Raises:
        SystemExit: They are wrong (status 2), or help was asked for (0).
    """
    position = argv.index("--") if "--" in argv else len(argv)
    own, command = argv[:position], list(argv[position + 1 :])
    chosen = _parser().parse_args(own[:1])
    parser = _PARSERS[chosen.action]()
    # Scenarios may stand before and behind options, which is nothing that parsers of parsers know.
    options = parser.parse_intermixed_args(own[1:])
    if position < len(argv) and chosen.action == "list":
        parser.error("list starts no agent, so nothing follows --")
    if position < len(argv) and not command:
        parser.error("no agent command follows --")
    options.action, options.command = chosen.action, command
    if not getattr(options, "profiles", None):
        options.profiles = [CORES[getattr(options, "core", "v1")]]
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="claude-acp conformance",
        usage="%(prog)s run | record | list [options]",
        description=ABOUT,
        epilog="claude-acp conformance run --help tells the rest, and so do record and list",
    )
    parser.add_argument("action", choices=tuple(_PARSERS), metavar="run | record | list")
    return parser


def _run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="claude-acp conformance run",
        description="Plays scenarios on an agent, or on this adapter if no command follows --, and compares.",
        epilog=EXIT,
        usage="%(prog)s [options] [SCENARIO ...] [-- AGENT COMMAND ...]",
    )
    _add_common(parser)
    parser.add_argument(
        "--against", type=Path, metavar="DIR", help="recordings to compare with (default: those of this adapter)"
    )
    parser.add_argument(
        "--parts", type=_list_of(PARTS), default=list(PARTS), metavar="A,B", help=f"of {', '.join(PARTS)} (default all)"
    )
    parser.add_argument(
        "--show", type=_number(int, 0), default=5, metavar="N", help="differences to show a scenario (default 5)"
    )
    parser.add_argument("--allow", type=Path, metavar="FILE", help="differences that are accepted")
    parser.add_argument(
        "--min", type=_number(float, 0, 100), metavar="PERCENT", help="pass if so many leaves are the same"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep the recordings that are made")
    return parser


def _record_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="claude-acp conformance record",
        description="Plays scenarios on an agent, or on this adapter if no command follows --, and writes it down.",
        usage="%(prog)s OUT [options] [SCENARIO ...] [-- AGENT COMMAND ...]",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for SCENARIO.PROFILE.jsonl")
    _add_common(parser)
    parser.add_argument("--brief", action="store_true", help="leave out what no comparison reads")
    return parser


def _list_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="claude-acp conformance list", description="Lists the scenarios.")
    parser.add_argument("--scenarios", type=_folder, action="append", default=[], metavar="DIR")
    return parser


_PARSERS = {"run": _run_parser, "record": _record_parser, "list": _list_parser}


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", default=[], metavar="SCENARIO", help="scenarios by name (default all)")
    parser.add_argument(
        "--core",
        choices=tuple(CORES),
        default="v1",
        help="the client plain, v2 or v2_native, which shows a core of this adapter (default v1)",
    )
    parser.add_argument(
        "--profiles",
        type=_list_of(PROFILES),
        metavar="A,B",
        help=f"the clients to play instead: {', '.join(PROFILES)}",
    )
    parser.add_argument(
        "--scenarios", type=_folder, action="append", default=[], metavar="DIR", help="a folder of further scenarios"
    )
    jobs = max(1, min(MOST_JOBS, (os.cpu_count() or 1) // 2))
    parser.add_argument(
        "--jobs", type=_number(int, 1), default=jobs, metavar="N", help=f"play N at a time (default {jobs})"
    )


def _list_of(known: Iterable[str]) -> Callable[[str], list[str]]:
    names = list(known)

    def parsed(text: str) -> list[str]:
        unknown = [name for name in text.split(",") if name not in names]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is none of {', '.join(names)}")
        return text.split(",")

    return parsed


def _number(kind: type[int] | type[float], least: int, most: float = math.inf) -> Callable[[str], float]:
    def parsed(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text} is no number that fits") from None
        if not least <= number <= most:
            bounds = f"at least {least}" if math.isinf(most) else f"between {least} and {most}"
            raise argparse.ArgumentTypeError(f"{text} is not {bounds}")
        return number

    return parsed


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"no folder {text}")
    return path
