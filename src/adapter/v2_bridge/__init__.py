"""Draft ACP v2 on top of the v1 core."""
