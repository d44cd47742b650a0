"""Tests of what every core shares; the folders mirror those of the source."""
