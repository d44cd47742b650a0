"""Tests of `adapter.shared.mcp`."""
