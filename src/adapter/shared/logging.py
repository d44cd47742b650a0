"""The log: to stderr, and to a file if asked. stdout carries JSON-RPC and nothing else."""

from __future__ import annotations

import logging
import sys

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def configure_logging(level: str, file: str) -> None:
    """Send records of `level` and above to stderr and, if `file` is a path, append them there.

    A file that cannot be opened is reported on stderr and does without.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    problem = ""
    if file:
        try:
            handlers.append(logging.FileHandler(file, encoding="utf-8"))
        except OSError as error:
            problem = f"cannot log to {file}: {error.strerror}"
    logging.basicConfig(level=level.upper(), format=FORMAT, handlers=handlers, force=True)
    if problem:
        logging.getLogger(__name__).warning(problem)
