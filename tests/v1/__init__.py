"""The ACP v1 core, without a process or a client."""
