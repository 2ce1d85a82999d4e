"""Pictures of a world that are cut, noisy, swapped, or claim to be huge: the server says so, or
shows others, and its memory has bounds.
"""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from flask.testing import FlaskClient
from PIL import Image

from hometown.authoring.starter import TILESET, make_world
from hometown.web.server import create_app
from tests.torture.cases import Lost, case

WORLD = "dale"
FORMATS = ("PNG", "GIF", "WEBP", "JPEG")

Change = Callable[[bytes, random.Random], bytes]


def cut(good: bytes, chance: random.Random) -> bytes:
    return good[: chance.randrange(len(good))]


def noise(good: bytes, chance: random.Random) -> bytes:
    bad = bytearray(good)
    for _ in range(chance.randint(1, 200)):
        bad[chance.randrange(len(bad))] = chance.randrange(256)
    return bytes(bad)


def noise_behind_the_head(good: bytes, chance: random.Random) -> bytes:
    return good[:33] + noise(good[33:], chance)


def claimed(good: bytes, chance: random.Random) -> bytes:
    """A PNG whose head claims another size, up to the largest that there is."""
    size = struct.pack(
        ">II", *(chance.choice((0, 1, 8192, 8193, 60_000, 2**31 - 1)) for _ in range(2))
    )
    head = b"IHDR" + size + b"\x08\x06\x00\x00\x00"
    return good[:8] + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + good[33:]


def packed_text(good: bytes, chance: random.Random) -> bytes:
    """A PNG with a text or a profile that unpacks to very much."""
    kind = chance.choice((b"zTXt", b"iCCP", b"iTXt"))
    head = b"x\0\0" if kind != b"iTXt" else b"x\0\1\0\0\0"
    chunk = kind + head + zlib.compress(bytes(chance.choice((1 << 20, 100 << 20))), 9)
    return (
        good[:33]
        + struct.pack(">I", len(chunk) - 4)
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + good[33:]
    )


def blank(good: bytes, chance: random.Random) -> bytes:
    """A small file of as many pixels as are allowed, or too many of them."""
    buffer = io.BytesIO()
    wide = chance.choice((4096, 8192, 9000))
    Image.new("1", (wide, wide)).save(buffer, chance.choice(("PNG", "GIF")))
    return buffer.getvalue()


def other_format(good: bytes, chance: random.Random) -> bytes:
    buffer = io.BytesIO()
    Image.open(io.BytesIO(good)).convert("RGB").save(buffer, chance.choice(FORMATS[1:]))
    return buffer.getvalue()


def something_else(good: bytes, chance: random.Random) -> bytes:
    return chance.choice(
        (b"", b"<svg/>", b"RIFF", good[:8], b"\xff\xd8" + good, b"GIF89a" + bytes(40))
    )


CHANGES: tuple[Change, ...] = (
    cut,
    noise,
    noise_behind_the_head,
    claimed,
    packed_text,
    blank,
    other_format,
    something_else,
)


@dataclass
class Toll:
    """Requests, by the status of their answers."""

    answers: Counter[int] = field(default_factory=Counter)
    pictures: int = 0


def broken(folder: Path, count: int, first: int = 0) -> Toll:
    """Break so many pictures, and ask for all that is drawn from them. Raises Lost at an answer of
    5xx.
    """
    worlds, toll = folder / "worlds", Toll()
    make_world(WORLD, ["en"], worlds)
    client = create_app(folder, worlds).test_client()
    for number in range(first, first + count):
        with case("pictures", number):
            _break_one(worlds / WORLD, client, number, toll)
    return toll


def _break_one(world: Path, client: FlaskClient, number: int, toll: Toll) -> None:
    chance = random.Random(number)
    sheet, others = world / TILESET, sorted(world.glob("*/*.png"))
    file = sheet if number % 3 else chance.choice(others)
    good = file.read_bytes()
    bad = CHANGES[number % len(CHANGES)](good, chance)
    name = file.relative_to(world).as_posix()
    try:
        file.write_bytes(bad)
        (world / "map.tmj").touch()
        for path in (
            f"{WORLD}/part/0/0/5/5",
            f"{WORLD}/picture",
            f"{WORLD}/rooms",
            WORLD,
            f"{WORLD}/{name}",
        ):
            toll.answers[_asked(client, f"/api/v1/worlds/{path}", number)] += 1
    finally:
        file.write_bytes(good)
    toll.pictures += 1


def _asked(client: FlaskClient, path: str, number: int) -> int:
    with client.get(path) as reply:
        if reply.status_code >= 500:
            raise Lost(f"{path}: {reply.status_code} for {CHANGES[number % len(CHANGES)].__name__}")
        return reply.status_code
