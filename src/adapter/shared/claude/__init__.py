"""Claude Code: its process, its frames, its control channel. Nothing outside this package imports the SDK."""
