"""What the bytes of an image or a document are, and whether they are all there.

A broken one is refused before it enters the transcript. One that is too large may pass: Claude Code scales it down.
"""

from __future__ import annotations

from adapter.shared.jsonrpc.errors import invalid_field

PNG_START = b"\x89PNG\r\n\x1a\n"
JPEG_START, JPEG_SCAN, JPEG_END = b"\xff\xd8\xff", b"\xff\xda", b"\xff\xd9"
GIF_STARTS = (b"GIF87a", b"GIF89a")
PDF_START = b"%PDF-"
PDF_START_WITHIN = 1024
"""A PDF may begin behind this many other bytes (PDF 1.7, appendix H)."""


def image_type(data: bytes, path: str) -> str:
    """The media type that an image really is of, whatever its label says.

    Args:
        data: The whole image.
        path: Where it stands in the request.

    Raises:
        ClientMistake: It is of no type that Claude takes, or its end is missing; `data.path` is `path`.
    """
    if data.startswith(PNG_START):
        return _whole("image/png", path, whole=_png_is_whole(data))
    if data.startswith(JPEG_START):
        # A preview inside the image has an end of its own, before the image's scans.
        return _whole("image/jpeg", path, whole=data.rfind(JPEG_END) > data.rfind(JPEG_SCAN) >= 0)
    if data.startswith(GIF_STARTS):
        return _whole("image/gif", path, whole=data.rstrip(b"\0").endswith(b";"))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _whole("image/webp", path, whole=len(data) >= 8 + int.from_bytes(data[4:8], "little"))
    message = "is no PNG, JPEG, GIF or WebP image"
    raise invalid_field(path, message, f"{path} {message}")


def check_pdf(data: bytes, path: str) -> None:
    """A document must be one.

    Raises:
        ClientMistake: It is no PDF; `data.path` is `path`.
    """
    if PDF_START not in data[:PDF_START_WITHIN]:
        message = "is no PDF document"
        raise invalid_field(path, message, f"{path} {message}")


def _whole(media_type: str, path: str, *, whole: bool) -> str:
    if not whole:
        message = f"is cut off: the end of the {media_type} image is missing"
        raise invalid_field(path, message, f"{path} {message}")
    return media_type


def _png_is_whole(data: bytes) -> bool:
    """Whether each chunk is there up to the last, `IEND` (PNG specification, chapter 5.3)."""
    at = len(PNG_START)
    while at + 12 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        at += 12 + size
        if kind == b"IEND":
            return at <= len(data)
    return False
