"""Tests of JSON-RPC over newline-delimited UTF-8."""
