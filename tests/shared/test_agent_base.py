"""What an agent checks and tells before a session is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from adapter.shared.client_capabilities import ClientCapabilities, TerminalChannel
from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.opening import call_context
from adapter.shared.tools.facts import CallContext
from adapter.shared.workspace import check_cwd

if TYPE_CHECKING:
    from pathlib import Path


def mistake(cwd: str) -> tuple[int, str, object]:
    """The code, the message and the data of the error for a folder."""
    with pytest.raises(ClientMistake) as raised:
        check_cwd(cwd)
    return raised.value.code, raised.value.message, raised.value.data


@pytest.mark.parametrize("cwd", ["relative/dir", "", ".", "~", "C:\\proj"])
def test_a_folder_that_is_not_absolute_is_refused(cwd: str) -> None:
    message = f"`cwd` must be an absolute path, but received: {cwd}"
    assert mistake(cwd) == (-32602, f"Invalid params: {message}", {"cwd": cwd})


@pytest.mark.parametrize("cwd", ["/no/such/dir", "/dev/null", "/a\0b", "/" + "x" * 5000])
def test_a_folder_that_does_not_exist_is_refused(cwd: str) -> None:
    message = f"`cwd` does not exist on the machine running the agent: {cwd}"
    assert mistake(cwd) == (-32602, f"Invalid params: {message}", {"cwd": cwd})


def test_a_folder_that_exists_is_taken(tmp_path: Path) -> None:
    check_cwd(str(tmp_path))


@pytest.mark.parametrize(
    ("capabilities", "context"),
    [
        (
            ClientCapabilities(1, TerminalChannel.NONE, exact_patches=False),
            CallContext("/w", exact_patches=False, terminal=False, snippets=True, copies_input=True),
        ),
        (
            ClientCapabilities(1, TerminalChannel.META, exact_patches=False),
            CallContext("/w", exact_patches=False, terminal=True, snippets=True, copies_input=True),
        ),
        (
            ClientCapabilities(2, TerminalChannel.DISPLAY, exact_patches=True),
            CallContext("/w", exact_patches=True, terminal=True, snippets=False, copies_input=True),
        ),
        (
            ClientCapabilities(1, TerminalChannel.META_DELTA, exact_patches=False, air=frozenset()),
            CallContext("/w", exact_patches=False, terminal=True, one_field=True),
        ),
        (
            ClientCapabilities(1, TerminalChannel.NONE, exact_patches=True, air=frozenset({"rawInputRendering"})),
            CallContext("/w", exact_patches=True, terminal=False, copies_input=False, one_field=True),
        ),
        (
            ClientCapabilities(1, TerminalChannel.NONE, exact_patches=False, air=frozenset({"planFile"})),
            CallContext("/w", exact_patches=False, terminal=False, one_field=True, plan_file=True),
        ),
    ],
)
def test_families_know_what_the_client_takes(capabilities: ClientCapabilities, context: CallContext) -> None:
    assert call_context("/w", capabilities) == context
