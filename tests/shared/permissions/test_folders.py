"""Which paths the folders of a grant cover, and what they are called."""

from __future__ import annotations

import pytest

from adapter.shared.permissions.folders import covers, folder_name, in_claude_folder, resolved, rule_folder
from adapter.shared.permissions.suggestions import Rule


@pytest.mark.parametrize(
    ("content", "folder"),
    [
        ("//etc/**", "/etc"),
        ("//**", "/"),
        ("/.claude/skills/x/**", "/w/.claude/skills/x"),
        (".claude/**", "/w/.claude"),
        ("/**", "/w"),
        ("//c/Users/me/**", "/c/Users/me"),
        ("~/notes/**", ""),
        ("//etc/hosts", ""),
        ("//etc/*.d/**", ""),
        ("", ""),
    ],
)
def test_a_rule_is_about_a_folder(content: str, folder: str) -> None:
    assert rule_folder(Rule("Read", content, "session"), "/w") == folder


@pytest.mark.parametrize(
    ("folder", "path", "covered"),
    [
        ("/etc", "/etc/hosts", True),
        ("/etc", "/etc", True),
        ("/etc", "/etcetera/x", False),
        ("/etc", "/etc/../opt/x", False),
        ("/w/sub", "sub/a.txt", True),
        ("/w", "", True),
        ("/c/Users/me", "C:\\Users\\me\\a.txt", True),
        ("C:\\Users\\me", "C:\\Users\\you\\a.txt", False),
    ],
)
def test_a_folder_covers_what_is_in_it(folder: str, path: str, covered: bool) -> None:
    assert covers(folder, path, "/w") is covered


def test_a_path_is_resolved_as_in_rules() -> None:
    assert resolved("a/./b", "D:\\w") == "/d/w/a/b"


@pytest.mark.parametrize(
    ("path", "inside"),
    [("/w/.claude/a", True), ("C:\\w\\.claude\\a", True), ("/w/.claudette/a", False), ("", False)],
)
def test_claudes_own_folder(path: str, inside: bool) -> None:
    assert in_claude_folder(path) is inside


@pytest.mark.parametrize(
    ("path", "name"),
    [("/var/log", "log/"), ("/", "/"), ("/w/.claude/skills/x", ".claude/skills/x/"), ("C:\\Users\\me", "me/")],
)
def test_a_folder_has_a_name(path: str, name: str) -> None:
    assert folder_name(path) == name
