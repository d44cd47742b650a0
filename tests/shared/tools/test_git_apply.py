"""Git itself takes our patches: random files, both line ends, with and without a last newline, odd paths."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from adapter.shared.tools.diff import unified_hunks
from adapter.shared.tools.facts import Patch
from adapter.shared.tools.git_patch import git_patch
from shared.doubles import PROPERTY

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
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not created:
            file.write_bytes(before.encode())
        patch = git_patch(Patch(f"/{name}", hunks, created=created), "a/", "b/")
        applied = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-"],
            cwd=folder,
            input=patch.encode(),
            capture_output=True,
            check=False,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_CEILING_DIRECTORIES": "/", "HOME": folder},
        )
        assert (applied.returncode, applied.stderr) == (0, b""), patch
        assert file.read_bytes() == after.encode()
