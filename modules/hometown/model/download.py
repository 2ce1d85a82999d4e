"""Downloads a recommended model's file: an interrupted download is continued, and a file is
accepted only with the known size and SHA-256.

This is the only connection that Hometown makes to anything but a model server, and it makes it when
the user asks for that file.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from hometown.errors import BadInput, DiskTrouble, ModelUnavailable, reason_of
from hometown.model.address import uses_proxy
from hometown.model.recommended import Recommended
from hometown.text import Phrase

if TYPE_CHECKING:
    import httpx

TRIES = 5
"""Attempts in a row with hardly any progress, after which the download is given up."""

MIN_PROGRESS = 1 << 20
"""Bytes that an attempt must add to count as progress."""

FIRST_WAIT = 1.0
"""Seconds before the second of these attempts; each wait in a row is twice the one before."""

CHUNK_BYTES = 1 << 22
"""Bytes hashed between two moments at which the check of a file can be cancelled."""

SILENCE_SECONDS = 60.0
"""Seconds without any data after which an attempt has failed."""

Progress = Callable[[int], None]
"""Called with the number of bytes downloaded so far."""


class _Broken(Exception):
    """The download broke off; another attempt may continue it."""


async def download(model: Recommended, progress: Progress) -> Path:
    """Download a model's file, check it, and return its path. A download that is interrupted or
    cancelled is continued by the next call.

    A different file in its place is replaced at the end.

    Raises:
        BadInput: The disk has too little room, or another process downloads the same file.
        ModelUnavailable: The server does not send the known file.
        DiskTrouble: The file cannot be written.
    """
    part = model.place.with_name(f".{model.place.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(part.with_suffix(".lock"), timeout=0):
            if not await is_complete(model):
                await _download(model, part, progress)
    except Timeout:
        raise BadInput(
            "{name} is being downloaded by another command; wait until that ends", name=model.name
        ) from None
    except OSError as error:
        raise DiskTrouble(
            "{file} can't be written: {reason}", file=part, reason=reason_of(error)
        ) from error
    return model.place


async def is_complete(model: Recommended) -> bool:
    """Return True if the model's file is in place, can be read, and has the known size and SHA-256."""
    try:
        return (
            model.place.stat().st_size == model.bytes and await _sha256(model.place) == model.sha256
        )
    except OSError:
        return False


async def _download(model: Recommended, part: Path, progress: Progress) -> None:
    """Download the file to `part`, then move it to its place. If a continued file turns out to be
    damaged, the download starts over. Raises BadInput if the disk has too little room,
    ModelUnavailable for another file than the expected one, which is deleted.
    """
    _require_room(model, part)
    is_continued = part.exists() and part.stat().st_size > 0
    with part.open("ab") as file:
        found = await _fetch(model, file, progress)
        if is_continued and found != model.sha256:
            file.truncate(0)
            found = await _fetch(model, file, progress)
        os.fsync(file.fileno())
    if found != model.sha256:
        part.unlink()
        raise ModelUnavailable(
            "{name}: the file from {address} is not the expected one (its SHA-256 is {found}, not {known}) and was deleted;"
            " a newer version of Hometown may know it",
            name=model.name,
            address=model.address,
            found=found[:16],
            known=model.sha256[:16],
        )
    part.replace(model.place)


