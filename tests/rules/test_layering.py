"""Rule 1: who may import whom.

``__main__ -> cli -> {serve, demo, conformance} -> {v1, v2_bridge, v2_native} -> shared``; only ``v2_bridge`` uses
another core, and the SDK stays behind ``shared/claude``. An import for the type checker alone counts too: it shows
what a module knows.
"""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from .source import (
    PACKAGE,
    SOURCE,
    Finding,
    Import,
    Module,
    Rule,
    imports,
    is_import_call,
    own_module,
    plant,
    read,
    report,
)

if TYPE_CHECKING:
    from pathlib import Path

MAY_IMPORT = {
    "": set[str](),
    "__main__": {"cli", "serve", "settings", "shared"},
    "cli": {"serve", "demo", "conformance", "settings", "shared"},
    "settings": {"shared"},
    "serve": {"v1", "v2_bridge", "v2_native", "settings", "shared"},
    "demo": {"scripted"},
    "conformance": {"scripted"},
    "scripted": set[str](),
    "v1": {"shared"},
    "v2_bridge": {"v1", "shared"},
    "v2_native": {"shared"},
    "shared": set[str](),
}
"""The layers of the package and, for each, the others that it may import; the package itself ("") is open to all."""

EXTENSIONS = f"{PACKAGE}.v1.extensions"
EXTENSIONS_DOOR = "v1/air.py"
NO_WIRE = ("shared/tools/*", "shared/permissions/*", "shared/elicitation/*")
SDK = "claude_agent_sdk"
SDK_FILES = ("shared/claude/*",)
SDK_PRIVATE_FILE = "shared/claude/transport.py"
PRIVATE_NAME = re.compile(rf"\b{SDK}(?:\.\w+)*\._[a-z]|\._internal\b")


def layer_of(target: str) -> str:
    """The layer that an absolute name of ours belongs to; a name of the package itself is in the layer ``""``."""
    parts = target.split(".")
    first = parts[1] if len(parts) > 1 else ""
    return first if first in MAY_IMPORT or len(parts) > 2 else ""


def layers(root: Path) -> list[Finding]:
    """Imports that go up or across, and modules in a layer that nobody declared."""
    findings = []
    for module in read(root):
        own = module.name.split(".")[1] if "." in module.name else ""
        if own not in MAY_IMPORT:
            findings.append(module.finding(1, f"{own} is no declared layer"))
            continue
        for found in imports(module):
            layer = layer_of(found.target)
            if found.is_within(PACKAGE) and layer not in {"", own, *MAY_IMPORT[own]}:
                findings.append(module.finding(found.line, f"{own or PACKAGE} imports {layer} ({found.target})"))
    return findings


def extensions(root: Path) -> list[Finding]:
    """Imports of the extensions other than by their door: without them v1 serves every client but AIR."""
    return [
        module.finding(found.line, f"imports {found.target}; only {EXTENSIONS_DOOR} may")
        for module in read(root)
        for found in imports(module)
        if found.is_within(EXTENSIONS) and not module.matches(EXTENSIONS_DOOR, "v1/extensions/*")
    ]


def wire_types(root: Path) -> list[Finding]:
    """Imports of wire models where only neutral values belong."""
    return [
        module.finding(found.line, f"imports wire types ({found.target})")
        for module in read(root)
        if module.matches(*NO_WIRE)
        for found in imports(module)
        if found.is_within(f"{PACKAGE}.shared.wire")
    ]


def sdk_imports(root: Path) -> list[Finding]:
    """Imports of the SDK outside its folder, and mentions of its private parts outside the one file that has them."""
    findings = []
    for module in read(root):
        used = [found for found in imports(module) if found.is_within(SDK)]
        if not module.matches(*SDK_FILES):
            findings += [module.finding(found.line, f"imports {found.target}") for found in used]
        if module.place != SDK_PRIVATE_FILE:
            findings += [module.finding(line, "touches a private part of the SDK") for line in _private(module, used)]
    return findings


def _private(module: Module, used: list[Import]) -> list[int]:
    lines = {found.line for found in used if re.search(r"\._[a-z]", found.target)}
    lines |= {number for number, line in enumerate(module.text.splitlines(), 1) if PRIVATE_NAME.search(line)}
    return sorted(lines)


def computed_imports(root: Path) -> list[Finding]:
    """Imports by a name that no rule can read, outside the file that loads parts of the SDK by name."""
    return [
        module.finding(node.lineno, "imports a computed name")
        for module in read(root)
        if module.place != SDK_PRIVATE_FILE
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and is_import_call(node) and not isinstance(node.args[0], ast.Constant)
    ]


def cycles(root: Path) -> list[Finding]:
    """Groups of modules that import each other, one finding for each cycle met."""
    modules = {module.name: module for module in read(root)}
    graph = {
        name: {own for found in imports(module) if (own := own_module(found.target, modules)) and own != name}
        for name, module in modules.items()
    }
    findings = []
    while cycle := _cycle(graph):
        findings.append(modules[cycle[0]].finding(1, f"import cycle: {' -> '.join(cycle)}"))
        graph[cycle[0]].discard(cycle[1])
    return findings


def _cycle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # The sorter lists each module before the one that imports it.
        return list(reversed(error.args[1]))
    return []


@pytest.mark.parametrize("rule", [layers, wire_types, sdk_imports, computed_imports, cycles])
def test_source_keeps_the_layers(rule: Rule) -> None:
    assert report(rule(SOURCE)) == ""


