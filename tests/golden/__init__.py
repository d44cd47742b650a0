"""Recorded sessions, replayed through the cores."""
