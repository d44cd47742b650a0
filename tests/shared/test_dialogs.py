"""Claude Code's requests to its host: asked, answered at once, or refused; each exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.claude.frames import unknown_frames
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.dialogs import Dialogs
from adapter.shared.effects import AnswerControl, AskPermission, RefuseControl, WithdrawQuestion
from adapter.shared.inputs import ClientAnswered
from adapter.shared.permissions.choices import ALLOW_ONCE, REJECT
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.tools.facts import (
    CallContext,
    FileSnapshot,
    Location,
    Patch,
    Text,
    ToolKind,
    ToolReport,
    ToolStatus,
)
from shared.frames import Frame, assistant, begins, system, tool_use
from shared.permissions.requests import rules
from shared.tools.contexts import FIELDS, PATCHES, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

SELECTED = {"outcome": {"outcome": "selected", "optionId": "allow-once"}}
ALLOWED = {
    "behavior": "allow",
    "updatedInput": {"command": "ls"},
    "toolUseID": "c",
    "decisionClassification": "user_temporary",
}
DENIED = {"behavior": "deny", "message": "Tool use aborted", "interrupt": True, "toolUseID": "c"}


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """Count from zero."""
    unknown_frames.clear()
    yield
    unknown_frames.clear()


class Session:
    """The open questions of a session."""

    def __init__(self, context: CallContext = PLAIN, mode: str = "default") -> None:
        self.conversation = Conversation(context)
        self.dialogs = Dialogs(self.conversation, SessionConfig((), mode, {}, may_bypass=False), may_clear=lambda: True)

    def asks(self, key: str = "q", before: FileSnapshot | None = None, **request: Any) -> list[Any]:
        """A `can_use_tool` request; what is done."""
        whole = {"tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "c", **request}
        return self.dialogs.request(control(key, "can_use_tool", **whole), before)

    def question(self, key: str = "q", before: FileSnapshot | None = None, **request: Any) -> PermissionQuestion:
        """The question that a request leads to."""
        asked = self.asks(key, before, **request)[-1]
        assert isinstance(asked, AskPermission)
        return asked.question


def control(key: Any, subtype: Any, **request: Any) -> Frame:
    return {"type": "control_request", "request_id": key, "request": {"subtype": subtype, **request}}


@pytest.fixture
def session() -> Session:
    return Session()


def test_a_call_is_opened_before_anything_is_asked_about_it(session: Session) -> None:
    opened, refined, asked = session.asks()
    assert (opened.opened, refined.fields["title"]) == (True, "ls")
    assert isinstance(asked, AskPermission)
    assert session.dialogs.any_open


def test_a_call_that_is_known_is_asked_about_at_once(session: Session) -> None:
    session.conversation.read(assistant(tool_use(command="ls")))
    (asked,) = session.asks()
    assert isinstance(asked, AskPermission)


def test_a_question_says_what_is_asked(session: Session) -> None:
    question = session.question(
        permission_suggestions=[rules("ls")],
        decision_reason="  This command\nrequires approval ",
        mcp_server={"name": "lab"},
        agent_id="a1",
    )
    assert (question.key, question.call_id, question.tool_name) == ("q", "c", "Bash")
    assert question.tool_input == {"command": "ls"}
    assert question.fields["rawInput"] == {"command": "ls"}
    assert (question.heading, question.reason) == ("ls", "This command requires approval")
    assert [option.id for option in question.options] == ["allow-once", "allow-with-updates", "reject"]
    assert (question.mcp_server, question.agent_id) == ({"name": "lab"}, "a1")
    assert session.dialogs.question("q") is question


def test_a_question_may_say_little(session: Session) -> None:
    question = session.question(mcp_server="lab", decision_reason=7, input="text")
    assert (question.mcp_server, question.reason, question.tool_input) == (None, "", {})
    assert question.options == (ALLOW_ONCE, REJECT)
    assert (question.locations, question.new_location, question.default_to_no) == ((), False, False)
    assert session.question("r", default_to_no=True).default_to_no


@pytest.mark.parametrize(
    ("blocked", "locations", "is_new"),
    [
        ("/etc/hosts", (Location("/w/a", 1), Location("/etc/hosts")), True),
        ("/w/a", (Location("/w/a", 1),), False),
        (None, (Location("/w/a", 1),), False),
    ],
)
def test_the_path_that_needs_permission_is_among_the_locations(
    session: Session, blocked: Any, locations: Any, is_new: bool
) -> None:
    question = session.question(tool_name="Read", input={"file_path": "/w/a"}, blocked_path=blocked)
    assert (question.locations, question.new_location) == (locations, is_new)


@pytest.mark.parametrize("context", [PATCHES, FIELDS])
def test_an_edit_is_asked_about_with_its_exact_patch(context: CallContext) -> None:
    edit = {"file_path": "/w/a", "old_string": "b", "new_string": "c"}
    before = FileSnapshot("text", "b\n")
    question = Session(context).question(before=before, tool_name="Edit", input=edit)
    assert question.fields["content"] == (Patch("/w/a", "@@ -1 +1 @@\n-b\n+c\n", created=False),)


def test_text_that_the_patch_carries_is_not_repeated_in_the_question() -> None:
    edit = {"file_path": "/w/a", "old_string": "b", "new_string": "c"}
    assert Session(FIELDS).question(tool_name="Edit", input=edit).fields["rawInput"] == {"file_path": "/w/a"}


def test_a_plan_is_asked_about_with_the_modes_of_the_session(session: Session) -> None:
    session.conversation.read(begins(input_tokens=50_000))
    question = session.question(tool_name="ExitPlanMode", input={"plan": "1. Do it"})
    assert question.heading == "Ready to code?"
    ids = [option.id for option in question.options]
    assert ids == ["exit-plan-default", "exit-plan-clear-accept-edits", "exit-plan-accept-edits", "reject"]
    assert "(25% used)" in question.options[1].name


def test_the_answers_know_the_working_directory(session: Session) -> None:
    rule = rules("/sub/**", tool="Read", destination="session")
    question = session.question(tool_name="Read", input={"file_path": "/w/sub/a"}, permission_suggestions=[rule])
    assert question.options[1].name == "Yes, allow reading from sub/ during this session"


NETWORK: dict[str, Any] = {"tool_name": "SandboxNetworkAccess", "input": {"host": "a.org"}}
NETWORK_SHOWN = (Text('```json\n{\n  "host": "a.org"\n}\n```'),)


def test_network_access_is_asked_about_by_its_host(session: Session) -> None:
    question = session.question(**NETWORK)
    assert question.heading == question.fields["title"] == "a.org"
    assert (question.fields["kind"], question.fields["content"]) == (ToolKind.OTHER, NETWORK_SHOWN)


def test_a_use_of_the_computer_is_asked_about_by_its_name(session: Session) -> None:
    question = session.question(tool_name="mcp__computer-use__click", input={"x": 1}, display_name="Click here")
    assert (question.heading, question.fields["title"]) == ("Click here", "Click here")
    assert question.fields["content"] == (Text('```json\n{\n  "x": 1\n}\n```'),)


@pytest.mark.parametrize(("option", "status"), [("allow-once", ToolStatus.COMPLETED), ("reject", ToolStatus.FAILED)])
def test_network_access_is_over_with_its_answer(session: Session, option: str, status: ToolStatus) -> None:
    session.asks(**NETWORK)
    chosen = {"outcome": {"outcome": "selected", "optionId": option}}
    _answer, ended = session.dialogs.answered(ClientAnswered("q", chosen))
    assert (ended.call_id, ended.fields) == ("c", {"status": status})
    assert not session.conversation.calls.is_open("c")


def test_network_access_is_over_when_its_question_is_withdrawn(session: Session) -> None:
    session.asks("q", **NETWORK)
    session.asks("r", **NETWORK, tool_use_id="d")
    withdrawn, ended = session.dialogs.cancelled({"request_id": "q"})
    assert (withdrawn, ended.fields) == (WithdrawQuestion("q"), {"status": ToolStatus.CANCELLED})
    withdrawn, ended = session.dialogs.withdraw_all()
    assert (withdrawn, ended.call_id) == (WithdrawQuestion("r"), "d")


def test_network_access_of_a_command_leaves_the_command_as_it_is(session: Session) -> None:
    session.conversation.read(assistant(tool_use(command="curl a.org")))
    question = session.question(**NETWORK)
    assert (question.fields["name"], question.fields["content"]) == ("SandboxNetworkAccess", NETWORK_SHOWN)
    assert len(session.dialogs.answered(ClientAnswered("q", SELECTED))) == 1
    assert session.conversation.calls.input_of("c") == {"command": "curl a.org"}


def test_an_answer_answers_claude_code_once(session: Session) -> None:
    session.asks()
    assert session.dialogs.answered(ClientAnswered("q", SELECTED)) == [AnswerControl("q", ALLOWED)]
    assert not session.dialogs.any_open
    assert session.dialogs.answered(ClientAnswered("q", SELECTED)) == []


def test_an_answer_that_failed_denies(session: Session) -> None:
    session.asks()
    (answer,) = session.dialogs.answered(ClientAnswered("q", None, {"code": -32603, "message": "no"}))
    assert (answer.response["behavior"], answer.response["interrupt"]) == ("deny", False)


def test_the_users_words_are_part_of_the_answer(session: Session) -> None:
    session.asks()
    no = {"outcome": {"outcome": "selected", "optionId": "reject"}}
    (answer,) = session.dialogs.answered(ClientAnswered("q", no, None, "use tabs"))
    assert answer.response["message"].endswith("The user said: use tabs")


def test_a_question_that_claude_code_withdraws_is_withdrawn_once(session: Session) -> None:
    session.asks()
    assert session.dialogs.cancelled({"request_id": "q"}) == [WithdrawQuestion("q")]
    assert session.dialogs.cancelled({"request_id": "q"}) == []
    assert session.dialogs.answered(ClientAnswered("q", SELECTED)) == []


@pytest.mark.parametrize("frame", [{}, {"request_id": None}, {"request_id": ["q"]}, {"request_id": "other"}])
def test_a_withdrawal_of_no_question_does_nothing(session: Session, frame: Frame) -> None:
    session.asks()
    assert session.dialogs.cancelled(frame) == []
    assert session.dialogs.any_open


def test_all_questions_can_be_withdrawn(session: Session) -> None:
    session.asks("q")
    session.asks("r", tool_use_id="d", agent_id="a1")
    assert session.dialogs.withdraw_all(main_only=True) == [WithdrawQuestion("q")]
    assert session.dialogs.any_open
    assert session.dialogs.withdraw_all() == [WithdrawQuestion("r")]
    assert session.dialogs.withdraw_all() == []


def test_work_that_was_stopped_is_refused_and_not_shown(session: Session) -> None:
    frame = control("q", "can_use_tool", tool_name="Bash", input={}, tool_use_id="c")
    assert session.dialogs.refuse(frame) == [AnswerControl("q", DENIED)]
    assert not session.conversation.calls.is_open("c")
    hook = control("h", "hook_callback", callback_id="x")
    assert session.dialogs.refuse(hook) == [AnswerControl("h", {"continue": True})]


def test_a_call_that_is_over_is_not_asked_about(session: Session) -> None:
    session.conversation.read(assistant(tool_use(command="ls")))
    session.conversation.read({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "c"}]}})
    assert session.asks() == [RefuseControl("q", "the tool call is over")]
    assert not session.dialogs.any_open


@pytest.mark.parametrize("request_", [{"tool_use_id": None}, {"tool_use_id": ""}, {"tool_name": 7}])
def test_a_question_about_no_call_is_refused(session: Session, request_: dict[str, Any]) -> None:
    (refusal,) = session.asks(**request_)
    assert isinstance(refusal, RefuseControl)
    assert sum(unknown_frames.values()) == 1


@pytest.mark.parametrize(
    "suggestions", [[{"type": "setMode", "mode": "acceptEdits", "destination": []}], [{"type": {}}], [7], "text", {}]
)
def test_suggestions_of_another_form_cost_no_question(session: Session, suggestions: Any) -> None:
    assert session.question(permission_suggestions=suggestions).options == (ALLOW_ONCE, REJECT)


@pytest.mark.parametrize(
    ("subtype", "effect"),
    [
        ("hook_callback", AnswerControl("k", {"continue": True})),
        ("elicitation", AnswerControl("k", {"action": "decline"})),
    ],
)
def test_other_requests_are_answered_at_once(session: Session, subtype: str, effect: Any) -> None:
    assert session.dialogs.request(control("k", subtype)) == [effect]
    assert not session.dialogs.any_open
    assert not unknown_frames


@pytest.mark.parametrize("subtype", ["brand_new", None, 7])
def test_a_request_that_is_not_known_is_refused_and_counted(session: Session, subtype: Any) -> None:
    refusal = RefuseControl("k", f"this host does not serve {subtype}")
    assert session.dialogs.request(control("k", subtype)) == [refusal]
    assert sum(unknown_frames.values()) == 1


@pytest.mark.parametrize(
    "frame",
    [{}, {"request_id": "k"}, {"request_id": "k", "request": "text"}, control(None, "can_use_tool"), control("", "x")],
)
def test_a_request_that_cannot_be_answered_is_counted(session: Session, frame: Frame) -> None:
    assert session.dialogs.request(frame) == []
    assert unknown_frames == {"control request": 1}


def test_a_hook_brings_the_summary_of_a_compaction(session: Session) -> None:
    session.conversation.read(system("status", status="compacting", uuid="c1"))
    done = {"hook_event_name": "PostCompact", "compact_summary": "All of it."}
    frame = control("k", "hook_callback", input=done)
    assert session.dialogs.request(frame) == [AnswerControl("k", {"continue": True})]
    (ended,) = session.conversation.read(system("status", status=None, compact_result="success")) or []
    assert ended.summary == "All of it."


def test_a_hook_brings_the_result_of_a_subagents_tool(session: Session) -> None:
    session.conversation.read(assistant(tool_use(), parent="agent"))
    done = {"hook_event_name": "PostToolUse", "agent_id": "a1", "tool_use_id": "c", "tool_response": {"stdout": "x"}}
    answer, told = session.dialogs.request(control("k", "hook_callback", input=done))
    assert answer == AnswerControl("k", {"continue": True})
    assert isinstance(told, ToolReport)
    assert told.response == {"stdout": "x"}


@pytest.mark.parametrize(
    "done",
    [
        None,
        "text",
        {},
        {"hook_event_name": "PostToolUse", "tool_use_id": "c", "tool_response": {}},
        {"hook_event_name": "PostToolUse", "agent_id": "a1", "tool_use_id": "unknown"},
        {"hook_event_name": "PreToolUse", "agent_id": "a1", "tool_use_id": "c"},
    ],
)
def test_a_hook_of_the_main_conversation_brings_nothing(session: Session, done: Any) -> None:
    session.conversation.read(assistant(tool_use()))
    frame = control("k", "hook_callback", input=done)
    assert session.dialogs.request(frame) == [AnswerControl("k", {"continue": True})]
