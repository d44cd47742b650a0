"""A conversation with the official Python SDK of ACP as the client."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

import acp
import pytest
from acp.schema import AgentMessageChunk, AllowedOutcome, TextContentBlock

from adapter.scripted.model import ScriptedModel
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from pathlib import Path

    from acp.schema import PermissionOption, ToolCallUpdate

TIMEOUT = 60.0
MODEL: dict[str, Any] = {
    "hello": [{"blocks": [{"text": "Hello from the script."}]}],
    "make": [
        {"blocks": [{"tool": "Bash", "input": {"command": "touch made.txt", "description": "Make a file"}}]},
        {"blocks": [{"text": "Made."}]},
    ],
    "long": [{"blocks": [{"text": " ".join(f"word{number}" for number in range(200))}], "chunk_delay": 0.1}],
}


class Editor:
    """A client for the SDK: it allows everything and knows what it was told."""

    def __init__(self) -> None:
        self.texts: defaultdict[str, str] = defaultdict(str)
        self.asked: list[tuple[str, str | None]] = []
        self._told = asyncio.Condition()

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        if isinstance(update, AgentMessageChunk) and isinstance(update.content, TextContentBlock):
            async with self._told:
                self.texts[session_id] += update.content.text
                self._told.notify_all()

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **_: Any
    ) -> acp.RequestPermissionResponse:
        self.asked.append((session_id, tool_call.title))
        allowed = next(option for option in options if option.kind == "allow_once")
        return acp.RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=allowed.option_id))

    async def wait_for_text(self, session_id: str, text: str) -> None:
        async with self._told:
            await self._told.wait_for(lambda: text in self.texts[session_id])


async def converse(place: Place, port: int) -> None:
    """Plays the conversation; each step is asserted where it happens."""
    editor = Editor()
    command, *arguments = ADAPTER
    env = place.environment(port)
    async with (
        asyncio.timeout(TIMEOUT),
        acp.spawn_agent_process(cast("acp.Client", editor), command, *arguments, env=env, cwd=place.workspace) as (
            agent,
            _,
        ),
    ):
        initialized = await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
        assert initialized.protocol_version == 1
        session = (await agent.new_session(cwd=str(place.workspace), mcp_servers=[])).session_id

        async def prompt(text: str) -> str:
            return (await agent.prompt(session_id=session, prompt=[acp.text_block(text)])).stop_reason

        assert await prompt("[[hello]] hi") == "end_turn"
        assert editor.texts[session] == "Hello from the script."
        assert editor.asked == []

        assert await prompt("[[make]] a file") == "end_turn"
        assert editor.asked == [(session, "touch made.txt")]
        assert (place.workspace / "made.txt").exists()

        cancelled = asyncio.create_task(prompt("[[long]] go"))
        await editor.wait_for_text(session, "word2 ")
        await agent.cancel(session_id=session)
        assert await cancelled == "cancelled"
        assert "word199" not in editor.texts[session]

        editor.texts.clear()
        assert await prompt("[[hello]] again") == "end_turn"
        assert editor.texts[session] == "Hello from the script."


@pytest.mark.cli
def test_the_official_sdk_converses(tmp_path: Path) -> None:
    place = Place.make(tmp_path)
    with ScriptedModel(MODEL) as model:
        asyncio.run(converse(place, model.port))
