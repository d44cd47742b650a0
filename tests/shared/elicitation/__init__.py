"""Tests of `adapter.shared.elicitation`."""
