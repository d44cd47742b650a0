"""Whether an image is what it says, and whole."""

from __future__ import annotations

import pytest

from adapter.shared.claude.images import check_pdf, image_type
from adapter.shared.jsonrpc.errors import ClientMistake
from support.images import gif, jpeg, png, webp

WHOLE = {"image/png": png(20, 20), "image/jpeg": jpeg(), "image/gif": gif(), "image/webp": webp()}


@pytest.mark.parametrize("media_type", WHOLE)
@pytest.mark.parametrize("behind", [b"", b"\0\0"])
def test_a_whole_image_has_its_own_type(media_type: str, behind: bytes) -> None:
    assert image_type(WHOLE[media_type] + behind, "p") == media_type


@pytest.mark.parametrize("media_type", WHOLE)
def test_an_image_without_its_end_is_refused(media_type: str) -> None:
    for size in range(13, len(WHOLE[media_type]) - 1):
        with pytest.raises(ClientMistake, match="p is cut off"):
            image_type(WHOLE[media_type][:size], "p")


@pytest.mark.parametrize("data", [b"", b"x", b"BM", b"\x89PNG", b"RIFF1234WAVE", b"<svg/>", b"%PDF-1.4"])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(ClientMistake, match="p is no PNG"):
        image_type(data, "p")


def test_a_jpeg_without_a_scan_is_refused() -> None:
    with pytest.raises(ClientMistake):
        image_type(b"\xff\xd8\xff\xe0\xff\xd9", "p")


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", b"junk" * 200 + b"%PDF-1.4"])
def test_a_document_begins_as_one(data: bytes) -> None:
    check_pdf(data, "p")


@pytest.mark.parametrize("data", [b"", b"%PDF", b"PK", b" " * 1024 + b"%PDF-1.4"])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(ClientMistake, match="p is no PDF"):
        check_pdf(data, "p")
