"""What a session of AIR's gets beside the v1 core: the parts of the extensions that were negotiated."""

from __future__ import annotations

from dataclasses import replace

from adapter.shared.claude.options import SessionSpec
from adapter.shared.client_capabilities import ClientCapabilities
from adapter.shared.session_base import SessionBase
from adapter.v1.extensions.async_tasks import AsyncTasks
from adapter.v1.extensions.autonomous_turn import AutonomousTurn
from adapter.v1.extensions.file_change_report import FileChangeReports
from adapter.v1.extensions.goal import Goal
from adapter.v1.extensions.open_prompts import OpenPrompts
from adapter.v1.extensions.prompt_suggestions import PromptSuggestions
from adapter.v1.extensions.recommended_value import RecommendedValues
from adapter.v1.extensions.replay import AirReplay
from adapter.v1.extensions.session_failure import SessionFailures

CHECKPOINTS = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"


class AirSessions:
    """The extensions of one connection.

    Args:
        capabilities: What AIR declared.
    """

    def __init__(self, capabilities: ClientCapabilities) -> None:
        self._declared = capabilities.air or frozenset()
        self._notices = capabilities.notices

    def prepare(self, spec: SessionSpec) -> SessionSpec:
        """Ask Claude Code for checkpoints of the files that are to be reported."""
        if "agentFileChangeReport" not in self._declared:
            return spec
        environment = {CHECKPOINTS: "true", **spec.options.environment}
        return replace(spec, options=replace(spec.options, environment=environment))

    def watch_replay(self, session_id: str) -> AirReplay:
        """See the history of a session as it is shown."""
        return AirReplay(session_id, self._declared)

    def equip(self, core: SessionBase, spec: SessionSpec, roots: tuple[tuple[str, str], ...], token: str) -> None:
        """Add the parts, in the order in which they see effects."""
        if "recommendedValue" in self._declared:
            core.parts.add(RecommendedValues(core.config))
        core.parts.add(PromptSuggestions())
        core.parts.add(Goal())
        prompts = OpenPrompts()
        if "asyncTasks" in self._declared:
            turn = AutonomousTurn(prompts, core.interrupt, token)
            core.parts.add(AsyncTasks(turn.stop))
            core.parts.add(turn)
        if "sessionFailure" in self._declared:
            failures = SessionFailures(spec.session_id, token, prompts, notices=self._notices)
            core.answers_by(failures.answer_of)
            core.parts.add(failures)
        if "agentFileChangeReport" in self._declared:
            core.parts.add(FileChangeReports(roots, prompts))
        core.parts.add(prompts)
