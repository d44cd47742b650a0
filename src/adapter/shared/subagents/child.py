"""One subagent as its client knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.updates import Choice, ConfigOption
from adapter.shared.work_state import WorkTracker

STOPPED = frozenset({"killed", "stopped"})


@dataclass(slots=True)
class Child:
    """A subagent with a session of its own.

    Attributes:
        agent_id: Claude Code's; it stays the same for every run.
        launch_id: The call that launched it first; its frames carry it as `parent_tool_use_id`.
        session_id: The id under which the client knows it now.
        parent_id: The session that launched it.
        title: What it was launched for.
        agent_type: Claude Code's `subagent_type`.
        work: Whether it works.
        runs: How often it was set to work.
        in_background: Its parent does not wait for it.
        stopping: A cancel is to end what it does.
        questions: The keys of its open questions.
        mode, model, effort: What it is known to run with; empty where that is not known.
        told: What the client was told of that.
        announced: The client was told of it in this connection.
        cancellable: It was told then that it can be cancelled.
    """

    agent_id: str
    launch_id: str
    session_id: str
    parent_id: str
    title: str
    agent_type: str
    work: WorkTracker = field(default_factory=WorkTracker)
    runs: int = 1
    in_background: bool = False
    stopping: bool = False
    questions: set[str] = field(default_factory=set)
    mode: str = ""
    model: str = ""
    effort: str = ""
    told: tuple[ConfigOption, ...] = ()
    announced: bool = True
    cancellable: bool = True

    def options(self, config: SessionConfig) -> tuple[ConfigOption, ...]:
        """What is known of its configuration. None of it can be changed, so each option has its one value."""
        known = [
            _only("mode", "Mode", "Session permission mode", "mode", config.mode_choice(self.mode)),
            model_option(config.model_choice(self.model)),
            _only(
                "effort",
                "Effort",
                "Current reasoning effort",
                "thought_level",
                Choice(self.effort, self.effort.title()),
            ),
            _only("agent", "Agent", "Subagent type", "", Choice(self.agent_type, self.agent_type)),
        ]
        return tuple(option for option in known if option.current)


def run_session(agent_id: str, run: int, *, draft: bool) -> str:
    """The session of a subagent's run, the first being 1: in the draft each further one has its own."""
    return f"{agent_id}:generation:{run}" if draft and run > 1 else agent_id


def ended(status: str, text: str) -> Outcome:
    """How a run ended, by Claude Code's `status` of it; `text` is said of a failure."""
    if status in STOPPED:
        return Outcome(StopReason.CANCELLED, measured=False)
    failure = ClaudeFailure("unknown", text or "the subagent failed") if status == "failed" else None
    return Outcome(StopReason.END_TURN, failure, measured=False)


def model_option(choice: Choice) -> ConfigOption:
    """The model of a subagent."""
    return _only("model", "Model", "", "model", choice)


def _only(identity: str, name: str, description: str, category: str, choice: Choice) -> ConfigOption:
    return ConfigOption(identity, name, description, category, choice.value, (choice,))
