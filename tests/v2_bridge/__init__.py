"""Draft ACP v2 over the v1 core."""
