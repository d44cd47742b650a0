"""Claude Code's transcripts: where they are, what a list says of them, and what of them is shown again."""
