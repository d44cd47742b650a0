"""Neutral values in the shape of ACP v1. What v1 cannot say becomes what it can: a cancelled call is a failed one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from adapter.shared.acp_content import content_block, locations, text_block
from adapter.shared.client_capabilities import ClientCapabilities, TerminalChannel
from adapter.shared.elicitation.requests import Elicitation
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
    CommandOutput,
    Content,
    Diff,
    Json,
    Patch,
    TerminalChange,
    TerminalRef,
    Text,
    ToolReport,
    ToolStatus,
)
from adapter.shared.updates import (
    Choice,
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
from adapter.shared.work_updates import SessionMessage, StateChanged, SubagentChanged, TerminalAbility, WorkState


class V1Encoder:
    """ACP v1 for one client.

    Args:
        capabilities: What the client declared.
        now: The time as an ISO 8601 text, for `updatedAt`.
    """

    def __init__(self, capabilities: ClientCapabilities, now: Callable[[], str]) -> None:
        self.terminal = capabilities.terminal
        self._notices = capabilities.notices
        self._compaction = capabilities.compaction
        self._plans = capabilities.plans
        self._now = now

    def chunk(self, chunk: TextChunk) -> Json:
        """A text chunk."""
        return {
            "sessionUpdate": chunk.speaker,
            "content": {"type": "text", "text": chunk.text},
            "messageId": chunk.message_id,
        }

    def updates(self, update: Update) -> list[Json]:
        """A total function over the neutral updates; v1 has no place for states and whole messages."""
        match update:
            case TextChunk():
                return [self.chunk(update)]
            case ToolReport():
                return self.tool(update)
            case UsageChanged():
                return [usage_update(update)]
            case UserMessage() | StateChanged() | TerminalAbility() | MessageCleared() | PromptSuggested():
                return []
            case PlanApproved():
                return [approved_plan(update)] if self._plans else []
            case SubagentChanged():
                return self.subagent(update)
            case SessionMessage():
                return self.session_message(update)
            case ServerNotice() | Notice() | CompactionChanged() | CompactionChunk() | MemoryRecalled():
                return self._report(update)
            case _:
                return [self._session_update(update)]

    def subagent(self, changed: SubagentChanged) -> list[Json]:
        """News of a subagent's session, by the subagents RFD."""
        return [subagent_update(changed, _state(changed.state) if changed.state is not None else {})]

    def session_message(self, message: SessionMessage) -> list[Json]:
        """A message between two sessions, by the subagents RFD."""
        return [session_message(message)]

    def permission(self, session_id: str, question: PermissionQuestion) -> Json:
        """The whole tool call goes with the question."""
        call: Json = {"toolCallId": question.call_id, **self.fields(question.fields)}
        if question.locations:
            call["locations"] = locations(question.locations)
        if question.mcp_server is not None:
            call["_meta"] = {"claudeCode": {"toolName": question.tool_name, "mcpServer": question.mcp_server}}
        return {"sessionId": session_id, "toolCall": call, "options": permission_options(question)}

    def elicitation(self, session_id: str, question: Elicitation) -> Json:
        """A form or a page."""
        return elicitation_params(session_id, question, no_meta)

    def prompt_result(self, outcome: Outcome) -> Json:
        """`PromptResponse`."""
        return {"stopReason": outcome.stop, "usage": token_usage(outcome.usage), "_meta": quota_meta(outcome)}

    def config_result(self, options: tuple[ConfigOption, ...]) -> Json:
        """`SetSessionConfigOptionResponse`."""
        return {"configOptions": [self.config_option(option) for option in options]}

    def config_option(self, option: ConfigOption) -> Json:
        """`SessionConfigOption`."""
        return config_option(option)

    def mode_list(self, modes: tuple[Choice, ...]) -> list[Json]:
        """ACP's `SessionMode`s."""
        return mode_list(modes)

    def _session_update(
        self, update: ImageChunk | PlanChanged | TitleChanged | CommandsChanged | ConfigChanged | ModeChanged
    ) -> Json:
        match update:
            case ImageChunk():
                content = content_block(update.block)
                return {"sessionUpdate": update.speaker, "content": content, "messageId": update.message_id}
            case PlanChanged():
                return {"sessionUpdate": "plan", "entries": plan_entries(update)}
            case TitleChanged():
                return title_changed(update, self._now())
            case CommandsChanged():
                return {"sessionUpdate": "available_commands_update", "availableCommands": _commands(update)}
            case ConfigChanged():
                return {"sessionUpdate": "config_option_update", **self.config_result(update.options)}
            case ModeChanged():
                return {"sessionUpdate": "current_mode_update", "currentModeId": update.mode}
            case _ as unreachable:
                assert_never(unreachable)

    def _report(
        self, update: ServerNotice | Notice | CompactionChanged | CompactionChunk | MemoryRecalled
    ) -> list[Json]:
        match update:
            case ServerNotice():
                return [self._server_notice(update)]
            case Notice():
                return self._notice(update)
            case CompactionChanged():
                return [compaction_update(update) if self._compaction else self.compaction_call(update)]
            case CompactionChunk():
                return [summary_chunk(update)] if self._compaction else []
            case MemoryRecalled():
                return [_memory(update)]

    def _server_notice(self, notice: ServerNotice) -> Json:
        if self._notices:
            return server_notice(notice)
        meta = {"kind": "mcpServerStatus", "server": notice.server, "status": notice.status}
        return {
            "sessionUpdate": "agent_message_chunk",
            "content": text_block(f"**{notice.title}:** {notice.description}"),
            "_meta": {"claudeCode": meta},
        }

    def _notice(self, shown: Notice) -> list[Json]:
        """An update of its own, or a message; what is mere information is told as a message only."""
        if not self._notices:
            return [_notice_message(shown)]
        return [] if shown.level == "info" else [notice(shown)]

    def compaction_call(self, changed: CompactionChanged) -> Json:
        """A compaction as a tool call, for a client that does not follow compactions."""
        call: Json = {"toolCallId": changed.compaction_id, "_meta": {"claudeCode": {"toolName": "compact"}}}
        if changed.opened:
            shown = {"title": "Compact conversation", "kind": "think", "status": changed.status}
            return {"sessionUpdate": "tool_call", **call, **shown}
        call["sessionUpdate"] = "tool_call_update"
        if changed.facts is not None:
            return {**call, "rawOutput": changed.facts}
        call["status"] = _status(changed.status)
        if changed.error:
            text = text_block(f"Compaction failed: {changed.error}")
            call |= {"content": [{"type": "content", "content": text}], "rawOutput": {"error": changed.error}}
        return call

    def tool(self, report: ToolReport) -> list[Json]:
        """The updates of a tool call: the output of its terminal goes before its end."""
        updates: list[Json] = []
        own: Json = {}
        if report.terminal is not None and self.terminal is not TerminalChannel.NONE:
            outputs, own = self._terminal_meta(report.terminal)
            updates = [tool_update(report, {}, output) for output in outputs]
        tells = report.opened or report.fields or report.hints or report.progress or report.response is not None
        meta = {**(self.tool_meta(report) if tells else {}), **own}
        fields = self.fields(report.fields)
        return [*updates, tool_update(report, fields, meta)] if meta or fields else updates

    def _terminal_meta(self, change: TerminalChange) -> tuple[list[Json], Json]:
        key, terminal_id = self.terminal.value, {"terminal_id": change.terminal_id}
        if change.opened:
            return [], {"terminal_info": terminal_id}
        if change.output is None:
            return ([{key: {**terminal_id, "data": change.data}}] if change.data else []), {}
        is_told = bool(change.output.text) or not change.output.continued
        outputs = [{key: {**terminal_id, "data": change.output.text}}] if is_told else []
        if change.output.goes_on:
            return outputs, {}
        code = self.exit_code(change.output)
        return outputs, {"terminal_exit": {**terminal_id, "exit_code": code, "signal": None}}

    def exit_code(self, output: CommandOutput) -> int | None:
        """The code with which a command ended, if there is one."""
        return output.exit_code if output.exit_code >= 0 else None

    def tool_meta(self, report: ToolReport) -> Json:
        """The whole `_meta`, on each update: a client may read each one alone."""
        claude: Json = {"toolName": report.tool_name, **call_meta(report)}
        if report.response is not None:
            claude.setdefault("toolResponse", report.response)
        return {"claudeCode": claude}

    def fields(self, fields: dict[str, Any]) -> Json:
        """The fields of a tool call."""
        encoders: dict[str, Callable[[Any], Any]] = {
            "status": _status,
            "content": lambda content: [self.content(item) for item in content],
            "locations": locations,
        }
        return encoded_fields(fields, encoders)

    def content(self, content: Content) -> Json:
        """`ToolCallContent`. v1 has no patches of its own, so an exact change is shown as text."""
        match content:
            case Text():
                return {"type": "content", "content": text_block(content.text)}
            case Block():
                return {"type": "content", "content": content_block(content.block)}
            case Diff():
                return {"type": "diff", "path": content.path, "oldText": content.old, "newText": content.new}
            case Patch():
                return {"type": "content", "content": text_block(f"```diff\n{content.hunks}```")}
            case TerminalRef():
                return {"type": "terminal", "terminalId": content.terminal_id}
            case _ as unreachable:
                assert_never(unreachable)


