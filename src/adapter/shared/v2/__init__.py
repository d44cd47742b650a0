"""Draft ACP v2 as both of its cores speak it: the answer to `initialize`, the methods, the encoder."""
