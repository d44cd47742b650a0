"""Permission questions: which answers a client is offered, and what each does in Claude Code."""
