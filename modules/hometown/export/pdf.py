"""A run as a book in PDF, ready to print and to bind, set by Typst."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

import orjson
import typst
from markdown_it.tree import SyntaxTreeNode

from hometown.errors import BadInput
from hometown.export.run_book import BookChapter, RunBook
from hometown.files import atomic_write
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.paths import DATA

LATIN = "Libertinus Serif"
"""The font of Latin letters, which comes with Typst."""

CHINESE_FONTS = (
    "Noto Serif CJK SC",
    "Source Han Serif SC",
    "Songti SC",
    "SimSun",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
)
"""Fonts of systems with Chinese characters, the best for print first."""


def write_pdf(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Write the book of steps 1 to `last`, on pages of A5. The same run gives the same file with
    the same fonts. Raises BadInput for a run in Chinese where no font has its characters.
    """
    book, lang = RunBook(run, names, last), run.manifest.lang
    content = {
        "title": book.title,
        "period": book.period,
        "note": book.note,
        "contents": book.say("contents"),
        "lang": lang,
        "fonts": [LATIN, *_find_chinese_font(required=lang == "zh")],
        "chapters": [_describe_chapter(chapter) for chapter in book.chapters()],
    }
    data: bytes = typst.compile(
        DATA / "book" / "book.typ",
        sys_inputs={"book": orjson.dumps(content).decode()},
        timestamp=int(run.manifest.created.replace(tzinfo=UTC).timestamp()),
    )
    with atomic_write(path) as file:
        file.write(data)


def _find_chinese_font(*, required: bool) -> list[str]:
    """Return the best font of this machine with Chinese characters, or none. Raises BadInput if one
    is `required`.
    """
    installed = set(typst.Fonts().families())
    found = [font for font in CHINESE_FONTS if font in installed]
    if required and not found:
        raise BadInput(
            "this machine has no font with Chinese characters for the PDF; install one of {fonts}: "
            "on Debian and Ubuntu the package fonts-noto-cjk, on Fedora google-noto-serif-cjk-fonts",
            fonts=CHINESE_FONTS,
        )
    return found[:1]


def _describe_chapter(chapter: BookChapter) -> Json:
    """Return a chapter as the template `data/book/book.typ` reads it."""
    tree = SyntaxTreeNode(chapter.tokens)
    return {"newspaper": chapter.is_newspaper, "nodes": [*map(_describe_node, tree.children)]}


def _describe_node(node: SyntaxTreeNode) -> Json:
    """Return a node of a chapter's tree: its type, its text, and its children; of a heading the
    level and the anchor, of a link the anchor.
    """
    described: dict[str, Any] = {"type": node.type}
    if node.type == "text":
        return described | {"text": node.content}
    if node.type == "heading":
        described |= {"level": int(node.tag[1]), "anchor": node.attrs.get("id", "")}
    if node.type == "link":
        described["anchor"] = str(node.attrs["href"]).removeprefix("#")
    return described | {"nodes": [*map(_describe_node, node.children)]}
