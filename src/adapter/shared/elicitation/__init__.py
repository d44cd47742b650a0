"""What the person is asked in a form or sent to a page for: questions of Claude's, of MCP servers, of Claude Code."""
