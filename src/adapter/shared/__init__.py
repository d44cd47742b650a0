"""What every core stands on: the peer, Claude Code's process and frames, tools, permissions, configuration."""
