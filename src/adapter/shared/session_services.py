"""What the sessions of all cores are made of, and what cores use of it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from adapter.shared.background_tasks import BackgroundTasks, stop_task
from adapter.shared.chat_parts import chat_parts
from adapter.shared.claude.frames import Frame
from adapter.shared.command_list import CommandList
from adapter.shared.config_options.agent_switch import AgentSwitch
from adapter.shared.config_options.changes import ConfigChanges
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.config_options.watch import ConfigWatch
from adapter.shared.conversation import Conversation
from adapter.shared.dialogs import Dialogs
from adapter.shared.effects import DropProcess, Effects, Fail, SendControl, SendPrompt, StartProcess
from adapter.shared.frame_hold import FrameHold
from adapter.shared.idle_compaction import IdleCompaction
from adapter.shared.inputs import ClientAnswered, ConfigRequested, PromptReceived, SteerReceived
from adapter.shared.interrupts import Interrupts
from adapter.shared.jsonrpc.errors import method_not_found
from adapter.shared.rate_limits import RateLimits
from adapter.shared.renaming import Renaming
from adapter.shared.reports import Reports
from adapter.shared.restarts import Restarts
from adapter.shared.session_hooks import CoreHooks
from adapter.shared.session_parts import SessionParts
from adapter.shared.titles import TitleKeeper
from adapter.shared.tools.facts import FileSnapshot, Json, ToolStatus
from adapter.shared.tools.text import string
from adapter.shared.updates import Command

WITHDRAWAL = "withdraw"
CONTEXT_USAGE: Json = {"subtype": "get_context_usage", "detail": "summary"}


class ProcessState(StrEnum):
    """Whether Claude Code can be written to."""

    UP = "up"
    STARTING = "starting"
    DOWN = "down"


class SessionServices(CoreHooks):
    """A session's conversation, its configuration, its parts, and its Claude Code.

    Args:
        conversation: What Claude's frames mean.
        config: What the session runs with.
        commands: Claude Code's slash commands at its start.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        self.conversation = conversation
        self.config = config
        self.dialogs = Dialogs(conversation, config, may_clear=self.may_clear_context)
        self.process = ProcessState.UP
        self.interrupts = Interrupts()
        self.tasks = BackgroundTasks()
        self.hold = FrameHold()
        self.parts = SessionParts()
        self._commands = CommandList(commands)
        self._titles = TitleKeeper()
        self._answer_of: Callable[[Frame], str] = _text_of
        self._changes = ConfigChanges(config, self._config_told)
        self.parts.handle_answers({"config": self._changes.answered})
        self._agents = AgentSwitch(config, self._changes, self._restart_now, self.config_changed)
        self._renaming = Renaming(self._titles.changed, self.prompt_served, self._reach)
        self._restarts = Restarts(self._is_settled, self._restart, self.resume_work)
        self._idle_compaction = IdleCompaction(
            conversation.usage, may_write=self._is_quiet, began=self.begins_itself, resume_work=self.resume_work
        )
        self.parts.add(self.tasks, ConfigWatch(config, self._changes), self._agents, self._renaming)
        self.parts.add(self._commands, *chat_parts(conversation, self.hold, self._titles))
        self.parts.add(
            self._restarts, self._idle_compaction, Reports(conversation, config), RateLimits(conversation.usage)
        )

    # What a core may change.

    def may_clear_context(self) -> bool:
        """Whether a plan that is asked about now could go on in a fresh context."""
        return False

    def steer_received(self, event: SteerReceived) -> Effects:
        """A prompt for the running turn has come; a core that does not say what becomes of it refuses it."""
        return [Fail(event.request, method_not_found("_session/steering"))]

    def file_changed(self, frame: Frame, after: FileSnapshot) -> Effects:
        """A tool's result has come, with the file that it changed."""
        return self.conversation.read_change(frame, after)

    def ask(self, frame: Frame, before: FileSnapshot | None = None) -> Effects:
        """Claude Code asks something of its host; `before` is the file that a tool would change, if it was read."""
        return self.dialogs.request(frame, before)

    def client_answered(self, event: ClientAnswered) -> Effects:
        """The client has answered a question."""
        return self.dialogs.answered(event)

    def questions_withdrawn(self, effects: Effects, *, stopping: bool) -> Effects:  # noqa: ARG002 - for cores with states.
        """Questions need no answer any more; `effects` tell the client so. `stopping`: because their work ends."""
        return effects

    def begins_itself(self) -> Effects:
        """A turn begins that is neither the client's nor Claude Code's, but ours."""
        return []

    # What cores use.

    def write_prompt(self, prompt: PromptReceived | SteerReceived, *, steers: bool = False) -> Effects:
        """Send a prompt to Claude Code, and ask for the session's title if it has none."""
        self._agents.prompt_written(prompt.uuid)
        # Of a goal only the command counts: its text is in the client's own hands.
        is_goal = prompt.goal if isinstance(prompt, SteerReceived) else prompt.bare
        text = prompt.text.split(maxsplit=1)[0] if is_goal else prompt.text
        title = self._titles.prompt_sent(text, is_command=self._commands.names(prompt.text))
        wanted: Effects = [SendControl("title", title)] if title is not None else []
        self._restarts.written(prompt.uuid)
        return [*self._idle_compaction.prompted(), SendPrompt(prompt.uuid, prompt.content, steers), *wanted]

    def may_write(self) -> bool:
        """Whether a prompt can be written now: an interrupt on its way would end it as well."""
        waits = self.interrupts.any_open() or self._restarts.owed or self._idle_compaction.runs
        return self.process is ProcessState.UP and not waits

    def bring_up(self) -> Effects:
        """Start Claude Code if it is down, or anew if it has to be."""
        if self.process is ProcessState.UP:
            return self._restarts.before_prompt()
        if self.process is not ProcessState.DOWN:
            return []
        self.process = ProcessState.STARTING
        return [StartProcess()]

    def interrupt(self) -> Effects:
        """Stop the running turn and all queued prompts. What comes later waits for the answer, so it has a bound."""
        if self.process is not ProcessState.UP:
            return []
        # Claude Code spares workflows like all work in the background, and a client has no other way to stop one.
        workflows = [stop_task(task_id) for task_id in self.tasks.workflows()]
        return [*self.interrupts.send(), *workflows]

    def withdraw_prompt(self, uuid: str) -> Effects:
        """Have Claude Code forget a prompt that it has not begun with."""
        return [SendControl(f"{WITHDRAWAL} {uuid}", {"subtype": "cancel_async_message", "message_uuid": uuid})]

    def turn_ended(self, result: Frame) -> Effects:
        """A turn has its result: what it leaves open ends before its prompt is answered."""
        usage = self.conversation.usage.turn_ended(result)
        effects = self.close_calls()
        return [*effects, usage] if usage is not None else effects

    def close_calls(self) -> Effects:
        """A turn is over: its questions are moot and its calls get their end. Those of subagents may go on."""
        moot = self.questions_withdrawn(self.dialogs.withdraw_all(main_only=True), stopping=True)
        closed = self.conversation.calls.close(ToolStatus.CANCELLED, main_only=True)
        return [*moot, *closed, *self.conversation.turn_over()]

    def conversation_ended(self, result: Frame) -> Effects:
        """The result ends the conversation with its turn: what subagents and commands of it still do ends as well."""
        ended = self.turn_ended(result)
        ended += self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=False)
        ended += self.conversation.calls.close(ToolStatus.CANCELLED)
        return [*ended, *self.parts.process_gone()]

    def start_afresh(self, mode: str) -> Effects:
        """Go on in an empty conversation, in this permission mode."""
        self.config.changed("mode", mode)
        self.process = ProcessState.STARTING
        self._titles.start_over()
        return [StartProcess(afresh=True), *self.mode_changed(mode), *self.conversation.start_over()]

    def answers_by(self, answer_of: Callable[[Frame], str]) -> None:
        """Where another text than that of its result is what a turn has said, for the session's title."""
        self._answer_of = answer_of

    def title_after_turn(self, result: Frame, *, cancelled: bool) -> Effects:
        """After a turn: see to the session's title, if it has none yet."""
        answer, local = self._answer_of(result), result.get("num_turns") == 0
        silent = result.get("is_error") is True and not answer
        title = self._titles.turn_ended(answer, cancelled=cancelled, local=local, silent=silent)
        if isinstance(title, dict):
            return [SendControl("title", title)]
        return [title] if title is not None else []

    @property
    def runs(self) -> bool:
        """Whether Claude Code runs or is being started."""
        return self.process is not ProcessState.DOWN

    def may_park(self) -> bool:
        """Whether nothing is asked of Claude Code, and nothing of the client."""
        return self.may_write() and self._is_settled()

    def park(self) -> Effects:
        """Let Claude Code end, which has nothing to do. What comes next starts it again on the transcript."""
        self.process = ProcessState.DOWN
        return [DropProcess(gently=True), *self.parts.process_gone()]

    # What the parts use.

    def _is_quiet(self) -> bool:
        return self.may_write() and self._restarts.is_quiet()

    def _config_told(self, change: ConfigRequested) -> Effects:
        """Another model may have another window."""
        asks = change.option == "model" and self.process is ProcessState.UP
        return [*self.config_changed(change), *([SendControl("context", CONTEXT_USAGE)] if asks else [])]

    def _is_settled(self) -> bool:
        return not (self.interrupts.any_open() or self.interrupts.waited_for() or self.dialogs.any_open)

    def _restart(self) -> Effects:
        self._titles.restarted()
        self.process = ProcessState.STARTING
        # What still runs in the background ends with the process.
        ended = self.conversation.calls.close(ToolStatus.CANCELLED)
        return [*ended, *self.parts.process_gone(), StartProcess(replaces=True)]

    def _restart_now(self) -> Effects | None:
        """The same if that can be done; `None` while it is starting, or an interrupt or a question is open."""
        if self.process is ProcessState.STARTING or not self._is_settled():
            return None
        return self._restart() if self.process is ProcessState.UP else self.bring_up()

    def _reach(self) -> Effects | None:
        """`None` if Claude Code can be sent control requests, else what brings it up."""
        return None if self.process is ProcessState.UP else self.bring_up()


def _text_of(result: Frame) -> str:
    return string(result.get("result"))
