"""Writing a session's recording to a file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import BinaryIO

from adapter.shared.inputs import Input
from adapter.shared.jsonrpc.messages import encode
from adapter.shared.recording import input_to_json
from adapter.shared.tools.facts import Json

log = logging.getLogger(__name__)


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
        """Append one input; it is on disk when this returns. After an error nothing more is recorded."""
        if self._file.closed:
            return
        try:
            self._file.write(encode(input_to_json(event)))
        except (OSError, TypeError, ValueError) as error:
            log.warning("the recording %s ends here: %s", self._file.name, error)
            self._file.close()

    def close(self) -> None:
        """The session is over."""
        self._file.close()
