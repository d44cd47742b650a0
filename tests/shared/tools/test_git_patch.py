"""Hunks get the headers of a Git patch; paths are written as Git writes them."""

from __future__ import annotations

import pytest

from adapter.shared.tools.facts import Patch
from adapter.shared.tools.git_patch import git_patch, quoted

HUNKS = "@@ -1 +1 @@\n-a\n+b\n"


def test_a_patch_in_gits_own_form() -> None:
    head = "diff --git a/w/x.py b/w/x.py\n--- a/w/x.py\n+++ b/w/x.py\n"
    assert git_patch(Patch("/w/x.py", HUNKS, created=False), "a/", "b/") == head + HUNKS


def test_a_patch_of_the_path_as_it_is() -> None:
    head = "diff --git /w/x.py /w/x.py\n--- /w/x.py\n+++ /w/x.py\n"
    assert git_patch(Patch("/w/x.py", HUNKS, created=False), "", "") == head + HUNKS


def test_a_patch_that_creates_its_file() -> None:
    head = "diff --git a/w/x.py b/w/x.py\nnew file mode 100644\n--- /dev/null\n+++ b/w/x.py\n"
    assert git_patch(Patch("/w/x.py", HUNKS, created=True), "a/", "b/") == head + HUNKS


def test_a_path_with_a_space_ends_with_a_tab() -> None:
    head = "diff --git a/w/a b b/w/a b\n--- a/w/a b\t\n+++ b/w/a b\t\n"
    assert git_patch(Patch("/w/a b", HUNKS, created=False), "a/", "b/") == head + HUNKS


def test_a_path_that_is_not_plain_is_quoted_with_its_prefix() -> None:
    head = 'diff --git "a/w/\\303\\274" "b/w/\\303\\274"\n--- "a/w/\\303\\274"\n+++ "b/w/\\303\\274"\n'
    assert git_patch(Patch("/w/ü", HUNKS, created=False), "a/", "b/") == head + HUNKS


@pytest.mark.parametrize(
    ("path", "shown"),
    [("C:\\w\\x", "C:/w/x"), ("c:/w\\x", "c:/w/x"), ("\\\\host\\x", "//host/x"), ("/w\\x", '"/w\\\\x"')],
)
def test_paths_of_windows_have_slashes(path: str, shown: str) -> None:
    assert git_patch(Patch(path, HUNKS, created=False), "", "").splitlines()[1] == f"--- {shown}"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("plain ~!.txt", "plain ~!.txt"),
        ('a"b', '"a\\"b"'),
        ("a\\b", '"a\\\\b"'),
        ("\a\b\t\n\v\f\r", '"\\a\\b\\t\\n\\v\\f\\r"'),
        ("\x01\x7f", '"\\001\\177"'),
        ("é", '"\\303\\251"'),
        ("\udcff", '"\\377"'),
    ],
)
def test_bytes_are_escaped_as_git_does(path: str, shown: str) -> None:
    assert quoted(path) == shown
