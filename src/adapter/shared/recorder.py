"""Writing a session's recording to a file."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from adapter.shared.inputs import Input
from adapter.shared.jsonrpc.messages import encode
from adapter.shared.recording import input_to_json
from adapter.shared.tools.facts import Json


class Recorder:
    """Appends a session's inputs to `<folder>/<session id>.jsonl`.

    Args:
        folder: An existing folder.
        session_id: The session.
        made_with: The recording's first line.
    """

    def __init__(self, folder: str, session_id: str, made_with: Json) -> None:
        self._file: BinaryIO = (Path(folder) / f"{session_id}.jsonl").open("ab", buffering=0)
        self._file.write(encode(made_with))

    def record(self, event: Input) -> None:
        """Append one input; it is on disk when this returns."""
        self._file.write(encode(input_to_json(event)))

    def close(self) -> None:
        """The session is over."""
        self._file.close()
