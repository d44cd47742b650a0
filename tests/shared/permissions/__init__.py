"""Tests of permission questions and their answers."""
