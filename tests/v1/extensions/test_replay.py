"""A history as AIR is shown it."""

from __future__ import annotations

from typing import Any

from adapter.shared.conversation import Conversation
from adapter.shared.history.replay import Replay
from adapter.shared.opening import call_context
from adapter.shared.updates import MessageCleared, Speaker, TextChunk
from adapter.v1.extensions.replay import AirReplay
from support.air import AirSession, client, failures, payloads

Json = dict[str, Any]
LIMIT = "You've hit your weekly limit · resets 3pm"


def entry(kind: str, uuid: str, content: Any, **fields: Any) -> Json:
    message = {"role": kind, "id": f"msg_{uuid}", "content": content, **fields.pop("message", {})}
    return {"type": kind, "uuid": uuid, "message": message, **fields}


def limit(uuid: str = "a1") -> Json:
    return entry("assistant", uuid, [{"type": "text", "text": LIMIT}], message={"model": "<synthetic>"})


def asked(uuid: str, **fields: Any) -> Json:
    return entry("user", uuid, [{"type": "text", "text": "Go"}], **fields)


def shown(*entries: Json, capabilities: tuple[str, ...] = ("sessionFailure",)) -> list[Json]:
    """What AIR gets of a history."""
    told = client(*capabilities)
    air = AirSession(*capabilities)
    watch = AirReplay("session", told.air or frozenset())
    replay = Replay(Conversation(call_context("/workspace", told)), {}, watch=watch)
    updates = [update for some in replay.read(list(entries)) for update in some]
    return [sent for update in [*updates, *replay.over()] for sent in air.sent(update)]


def texts(sent: list[Json]) -> list[str]:
    return [update["content"]["text"] for update in sent if "content" in update]


def test_a_usage_limit_is_the_record_that_it_was_in_its_place() -> None:
    answer = entry("assistant", "a2", [{"type": "text", "text": "Hi"}], message={"model": "claude-opus-5-5"})
    sent = shown(asked("p1"), limit(), asked("p2"), answer)
    assert texts(sent) == ["Go", "Go", "Hi"]
    assert [(record["id"], record["title"]) for record in failures(sent)] == [("p1:error", LIMIT)]
    assert [update["sessionUpdate"] for update in sent][1] == "session_info_update"


def test_results_and_remarks_are_no_prompts() -> None:
    result = entry("user", "r1", [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}])
    sent = shown(asked("p1"), result, asked("m1", isMeta=True), limit())
    assert [record["id"] for record in failures(sent)] == ["p1:error"]


def test_a_limit_before_any_prompt_has_an_id_of_its_own() -> None:
    assert [record["id"] for record in failures(shown(limit()))] == ["session:history-error:a1"]


def test_without_the_capability_the_text_is_shown() -> None:
    sent = shown(asked("p1"), limit(), capabilities=())
    assert (texts(sent), failures(sent)) == (["Go", LIMIT], [])


def test_the_end_is_told_to_whoever_asked_for_it() -> None:
    assert payloads(shown(asked("p1"), capabilities=("loadReplayEnd",)), "loadReplayEnd") == [True]
    assert payloads(shown(asked("p1")), "loadReplayEnd") == []


def test_a_history_that_nobody_watches_is_shown_as_it_is() -> None:
    replay = Replay(Conversation(call_context("/workspace", client())), {})
    assert [some for some in replay.read([asked("p1")]) if some] == [
        [MessageCleared(Speaker.USER, "p1"), TextChunk(Speaker.USER, "p1", "Go")]
    ]
    assert replay.over() == []
