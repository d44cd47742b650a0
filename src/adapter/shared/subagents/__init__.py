"""Subagents as sessions of their own: ACP's subagents RFD, and AIR's earlier draft of it."""
