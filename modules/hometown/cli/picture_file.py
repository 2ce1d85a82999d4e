"""The picture that a command writes to a file that the user may name."""

from __future__ import annotations

from pathlib import Path

from hometown.errors import BadInput, reason_of
from hometown.files import atomic_write


def check_picture_name(file: Path | None) -> None:
    """Raise BadInput for a file whose name says that it is no PNG."""
    if file and file.suffix.lower() not in ("", ".png"):
        raise BadInput("{file}: a picture is a PNG file; let the name end in .png", file=file)


def save_picture(file: Path, png: bytes) -> None:
    """Write a picture; one that is there is replaced once the new one is complete. Raises BadInput
    if it cannot be written.
    """
    try:
        with atomic_write(file) as opened:
            opened.write(png)
    except OSError as error:
        raise BadInput(
            "can't write {file} ({reason}); name a PNG file in a writable folder with --out",
            file=file,
            reason=reason_of(error),
        ) from None
