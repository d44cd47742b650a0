"""The documents lead to each other, and the table of v1's updates has what the code sends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import adapter
from adapter.shared.updates import Speaker

ROOT = Path(__file__).parents[1]
SOURCE = Path(adapter.__file__).parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(((?:[\w./-]+\.md)?)(?:#([\w-]+))?\)")
SENT = re.compile(r'"sessionUpdate": "(\w+)"')


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as they are made on GitHub."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def section(name: str, heading: str) -> str:
    """The text below a heading of a document, up to the next heading of any level."""
    _, found, text = (ROOT / "docs" / name).read_text().partition(f"\n{heading}\n")
    assert found
    return re.split(r"\n#+ ", text)[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for path, anchor in LINK.findall(document.read_text()):
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def test_the_table_of_updates_has_what_v1_sends() -> None:
    table = set(
        re.findall(
            r"`(\w+)`", "".join(re.findall(r"^\|(.*?)\|", section("protocol-v1.md", "## Updates"), re.MULTILINE))
        )
    )
    sent = set(SENT.findall((SOURCE / "v1" / "encode.py").read_text())) | {str(speaker) for speaker in Speaker}
    assert sent <= table


def test_a_transcript_that_the_api_refuses_has_a_documented_way_on() -> None:
    assert "editors.md#when-it-does-not-work" in section("protocol-v1.md", "## Errors")
    assert "**Every prompt of a session gets the same error of the API**" in section(
        "editors.md", "## When it does not work"
    )
