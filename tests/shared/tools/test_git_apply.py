"""Git itself takes our patches: random files, both line ends, with and without a last newline, odd paths."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from adapter.shared.files import read_snapshot
from adapter.shared.tools.diff import unified_hunks
from adapter.shared.tools.facts import FileSnapshot, Patch, ToolResult
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.files import preview
from adapter.shared.tools.git_patch import git_patch
from shared.doubles import PROPERTY
from shared.tools.contexts import FIELDS

LINES = st.lists(
    st.sampled_from(["a", "b", "", " ", "-", "+", "@@ -1 +1 @@", "\\", "grün", "x\t", "\u2028"]), max_size=14
)
ENDS = st.sampled_from(["\n", "\r\n"])
NAMES = st.one_of(
    st.sampled_from(["a.txt", "a b.txt", "grün.txt", 'say "hi".txt', "back\\slash", "tab\there", "-dash", "a/b c/d"]),
    st.text(st.characters(exclude_characters="/\0\n", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
        lambda name: name not in (".", "..", ".git") and not name.lower().startswith(".git")
    ),
)


def text(lines: list[str], end: str, *, closed: bool) -> str:
    joined = end.join(lines)
    return joined + end if closed and lines else joined


TEXTS = st.builds(text, LINES, ENDS, closed=st.booleans())


@PROPERTY
@given(name=NAMES, before=TEXTS, after=TEXTS, created=st.booleans())
@example(name="a b.txt", before="a\nb", after="a\nb\n", created=False)
@example(name="new file.txt", before="", after="a\r\nb", created=True)
def test_git_applies_every_patch(*, name: str, before: str, after: str, created: bool) -> None:
    before = "" if created else before
    hunks = unified_hunks(before, after)
    if not hunks:
        assert before == after
        return
    file_before = None if created else before.encode()
    assert applied(name, file_before, Patch(f"/{name}", hunks, created=created)) == after.encode()


ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"])


@PROPERTY
@given(before=TEXTS, after=TEXTS, old=ENCODINGS, new=ENCODINGS, created=st.booleans(), asked=st.booleans())
@example(before="a\r\nb\r\n", after="a\nc\n", old="utf-8", new="utf-8", created=False, asked=True)
@example(before="a\nb\n", after="a\nc\n", old="utf-8-sig", new="utf-8", created=False, asked=True)
@example(before="a\nb\n", after="a\nc\n", old="utf-8-sig", new="utf-8-sig", created=False, asked=False)
def test_git_applies_what_a_question_and_a_result_show(
    *, before: str, after: str, old: str, new: str, created: bool, asked: bool
) -> None:
    """Claude Code tells a file's text as it reads it: with line feeds alone, and without a byte order mark."""
    file_before = None if created else before.encode(old, "replace")
    file_after = after.encode(new, "replace")
    known, written = snapshot(file_before), snapshot(file_after)
    tool_input = {"file_path": "/a.txt", "content": after}
    shown = preview("Write", tool_input, known)
    if isinstance(shown, Patch):
        assert applied("a.txt", file_before, shown) == after.encode()
    # What an encoding cannot hold is another character in the file.
    read = before if known.state == "opaque" else known.text.removeprefix("\ufeff")
    told = None if created else read.replace("\r\n", "\n")
    change: dict[str, object] = {"filePath": "/a.txt", "originalFile": told, "structuredPatch": []}
    result = ToolResult("ok", failed=False, structured=change, before=known if asked else None, after=written)
    for content in family_of("Write").read_result("Write", tool_input, result, FIELDS).content or ():
        if isinstance(content, Patch):
            assert applied("a.txt", file_before, content) == file_after


def snapshot(data: bytes | None) -> FileSnapshot:
    if data is None:
        return FileSnapshot("missing")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.txt"
        file.write_bytes(data)
        return read_snapshot(str(file))


def applied(name: str, before: bytes | None, patch: Patch) -> bytes:
    """The file after `git apply`, which has to say nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if before is not None:
            file.write_bytes(before)
        text_of_patch = git_patch(patch, "a/", "b/")
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-"],
            cwd=folder,
            input=text_of_patch.encode(),
            capture_output=True,
            check=False,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_CEILING_DIRECTORIES": "/", "HOME": folder},
        )
        assert (done.returncode, done.stderr) == (0, b""), text_of_patch
        return file.read_bytes()