def tool_update(report: ToolReport, fields: Json, meta: Json) -> Json:
    """A `tool_call` if the call is new, else a `tool_call_update`."""
    return {
        **({"_meta": meta} if meta else {}),
        "toolCallId": report.call_id,
        "sessionUpdate": "tool_call" if report.opened else "tool_call_update",
        **fields,
    }


def _status(status: ToolStatus) -> str:
    return ToolStatus.FAILED if status is ToolStatus.CANCELLED else status


def _state(changed: StateChanged) -> Json:
    """`StateUpdate` of the subagents RFD."""
    outcome = changed.outcome
    if changed.state is not WorkState.IDLE or outcome is None:
        return {"state": changed.state}
    return {"state": changed.state, **stop_fields(outcome)}


def _notice_message(shown: Notice) -> Json:
    """A remark as a message. One with a heading of its own carries no level."""
    message: Json = {"sessionUpdate": "agent_message_chunk"}
    if shown.heading:
        return {**message, "content": text_block(f"**{shown.heading}:** {shown.text}")}
    text = shown.text if shown.level == "info" else f"**{shown.level.capitalize()}:** {shown.text}"
    meta = {"claudeCode": {"kind": "informational", "level": shown.level}}
    return {**message, "content": text_block(text), "_meta": meta}


def _memory(recalled: MemoryRecalled) -> Json:
    claude = {"toolName": "memory_recall", "toolResponse": {"mode": recalled.mode}}
    return {"sessionUpdate": "tool_call", **memory_call(recalled), "_meta": {"claudeCode": claude}}


def _commands(changed: CommandsChanged) -> list[Json]:
    return [
        {
            "name": command.name,
            "description": command.description,
            **({"input": {"hint": command.hint}} if command.hint else {}),
        }
        for command in changed.commands
    ]


def mode_list(modes: tuple[Choice, ...]) -> list[Json]:
    """ACP's `SessionMode`s."""
    return [{"id": mode.value, "name": mode.name, "description": mode.description} for mode in modes]


def config_option(option: ConfigOption) -> Json:
    """A select, also for a switch: clients of v1 know no other type."""
    return {
        "id": option.id,
        "name": option.name,
        **({"description": option.description} if option.description else {}),
        **({"category": option.category} if option.category else {}),
        "type": "select",
        "currentValue": option.current,
        "options": option_choices(option),
    }
