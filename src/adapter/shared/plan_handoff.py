"""Going on with a plan in a fresh context: what is kept between the conversation that made it and the new one."""

from __future__ import annotations

from dataclasses import replace

from adapter.shared.inputs import PromptReceived
from adapter.shared.outcome import Outcome
from adapter.shared.permissions.options import PermissionOption, PermissionQuestion
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import joined

INSTRUCTION = "Implement the following plan:"


class PlanHandoff:
    """A person's choice to clear the context; it takes effect at the end of the turn that asked.

    Attributes:
        mode: The permission mode that the new conversation begins in; empty while nothing is handed over.
    """

    def __init__(self) -> None:
        self.mode = ""
        self._plan = ""
        self._spent: list[Outcome] = []
        self._prompt = ""

    def agree(self, question: PermissionQuestion, option: PermissionOption) -> None:
        """The person chose it."""
        self.mode = option.clears
        self._plan = string(question.tool_input.get("plan"))

    def withdraw(self) -> None:
        """The turn is over, or is to end in another way."""
        self.mode = self._prompt = ""
        self._spent.clear()

    def take(self, spent: Outcome) -> str:
        """The old conversation is over and has spent this; returns the mode for the new one."""
        self._spent.append(spent)
        mode, self.mode = self.mode, ""
        return mode

    def continued(self, prompt: PromptReceived) -> PromptReceived:
        """The same prompt, for the new conversation."""
        self._prompt = prompt.uuid
        return replace(prompt, content=({"type": "text", "text": f"{INSTRUCTION}\n\n{self._plan}"},))

    def continues(self, prompt: PromptReceived) -> bool:
        """Whether this is the prompt that goes on in the new conversation."""
        return prompt.uuid == self._prompt

    def complete(self, outcome: Outcome) -> Outcome:
        """The outcome of the whole turn, from that of its last conversation."""
        for spent in self._spent:
            outcome = joined(spent, outcome)
        return outcome
