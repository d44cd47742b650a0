"""Tests of the validation of requests."""
