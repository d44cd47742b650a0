"""The adapter as a process, with a Claude Code that misbehaves."""
