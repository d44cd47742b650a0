"""Neutral values in the shape of draft ACP v2."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, assert_never

from adapter.shared.acp_content import content_block, locations, text_block
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.jsonrpc.errors import AdapterBug
from adapter.shared.outcome import Outcome
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.session_updates import (
    approved_plan,
    call_meta,
    compaction_update,
    elicitation_params,
    encoded_fields,
    memory_call,
    no_meta,
    notice,
    option_choices,
    permission_options,
    plan_entries,
    prompt_suggestion,
    quota_meta,
    server_notice,
    session_message,
    stop_fields,
    subagent_update,
    summary_chunk,
    title_changed,
    token_usage,
    usage_update,
)
from adapter.shared.tools.facts import (
    Block,
    Content,
    Diff,
    Json,
    Patch,
    TerminalChange,
    TerminalRef,
    Text,
    ToolReport,
)
from adapter.shared.tools.git_patch import git_patch
from adapter.shared.updates import (
    Command,
    CommandsChanged,
    CompactionChanged,
    CompactionChunk,
    ConfigChanged,
    ConfigOption,
    ImageChunk,
    MemoryRecalled,
    MessageCleared,
    ModeChanged,
    Notice,
    PlanApproved,
    PlanChanged,
    PromptSuggested,
    ServerNotice,
    TextChunk,
    TitleChanged,
    Update,
    UsageChanged,
    UserMessage,
)
from adapter.shared.work_updates import (
    BackgroundKind,
    SessionMessage,
    StateChanged,
    SubagentChanged,
    TerminalAbility,
    WorkState,
)

ITEM_IDS = {
    BackgroundKind.TERMINAL: "terminalId",
    BackgroundKind.TOOL_CALL: "toolCallId",
    BackgroundKind.SUBAGENT: "sessionId",
}


class V2Encoder:
    """Draft ACP v2.

    Args:
        now: The time as an ISO 8601 text, for `updatedAt`.
    """

    def __init__(self, now: Callable[[], str]) -> None:
        self._now = now

    def chunk(self, chunk: TextChunk) -> Json:
        """A text chunk."""
        return {
            "sessionUpdate": chunk.speaker,
            "messageId": chunk.message_id,
            "content": {"type": "text", "text": chunk.text},
        }

    def updates(self, update: Update) -> list[Json]:
        """A total function over the neutral updates; the mode has no update of its own, as it is a config option."""
        match update:
            case TextChunk():
                return [self.chunk(update)]
            case ToolReport():
                return _tool(update)
            case UsageChanged():
                return [usage_update(update)]
            case StateChanged():
                return [_state(update)]
            case ModeChanged():
                return []
            case SubagentChanged() | SessionMessage():
                return [_of_subagents(update)]
            case TerminalAbility():
                return [_ability(update)]
            case (
                ServerNotice()
                | Notice()
                | CompactionChanged()
                | CompactionChunk()
                | MemoryRecalled()
                | PromptSuggested()
                | PlanApproved()
            ):
                return _report(update)
            case _:
                return [self._session_update(update)]

    def permission(self, session_id: str, question: PermissionQuestion) -> Json:
        """The subject is the whole tool call, without a status: the call has its own."""
        call = {"toolCallId": question.call_id, **_fields(question.fields)}
        call.pop("status", None)
        if question.locations:
            call["locations"] = locations(question.locations)
        if question.mcp_server is not None:
            call["_meta"] = {"claudeCode": {"mcpServer": question.mcp_server}}
        return {
            "sessionId": session_id,
            "title": question.heading,
            **({"description": f"Reason: {question.reason}"} if question.reason else {}),
            "subject": {"type": "tool_call", "toolCall": call},
            "options": permission_options(question),
        }

    def elicitation(self, session_id: str, question: Elicitation) -> Json:
        """A form or a page."""
        return elicitation_params(session_id, question, no_meta)

    def prompt_result(self, outcome: Outcome) -> Json:
        """No prompt of v2 is answered by an outcome: it is answered at insertion."""
        raise AdapterBug(f"a v2 prompt answered by its outcome, {outcome.stop}")

    def config_result(self, options: tuple[ConfigOption, ...]) -> Json:
        """`SetSessionConfigOptionResponse`."""
        return {"configOptions": [config_option(option) for option in options]}

    def _session_update(
        self,
        update: ImageChunk
        | PlanChanged
        | TitleChanged
        | CommandsChanged
        | ConfigChanged
        | UserMessage
        | MessageCleared,
    ) -> Json:
        match update:
            case ImageChunk():
                content = content_block(update.block)
                return {"sessionUpdate": update.speaker, "messageId": update.message_id, "content": content}
            case MessageCleared():
                kind = update.speaker.removesuffix("_chunk")
                return {"sessionUpdate": kind, "messageId": update.message_id, "content": []}
            case PlanChanged():
                plan = {"type": "items", "planId": "plan", "entries": plan_entries(update)}
                return {"sessionUpdate": "plan_update", "plan": plan}
            case TitleChanged():
                return title_changed(update, self._now())
            case CommandsChanged():
                return {
                    "sessionUpdate": "available_commands_update",
                    "availableCommands": [available_command(command) for command in update.commands],
                }
            case ConfigChanged():
                return {"sessionUpdate": "config_option_update", **self.config_result(update.options)}
            case UserMessage():
                blocks = list(update.content)
                return {"sessionUpdate": "user_message", "messageId": update.message_id, "content": blocks}
            case _ as unreachable:
                assert_never(unreachable)


def _report(
    update: ServerNotice
    | Notice
    | CompactionChanged
    | CompactionChunk
    | MemoryRecalled
    | PromptSuggested
    | PlanApproved,
) -> list[Json]:
    match update:
        case ServerNotice():
            return [server_notice(update)]
        case Notice():
            return [] if update.level == "info" else [notice(update)]
        case CompactionChanged():
            return [compaction_update(update)]
        case CompactionChunk():
            return [summary_chunk(update)]
        case MemoryRecalled():
            return [{"sessionUpdate": "tool_call_update", "name": "memory_recall", **memory_call(update)}]
        case PromptSuggested():
            return [prompt_suggestion(update)]
        case PlanApproved():
            return [approved_plan(update)]


def _of_subagents(update: SubagentChanged | SessionMessage) -> Json:
    if isinstance(update, SessionMessage):
        return session_message(update)
    state = _state(update.state) if update.state is not None else {}
    state.pop("sessionUpdate", None)
    return subagent_update(update, state)


def _ability(ability: TerminalAbility) -> Json:
    command = {"command": ability.command} if ability.command else {}
    about = {"sessionUpdate": "terminal_update", "terminalId": ability.terminal_id}
    return {**about, **command, "capabilities": {"cancel": {}}}


def _state(changed: StateChanged) -> Json:
    background = [{"type": item.kind, ITEM_IDS[item.kind]: item.id} for item in changed.background]
    update: Json = {"sessionUpdate": "state_update", "state": changed.state, "background": background}
    outcome = changed.outcome
    if changed.state is not WorkState.IDLE or outcome is None:
        return update
    update |= stop_fields(outcome)
    if outcome.measured and outcome.failure is None:
        update |= {"usage": token_usage(outcome.usage), "_meta": quota_meta(outcome)}
    return update


def _tool(report: ToolReport) -> list[Json]:
    updates = _terminal(report.terminal) if report.terminal is not None else []
    claude = call_meta(report)
    if report.fields or report.non_execution_kind or report.progress:
        meta = {"_meta": {"claudeCode": claude}} if claude else {}
        update = {"sessionUpdate": "tool_call_update", "toolCallId": report.call_id, **_fields(report.fields), **meta}
        updates.append(update)
    return updates


def _terminal(change: TerminalChange) -> list[Json]:
    update: Json = {"sessionUpdate": "terminal_update", "terminalId": change.terminal_id}
    if change.data:
        return [_terminal_chunk(change.terminal_id, change.data)]
    if change.output is None:
        return [{**update, **({"command": change.command} if change.command else {})}]
    text, code = change.output.text, change.output.exit_code
    exit_status = {"exitCode": code} if code >= 0 else {}
    ability = {"capabilities": None} if change.was_in_background else {}
    shown: list[Json] = []
    if text and change.output.continued:
        shown = [_terminal_chunk(change.terminal_id, text)]
    elif text:
        shown = [{**update, "output": {"data": _base64(text)}}]
    if change.output.goes_on:
        return shown
    return [*shown, {**update, "exitStatus": exit_status, **ability}]


def _terminal_chunk(terminal_id: str, text: str) -> Json:
    return {"sessionUpdate": "terminal_output_chunk", "terminalId": terminal_id, "data": _base64(text)}


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _fields(fields: dict[str, Any]) -> Json:
    encoders: dict[str, Callable[[Any], Any]] = {
        "content": lambda content: [_content(item) for item in content],
        "locations": locations,
    }
    return encoded_fields(fields, encoders)


def _content(content: Content) -> Json:
    match content:
        case Text():
            return {"type": "content", "content": text_block(content.text)}
        case Block():
            return {"type": "content", "content": content_block(content.block)}
        case Diff():
            operation = "add" if content.old is None else "modify"
            return {"type": "diff", "changes": [_change(operation, content.path)]}
        case Patch():
            operation = "add" if content.created else "modify"
            # v2's patch names the file by its absolute path on both sides.
            patch = {"format": "git_patch", "text": git_patch(content, "", "")}
            return {"type": "diff", "changes": [_change(operation, content.path)], "patch": patch}
        case TerminalRef():
            return {"type": "terminal", "terminalId": content.terminal_id}
        case _ as unreachable:
            assert_never(unreachable)


def _change(operation: str, path: str) -> Json:
    return {"operation": operation, "path": path, "fileType": "text"}


def available_command(command: Command) -> Json:
    """`AvailableCommand`."""
    hint = {"input": {"type": "text", "hint": command.hint}} if command.hint else {}
    return {"type": "command", "name": command.name, "description": command.description, **hint}


def config_option(option: ConfigOption) -> Json:
    """A select, or a boolean for a switch."""
    about = {
        "configId": option.id,
        "name": option.name,
        **({"description": option.description} if option.description else {}),
        **({"category": option.category} if option.category else {}),
    }
    if option.toggle:
        return {**about, "type": "boolean", "currentValue": option.current == "on"}
    return {**about, "type": "select", "currentValue": option.current, "options": option_choices(option)}
