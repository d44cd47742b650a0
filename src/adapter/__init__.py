"""claude-acp: an Agent Client Protocol adapter for Claude Code."""

__version__ = "0.1.0"
