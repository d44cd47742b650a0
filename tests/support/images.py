"""Images of each type that Claude takes, as small or as large as a test needs them."""

from __future__ import annotations

import random
import struct
import zlib


def png(width: int = 1, height: int = 1, *, noise: bool = False) -> bytes:
    """A grey PNG; one of noise is as large as its pixels."""
    source = random.Random(0)
    rows = [b"\0" + (source.randbytes(width) if noise else bytes(width)) for _ in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def jpeg() -> bytes:
    """The frame of a JPEG with one scan, and a preview in it that has an end of its own."""
    return b"\xff\xd8\xff\xe1preview\xff\xd9\xff\xda\x00\x02scan\xff\xd9"


def gif() -> bytes:
    """A GIF of one pixel."""
    return b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"


def webp() -> bytes:
    """The frame of a WebP image."""
    body = b"WEBPVP8L" + struct.pack("<I", 4) + b"data"
    return b"RIFF" + struct.pack("<I", len(body)) + body
