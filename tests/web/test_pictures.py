"""Pictures of a world that are damaged or huge are told in a line, with bounded memory, and never
end a request with the server's own fault.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image

from hometown.authoring.art import preview
from hometown.authoring.starter import TILESET, make_world
from hometown.errors import BadWorld
from hometown.web import routes_pictures
from hometown.web.server import create_app
from hometown.world import pictures
from hometown.world.pictures import WIDEST, decode_picture, picture_fault
from tests.support.synthetic_run import make_run
from tests.torture.broken_pictures import CHANGES, broken


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_world("dale", ["en"], tmp_path_factory.mktemp("starter"))


@pytest.fixture
def folder(tmp_path: Path, starter: Path) -> Path:
    return Path(shutil.copytree(starter, tmp_path / "worlds" / "dale"))


@pytest.fixture
def client(tmp_path: Path, folder: Path) -> FlaskClient:
    return create_app(tmp_path, folder.parent).test_client()


def packed(size: tuple[int, int], kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", size).save(buffer, kind)
    return buffer.getvalue()


def test_no_broken_picture_is_the_servers_fault(tmp_path: Path) -> None:
    toll = broken(tmp_path, 2 * len(CHANGES))
    assert toll.answers[409] > 0
    assert set(toll.answers) <= {200, 404, 409}


@pytest.mark.parametrize("kind", ["png", "gif", "jpeg", "webp"])
def test_every_format_has_the_same_limits(tmp_path: Path, kind: str) -> None:
    good, wide, cut, noise = (
        tmp_path / f"{name}.{kind}" for name in ("good", "wide", "cut", "noise")
    )
    good.write_bytes(packed((40, 30), kind.upper()))
    assert picture_fault(good) == ""
    assert decode_picture(good).size == (40, 30)
    if kind != "webp":  # it cannot be wider than 16383, and takes long to make
        wide.write_bytes(packed((WIDEST + 1, 1), kind.upper()))
        assert f"{WIDEST + 1} × 1 pixels" in picture_fault(wide)
        with pytest.raises(BadWorld, match="pixels"):
            decode_picture(wide)
    cut.write_bytes(good.read_bytes()[:40])
    noise.write_bytes(good.read_bytes()[:12] + b"\xff" * 200)
    for file in (cut, noise):
        with pytest.raises(BadWorld, match=file.name):
            decode_picture(file)


@pytest.mark.parametrize("name", ["none.png", "none.svg", "none"])
def test_what_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadWorld, match=name):
        decode_picture(tmp_path / name)


def test_a_damaged_sheet_is_told_by_its_name(folder: Path, client: FlaskClient) -> None:
    good = (folder / TILESET).read_bytes()
    (folder / TILESET).write_bytes(good[: len(good) // 2])
    for path in ("part/0/0/5/5", "picture"):
        reply = client.get(f"/api/v1/worlds/dale/{path}")
        assert (reply.status_code, TILESET in reply.json["error"]) == (409, True)
    assert client.get("/api/v1/worlds").status_code == 200


def test_sheets_that_are_too_large_together_are_not_decoded(
    folder: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "MOST_PIXELS", 1000)
    monkeypatch.setattr(preview, "decode_picture", lambda _: pytest.fail("it was decoded"))
    reply = client.get("/api/v1/worlds/dale/part/0/0/5/5")
    assert (reply.status_code, "tilesets" in reply.json["error"]) == (409, True)


def test_a_large_part_of_a_town_is_drawn_smaller(
    folder: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Image.open(io.BytesIO(client.get("/api/v1/worlds/dale/part/0/0/99/99").data)).size
    sheets = sum(wide * high for wide, high in [pictures.size_of(folder / TILESET)])
    monkeypatch.setattr(preview, "MOST_PIXELS", max(sheets, whole[0] * whole[1] - 1))
    halved = Image.open(io.BytesIO(client.get("/api/v1/worlds/dale/part/0/0/99/99").data)).size
    assert halved == (whole[0] // 2, whole[1] // 2)
    assert client.get("/api/v1/worlds/dale/part/5000/5000/9/9").status_code == 200, "beside the map"


@pytest.mark.parametrize(
    "error", [BadWorld("tiles.png: damaged"), OSError("broken"), MemoryError("no memory")]
)
def test_a_moment_that_cannot_be_drawn_is_told(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(
        tmp_path,
        "sample",
        world="minitown",
        lang="en",
        residents=["chen_siyuan", "lin_yue", "wang_fang"],
    )

    def fail(*_: object) -> bytes:
        raise error

    monkeypatch.setattr(routes_pictures, "png", fail)
    monkeypatch.setattr(routes_pictures, "thumbnail", fail)
    client = create_app(tmp_path, tmp_path / "worlds").test_client()
    for path in ("picture", "thumbnail"):
        assert client.get(f"/api/v1/runs/sample/{path}").status_code == 409
