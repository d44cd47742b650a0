"""Tests of the families of tools."""
