"""Records what a session hears in a scenario, with the real Claude Code, for the golden tests.

    python scripts/record_scenario.py [SCENARIO ...] [--core v1|v1_sessions|v2] [--output FOLDER]

A scenario is a name in src/adapter/conformance/scenarios. Without scenarios, all that a core has a recording of
are recorded anew. Whatever depends on the machine or the moment is replaced by something that does not, and long lists
that no core reads are cut.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.conformance.place import bundled_cli
from adapter.conformance.player import play
from adapter.conformance.scenario import load_scenario

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "tests" / "golden" / "inputs"
PROFILES = {"v1": "plain", "v1_sessions": "rich", "v2": "v2"}
"""The client of each core. Both cores of v2 play what was recorded with the bridge."""

KEPT_COMMANDS = frozenset({"clear", "compact", "context", "usage"})
INIT = frozenset({"type", "subtype", "cwd", "model", "permissionMode", "user_message_uuids", "uuid", "session_id"})
"""What is kept of the frame with which a turn begins."""
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
LOOPBACK = re.compile(r"127\.0\.0\.1:\d+")
TASK_FOLDER = re.compile(r"/tmp/claude-\d+/")
PIECES = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}
"""The pieces of a message, by type, and where their text is."""
MOMENT = "2026-11-30T12:00:00.000Z"


class Neutral:
    """Replaces what depends on the machine or the moment.

    Args:
        folder: The folder in which the scenario ran.
    """

    def __init__(self, folder: Path) -> None:
        paths = {str(folder / "workspace"): "/project", str(folder / "home"): "/home/user"}
        # Claude Code names a project's folder after its path.
        names = {old.replace("/", "-"): new.replace("/", "-") for old, new in paths.items()}
        programs = {str(bundled_cli()): "/usr/bin/claude", sys.executable: "/usr/bin/python3", str(ROOT): "/adapter"}
        self._paths = {**paths, **names, **programs}
        self._uuids: dict[str, str] = {}

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value, which has a key if it is a member of an object."""
        if isinstance(value, dict):
            return {name: self.value(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, str):
            return MOMENT if key == "timestamp" else self._text(value)
        if isinstance(value, int | float) and key.lower().endswith(("_ms", "durationms", "pid")):
            return 1
        return value

    def _text(self, text: str) -> str:
        for old, new in self._paths.items():
            text = text.replace(old, new)
        text = TASK_FOLDER.sub("/tmp/claude/", LOOPBACK.sub("127.0.0.1:1", text))
        return UUID.sub(self._uuid, text)

    def _uuid(self, found: re.Match[str]) -> str:
        return self._uuids.setdefault(found[0], f"00000000-0000-4000-8000-{len(self._uuids) + 1:012d}")

    def pieces(self, lines: Sequence[Json]) -> None:
        """What a message streams in pieces: a path may be cut into two, so the pieces are cut anew."""
        block: list[tuple[Json, str]] = []
        for line in lines:
            event = line.get("frame", {}).get("event", {})
            delta = event.get("delta", {})
            if delta.get("type") in PIECES:
                block.append((delta, PIECES[delta["type"]]))
            elif event.get("type") == "content_block_stop":
                self._cut_anew(block)
                block.clear()

    def _cut_anew(self, block: Sequence[tuple[Json, str]]) -> None:
        text = "".join(delta[name] for delta, name in block)
        neutral = self._text(text)
        if neutral == text:
            return
        length = -(-len(neutral) // len(block))
        for number, (delta, name) in enumerate(block):
            delta[name] = neutral[number * length : (number + 1) * length]


def shortened(line: Json) -> Json:
    """A line without the bulk that no core reads."""
    if "core" in line:
        commands = [command for command in line["commands"] if command["name"] in KEPT_COMMANDS]
        models = [{**model, "description": model["description"].split(" · ")[0]} for model in line["models"]]
        settings = {name: line["settings"].get(name) for name in ("effective", "applied")}
        return {**line, "commands": commands, "models": models, "settings": settings}
    frame = line.get("frame", {})
    if frame.get("subtype") == "init":
        return {"frame": {name: value for name, value in frame.items() if name in INIT}}
    if line.get("key") == "context":
        return {**line, "response": {"rawMaxTokens": line["response"].get("rawMaxTokens")}}
    return line


def record(scenario: str, core: str) -> str:
    """Runs a scenario and returns its recording as JSON lines, one session after the other."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as records:
        folder = Path(place).resolve()
        script = load_scenario(scenario)
        script["env"] = {**script.get("env", {}), "CLAUDE_ACP_RECORD": records}
        made = dict.fromkeys(play(script, PROFILES[core], folder).sessions)
        texts = [(Path(records) / f"{session}.jsonl").read_text(encoding="utf-8") for session in made]
        lines = [shortened(json.loads(line)) for text in texts for line in text.splitlines()]
        neutral = Neutral(folder)
        neutral.pieces(lines)
        lines = [neutral.value(line) for line in lines]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the script and returns its exit status."""
    parser = argparse.ArgumentParser(description="Records scenarios for the golden tests.")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="names of scenarios (default: see above)")
    parser.add_argument("--core", choices=PROFILES, action="append", help="one core only")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write to (default: %(default)s)")
    options = parser.parse_args(arguments)
    for core in options.core or PROFILES:
        folder = options.output / core
        folder.mkdir(parents=True, exist_ok=True)
        for scenario in options.scenarios or sorted(path.stem for path in folder.glob("*.jsonl")):
            path = folder / f"{Path(scenario).stem}.jsonl"
            path.write_text(record(scenario, core), encoding="utf-8")
            print(f"{path.stat().st_size:8d}  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
