"""Tests of session configuration."""
