"""Plays a scenario: what a client does and what the scripted model answers, on an agent with the real Claude Code.

docs/conformance.md describes the format of scenarios.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.conformance.client import AcpClient
from adapter.conformance.place import ADAPTER, DEFAULT_SETTINGS, Place
from adapter.conformance.profiles import PROFILES, initialize_params
from adapter.conformance.scenario import FOLDER, substitute
from adapter.conformance.steps import STEPS, Run, last_ids
from adapter.scripted.model import ModelRequest, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from adapter.conformance.traffic import Traffic


@dataclass(frozen=True)
class Outcome:
    """What a scenario came to.

    Attributes:
        traffic: The whole log.
        status: The agent's exit status after its stdin was closed.
        files: The text of each file of the workspace at the end, by its relative path.
        model_requests: What the model was asked.
        sessions: The ids of the sessions, in the order of their creation.
    """

    traffic: Traffic
    status: int
    files: dict[str, str]
    model_requests: list[ModelRequest]
    sessions: list[str]


class Playing(NamedTuple):
    """How a scenario is played.

    Attributes:
        command: The agent's command line.
        client: Makes the client, which starts the agent; it takes the arguments of ``AcpClient``.
        env: Variables of the agent beside those of the place, the profile and the scenario.
        settle: See ``Run``.
        started: Is told the client and the model's port once the agent runs.
    """

    command: Sequence[str] = ADAPTER
    client: Callable[..., AcpClient] = AcpClient
    env: Mapping[str, str] = {}
    settle: float = 0
    started: Callable[[AcpClient, int], None] = lambda _client, _port: None


def play(scenario: Mapping[str, Any], profile_name: str, folder: Path, how: Playing | None = None) -> Outcome:
    """Plays a scenario.

    Args:
        scenario: The scenario, as JSON.
        profile_name: The client, a name of ``PROFILES``.
        folder: An empty folder, in which the home and the workspace are made.
        how: The agent and the client; by default this adapter and a client that leaves it at JSON-RPC.

    Raises:
        ClientError: The agent broke a rule, did not answer, or did not end.
        ScriptError: The model's scripts do not follow their format.
        OSError: The agent cannot be started.
    """
    how = how or Playing()
    profile = PROFILES[profile_name]
    texts = {"@CWD@": str(folder.resolve() / "workspace"), "@HOME@": str(folder.resolve() / "home")}
    texts |= {"@LIB@": str(FOLDER), "@PY@": sys.executable}
    with ScriptedModel(substitute(scenario.get("model", {}), texts)) as model:
        scenario = substitute(dict(scenario), {**texts, "@PORT@": str(model.port)})
        settings = {**DEFAULT_SETTINGS, **scenario.get("settings", {})}
        place = Place.make(folder, settings, scenario.get("workspace"), scenario.get("home"))
        env = {**place.environment(model.port), **profile.env, **how.env, **scenario.get("env", {})}
        answers = {"pick": scenario.get("pick", "allow_once"), "answers": scenario.get("answers", [])}
        with how.client(how.command, env=env, cwd=place.workspace, version=profile.version, **answers) as client:
            how.started(client, model.port)
            run = Run(client, profile.version, place, how.settle)
            client.call("initialize", initialize_params(profile_name, scenario))
            for step in scenario["steps"]:
                STEPS[step["do"]](run, substitute(step, last_ids(client.traffic)))
            status = client.close()
    return Outcome(client.traffic, status, place.files(), model.requests, run.sessions)
