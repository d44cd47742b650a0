"""Times a Write whose input streams in pieces of 24 bytes, through a whole v1 session: 2 MB against 1 MB.

    python scripts/benchmark_streamed_write.py

Prints the seconds of both and their ratio: near 2 if the work is linear in the size of the file.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.machine import handle, prompt, started, stream, v1_core, v1_encoder  # noqa: E402 - needs the path above.

PIECE = 24
RUNS = 3


def seconds(size: int) -> float:
    """How long a session takes over a Write of `size` bytes, to the encoded updates."""
    text = json.dumps({"file_path": "/w/a.txt", "content": "line of text\n" * (size // 13)})
    core, encoder = v1_core(), v1_encoder()
    handle(core, prompt(1), started(1))
    block = {"type": "tool_use", "id": "t1", "name": "Write", "input": {}}
    frames: list[dict[str, Any]] = [stream({"type": "content_block_start", "index": 0, "content_block": block})]
    for place in range(0, len(text), PIECE):
        delta = {"type": "input_json_delta", "partial_json": text[place : place + PIECE]}
        frames.append(stream({"type": "content_block_delta", "index": 0, "delta": delta}))
    begin = time.perf_counter()
    for frame in frames:
        for effect in core.handle(frame):
            encoder.updates(effect)
    return time.perf_counter() - begin


def main() -> None:
    """Measure and print."""
    one = min(seconds(1_000_000) for _ in range(RUNS))
    two = min(seconds(2_000_000) for _ in range(RUNS))
    sys.stdout.write(f"1 MB: {one:.3f} s, 2 MB: {two:.3f} s, ratio {two / one:.2f}\n")


if __name__ == "__main__":
    main()
