"""What a session has asked its client: permission questions, forms and pages, until they are answered or withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from adapter.shared.client_capabilities import read_feedback
from adapter.shared.core import Encoder
from adapter.shared.effects import AskElicitation, AskPermission, AskServer, CompleteElicitation, WithdrawQuestion
from adapter.shared.inputs import ClientAnswered, Input
from adapter.shared.jsonrpc.messages import RequestId, Response
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.tools.facts import Json


class ClientQuestions:
    """The open questions of one session.

    Args:
        session_id: Its id.
        peer: The client.
        encoder: The client's protocol version.
        post: Takes the answers.
    """

    def __init__(self, session_id: str, peer: Peer, encoder: Encoder, post: Callable[[Input], None]) -> None:
        self._session_id = session_id
        self._peer = peer
        self._encoder = encoder
        self._post = post
        self._open: dict[str, RequestId] = {}

    def ask_permission(self, effect: AskPermission) -> None:
        """`session/request_permission`."""
        question = effect.question
        asker = question.session_id or self._session_id
        self._ask("session/request_permission", question.key, self._encoder.permission(asker, question))

    def ask_elicitation(self, effect: AskElicitation) -> None:
        """`elicitation/create`."""
        question = effect.question
        asker = question.session_id or self._session_id
        self._ask("elicitation/create", question.key, self._encoder.elicitation(asker, question))

    def ask_server(self, effect: AskServer) -> None:
        """`mcp/message`."""
        params = {} if effect.params is None else {"params": effect.params}
        message = {"serverId": effect.server_id, "requestId": effect.message_id, "method": effect.method, **params}
        self._ask("mcp/message", effect.key, message)

    def complete_elicitation(self, effect: CompleteElicitation) -> None:
        """`elicitation/complete`."""
        self._peer.notify("elicitation/complete", {"elicitationId": effect.elicitation_id})

    def withdraw(self, effect: WithdrawQuestion) -> None:
        """Take a question back that has no answer."""
        if effect.key in self._open:
            self._peer.withdraw(self._open.pop(effect.key))

    def _ask(self, method: str, key: str, params: Json) -> None:
        self._open[key] = self._peer.ask(method, params, partial(self._answered, key))

    def _answered(self, key: str, response: Response) -> None:
        self._open.pop(key, None)
        self._post(ClientAnswered(key, response.result, response.error, read_feedback(response.result)))
