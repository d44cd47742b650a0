"""What we take from the Claude Agent SDK: where the CLI is, and the command line for a set of options.

Importing the SDK as a package costs more than a second, because its `__init__` pulls in an MCP implementation that we
do not use. So the submodules that we need are imported without running it. This is the only file that touches a class
which the SDK keeps in a private module; the SDK's version is pinned for that reason.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from claude_agent_sdk._internal.transport.subprocess_cli import SubprocessCLITransport
    from claude_agent_sdk.types import ClaudeAgentOptions

PACKAGE = "claude_agent_sdk"
TYPES = f"{PACKAGE}.types"
CLI_TRANSPORT = f"{PACKAGE}._internal.transport.subprocess_cli"


def load_submodule(name: str) -> ModuleType:
    """Import a submodule of the SDK without its package's `__init__`, or with it if that does not work.

    A stand-in for the package is in `sys.modules` only while the submodule is imported. A later plain import of the
    package finds the submodules there, so that both ways give the same classes.
    """
    if PACKAGE in sys.modules:
        return importlib.import_module(name)
    spec = importlib.util.find_spec(PACKAGE)
    if spec is not None:
        sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
        finally:
            del sys.modules[PACKAGE]
    return importlib.import_module(name)


def sdk_version() -> str:
    """The SDK's version, which Claude Code is told."""
    return str(load_submodule(f"{PACKAGE}._version").__version__)


def make_options(**fields: Any) -> ClaudeAgentOptions:
    """A `ClaudeAgentOptions`, by keyword."""
    options: ClaudeAgentOptions = load_submodule(TYPES).ClaudeAgentOptions(**fields)
    return options


def command_line(options: ClaudeAgentOptions) -> list[str]:
    """The CLI's path (the one that `options` names, else the bundled one) and its arguments.

    Raises:
        FileNotFoundError: There is no CLI.
    """
    module: Any = load_submodule(CLI_TRANSPORT)
    transport: SubprocessCLITransport = module.SubprocessCLITransport(prompt="", options=options)
    try:
        transport._cli_path = transport._cli_path or transport._find_cli()  # noqa: SLF001
    except module.CLINotFoundError as error:
        raise FileNotFoundError(str(error)) from None
    return transport._build_command()  # noqa: SLF001
