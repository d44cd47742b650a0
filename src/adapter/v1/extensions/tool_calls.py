"""Tool calls and permission questions for JetBrains AIR: each fact once, its own facts in `_meta.jetbrains.air`.

Source: docs/air-extensions.md, *Tool call contract*, *Diff patch*, *Permission presentation*.
"""

from __future__ import annotations

from typing import Any

from adapter.shared.acp_content import locations
from adapter.shared.client_capabilities import ClientCapabilities
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.session_updates import elicitation_params, permission_options, prompt_suggestion
from adapter.shared.tools.facts import CommandOutput, Content, Json, Patch, ToolKind, ToolReport, ToolStatus
from adapter.shared.tools.families.plan_mode import PLAN_LEFT
from adapter.shared.tools.families.shell import is_launch
from adapter.shared.tools.git_patch import git_patch
from adapter.shared.updates import Choice, CompactionChanged, ConfigOption, PromptSuggested
from adapter.shared.work_updates import SessionMessage, SubagentChanged, WorkState
from adapter.v1.encode import V1Encoder
from adapter.v1.extensions.recommended_value import RecommendedOption
from adapter.v1.extensions.updates import AirUpdate, FailedOutcome, air_meta

RESPONSE_MARKERS = ("status", "isAsync")
MODE_KINDS = {
    "default": "standard",
    "acceptEdits": "standard",
    "plan": "plan",
    "auto": "auto_review",
    "bypassPermissions": "full_access",
}


class AirEncoder(V1Encoder):
    """ACP v1 for AIR. An AIR client merges `_meta` into the call, so what has not changed is left out."""

    def __init__(self, capabilities: ClientCapabilities, now: Any) -> None:
        super().__init__(capabilities, now)
        self._air = capabilities.air or frozenset()

    def updates(self, update: Any) -> list[Json]:
        """What AIR shows of compactions and suggestions beside what every client gets, and its own updates."""
        match update:
            case AirUpdate():
                return [update.update]
            case PromptSuggested():
                return [prompt_suggestion(update)]
            case CompactionChanged():
                return [_measured(shown, update) for shown in super().updates(update)]
            case _:
                return super().updates(update)

    def compaction_call(self, changed: CompactionChanged) -> Json:
        """AIR has the sizes in its own key, and so not in `rawOutput`."""
        call = super().compaction_call(changed)
        call.pop("rawOutput", None)
        return call

    def prompt_result(self, outcome: Outcome) -> Json:
        """`PromptResponse`, with the record of a failure that ended the turn."""
        result = super().prompt_result(outcome)
        if isinstance(outcome, FailedOutcome) and outcome.record is not None:
            result["_meta"] |= air_meta(sessionFailure=outcome.record)
        return result

    def config_option(self, option: ConfigOption) -> Json:
        """A select with the recommended value; each mode says what kind it is."""
        encoded = super().config_option(option)
        if isinstance(option, RecommendedOption):
            encoded["_meta"] = air_meta(recommendedValue=option.recommended)
        if option.id == "mode":
            encoded["options"] = [_with_kind(mode, mode["value"]) for mode in encoded["options"]]
        return encoded

    def mode_list(self, modes: tuple[Choice, ...]) -> list[Json]:
        """ACP's `SessionMode`s, each with its kind."""
        return [_with_kind(mode, mode["id"]) for mode in super().mode_list(modes)]

    def tool_meta(self, report: ToolReport) -> Json:
        """Only what is new."""
        claude: Json = {}
        if report.opened:
            claude["toolName"] = report.tool_name
            if report.parent_id:
                claude["parentToolUseId"] = report.parent_id
        if report.non_execution_kind:
            claude["nonExecutionKind"] = report.non_execution_kind
        if isinstance(report.response, dict):
            markers = {key: report.response[key] for key in RESPONSE_MARKERS if key in report.response}
            claude |= {"toolResponse": markers} if markers else {}
        if report.progress:
            claude["toolResponse"] = report.progress
        air = _air_hints(report.hints)
        meta: Json = {"claudeCode": claude} if claude else {}
        if air:
            meta["jetbrains"] = {"air": {"version": 1, **air}}
        if "mcp" in report.hints:
            meta["is_mcp_tool_call"] = True
        if "asyncTasks" in self._air and report.terminal is not None and is_launch(report.response):
            meta["jetbrains"] = {"air": {"asyncTasks": {"backgrounded": True}}}
        return meta

    def exit_code(self, output: CommandOutput) -> int | None:
        """AIR is told success (0) or failure (1); a command without a code did not succeed."""
        return min(1, abs(output.exit_code))

    def subagent(self, changed: SubagentChanged) -> list[Json]:
        """The earlier draft of the subagents RFD: each run is announced, and only its end is a state."""
        about = {"subagentSessionId": changed.session_id}
        if (identity := changed.identity) is not None:
            prompt = {"prompt": identity.prompt} if identity.prompt else {}
            task = identity.prompt or identity.title
            announced = {"name": identity.title, "task": task, **prompt, "capabilities": {}}
            return [{"sessionUpdate": "subagent_spawned", **about, **announced}]
        if changed.state is None or changed.state.state is not WorkState.IDLE:
            return []
        return [{"sessionUpdate": "subagent_state_update", **about, "state": _run_state(changed.state.outcome)}]

    def session_message(self, _message: SessionMessage) -> list[Json]:
        """The draft has no messages between sessions: the announcement carries the prompt."""
        return []

    def tool(self, report: ToolReport) -> list[Json]:
        """A plan that is approved is no file to look at any more: a call of its own takes it back."""
        updates = super().tool(report)
        if "planFile" in self._air and report.tool_name == "ExitPlanMode" and report.fields.get("title") == PLAN_LEFT:
            updates.append(
                {
                    "toolCallId": f"{report.call_id}:plan-file-clear",
                    "sessionUpdate": "tool_call",
                    "title": PLAN_LEFT,
                    "kind": ToolKind.SWITCH_MODE,
                    "status": ToolStatus.COMPLETED,
                    "rawInput": {"planFilePath": ""},
                    "content": [],
                }
            )
        return updates

    def content(self, content: Content) -> Json:
        """An exact change is a diff with a Git patch; the texts beside it are placeholders that the schema wants."""
        if not isinstance(content, Patch):
            return super().content(content)
        patch = {"version": 1, "format": "git_patch", "text": git_patch(content, "a/", "b/")}
        return {
            "type": "diff",
            "path": content.path,
            "oldText": None,
            "newText": "",
            "_meta": {"jetbrains": {"air": {"version": 1, "diffPatch": patch}}},
        }

    def permission(self, session_id: str, question: PermissionQuestion) -> Json:
        """The call is known already: only what the question adds goes with it."""
        call: Json = {
            "toolCallId": question.call_id,
            "title": question.fields["title"],
            "rawInput": question.fields["rawInput"],
        }
        if shown := question.fields.get("content"):
            call["content"] = [self.content(item) for item in shown]
        if question.new_location:
            call["locations"] = locations(question.locations)
        if question.mcp_server is not None:
            call["_meta"] = {"claudeCode": {"mcpServer": question.mcp_server}}
        record: Json = {"version": 1, "title": question.heading}
        if question.reason:
            record["description"] = f"Reason: {question.reason}"
        if question.default_to_no:
            record["defaultToNo"] = True
        return {
            "sessionId": session_id,
            "toolCall": call,
            "options": permission_options(question),
            "_meta": {"jetbrains": {"air": {"version": 1, "permission": record}}},
        }

    def elicitation(self, session_id: str, question: Elicitation) -> Json:
        """The field for one's own words names the choice that it stands beside."""
        return elicitation_params(session_id, question, _custom_answer)


