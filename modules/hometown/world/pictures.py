"""Whether a file is a picture that a page can show. Only its first bytes are read: worlds may come from strangers, so nothing here decodes them."""

from __future__ import annotations

from pathlib import Path

from hometown.text import Phrase
from hometown.world.faults import Faults

LARGEST = 32 << 20
"""Bytes of a picture; the sheets of a large town have a twentieth of that."""

WIDEST = 8192
"""Pixels in each direction: what every graphics card can hold. A few bytes of a PNG can claim to be a thousand times more."""

_PNG = b"\x89PNG\r\n\x1a\n"
_BEGINNINGS = {".png": (_PNG,), ".jpg": (b"\xff\xd8",), ".jpeg": (b"\xff\xd8",), ".webp": (b"RIFF",), ".gif": (b"GIF8",)}


def inside(folder: Path, name: str) -> Path | None:
    """The path of a name, if it lies in the folder; None also for a name that no file can have."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):  # too long, with characters that no file name has, or a link to itself
        return None


def check_picture(folder: Path, name: str, file: str, where: str, faults: Faults) -> bool:
    """Whether `name` is a picture inside the folder; if not, that is noted as a fault of `file`."""
    try:
        path = (folder / name).resolve()
        outside, there = not path.is_relative_to(folder.resolve()), path.is_file()
        wrong = picture_fault(path) if there and not outside else ""
    except (OSError, ValueError, RuntimeError):  # as above
        outside, there, wrong = False, False, ""
    if outside:
        faults.add(file, where, "lies outside the folder {folder!r}; copy it in and name it from there", folder=folder.name)
    elif not there:
        faults.add(file, where, "does not exist; add the file or correct its name")
    elif wrong:
        faults.add(file, where, wrong)
    return there and not outside and not wrong


def picture_fault(path: Path) -> str:
    """What is wrong with a picture and how to mend it; "" if nothing is. Raises OSError where it can't be read."""
    if path.suffix.lower() not in _BEGINNINGS:
        return Phrase("is not a picture ({suffix}); save it as PNG", suffix=path.suffix or Phrase("no suffix"))
    with path.open("rb") as file:
        head = file.read(24)
    if not head.startswith(_BEGINNINGS[path.suffix.lower()]):
        return Phrase("has content that does not match its suffix; save it again as PNG")
    size = path.stat().st_size
    if size > LARGEST:
        return Phrase("has {size} MB; at most {most} MB are shown, so make it smaller", size=size >> 20, most=LARGEST >> 20)
    wide, high = (int.from_bytes(head[at : at + 4], "big") for at in (16, 20))
    if head.startswith(_PNG) and not (1 <= wide <= WIDEST and 1 <= high <= WIDEST):
        return Phrase("has {wide} × {high} pixels; width and height should be 1 to {most}", wide=wide, high=high, most=WIDEST)
    return ""
