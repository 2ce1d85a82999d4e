"""Fetches a recommended model's file: continued where it broke off, and accepted only with the size and the SHA-256 that are known.

This is the only connection that Hometown makes to anything but a model server, and it makes it when the user asks for that file.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from hometown.errors import BadInput, DiskTrouble, ModelUnavailable, reason_of
from hometown.model.address import uses_proxy
from hometown.model.recommended import Recommended
from hometown.text import Phrase

if TYPE_CHECKING:
    import httpx

TRIES = 5
"""Attempts in a row that bring hardly anything, after which the download is given up."""

LEAST = 1 << 20
"""Bytes below which that is so."""

FIRST_WAIT = 1.0
"""Seconds before the second of them; each wait is twice the one before."""

SILENCE_SECONDS = 60.0
"""How long a server may send nothing."""

Progress = Callable[[int], None]
"""Called with the number of bytes that are there so far."""


class _Broken(Exception):
    """The download broke off; another attempt may continue it."""


def download(model: Recommended, progress: Progress) -> Path:
    """The model's file, complete and checked. What has arrived is kept when it breaks off, and continued by the next call.

    Raises BadInput where there is too little room, ModelUnavailable where the server does not send the file that is known, DiskTrouble.
    """
    target = model.place
    part = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _require_room(model, part)
        with part.open("ab") as file:
            digest = _fetched(model, file, progress)
        if digest != model.sha256:
            part.unlink()
            raise ModelUnavailable(
                "{name}: the file at {address} is another one (SHA-256 {found}, not {known}), and was deleted; a newer Hometown may know it",
                name=model.name, address=model.address, found=digest[:16], known=model.sha256[:16],
            )  # fmt: skip
        part.replace(target)
    except OSError as error:
        raise DiskTrouble("{file} can't be written: {reason}", file=part, reason=reason_of(error)) from error
    return target


def _require_room(model: Recommended, part: Path) -> None:
    missing = model.bytes - (part.stat().st_size if part.exists() else 0)
    free = shutil.disk_usage(part.parent).free
    if free < missing:
        sizes = {"missing": f"{missing / 1e9:.1f}", "free": f"{free / 1e9:.1f}"}
        raise BadInput("{name}: {missing} GB are still to be fetched, and {folder} has {free} GB free", name=model.name, folder=part.parent, **sizes)


def _fetched(model: Recommended, file: BinaryIO, progress: Progress) -> str:
    """The SHA-256 of the file once it is complete. Raises ModelUnavailable after `TRIES` attempts in vain."""
    in_vain, wait = 0, FIRST_WAIT
    while (have := file.seek(0, 2)) < model.bytes:
        try:
            _continued(model, file, have, progress)
        except _Broken as error:
            in_vain = 0 if file.seek(0, 2) >= have + LEAST else in_vain + 1
            if in_vain >= TRIES:
                raise ModelUnavailable(
                    "{name}: the download broke off ({reason}) with {have} of {size} MB; they are kept: repeat the command to continue",
                    name=model.name, reason=error.args[0], have=file.tell() >> 20, size=model.bytes >> 20,
                ) from None  # fmt: skip
            if in_vain:
                time.sleep(wait)
                wait *= 2
    file.flush()
    with open(file.name, "rb") as complete:
        return hashlib.file_digest(complete, "sha256").hexdigest()


def _continued(model: Recommended, file: BinaryIO, have: int, progress: Progress) -> None:
    """Appends what comes after the first `have` bytes; begins anew where the server can't continue. Raises _Broken."""
    import httpx

    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    hooks = {"response": [_refuse_unsafe]}
    try:
        with (
            httpx.Client(follow_redirects=True, timeout=SILENCE_SECONDS, trust_env=uses_proxy(model.address), event_hooks=hooks) as client,
            client.stream("GET", model.address, headers=headers) as response,
        ):
            _check(model, response)
            if have and not _continues(response, have):
                file.truncate(0)
                have = 0
            for chunk in response.iter_raw():
                have += len(chunk)
                if have > model.bytes:
                    file.truncate(0)
                    raise _wrong(model, Phrase("it sends more than {size} bytes", size=model.bytes))
                file.write(chunk)
                progress(have)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _Broken(str(error) or type(error).__name__) from error
    if have < model.bytes:
        raise _Broken(Phrase("the server ended it"))


def _continues(response: httpx.Response, have: int) -> bool:
    """Whether the response begins after the bytes that are here."""
    return response.status_code == 206 and response.headers.get("content-range", "").startswith(f"bytes {have}-")


def _check(model: Recommended, response: httpx.Response) -> None:
    """Raises _Broken for a server that fails for the time being, ModelUnavailable for one that has no such file."""
    status = response.status_code
    if status == 416 or status == 429 or status >= 500:
        raise _Broken(f"HTTP {status}")
    if status not in (200, 206):
        raise _wrong(model, Phrase("it answers with HTTP {status}", status=status))
    whole = response.headers.get("content-range", "").rpartition("/")[2] if status == 206 else response.headers.get("content-length", "")
    if whole.isdecimal() and int(whole) != model.bytes:
        raise _wrong(model, Phrase("its file has {whole} bytes, not {size}", whole=whole, size=model.bytes))


def _wrong(model: Recommended, fault: Phrase) -> ModelUnavailable:
    return ModelUnavailable("{name}: {address} is not the file that is known: {fault}", name=model.name, address=model.address, fault=fault)


def _refuse_unsafe(response: httpx.Response) -> None:
    """Redirects lead to encrypted addresses only, as the first one is; on this machine to any. Raises _Broken."""
    if not response.has_redirect_location:
        return
    target = str(response.url.join(response.headers["location"]))
    if not target.startswith("https://") and uses_proxy(target):
        raise _Broken(Phrase("it redirects to {host}, without encryption", host=urlsplit(target).hostname))