async def _sha256(file: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits; can be cancelled between chunks."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK_BYTES):
            digest.update(chunk)
            await asyncio.sleep(0)
    return digest.hexdigest()


def _require_room(model: Recommended, part: Path) -> None:
    """Raise BadInput if the disk has no room for the bytes that are missing."""
    missing = model.bytes - (part.stat().st_size if part.exists() else 0)
    free = shutil.disk_usage(part.parent).free
    if free < missing:
        sizes = {"missing": f"{missing / 1e9:.1f}", "free": f"{free / 1e9:.1f}"}
        raise BadInput(
            "{name}: {missing} GB remain to be downloaded, but {folder} has only {free} GB free; free some space",
            name=model.name,
            folder=part.parent,
            **sizes,
        )


async def _fetch(model: Recommended, file: BinaryIO, progress: Progress) -> str:
    """Append the missing bytes to a file and return its SHA-256. Raises ModelUnavailable after
    `TRIES` attempts without progress.
    """
    if file.seek(0, 2) > model.bytes:
        file.truncate(0)
    failed_attempts = 0
    while (have := file.seek(0, 2)) < model.bytes:
        try:
            await _append_rest(model, file, have, progress)
        except _Broken as error:
            has_progressed = file.seek(0, 2) >= have + MIN_PROGRESS
            failed_attempts = 0 if has_progressed else failed_attempts + 1
            if failed_attempts >= TRIES:
                raise ModelUnavailable(
                    "{name}: the download broke off ({reason}) with {have} of {size} MB; they are kept: repeat the command to continue",
                    name=model.name,
                    reason=error.args[0],
                    have=file.tell() >> 20,
                    size=model.bytes >> 20,
                ) from None
            if failed_attempts:
                await asyncio.sleep(FIRST_WAIT * 2 ** (failed_attempts - 1))
    file.flush()
    return await _sha256(Path(file.name))


async def _append_rest(model: Recommended, file: BinaryIO, have: int, progress: Progress) -> None:
    """Request the bytes after the first `have` and append them; start over if the server cannot
    continue. Raises _Broken if another attempt may succeed, ModelUnavailable if the server does not
    have the file.
    """
    import httpx

    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        async with (
            httpx.AsyncClient(
                follow_redirects=True,
                timeout=SILENCE_SECONDS,
                trust_env=uses_proxy(model.address),
                event_hooks={"response": [_refuse_unsafe]},
            ) as client,
            client.stream("GET", model.address, headers=headers) as response,
        ):
            _check_response(model, response)
            if not _begins_after(response, have):
                file.truncate(0)
                have = 0
            if not _begins_after(response, have):
                raise _Broken(Phrase("the server sent the wrong part of the file"))
            async for chunk in response.aiter_raw():
                have += len(chunk)
                if have > model.bytes:
                    file.truncate(0)
                    raise _wrong_file(
                        model, Phrase("it sends more than {size} bytes", size=model.bytes)
                    )
                file.write(chunk)
                progress(have)
    except httpx.TooManyRedirects:
        raise _wrong_file(model, Phrase("it redirects without end")) from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _Broken(str(error) or type(error).__name__) from error
    if have < model.bytes:
        raise _Broken(Phrase("the server closed the connection"))


def _begins_after(response: httpx.Response, have: int) -> bool:
    """Return True if a response holds the bytes of the file after the first `have`."""
    if response.status_code == 206:
        return bool(response.headers.get("content-range", "").startswith(f"bytes {have}-"))
    return response.status_code == 200 and not have


def _check_response(model: Recommended, response: httpx.Response) -> None:
    """Raise _Broken for a temporary failure, ModelUnavailable if the server does not have the
    file. Status 416 passes: the server only has no such part of it.
    """
    status = response.status_code
    if status == 429 or status >= 500:
        raise _Broken(f"HTTP {status}")
    if status not in (200, 206, 416):
        raise _wrong_file(model, Phrase("it answers with HTTP {status}", status=status))
    if response.headers.get("content-type", "").startswith("text/html"):
        raise _wrong_file(
            model, Phrase("it answers with a web page; does the network ask to sign in?")
        )
    whole = (
        response.headers.get("content-length", "")
        if status == 200
        else response.headers.get("content-range", "").rpartition("/")[2]
    )
    if whole.isdecimal() and int(whole) != model.bytes:
        raise _wrong_file(
            model, Phrase("its file has {whole} bytes, not {size}", whole=whole, size=model.bytes)
        )


def _wrong_file(model: Recommended, fault: Phrase) -> ModelUnavailable:
    """Return the error for a server that does not send the known file."""
    return ModelUnavailable(
        "{name}: {address} does not serve the expected file: {fault}",
        name=model.name,
        address=model.address,
        fault=fault,
    )


async def _refuse_unsafe(response: httpx.Response) -> None:
    """Raise _Broken for a redirect to an unencrypted address, unless it is on this machine."""
    if not response.has_redirect_location:
        return
    target = str(response.url.join(response.headers["location"]))
    if not target.startswith("https://") and uses_proxy(target):
        raise _Broken(
            Phrase("it redirects to {host}, without encryption", host=urlsplit(target).hostname)
        )
