"""What lifecycle frames and results say about prompts, whatever is missing in them."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.lifecycle import begun_by_host, is_placeholder, lifecycle_event, named_prompts


@pytest.mark.parametrize(
    ("frame", "event"),
    [
        ({"command_uuid": "u", "state": "started"}, ("u", "started")),
        ({"command_uuid": "u"}, ("u", "")),
        ({"state": "started"}, ("", "started")),
        ({"command_uuid": 1, "state": None}, ("", "")),
        ({}, ("", "")),
    ],
)
def test_a_lifecycle_frame_names_a_prompt_and_its_state(frame: dict[str, Any], event: tuple[str, str]) -> None:
    assert lifecycle_event(frame) == event


@pytest.mark.parametrize(
    ("result", "prompts"),
    [
        ({"user_message_uuids": ["a", "b"], "user_message_uuid": "b"}, ["a", "b"]),
        ({"user_message_uuid": "a"}, ["a"]),
        ({"user_message_uuids": [], "user_message_uuid": "a"}, []),
        ({"user_message_uuids": "a", "user_message_uuid": "b"}, ["b"]),
        ({"user_message_uuids": None}, []),
        ({"user_message_uuid": 1}, []),
        ({}, []),
    ],
)
def test_a_result_names_the_prompts_that_it_answers(result: dict[str, Any], prompts: list[str]) -> None:
    assert named_prompts(result) == prompts


@pytest.mark.parametrize(
    ("result", "host", "placeholder"),
    [
        ({"origin": {"kind": "human"}, "num_turns": 1}, True, False),
        ({"origin": {"kind": "human"}, "num_turns": 0}, True, False),
        ({"origin": {"kind": "task-notification"}, "num_turns": 1}, False, False),
        ({"origin": {"kind": "task-notification"}, "num_turns": 0}, False, True),
        ({"origin": "task-notification", "num_turns": 0}, True, False),
        ({"num_turns": 0}, True, False),
        ({}, True, False),
    ],
)
def test_a_turn_was_begun_by_a_prompt_or_by_claude_code(result: dict[str, Any], host: bool, placeholder: bool) -> None:
    assert (begun_by_host(result), is_placeholder(result)) == (host, placeholder)
