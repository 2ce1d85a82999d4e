"""Linked notes: a page for each resident, building, day and conversation; every link leads to a
page, whatever the names are.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from hometown.export.linked_notes import write_notes
from hometown.export.write import export_run
from hometown.history.names import Names
from hometown.history.reader import RunReader
from tests.support.synthetic_run import RESIDENTS, make_run


def links_of(page: Path) -> list[Path]:
    """The files that a page links to."""
    parsed = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    return [
        (page.parent / unquote(str(inner.attrs["href"]))).resolve()
        for token in parsed
        for inner in token.children or ()
        if inner.tag == "a" and inner.attrs
    ]


def test_each_page_is_reached_from_the_first(tmp_path: Path) -> None:
    make_run(tmp_path)
    first = export_run(tmp_path, "sample", notes=True)[-1]
    assert first == tmp_path / "compressed" / "sample" / "notes" / "nowhere.md"
    reached, left = {first}, [first]
    while left:
        new = {*links_of(left.pop())} - reached
        reached |= new
        left += new
    assert reached == {*first.parent.rglob("*.md")}
    names = {str(path.relative_to(first.parent).with_suffix("")) for path in reached}
    assert names == {
        "nowhere",
        *(f"Residents/{who}" for who in RESIDENTS),
        "Places/cafe",
        "Days/2025-02-13",
        "Conversations/2025-02-13 06.20 ana, bo",
    }


@pytest.mark.parametrize(
    "name", ["../x", "Ana](<y>) *z*", "a%20b & c", "CON: <i>", "。", "A" * 300]
)
def test_any_name_is_linked(name: str, tmp_path: Path) -> None:
    """Two residents of one name have pages of their own, also where case is ignored."""
    make_run(tmp_path)
    with RunReader.open(tmp_path, "sample") as run:
        names = Names.of(run)
        called = {"ana": name, "bo": name.swapcase()}
        names.person = lambda who: called.get(who, who)  # type: ignore[method-assign]
        first = write_notes(run, names, tmp_path / "notes", run.last_step())
    pages = {*first.parent.rglob("*.md")}
    assert len({str(page).casefold() for page in pages}) == 7
    for page in pages:
        assert {*links_of(page)} <= pages
        assert page == first or links_of(page)


def test_own_files_stay(tmp_path: Path) -> None:
    make_run(tmp_path)
    first = export_run(tmp_path, "sample", notes=True)[-1]
    own = first.with_name("own.md")
    own.write_text("mine")
    first.write_text("changed")
    export_run(tmp_path, "sample", notes=True)
    assert own.read_text() == "mine"
    assert first.read_text() != "changed"
