"""Tests of subagents as sessions of their own."""
