"""Draft ACP v2, driven by Claude Code's own lifecycle frames."""
