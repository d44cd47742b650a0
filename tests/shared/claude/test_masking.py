"""No secret gets from Claude Code's stderr into an error or the log."""

from __future__ import annotations

import pytest

from adapter.shared.claude.masking import Mask


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("key sk-ant-api03-Abc_def-123 refused", "key *** refused"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("authorization: basic dXNlcjpwYXNz", "authorization: basic ***"),
        ("proxy http://me:s3cret@proxy:8080/ refused", "proxy http://***@proxy:8080/ refused"),
        ("X-Api-Key: abc", "X-Api-Key: ***"),
        ("x-api-key:abc", "x-api-key:***"),
        ("sk-short; a risk-averse desk-top", "sk-short; a risk-averse desk-top"),
        ("http://proxy:8080/a@b", "http://proxy:8080/a@b"),
    ],
)
def test_what_has_the_form_of_a_secret_is_hidden(said: str, shown: str) -> None:
    assert Mask({})(said) == shown


def test_the_values_of_secret_variables_are_hidden() -> None:
    environment = {
        "MY_GATEWAY_TOKEN": "hunter2hunter2",
        "my_password": "hunter2hunter2-and-more",
        "API_KEY": "short",
        "HOME": "/home/somebody",
    }
    mask = Mask(environment)
    assert mask("hunter2hunter2-and-more, hunter2hunter2") == "***, ***"
    assert mask("short /home/somebody") == "short /home/somebody"
