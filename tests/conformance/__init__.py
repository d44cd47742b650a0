"""Tests of the conformance command; its run with the real Claude Code is in ``tests/e2e``."""
