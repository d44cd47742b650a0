"""The adapter as its users have it: the real Claude Code, clients that others wrote, processes that end."""
