"""A run as a book in EPUB 3, for readers of electronic books."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from jinja2 import Environment, FileSystemLoader
from markdown_it.token import Token

from hometown.export.run_book import PARSER, RunBook
from hometown.files import atomic_write
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.paths import DATA

TEMPLATES = DATA / "book"

PAGES = ("META-INF/container.xml", "package.opf", "contents.xhtml", "title.xhtml", "book.css")
"""The files of a book beside its chapters."""


def write_epub(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Write the book of steps 1 to `last`. The same run gives the same file."""
    book = RunBook(run, names, last)
    chapters = book.chapters()
    files = {anchor: chapter.name for chapter in chapters for anchor in chapter.anchors}
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    values = {"book": book, "chapters": chapters, "lang": run.manifest.lang}
    with atomic_write(path) as file, ZipFile(file, "w") as archive:
        archive.writestr(ZipInfo("mimetype"), b"application/epub+zip", ZIP_STORED)
        for page in PAGES:
            text = templates.get_template(Path(page).name).render(values)
            archive.writestr(ZipInfo(page), text, ZIP_DEFLATED)
        template = templates.get_template("chapter.xhtml")
        for chapter in chapters:
            body = _render(chapter.tokens, files)
            text = template.render(values, chapter=chapter, body=body)
            archive.writestr(ZipInfo(f"{chapter.name}.xhtml"), text, ZIP_DEFLATED)


def _render(tokens: list[Token], files: dict[str, str]) -> str:
    """Return a chapter as XHTML; `files` are the chapters by the anchors in them."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                anchor = str(child.attrs["href"]).removeprefix("#")
                child.attrSet("href", f"{files[anchor]}.xhtml#{anchor}")
    text: str = PARSER.renderer.render(tokens, PARSER.options, {})
    return text
