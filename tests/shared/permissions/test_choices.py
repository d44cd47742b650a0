"""The answers that a question offers: one that lasts only where its name tells its whole effect."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.permissions.choices import ALLOW_ONCE, REJECT, heading, permission_options
from adapter.shared.permissions.options import PermissionOption
from shared.permissions.requests import add_folders, asks, rules, set_mode

Json = dict[str, Any]
ETC = rules("//etc/**", tool="Read", destination="session")
VAR = rules("//var/log/**", tool="Read", destination="session")
ADD = rules("", tool="mcp__lab__add")
CLICK = rules("", tool="mcp__computer-use__click")
HOST = rules("a.org", tool="SandboxNetworkAccess")
SKILL_FILE = {"file_path": "/w/.claude/skills/x/SKILL.md"}
OUTSIDE = {"file_path": "/else/where/a.txt"}


def editing(*contents: str) -> Json:
    return rules(*contents, tool="Edit", destination="session")


def reads(path: str) -> Json:
    return {"file_path": path}


def own_rule(tool: str, content: str = "") -> Json:
    return rules(content, tool=tool)


def lasting(request: Json) -> list[tuple[str, tuple[Json, ...]]]:
    """The names and the updates of the answers between yes and no."""
    first, *between, last = permission_options(request, cwd="/w")
    assert (first, last) == (ALLOW_ONCE, REJECT)
    assert all(option.kind == "allow_always" for option in between)
    return [(option.name, option.updates) for option in between]


def test_yes_and_no_are_always_offered() -> None:
    assert permission_options(asks("AskUserQuestion")) == (ALLOW_ONCE, REJECT)
    assert permission_options({}) == (ALLOW_ONCE, REJECT)
    assert (ALLOW_ONCE.kind, REJECT.kind) == ("allow_once", "reject_once")


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (asks("Bash", rules("touch x.txt")), "Yes, and don't ask again for touch x.txt commands"),
        (asks("Bash", rules("git push *")), "Yes, and don't ask again for git push * commands"),
        (asks("Bash", rules("npm run:*")), "Yes, and don't ask again for npm run commands"),
        (
            asks("Bash", rules("git push *", "rm -rf build")),
            "Yes, and don't ask again for git push * and rm -rf build commands",
        ),
        (asks("Bash", rules("a"), rules("b", "c *")), "Yes, and don't ask again for a, b, and c * commands"),
        (
            asks("PowerShell", rules("Get-Item *", tool="PowerShell")),
            "Yes, and don't ask again for Get-Item * commands",
        ),
        (
            asks("Bash", rules("cat /etc/hostname > out.txt"), add_folders("/w")),
            "Yes, and allow access to w/ and cat /etc/hostname > out.txt commands",
        ),
        (
            asks(
                "Bash", {**ETC, "rules": [*ETC["rules"], *rules("python3 *")["rules"]], "destination": "localSettings"}
            ),
            "Yes, and allow access to etc/ and python3 * commands",
        ),
        (
            asks("Bash", ETC, VAR, rules("a", "b"), add_folders("/opt")),
            "Yes, and allow opt/, etc/, and log/ access and a and b commands",
        ),
        (asks("Bash", add_folders("/opt"), ETC), "Yes, and allow access to opt/ and etc/ during this session"),
        (
            asks("Bash", add_folders("/opt", destination="localSettings")),
            "Yes, and always allow access to opt/ from this project",
        ),
        (asks("Bash", ETC), "Yes, allow reading from etc/ during this session"),
        (asks("Bash", rules("//etc/**", tool="Read")), "Yes, allow reading from etc/ from this project"),
        (asks("Read", ETC, input=reads("/etc/hosts")), "Yes, allow reading from etc/ during this session"),
        (
            asks("Glob", ETC, VAR, input={"pattern": "*", "path": "/var/log"}),
            "Yes, allow reading from etc/ and log/ during this session",
        ),
        (asks("Grep", ETC, input={"pattern": "x", "path": "/etc"}), "Yes, allow reading from etc/ during this session"),
        (
            asks("Grep", rules("/**", tool="Read", destination="session"), input={"pattern": "x"}),
            "Yes, allow reading from w/ during this session",
        ),
        (asks("Edit", set_mode()), "Yes, allow all edits during this session"),
        (asks("Write", set_mode(), input=reads("/w/a.txt")), "Yes, allow all edits during this session"),
        (asks("NotebookEdit", set_mode()), "Yes, allow all edits during this session"),
        (
            asks("Write", set_mode(), add_folders("/else/where", "/b"), input=OUTSIDE),
            "Yes, allow all edits in where/ and b/ during this session",
        ),
        (
            asks("Write", add_folders("/else/where"), input=OUTSIDE),
            "Yes, allow all edits in where/ during this session",
        ),
        (asks("Edit", editing("//else/**"), input=OUTSIDE), "Yes, allow all edits in else/ during this session"),
        (
            asks("NotebookEdit", editing("//else/**"), input={"notebook_path": "/else/n.ipynb"}),
            "Yes, allow all edits in else/ during this session",
        ),
        (
            asks("Write", editing("/.claude/skills/x/**"), input=SKILL_FILE),
            "Yes, allow all edits in .claude/skills/x/ during this session",
        ),
        (
            asks("Write", editing("/.claude/**"), input=SKILL_FILE),
            "Yes, and allow Claude to edit its own settings for this session",
        ),
        (asks("mcp__lab__add", ADD, display_name="Add"), "Yes, and don't ask again for Add commands"),
        (asks("mcp__lab__add", ADD), "Yes, and don't ask again for mcp__lab__add commands"),
        (asks("mcp__lab__add", ADD, display_name=7), "Yes, and don't ask again for mcp__lab__add commands"),
        (
            asks("mcp__computer-use__click", CLICK, display_name="Click somewhere"),
            "Yes, and don't ask again for Click somewhere",
        ),
        (asks("SandboxNetworkAccess", HOST, input={"host": "a.org"}), "Yes, and don't ask again for a.org"),
    ],
)
def test_a_lasting_answer_applies_what_claude_code_suggested(request_: Json, name: str) -> None:
    assert lasting(request_) == [(name, tuple(request_["permission_suggestions"]))]


@pytest.mark.parametrize(
    ("request_", "name", "update"),
    [
        (
            asks("WebFetch", input={"url": "https://User@Example.org:8080/a?b"}),
            "Yes, and don't ask again for example.org",
            own_rule("WebFetch", "domain:example.org"),
        ),
        *(
            (asks(tool), f"Yes, and don't ask again for {tool} commands", own_rule(tool))
            for tool in ("WebSearch", "Agent", "Task", "Monitor", "ReviewArtifact", "Workflow", "NoSuchTool")
        ),
        (
            asks("NoSuchTool", set_mode(), display_name="No Tool"),
            "Yes, and don't ask again for No Tool commands",
            own_rule("NoSuchTool"),
        ),
        (asks("Skill", input={"skill": "tidy"}), "Yes, and don't ask again for tidy", own_rule("Skill", "tidy")),
        (asks("Skill", input={"command": "tidy"}), "Yes, and don't ask again for tidy", own_rule("Skill", "tidy")),
    ],
)
def test_a_lasting_answer_may_be_a_rule_of_ours(request_: Json, name: str, update: Json) -> None:
    assert lasting(request_) == [(name, (update,))]


def test_a_skill_named_with_arguments_can_be_allowed_with_them_or_with_any() -> None:
    assert lasting(asks("Skill", input={"skill": "tidy  src"})) == [
        ("Yes, and don't ask again for tidy src", (own_rule("Skill", "tidy src"),)),
        ("Yes, and don't ask again for tidy:* commands", (own_rule("Skill", "tidy:*"),)),
    ]


def test_arguments_beside_the_skill_are_no_part_of_its_rule() -> None:
    assert lasting(asks("Skill", input={"skill": "tidy", "args": "src"})) == [
        ("Yes, and don't ask again for tidy", (own_rule("Skill", "tidy"),))
    ]


def test_each_answer_has_an_id_of_its_own() -> None:
    options = permission_options(asks("Skill", input={"skill": "tidy src"}))
    assert [option.id for option in options] == ["allow-once", "allow-skill-exact", "allow-skill-prefix", "reject"]
    assert [option.id for option in permission_options(asks("Bash", rules("ls")))][1] == "allow-with-updates"


@pytest.mark.parametrize(
    "request_",
    [
        asks("Bash"),
        asks("Bash", rules("ls"), set_mode(), add_folders("/w")),
        asks("Bash", rules("ls"), set_mode()),
        asks("Bash", rules("ls", "")),
        asks("Bash", rules("ls"), rules("x", tool="PowerShell")),
        asks("Bash", rules("ls", behavior="deny")),
        asks("Bash", rules("ls"), {"type": "addThings", "destination": "session"}),
        asks("Bash", permission_suggestions="text"),
        asks("Bash", permission_suggestions=[]),
        asks("Bash", rules("//etc/hosts", tool="Read", destination="session")),
        asks("Bash", add_folders("/opt", destination="userSettings")),
        asks("Read", rules("//etc/**", tool="Read"), input=reads("/etc/hosts")),
        asks("Read", ETC, input=reads("/opt/a")),
        asks("Read", add_folders("/etc"), input=reads("/etc/hosts")),
        asks("Read", rules("", tool="Read", destination="session")),
        asks("Read", rules("//etc/**", tool="Edit", destination="session"), input=reads("/etc/hosts")),
        asks("Read", ETC, set_mode(), input=reads("/etc/hosts")),
        asks("Edit"),
        asks("Edit", rules("ls")),
        asks("Edit", set_mode("bypassPermissions")),
        asks("Edit", set_mode(), rules("ls", destination="session")),
        asks("Edit", set_mode(destination="userSettings")),
        asks("Edit", rules("", tool="Edit", destination="session")),
        asks("Edit", rules("//else/**", tool="Edit"), input=OUTSIDE),
        asks("Write", add_folders("/a"), input=OUTSIDE),
        asks("Write", set_mode(), add_folders("/a"), input=OUTSIDE),
        asks("Write", editing("//a/**"), input=OUTSIDE),
        asks("Write", set_mode(), input={"file_path": "/w/.claude/settings.json"}),
        asks("Write", set_mode(), editing("/.claude/**"), input=SKILL_FILE),
        asks("Write", add_folders("/w/.claude"), input=SKILL_FILE),
        asks("mcp__lab__add", rules("x", tool="mcp__lab__add")),
        asks("mcp__lab__add", rules("", tool="mcp__lab__other")),
        asks("mcp__lab__add", ADD, set_mode()),
        asks("mcp__lab__add"),
        asks("WebFetch", input={"url": "no url"}),
        asks("WebFetch", input={"url": "http://[bad"}),
        asks("WebFetch", input={}),
        asks("WebFetch", input="text"),
        asks("Skill", input={"skill": ""}),
        asks("Skill", input={"skill": "a\0b"}),
        asks("SandboxNetworkAccess", input={"host": "a.org"}),
        asks("SandboxNetworkAccess", HOST, input={"host": "b.org"}),
        asks("SandboxNetworkAccess", rules("a.org", "b.org", tool="SandboxNetworkAccess"), input={"host": "a.org"}),
        asks("SandboxNetworkAccess", {**HOST, "destination": "session"}, input={"host": "a.org"}),
        asks("SandboxNetworkAccess", rules("a.org", tool="WebFetch"), input={"host": "a.org"}),
        asks("SandboxNetworkAccess", HOST),
    ],
)
def test_nothing_lasts_whose_effect_no_name_tells(request_: Json) -> None:
    assert lasting(request_) == []


@pytest.mark.parametrize(
    "reason",
    [
        {"matched_ask_rule": {"source": "projectSettings", "tool_name": "WebSearch"}},
        {"suppress_always_allow_rule": True},
        {"decision_reason_type": "rule"},
    ],
)
def test_a_rule_that_asks_keeps_asking(reason: Json) -> None:
    assert lasting(asks("WebSearch", **reason)) == []


def test_a_rule_that_asks_is_told_by_absent_suggestions() -> None:
    assert lasting(asks("Bash", rules("ls"), decision_reason_type="rule")) != []


@pytest.mark.parametrize(
    ("request_", "ids"),
    [
        (asks("Bash", rules("ls")), ["reject", "allow-once", "allow-with-updates"]),
        (
            asks("Skill", input={"skill": "tidy src"}),
            ["reject", "allow-once", "allow-skill-exact", "allow-skill-prefix"],
        ),
        (asks("EnterPlanMode"), ["reject", "allow-once"]),
        (asks("ExitPlanMode"), ["reject", "exit-plan-default", "exit-plan-auto", "exit-plan-bypass"]),
    ],
)
def test_a_question_whose_default_is_no_begins_with_no(request_: Json, ids: list[str]) -> None:
    modes = frozenset({"auto", "bypassPermissions"})
    options = permission_options({**request_, "default_to_no": True}, modes)
    assert [option.id for option in options] == ids


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        (asks("SandboxNetworkAccess", input={"host": " a.org\n"}), "a.org"),
        (asks("SandboxNetworkAccess", input={"host": 7}), ""),
        (asks("mcp__computer-use__click", display_name="Click"), "Click"),
        (asks("mcp__lab__add", display_name="Add"), ""),
        (asks("Bash", display_name="Bash"), ""),
    ],
)
def test_a_question_may_have_a_heading_of_its_own(request_: Json, title: str) -> None:
    assert heading(request_) == title


def test_entering_plan_mode_has_answers_of_its_own() -> None:
    assert permission_options(asks("EnterPlanMode", set_mode("plan"))) == (
        PermissionOption("allow-once", "Yes, enter plan mode", "allow_once"),
        PermissionOption("reject", "No, start implementing now", "reject_once"),
    )


@pytest.mark.parametrize(("plan", "clearing"), [("1. Do it", 1), ("  ", 0), (None, 0), (7, 0)])
def test_leaving_plan_mode_has_answers_of_its_own(plan: Any, clearing: int) -> None:
    modes = frozenset({"default", "acceptEdits", "plan"})
    options = permission_options(asks("ExitPlanMode", input={"plan": plan}), modes, 42)
    assert options[0].id == "exit-plan-default"
    assert options[-1].name == "No, keep planning"
    assert len([option for option in options if option.clears]) == clearing
    assert all("42%" in option.name for option in options if option.clears)


@pytest.mark.parametrize("command", ["ls\nrm -rf /", "ls\x1b[8m", "ls\u202e"])
def test_no_name_hides_what_it_allows(command: str) -> None:
    assert lasting(asks("Bash", rules(command))) == []
