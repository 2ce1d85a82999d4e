"""Files that have to be unpacked: what Chromium, python-docx and EbookLib wrote, read by the real
readers.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main
from hometown.history.memories import memories
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.paths import pip_command
from hometown.study.learning import unpacking
from hometown.study.learning.passages import read_passages
from tests.support.hang import HANG
from tests.support.town import opened

READERS = ("bs4", "docx2txt", "ebooklib", "pypdf")
"""Modules of the extra `files`."""

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, READERS)), reason=f"needs readers of files: {pip_command('files')}"
)

FILES = Path(__file__).parent / "files"
"""Files in English and Chinese: a page printed by Chromium, a document by python-docx, and a book
by EbookLib.
"""

SENTENCES: dict[str, dict[Lang, str]] = {
    "lock.pdf": {
        "en": "First open both paddles by a quarter turn, wait for two minutes",
        "zh": "先把两扇小闸各开四分之一圈，等两分钟，然后才完全打开。驳船进得太早，船尾会刮在门槛上，齿条也会崩。",
    },
    "bells.docx": {
        "en": "Rub the rope with beeswax each autumn, so that it does not fray on the pulley.",
        "zh": "每年秋天用蜂蜡擦钟绳，免得在滑轮上磨断。",
    },
    "hives.epub": {
        "en": "A hive that hums in January is alive.",
        "zh": "一月里嗡嗡响的蜂箱还活着。箱口只留一指宽，隔一个星期天称一次蜂箱。",
    },
}
"""A sentence of each file. Those of the PDF have a ligature, radicals in place of characters, and
wrapped lines.
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a reader on a busy machine."""
    monkeypatch.setattr(unpacking, "MAX_SECONDS", HANG)


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences_are_read_as_they_were_written(name: str) -> None:
    text = "\n".join(read_passages(FILES / name, "en"))
    for sentence in SENTENCES[name].values():
        assert sentence in text
    assert not set("#*_[]<>") & set(text), "markup"
    assert "xhtml" not in text, "a link"
    assert "The beekeeper's year" not in text, "the title of the table of contents"


def test_a_heading_in_a_pdf_stays_apart_from_its_paragraph() -> None:
    assert "船闸手册 闸室" in "\n".join(read_passages(FILES / "lock.pdf", "en"))


PAGE = """<!doctype html><meta charset="gbk"><title>烤炉</title>
<nav><a href="/">首页</a></nav>
<h1>黑麦面包</h1><ul><li>面粉<li>盐</ul><div>要发<b>酵</b>十一个小时。<p>炉门前十分钟不能开。</div>
<script>open()</script>"""


def test_a_page_is_read_in_its_encoding_and_without_tags_that_may_be_left_out(
    tmp_path: Path,
) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.encode("gbk"))
    assert read_passages(file, "zh") == ["黑麦面包 面粉 盐 要发酵十一个小时。 炉门前十分钟不能开。"]


QUESTIONS = {
    "lock.pdf": "How far are both paddles of the lower gate opened first?",
    "bells.docx": "When is the rope of the great bell rubbed with beeswax?",
    "hives.epub": "How narrow do you leave the entrance of a hive, and how often do you weigh the hive?",
}


def test_answers_and_the_page_cite_the_file_and_the_passage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = ("--lang", "en", "--results", str(tmp_path))
    town = ("--world", "minitown", "--llm", "scripted", "--residents", "lin_yue")
    files = [str(FILES / name) for name in QUESTIONS]
    assert main(["--name", "town", "--step", "1", *town, *results]) == 0
    assert hometown(["learn", "town", "Lin Yue", *files, *results]) == 0
    assert hometown(["resume", "town", "--step", "1", *results]) == 0
    for name, question in QUESTIONS.items():
        capsys.readouterr()
        assert hometown(["ask", "town", f"Lin Yue: {question}", "--llm", "scripted", *results]) == 0
        assert f"known before ({name}, passage 1)" in capsys.readouterr().out
    with opened(tmp_path) as file:
        items = memories(RunReader(file), "lin_yue", 1, 2)["items"]
    sources = [each["source"] for each in items if each["source"]]
    assert {source["file"] for source in sources} == set(QUESTIONS)
