"""MCP servers in a running session: what becomes of them, `/mcp` in the chat, and signing in at one."""
