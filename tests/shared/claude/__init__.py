"""Tests of what runs and reads Claude Code."""
