"""The native ACP v2 core, without a process or a client."""
