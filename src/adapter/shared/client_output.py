"""What a session sends its client: updates, answers, questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapter.shared.chunk_message import ChunkMessage
from adapter.shared.client_questions import ClientQuestions
from adapter.shared.core import Encoder
from adapter.shared.effects import (
    AskElicitation,
    AskPermission,
    AskServer,
    CompleteElicitation,
    Fail,
    Respond,
    RespondConfig,
    RespondOutcome,
    WithdrawQuestion,
)
from adapter.shared.inputs import Input
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.session_updates import of_subagent
from adapter.shared.updates import TextChunk, ToSession


class ClientOutput:
    """Performs the effects of one session that reach its client.

    Args:
        session_id: Its id.
        peer: The client.
        encoder: The client's protocol version.
        post: Takes the client's answers.

    Attributes:
        performers: What performs an effect, by its type; every other effect is an update.
    """

    def __init__(self, session_id: str, peer: Peer, encoder: Encoder, post: Callable[[Input], None]) -> None:
        self._session_id = session_id
        self._peer = peer
        self._encoder = encoder
        questions = ClientQuestions(session_id, peer, encoder, post)
        self.performers: dict[type, Callable[[Any], None]] = {
            TextChunk: self._send_chunk,
            ToSession: self._send_to_session,
            Respond: lambda effect: peer.respond(effect.request, effect.result),
            RespondOutcome: lambda effect: peer.respond(effect.request, encoder.prompt_result(effect.outcome)),
            RespondConfig: lambda effect: peer.respond(effect.request, encoder.config_result(effect.options)),
            Fail: lambda effect: peer.fail(effect.request, effect.error),
            AskPermission: questions.ask_permission,
            AskElicitation: questions.ask_elicitation,
            AskServer: questions.ask_server,
            CompleteElicitation: questions.complete_elicitation,
            WithdrawQuestion: questions.withdraw,
        }

    def send_update(self, update: Any) -> None:
        """Send an update of the session."""
        for message in self._encoder.updates(update):
            self._notify(self._session_id, message)

    def _send_chunk(self, chunk: TextChunk) -> None:
        self._peer.send_mergeable(ChunkMessage(self._session_id, self._encoder, chunk))

    def _send_to_session(self, effect: ToSession) -> None:
        for message in self._encoder.updates(effect.update):
            update = of_subagent(message, effect.call_id) if effect.call_id else message
            self._notify(effect.session_id or self._session_id, update)

    def _notify(self, session_id: str, update: Any) -> None:
        self._peer.notify("session/update", {"sessionId": session_id, "update": update})
