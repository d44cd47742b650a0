"""Rule 2: a core decides and does nothing else.

Pure modules await nothing and reach no clock, file, process, environment or source of chance, neither themselves nor
through another module of ours that they import. So they replay byte for byte from a recording.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from .source import SOURCE, Finding, Module, dotted, imports, line_of, own_module, plant, read, report

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PURE = (
    "conformance/brief.py",
    "conformance/compare.py",
    "conformance/neutral.py",
    "conformance/profiles.py",
    "conformance/recording.py",
    "conformance/traffic.py",
    "conformance/verdict.py",
    "conformance/view.py",
    "shared/acp_content.py",
    "shared/auth_status.py",
    "shared/background_list.py",
    "shared/background_tasks.py",
    "shared/claude/client_options.py",
    "shared/chat_parts.py",
    "shared/claude/content.py",
    "shared/claude/images.py",
    "shared/claude/masking.py",
    "shared/claude/control.py",
    "shared/claude/features.py",
    "shared/claude/frames.py",
    "shared/claude/settings_faults.py",
    "shared/clearing.py",
    "shared/client_capabilities.py",
    "shared/command_list.py",
    "shared/commands.py",
    "shared/config_options/*",
    "shared/compaction.py",
    "shared/conversation.py",
    "shared/core.py",
    "shared/dialogs.py",
    "shared/effects.py",
    "shared/history/agents.py",
    "shared/history/branch.py",
    "shared/history/fork_point.py",
    "shared/history/listed.py",
    "shared/history/replay.py",
    "shared/history/summary.py",
    "shared/elicitation/*",
    "shared/frame_hold.py",
    "shared/idle_compaction.py",
    "shared/idle.py",
    "shared/inputs.py",
    "shared/interrupts.py",
    "shared/jsonrpc/errors.py",
    "shared/jsonrpc/framing.py",
    "shared/jsonrpc/messages.py",
    "shared/jsonrpc/pending.py",
    "shared/local_commands.py",
    "shared/mcp/*",
    "shared/outcome.py",
    "shared/permissions/*",
    "shared/plan.py",
    "shared/plan_handoff.py",
    "shared/renaming.py",
    "shared/logins.py",
    "shared/providers.py",
    "shared/rate_limits.py",
    "shared/reports.py",
    "shared/restarts.py",
    "shared/session_base.py",
    "shared/session_gate.py",
    "shared/session_hooks.py",
    "shared/session_part.py",
    "shared/session_parts.py",
    "shared/session_services.py",
    "shared/session_updates.py",
    "shared/subagents/*",
    "shared/titles.py",
    "shared/tools/*",
    "shared/turn_outcome.py",
    "shared/updates.py",
    "shared/usage.py",
    "shared/v2/encode.py",
    "shared/v2/initialize.py",
    "shared/v2/session.py",
    "shared/work_state.py",
    "shared/work_updates.py",
    "v1/*",
    "v2_bridge/*",
    "v2_native/*",
)
"""The pure modules; ``*`` crosses slashes. A new module of a core is pure unless it is named below."""

NOT_PURE = ("*/agent.py", "v1/air.py", "v1/extensions/methods.py", "v1/extensions/session.py")
"""What of a core stands beside the driver: it starts sessions, which is a straight line of steps."""

IMPURE_PACKAGES = (
    "anyio",
    "asyncio",
    "claude_agent_sdk",
    "concurrent",
    "multiprocessing",
    "os",
    "pathlib.Path",
    "pathlib.PosixPath",
    "pathlib.WindowsPath",
    "random",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "uuid",
)
"""What a pure module may not import; the names under ``pathlib`` touch files, ``PurePath`` does not."""

IMPURE_CALLS = ("open", "input", "print", "io.open")
CLOCKS = ("now", "utcnow", "today")


def is_pure(module: Module) -> bool:
    """Whether the module has to be pure."""
    return module.matches(*PURE) and not module.matches(*NOT_PURE)


def impurities(module: Module) -> list[Finding]:
    """What in this one module does more than compute."""
    found = [
        module.finding(used.line, f"imports {used.target}")
        for used in imports(module)
        if any(used.is_within(package) for package in IMPURE_PACKAGES)
    ]
    nodes = ast.walk(module.tree)
    return found + [module.finding(line_of(node), message) for node in nodes if (message := _impure(node))]


def _impure(node: ast.AST) -> str:
    match node:
        case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
            return "is asynchronous"
        case ast.comprehension(is_async=1):
            return "is asynchronous"
        case ast.Call(func=function) if dotted(function) in IMPURE_CALLS:
            return f"calls {dotted(function)}"
        case ast.Attribute(attr=attribute) if _reads_clock(dotted(node), attribute):
            return f"reads the clock ({dotted(node)})"
        case ast.Attribute() if dotted(node) in IMPURE_PACKAGES:
            return f"uses {dotted(node)}"
        case _:
            return ""


def _reads_clock(name: str, attribute: str) -> bool:
    return attribute in CLOCKS and name.split(".")[-2:-1] in (["datetime"], ["date"])


def purity(root: Path) -> list[Finding]:
    """Impurities of the pure modules and of what they import at run time."""
    modules = {module.name: module for module in read(root)}
    found = []
    for module in modules.values():
        if is_pure(module):
            found += impurities(module)
            found += [module.finding(1, message) for message in _impure_ways(module, modules)]
    return found


def _impure_ways(start: Module, modules: Mapping[str, Module]) -> list[str]:
    ways = []
    seen = {start.name}
    waiting = [start]
    while waiting:
        for used in imports(waiting.pop()):
            name = own_module(used.target, modules)
            if name is None or name in seen or used.typing_only:
                continue
            seen.add(name)
            waiting.append(modules[name])
            if not is_pure(modules[name]) and (reasons := impurities(modules[name])):
                ways.append(f"reaches {name}, which is not pure ({reasons[0]})")
    return ways


def test_pure_modules_are_pure() -> None:
    assert report(purity(SOURCE)) == ""


def test_the_list_names_modules_that_exist() -> None:
    covered = [module.path for module in read(SOURCE) if is_pure(module)]
    assert len(covered) >= 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("async def f(): pass", "1: is asynchronous"),
        ("def f(items):\n    return [x async for x in items]", "2: is asynchronous"),
        ("import anyio", "imports anyio"),
        ("import os.path", "imports os.path"),
        ("from asyncio import Task", "imports asyncio.Task"),
        ("def f():\n    import uuid", "2: imports uuid"),
        ("from pathlib import Path", "imports pathlib.Path"),
        ("import pathlib\np = pathlib.Path('x')", "uses pathlib.Path"),
        ("from datetime import datetime\nx = datetime.now()", "reads the clock (datetime.now)"),
        ("import datetime\nx = datetime.date.today()", "reads the clock (datetime.date.today)"),
        ("text = open('x').read()", "calls open"),
    ],
)
def test_purity_complains(tmp_path: Path, text: str, message: str) -> None:
    assert message in report(purity(plant(tmp_path, {"v1/turns.py": text})))


def test_purity_complains_about_an_impure_import(tmp_path: Path) -> None:
    root = plant(
        tmp_path,
        {
            "v1/session.py": "from adapter.shared import middle",
            "shared/middle.py": "from adapter.shared.ids import mint",
            "shared/ids.py": "import uuid",
        },
    )
    assert "v1/session.py:1: reaches adapter.shared.ids, which is not pure" in report(purity(root))


def test_purity_allows_types_of_impure_modules_and_pure_paths(tmp_path: Path) -> None:
    root = plant(
        tmp_path,
        {
            "v1/session.py": (
                "from pathlib import PurePath\nfrom typing import TYPE_CHECKING\n"
                "if TYPE_CHECKING:\n    from adapter.shared.ids import Ids\n"
                "from datetime import datetime\nx = datetime.fromtimestamp(0)"
            ),
            "shared/ids.py": "import uuid",
            "shared/driver.py": "import anyio\nasync def run(): pass",
        },
    )
    assert purity(root) == []
