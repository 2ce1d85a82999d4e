"""Files that are to be learnt: how they are read and cut, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.errors import BadInput
from hometown.study.learning import passages, unpacking
from hometown.study.learning.passages import (
    MAX_PASSAGE_CHARACTERS,
    MAX_PASSAGES,
    MAX_PLAIN_BYTES,
    check_file_name,
    read_passages,
    split_passages,
)
from hometown.text import split_sentences

CHINESE = "黑麦面包要发酵十一个小时。小麦面包快一些！炉门前十分钟不能开……“为什么？”他问。" * 8
ENGLISH = "Rye bread needs eleven hours to rise. Dr. Hall said: “Why so long?” Nobody knows! " * 12


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "book.md"


@given(st.text(alphabet="ab .!?。！”\n 黑", max_size=200), st.integers(5, 40))
@settings(deadline=None, max_examples=60)
def test_nothing_is_lost_and_nothing_is_too_long(text: str, longest: int) -> None:
    assert "".join(split_sentences(text)) == text
    cut = split_passages(text, longest)
    assert all(len(passage) <= longest and "\n" not in passage for passage in cut)
    kept = re.sub(r"[^ab黑]", "", text)
    assert re.sub(r"[^ab黑]", "", "".join(cut)) == kept


@pytest.mark.parametrize(
    ("text", "longest"),
    [(CHINESE, MAX_PASSAGE_CHARACTERS["zh"]), (ENGLISH, MAX_PASSAGE_CHARACTERS["en"])],
)
def test_passages_end_where_sentences_end(text: str, longest: int) -> None:
    cut = split_passages(text, longest)
    assert len(cut) > 2
    assert all(re.search(r"[.!?。！？…]”?$", passage) for passage in cut)


def test_a_line_that_is_wrapped_is_no_end() -> None:
    assert split_passages("Rye bread needs\neleven hours.\n\nWheat two.", 30) == [
        "Rye bread needs eleven hours.",
        "Wheat two.",
    ]


@pytest.mark.parametrize("sign", [".", "a", "。", "\n", "” ", "a。"])
def test_what_never_ends_is_read_in_the_end(
    file: Path, sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sign as often as a file may hold it: time and memory grow with its length alone."""
    monkeypatch.setattr(passages, "MAX_PASSAGES", 200)
    file.write_text(
        "word " + sign * (MAX_PASSAGE_CHARACTERS["zh"] * 200 // len(sign) - 10) + "x", "utf-8"
    )
    assert read_passages(file, "zh")[0].startswith("word")


def test_signs_that_terminals_obey_are_left_out(file: Path) -> None:
    file.write_bytes("\ufeffRye\x00 needs\x1b warmth.\r\n".encode())
    assert read_passages(file, "en") == ["Rye needs warmth."]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "can't be read"),
        (b"", "has no text"),
        (b" \n\n ... \n", "has no text"),
        ("面包".encode("gbk"), "is not in UTF-8"),
        (b"x" * (MAX_PASSAGE_CHARACTERS["en"] * MAX_PASSAGES + 1), "has 800,001 characters"),
    ],
)
def test_what_cannot_be_learnt_is_refused(file: Path, content: bytes | None, says: str) -> None:
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadInput, match=says):
        read_passages(file, "en")


def test_a_file_is_too_large_before_it_is_opened(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file.open("wb") as opened:
        opened.truncate(MAX_PLAIN_BYTES + 1)
    monkeypatch.setattr(passages, "_read", lambda _: pytest.fail("it was opened"))
    with pytest.raises(BadInput, match="at most 4 MB"):
        read_passages(file, "en")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(BadInput, match="is no file"):
        read_passages(tmp_path / "folder.md", "en")


@pytest.mark.parametrize("name", ["notes\u202etxt.md", "a\x1bb.md", "…" * 70 + ".md"])
def test_a_name_that_cannot_be_told_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        check_file_name(Path(name))


def test_other_kinds_are_named(file: Path) -> None:
    with pytest.raises(BadInput, match=r"\.txt, \.md, \.html, \.pdf, \.docx, \.epub"):
        read_passages(file.with_suffix(".exe"), "en")


def test_a_packed_file_asks_for_its_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "manual.pdf"
    file.write_bytes(b"%PDF-1.7")
    monkeypatch.setattr(unpacking, "is_installed", lambda _: False)
    with pytest.raises(BadInput, match="pip install pypdf"):
        read_passages(file, "en")


@pytest.mark.parametrize("fault", ["slow", "broken"])
def test_a_reader_that_fails_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    file = tmp_path / "manual.pdf"
    file.write_bytes(b"%PDF-1.7")
    monkeypatch.setattr(unpacking, "is_installed", lambda _: True)

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        if fault == "slow":
            raise subprocess.TimeoutExpired(command, 60)
        return subprocess.CompletedProcess(command, 1, b"", b"a traceback")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(BadInput, match="takes longer" if fault == "slow" else "is damaged"):
        read_passages(file, "en")


STUB = """
class BeautifulSoup:
    def __init__(self, markup, parser):
        self.text = markup.decode("utf-8")

    def select(self, selector):
        return []

    def get_text(self):
        return "x" * (4 << 30) if "bomb" in self.text else self.text.upper()
"""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, and a stand-in for Beautiful Soup, which the process finds as well."""
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "bs4.py").write_text(STUB, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(unpacking, "is_installed", lambda _: True)
    return tmp_path / "page.html"


def test_a_page_is_read_by_a_process_of_its_own(reader: Path) -> None:
    reader.write_text("Rye needs warmth.", "utf-8")
    assert read_passages(reader, "en") == ["RYE NEEDS WARMTH."]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory here")
def test_what_would_fill_memory_ends_its_process_alone(reader: Path) -> None:
    reader.write_text("a bomb", "utf-8")
    with pytest.raises(BadInput, match="made to fill memory"):
        read_passages(reader, "en")
