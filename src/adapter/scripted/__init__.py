"""A scripted model: Claude Code runs for real, without an account and without a network."""

from adapter.scripted.environment import scripted_environment
from adapter.scripted.model import ModelRequest, ScriptedModel
from adapter.scripted.script import ScriptError

__all__ = ["ModelRequest", "ScriptError", "ScriptedModel", "scripted_environment"]
