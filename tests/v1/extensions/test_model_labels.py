"""The labels of Claude Code's models, as they were when they were last looked at."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from pathlib import Path

import pytest

from adapter.shared.claude.options import SessionSpec
from adapter.shared.claude.transport import sdk_version
from adapter.shared.config_options.models import model_choices
from adapter.shared.launch import Launcher
from adapter.shared.providers import Routes
from adapter.v1.extensions.recommended_value import recommended_model

CHECKED_SDK = "0.2.189"
"""Before this is raised, run the live test below on a machine that is signed in, and look at its models."""


def test_the_labels_were_checked_with_this_sdk() -> None:
    assert sdk_version() == CHECKED_SDK


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the live test may run."""
    return environment.get("RUN_INTEGRATION_TESTS") == "true"


def test_the_live_test_runs_only_where_it_is_asked_for() -> None:
    assert is_wanted({"RUN_INTEGRATION_TESTS": "true"})
    assert not is_wanted({"RUN_INTEGRATION_TESTS": "1"})
    assert not is_wanted({})
    marks = getattr(test_the_default_has_a_name_with_its_version, "pytestmark", [])
    [skipped] = [mark for mark in marks if mark.name == "skipif"]
    assert skipped.args == (not is_wanted(os.environ),)


async def _relieved() -> None:
    """The client reads at once."""


@pytest.mark.anyio
@pytest.mark.live
@pytest.mark.skipif(not is_wanted(os.environ), reason="asks Anthropic's servers; set RUN_INTEGRATION_TESTS=true")
async def test_the_default_has_a_name_with_its_version(tmp_path: Path) -> None:
    launcher = Launcher(os.environ, _relieved, Routes(os.environ))
    started = await launcher.start(SessionSpec(str(uuid.uuid4()), str(tmp_path)))
    await started.link.process.kill()
    labels = {choice.value: choice.name for choice in model_choices(started.hello.models)}
    recommended = recommended_model(started.hello.models)
    assert labels[recommended].split()[0] in ("Opus", "Fable", "Sonnet")
    assert any(character.isdigit() for character in labels[recommended])
