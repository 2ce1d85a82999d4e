"""Books of a run: EPUB files that readers of electronic books accept, and PDF files for print."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

import pytest

from hometown.errors import BadInput
from hometown.export.epub import write_epub
from hometown.export.run_book import RunBook
from hometown.export.write import WRITERS, export_run
from hometown.history.names import Names
from hometown.history.reader import RunReader
from tests.support.days import STEPS, lived_day
from tests.support.needs import require_packages
from tests.support.synthetic_run import NEWS, make_run
from tests.support.town import live, minitown

XHTML = "{http://www.w3.org/1999/xhtml}"
PACKAGE = "{http://www.idpf.org/2007/opf}"


def test_an_electronic_book_is_whole(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It has all files that it lists, in well-formed XML, and no link leads astray."""
    file = tmp_path / "book.epub"
    with RunReader.open(lived_day(tmp_path_factory), "town") as run:
        write_epub(run, Names.of(run), file, STEPS)
    with ZipFile(file) as archive:
        first, *others = archive.infolist()
        assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
        assert archive.read(first) == b"application/epub+zip"
        pages = {
            each.filename: ElementTree.fromstring(archive.read(each))
            for each in others
            if each.filename.endswith(("xhtml", "opf", "xml"))
        }
        names = {each.filename for each in others}
    listed = {each.attrib["href"] for each in pages["package.opf"].iter(f"{PACKAGE}item")}
    assert listed == names - {"META-INF/container.xml", "package.opf"}
    places = {
        f"{name}#{each.attrib['id']}"
        for name, page in pages.items()
        for each in page.iter()
        if "id" in each.attrib
    }
    links = [each.attrib["href"] for page in pages.values() for each in page.iter(f"{XHTML}a")]
    assert {*links} <= {*listed, *places}
    assert any("#conversation-" in link for link in links)


def test_a_run_that_goes_on_is_exported_as_it_was_at_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Midnight passes while the first file is written."""
    live(tmp_path, 1, start=datetime(2025, 2, 13, 23, 40))
    monkeypatch.setitem(WRITERS, "movement.json", lambda *_: live(tmp_path, 3))
    folder = export_run(tmp_path, "town", epub=True, html=True)[0].parent
    assert (folder / "gazette.md").read_text("utf-8").count("No. 1") == 1
    assert "No. 2" not in (folder / "gazette.md").read_text("utf-8")
    with ZipFile(folder / "book.epub") as archive:
        names = archive.namelist()
        assert "day-2025-02-13.xhtml" in names
        assert "day-2025-02-14.xhtml" not in names


def test_the_title_of_a_book_is_text(tmp_path: Path) -> None:
    live(tmp_path, 1, world=replace(minitown(), name="Tom & Co. *Town* #1"))
    with RunReader.open(tmp_path, "town") as run:
        names = Names(replace(minitown(), name="Tom & Co. *Town* #1"))
        assert RunBook(run, names, 1).title == "Tom & Co. *Town* #1: a diary"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_printed_book_is_made_with_any_text(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_packages('pip install -e ".[books]"', "typst")
    make_run(tmp_path, lang=lang, news='#panic("x") $x$ @y <z> *w* \\ ``` ' + NEWS)
    file = export_run(tmp_path, "sample", pdf=True)[-1]
    assert file == tmp_path / "compressed" / "sample" / "book.pdf"
    before = file.read_bytes()
    assert before.startswith(b"%PDF-")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        assert export_run(tmp_path, "sample", pdf=True)[-1].read_bytes() == before
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_missing_font_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_packages('pip install -e ".[books]"', "typst")
    from hometown.export import pdf

    monkeypatch.setattr(pdf, "CHINESE_FONTS", ("No Such Font",))
    make_run(tmp_path, lang="zh")
    with pytest.raises(BadInput, match=r"No Such Font.*fonts-noto-cjk"):
        export_run(tmp_path, "sample", pdf=True)


def test_a_missing_package_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path)
    monkeypatch.delitem(sys.modules, "hometown.export.pdf", raising=False)
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(BadInput, match=r"\(typst\): pip install .*books"):
        export_run(tmp_path, "sample", pdf=True)
    assert not (tmp_path / "compressed").exists()
