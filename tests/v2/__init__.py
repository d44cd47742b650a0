"""Draft ACP v2, whichever core serves it, without a process or a client: every test runs on both cores."""