def _custom_answer(choice: str) -> Json:
    """AIR's own key, and the one that it had before."""
    answer = {"questionId": choice, "isCustomAnswer": True}
    return {"_askUserQuestionCustomAnswer": answer, **air_meta(customAnswer=answer)}


def _measured(shown: Json, changed: CompactionChanged) -> Json:
    """A compaction with its sizes. As a tool call it is merged, so what the client has already is left out."""
    facts = {"version": 1, **(changed.facts or {})}
    if shown["sessionUpdate"] == "compaction_update":
        return {**shown, "_meta": air_meta(contextCompaction=facts)}
    facts |= {"error": changed.error} if changed.error else {}
    if changed.opened:
        return {**shown, "_meta": air_meta(contextCompaction=facts)}
    fields = {name: value for name, value in shown.items() if name != "_meta"}
    return fields if len(facts) == 1 else {**fields, "_meta": {"jetbrains": {"air": {"contextCompaction": facts}}}}


def _with_kind(mode: Json, mode_id: str) -> Json:
    return {**mode, "_meta": air_meta(kind=MODE_KINDS[mode_id])} if mode_id in MODE_KINDS else mode


def _run_state(outcome: Outcome | None) -> str:
    """How a subagent's run ended; one that Claude Code left behind has failed."""
    if outcome is None or outcome.failure is not None:
        return "failed"
    return "cancelled" if outcome.stop is StopReason.CANCELLED else "completed"


def _air_hints(hints: Json) -> Json:
    """The presentation hints that AIR knows."""
    air: Json = {key: hints[key] for key in ("commandTitle", "subagent", "mcp") if key in hints}
    if "skill" in hints:
        air["skill"] = hints["skill"]
    return air
