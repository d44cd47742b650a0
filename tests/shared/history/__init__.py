"""Tests of what reads transcripts."""
