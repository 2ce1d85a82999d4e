"""What is seen can be passed on: an exact link, a picture, a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from tests.page.browsing import DESKTOP, PHONE, SECONDS, begun, expect, fits
from tests.page.conftest import Visit

SIZE = "(({ width, height }) => [width, height])(document.querySelector('#town').getBoundingClientRect())"


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def passed_on(page: Any, press: str, folder: Path) -> Path:
    with page.expect_download(timeout=SECONDS * 1000) as download:
        page.click(press)
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_a_link_and_a_picture(visit: Visit, tmp_path: Path) -> None:
    page = visit("/?name=lived-zh&lang=zh&step=40&minute=5&paused=1", PHONE)
    begun(page)
    page.click("#share-open")
    assert fits(page)
    given = parse_qs(urlsplit(page.input_value("#share-address")).query)
    assert [given[key] for key in ("name", "step", "minute", "paused", "lang")] == [
        ["lived-zh"],
        ["40"],
        ["5"],
        ["1"],
        ["zh"],
    ]
    width, height = page.evaluate(SIZE)
    with Image.open(passed_on(page, "#share-picture", tmp_path)) as picture:
        assert (picture.format, picture.width) == ("PNG", round(2 * width))
        assert picture.height > 2 * height
    expect(page.locator("#share")).to_be_hidden()
    page.route(
        "**/api/v1/runs/lived-zh/picture?step=39",
        lambda route: route.fulfill(content_type="image/png", body=b"drawn"),
    )
    page.click("#share-open")
    assert passed_on(page, "#share-town", tmp_path).read_bytes() == b"drawn", "of the moment shown"
    assert page.evaluate("document.querySelector('#town').width") == round(width), (
        "the town is as fine as it was"
    )


def test_a_clip(visit: Visit, tmp_path: Path) -> None:
    page = visit("/?name=lived-en&lang=en&step=40&paused=1", DESKTOP)
    begun(page)
    page.click("#share-open")
    page.evaluate("document.querySelector('#share-seconds option').value = '1'")
    page.select_option("#share-seconds", "1")
    clip = passed_on(page, "#share-clip", tmp_path)
    assert clip.suffix == ".webm"
    assert clip.read_bytes()[:4] == b"\x1aE\xdf\xa3"
    expect(page.locator("#share-open.recording")).to_have_count(0)
