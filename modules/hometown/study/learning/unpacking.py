"""Text of packed files, read by pypdf, docx2txt, EbookLib and Beautiful Soup where they are installed.

Readers of such files unpack any content, so they run in a process of their own, with a time limit
and, where the system supports it, a memory limit. It prints the text.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from hometown.errors import BadInput
from hometown.read_budget import MB
from hometown.system import is_installed, own_environment

PACKED: dict[str, tuple[str, ...]] = {
    ".html": ("bs4",),
    ".pdf": ("pypdf",),
    ".docx": ("docx2txt",),
    ".epub": ("ebooklib", "bs4"),
}
"""The Python modules that are needed to read a kind of file, by the ending of its name."""

DISTRIBUTIONS = {"bs4": "beautifulsoup4"}
"""The names of packages on PyPI, by module, where the two differ."""

BLOCKS = (
    "p, h1, h2, h3, h4, h5, h6, li, dt, dd, tr, pre, blockquote, div, section, article, header,"
    " footer"
)
"""The elements of HTML that begin a paragraph, as a selector of CSS."""

FULL_LINE = 0.8
"""The share of the longest line's width, 0 to 1, from which the next line of a PDF continues it."""

CHINESE = r"[\u2e80-\u2fdf\u3001-\u301f\u4e00-\u9fff\uff01-\uff60]"
"""A Chinese character, radical or mark of punctuation, as a regular expression."""

MAX_SECONDS = 60
"""Seconds allowed for a file."""

MAX_MEMORY_BYTES = 512 * MB
"""Maximum number of bytes that a reader may allocate beside its own code, on Linux."""


def extract_text(file: Path, most: int) -> str:
    """Return the text of a packed file, or, of a longer one, a little more than `most` characters.

    Raises BadInput where the packages are missing, or the file can't be read with them.
    """
    missing = [
        DISTRIBUTIONS.get(module, module)
        for module in PACKED[file.suffix.lower()]
        if not is_installed(module)
    ]
    if missing:
        raise BadInput(
            "{file} can't be read without the packages {packages}: pip install {command}, or save it as .txt or .md",
            file=file.name,
            packages=missing,
            command=" ".join(missing),
        )
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(file.absolute()), str(most)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=own_environment(),
            timeout=MAX_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(
            "{file} takes longer than {seconds} s to read: it is damaged, or made to do so",
            file=file.name,
            seconds=MAX_SECONDS,
        ) from None
    if done.returncode:
        raise BadInput(
            "{file} can't be read: it is damaged, protected, or made to fill memory",
            file=file.name,
        )
    return done.stdout.decode("utf-8", "ignore")


def _limit_memory() -> None:
    """Allow this process `MAX_MEMORY_BYTES` more than it has, where the system has such a limit."""
    if find_spec("resource") is None or not Path("/proc/self/statm").exists():
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MAX_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def join_wrapped_lines(text: str) -> str:
    """Join the lines of Chinese paragraphs of a PDF, which has no spaces where they are wrapped.

    A line that is much shorter than the longest is a heading or the end of a paragraph.

    >>> join_wrapped_lines("手册\\n先把两扇小闸各开四分之一\\n圈，等两分钟。\\nWait.")
    '手册\\n先把两扇小闸各开四分之一圈，等两分钟。\\nWait.'
    """
    lines = [line.strip() for line in text.splitlines()]
    full = FULL_LINE * max(map(_width, lines), default=0)
    joined = "".join(
        line + ("" if _width(line) >= full and _is_chinese_break(line, after) else "\n")
        for line, after in pairwise([*lines, ""])
    )
    return joined.removesuffix("\n")


def _width(line: str) -> int:
    """Return the width of a line in Latin letters, of which a Chinese character has that of two."""
    return len(line) + len(re.findall(CHINESE, line))


def _is_chinese_break(line: str, after: str) -> bool:
    return bool(re.search(CHINESE + r"\Z", line) and re.match(CHINESE, after))


def _load(file: Path) -> str:
    """Return the text of a file, with an empty line between its pages, chapters and paragraphs."""
    suffix = file.suffix.lower()
    for module in PACKED[suffix]:
        import_module(module)
    _limit_memory()
    parts = {".html": _page, ".pdf": _pages, ".docx": _document, ".epub": _chapters}[suffix](file)
    return "\n\n".join(parts)


def _page(file: Path) -> Iterator[str]:
    yield _page_text(file.read_bytes())


def _pages(file: Path) -> Iterator[str]:
    from pypdf import PdfReader

    for page in PdfReader(file).pages:
        yield join_wrapped_lines(page.extract_text())


def _document(file: Path) -> Iterator[str]:
    from docx2txt import process

    yield process(file)


def _chapters(file: Path) -> Iterator[str]:
    """Yield the text of each chapter in the order of reading, without the table of contents."""
    from ebooklib import epub

    book = epub.read_epub(file, {"ignore_ncx": True})
    for item in (book.get_item_with_id(name) for name, *_ in book.spine):
        if item is not None and not isinstance(item, epub.EpubNav):
            yield _page_text(item.content)


def _page_text(markup: bytes) -> str:
    """Return the text of a page in HTML without its title and navigation."""
    from bs4 import BeautifulSoup

    page = BeautifulSoup(markup, "html.parser")
    for tag in page.select("title, nav"):
        tag.decompose()
    for tag in page.select("br"):
        tag.replace_with("\n")
    for tag in page.select(BLOCKS):
        tag.insert_before("\n\n")
        tag.insert_after("\n\n")
    return str(page.get_text())


if __name__ == "__main__":
    text = _load(Path(sys.argv[1]))[: int(sys.argv[2]) + 1]
    sys.stdout.buffer.write(text.encode("utf-8", "ignore"))
