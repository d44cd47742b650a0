"""Faults of settings files, as they are told."""

from __future__ import annotations

from adapter.shared.claude.settings_faults import settings_notices


def test_a_fault_of_the_settings_that_the_client_sent_names_no_file() -> None:
    errors = [{"file": "/tmp/x.json", "path": "", "message": "Invalid or malformed JSON"}, {"file": "/tmp/x.json"}, 5]
    assert settings_notices({"errors": errors}, "/tmp/x.json") == (
        "Claude Code does not use the settings that the client sent: Invalid or malformed JSON.",
        "Claude Code does not use the settings that the client sent: it is malformed.",
    )
    assert settings_notices({"errors": None}, None) == ()
