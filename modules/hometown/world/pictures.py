"""Pictures of a world: checks of their format, and decoding. Worlds are untrusted.

A check reads the beginning of a file and decodes nothing. Decoding is bounded: Pillow is given one
format, by the file's suffix, and no picture takes more than a quarter of a gigabyte.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hometown.errors import BadWorld, reason_of
from hometown.text import Phrase
from hometown.world.faults import Faults

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 32 << 20
"""The largest size of a picture in bytes; the sheets of a large town have a twentieth of that."""

WIDEST = 8192
"""The largest width and height in pixels, supported by all graphics cards. A tiny PNG can claim
more.
"""

MOST_PIXELS = WIDEST * WIDEST
"""The largest number of pixels of a town's sheets, and of a picture of it; each takes four bytes.
"""

_PNG = b"\x89PNG\r\n\x1a\n"
_BEGINNINGS = {
    ".png": (_PNG,),
    ".jpg": (b"\xff\xd8",),
    ".jpeg": (b"\xff\xd8",),
    ".webp": (b"RIFF",),
    ".gif": (b"GIF8",),
}
_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP", ".gif": "GIF"}
"""Pillow's names of the formats."""


def path_inside(folder: Path, name: str) -> Path | None:
    """Return the path of a name within a folder; None outside it, or for an invalid name."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) else None
    except (
        OSError,
        ValueError,
        RuntimeError,
    ):  # too long, with characters that no file name has, or a link to itself
        return None


def check_picture(folder: Path, name: str, file: str, where: str, faults: Faults) -> bool:
    """Return True if `name` is a picture inside the folder; else add a fault of `file` and return
    False.
    """
    try:
        path = (folder / name).resolve()
        outside, there = not path.is_relative_to(folder.resolve()), path.is_file()
        wrong = picture_fault(path) if there and not outside else ""
    except (OSError, ValueError, RuntimeError):  # as above
        outside, there, wrong = False, False, ""
    if not there:
        faults.add(file, where, "does not exist; add the file or correct its name")
    elif outside:
        faults.add(
            file,
            where,
            "lies outside the folder {folder!r}; copy it in and name it from there",
            folder=folder.name,
        )
    elif wrong:
        faults.add(file, where, wrong)
    return there and not outside and not wrong


def picture_fault(path: Path) -> str:
    """Return the fault of a picture with its remedy; "" for none. Raises OSError if it is
    unreadable.
    """
    if path.suffix.lower() not in _BEGINNINGS:
        return Phrase(
            "is not a picture ({suffix}); save it as PNG", suffix=path.suffix or Phrase("no suffix")
        )
    with path.open("rb") as file:
        head = file.read(24)
    if not head.startswith(_BEGINNINGS[path.suffix.lower()]):
        return Phrase("has content that does not match its suffix; save it again as PNG")
    size = path.stat().st_size
    if size > LARGEST:
        return Phrase(
            "has {size} MB; at most {most} MB are shown, so make it smaller",
            size=size >> 20,
            most=LARGEST >> 20,
        )
    if head.startswith(_PNG):
        return _size_fault(int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))
    try:
        return _size_fault(*size_of(path))
    except BadWorld:
        return Phrase("is damaged; save it again as PNG")


def _size_fault(wide: int, high: int) -> str:
    if 1 <= wide <= WIDEST and 1 <= high <= WIDEST:
        return ""
    return Phrase(
        "has {wide} × {high} pixels; width and height should be 1 to {most}",
        wide=wide,
        high=high,
        most=WIDEST,
    )


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height of a picture in pixels, without decoding it. Raises BadWorld as
    `decode_picture` does.
    """
    with _opened(path) as picture:
        return picture.size


def decode_picture(path: Path) -> Image.Image:
    """Return a picture as RGBA. Raises BadWorld where it is missing, damaged, or larger than
    `picture_fault` allows.
    """
    try:
        fault = picture_fault(path)
    except OSError as error:
        raise _damaged(path, error) from None
    if fault:
        raise BadWorld("{file}: {fault}", file=path.name, fault=fault)
    with _opened(path) as picture:
        try:
            return picture.convert("RGBA")
        except Exception as error:  # decoders of damaged files raise anything
            raise _damaged(path, error) from None


def _opened(path: Path) -> Image.Image:
    """Return a picture whose pixels are still to be read."""
    from PIL import Image  # a run without pictures does without it

    try:
        return Image.open(path, formats=[_FORMATS[path.suffix.lower()]])
    except Exception as error:  # as above
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> BadWorld:
    reason = reason_of(error) if isinstance(error, OSError) else type(error).__name__
    return BadWorld(
        "{file}: can't be shown ({reason}); save it again as PNG", file=path.name, reason=reason
    )


def scale_picture(picture: Image.Image, factor: float) -> Image.Image:
    """Return a picture, larger or smaller by a factor; its sides are rounded to pixels, one at
    least.
    """
    from PIL.Image import Resampling

    width, height = (max(1, round(factor * side)) for side in picture.size)
    return picture.resize((width, height), Resampling.LANCZOS)
