"""Tests of AIR's extensions."""
