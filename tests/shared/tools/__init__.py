"""Tests of tool calls: families, diffs, the tracker."""
