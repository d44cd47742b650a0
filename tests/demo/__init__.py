"""Tests of the demo command; its run with the real Claude Code is in ``tests/e2e``."""