def test_one_file_holds_the_private_parts_of_the_sdk() -> None:
    holders = [module.place for module in read(SOURCE) if PRIVATE_NAME.search(module.text)]
    assert holders == [SDK_PRIVATE_FILE]


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("shared/driver.py", "from adapter.v1 import session", "shared imports v1 (adapter.v1.session)"),
        ("shared/driver.py", "from adapter import v1", "shared imports v1 (adapter.v1)"),
        ("shared/driver.py", "from ..v1.session import Session", "shared imports v1"),
        ("shared/driver.py", "import adapter.serve", "shared imports serve"),
        ("shared/driver.py", "import importlib\nimportlib.import_module('adapter.cli')", "shared imports cli"),
        ("v1/session.py", "from adapter.v2_native.session import x", "v1 imports v2_native"),
        ("v2_native/session.py", "def f():\n    from adapter.v1 import turns", "v2_native imports v1"),
        ("v2_native/agent.py", "from adapter import settings", "v2_native imports settings"),
        (
            "v1/session.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from adapter.serve import Serve",
            "adapter/v1/session.py:3: v1 imports serve",
        ),
        ("demo/show.py", "from adapter.shared.effects import Notify", "demo imports shared"),
        ("cli.py", "from adapter.v1.agent import Agent", "cli imports v1"),
        ("helpers/x.py", "", "helpers is no declared layer"),
    ],
)
def test_layers_complain(tmp_path: Path, place: str, text: str, message: str) -> None:
    assert message in report(layers(plant(tmp_path, {place: text})))


def test_layers_allow_the_ways_down(tmp_path: Path) -> None:
    allowed = {
        "cli.py": "from adapter import __version__, serve",
        "serve.py": "from adapter.v2_bridge.agent import Agent",
        "v2_bridge/agent.py": "from adapter.v1.session import Session\nfrom ..shared import effects",
        "demo/show.py": "from adapter.scripted.server import Server\nfrom .render import show",
    }
    assert layers(plant(tmp_path, allowed)) == []


def test_wire_types_complains(tmp_path: Path) -> None:
    root = plant(tmp_path, {"shared/tools/families/bash.py": "from adapter.shared.wire.v1 import ToolCall"})
    assert "bash.py:1: imports wire types" in report(wire_types(root))


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("shared/driver.py", "import claude_agent_sdk", "imports claude_agent_sdk"),
        ("v1/session.py", "from claude_agent_sdk.types import Message", "imports claude_agent_sdk.types.Message"),
        ("shared/claude/process.py", "from claude_agent_sdk._internal import x", "touches a private part"),
        ("shared/claude/process.py", "from claude_agent_sdk import _internal", "touches a private part"),
        ("shared/claude/process.py", "name = 'claude_agent_sdk._internal.transport'", "touches a private part"),
    ],
)
def test_sdk_imports_complains(tmp_path: Path, place: str, text: str, message: str) -> None:
    assert message in report(sdk_imports(plant(tmp_path, {place: text})))


def test_sdk_imports_allows_its_folder(tmp_path: Path) -> None:
    allowed = {
        "shared/claude/options.py": "from claude_agent_sdk.types import Options",
        SDK_PRIVATE_FILE: "from claude_agent_sdk._internal.transport import subprocess_cli",
    }
    assert sdk_imports(plant(tmp_path, allowed)) == []


def test_computed_imports_complains(tmp_path: Path) -> None:
    text = "from importlib import import_module\nimport_module('adapter.' + core)\nimport_module('adapter.serve')"
    root = plant(tmp_path, {"serve.py": text, SDK_PRIVATE_FILE: text})
    assert report(computed_imports(root)) == "adapter/serve.py:2: imports a computed name"


def test_cycles_complains_about_each_cycle(tmp_path: Path) -> None:
    root = plant(
        tmp_path,
        {
            "shared/a.py": "from adapter.shared import b",
            "shared/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import C",
            "shared/c.py": "def late():\n    import adapter.shared.a",
            "shared/d.py": "from adapter.shared.e import E",
            "shared/e.py": "from adapter.shared.d import D",
        },
    )
    found = [set(re.findall(r"adapter\.shared\.\w", str(finding))) for finding in cycles(root)]
    assert sorted(found, key=len) == [
        {"adapter.shared.d", "adapter.shared.e"},
        {"adapter.shared.a", "adapter.shared.b", "adapter.shared.c"},
    ]


def test_cycles_allows_a_package_that_names_its_modules(tmp_path: Path) -> None:
    root = plant(
        tmp_path,
        {"shared/__init__.py": "from .a import x", "shared/a.py": "x = 1", "cli.py": "from adapter.shared import x"},
    )
    assert cycles(root) == []


def test_the_extensions_have_one_door() -> None:
    assert report(extensions(SOURCE)) == ""


def test_the_extensions_complain_about_another_door(tmp_path: Path) -> None:
    files = {
        "v1/air.py": "from adapter.v1.extensions.session import AirSessions",
        "v1/extensions/session.py": "from adapter.v1.extensions.goal import Goal",
        "v1/agent.py": "def f():\n    from adapter.v1.extensions.goal import Goal",
    }
    found = report(extensions(plant(tmp_path, files)))
    assert found == "adapter/v1/agent.py:2: imports adapter.v1.extensions.goal.Goal; only v1/air.py may"
