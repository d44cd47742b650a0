"""A session's working folder, and the other roots of its workspace."""

from __future__ import annotations

from pathlib import Path, PurePath

from adapter.shared.jsonrpc.errors import ClientMistake, invalid_field, invalid_params


def check_absolute(cwd: str) -> None:
    """A folder must be absolute.

    Raises:
        ClientMistake: It is not; `data` has it as `cwd`, and its `path`.
    """
    if not PurePath(cwd).is_absolute():
        raise _wrong_cwd(cwd, f"`cwd` must be an absolute path, but received: {cwd}")


def check_cwd(cwd: str) -> None:
    """A session's folder must be absolute and exist.

    Raises:
        ClientMistake: It is not; `data` has it as `cwd`, and its `path`.
    """
    check_absolute(cwd)
    try:
        exists = Path(cwd).is_dir()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise _wrong_cwd(cwd, f"`cwd` does not exist on the machine running the agent: {cwd}")


def workspace_roots(cwd: str, others: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The folders that a session may work in, each as it was given and without links; reads the file system."""
    return tuple((root, _without_links(root)) for root in (cwd, *others))


def same_folders(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether these are the same folders in the same order, by whichever paths; reads the file system."""
    return [*map(_without_links, some)] == [*map(_without_links, others)]


def _without_links(root: str) -> str:
    try:
        return str(Path(root).resolve())
    except (OSError, RuntimeError, ValueError):
        return root


def check_directories(directories: list[str]) -> tuple[str, ...]:
    """Further workspace roots must be absolute.

    Raises:
        ClientMistake: One is not; `data.path` names it.
    """
    for index, directory in enumerate(directories):
        if not PurePath(directory).is_absolute():
            message = f"must be an absolute path, but received: {directory}"
            raise invalid_field(f"additionalDirectories.{index}", message)
    return tuple(directories)


def _wrong_cwd(cwd: str, message: str) -> ClientMistake:
    return invalid_params(message, {"cwd": cwd})
