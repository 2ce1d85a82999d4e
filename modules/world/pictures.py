"""Is a file a picture that a page can show? Only its first bytes are read: worlds come from strangers, and nothing here decodes them."""

from __future__ import annotations

from pathlib import Path

from modules.text import Phrase

LARGEST = 32 << 20
"""Bytes of a picture; the sheets of a large town have a twentieth of that."""

WIDEST = 8192
"""Pixels in each direction: what every graphics card can hold. A few bytes of a PNG can claim to be a thousand times more."""

_PNG = b"\x89PNG\r\n\x1a\n"
_BEGINNINGS = {".png": (_PNG,), ".jpg": (b"\xff\xd8",), ".jpeg": (b"\xff\xd8",), ".webp": (b"RIFF",), ".gif": (b"GIF8",)}


def picture_fault(path: Path) -> str:
    """What is wrong with a picture and how to mend it; "" if nothing is. Raises OSError where it can't be read."""
    if path.suffix.lower() not in _BEGINNINGS:
        return Phrase("is no picture ({suffix}); save it as PNG", suffix=path.suffix or Phrase("no suffix"))
    with path.open("rb") as file:
        head = file.read(24)
    if not head.startswith(_BEGINNINGS[path.suffix.lower()]):
        return Phrase("does not begin as such a picture does; save it again as PNG")
    size = path.stat().st_size
    if size > LARGEST:
        return Phrase("has {size} MB, and {most} are enough; make it smaller", size=size >> 20, most=LARGEST >> 20)
    wide, high = (int.from_bytes(head[at : at + 4], "big") for at in (16, 20))
    if head.startswith(_PNG) and not (1 <= wide <= WIDEST and 1 <= high <= WIDEST):
        return Phrase("claims {wide} × {high} pixels; it should have 1 to {most} each way", wide=wide, high=high, most=WIDEST)
    return ""
