"""The Markdown elements that a report needs."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from hometown.text import printable

_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")


def plain(text: str) -> str:
    """Text that is shown literally, on one line, even if it contains Markdown or HTML.

    >>> print(plain("*Do* <b>come</b>\\n# soon & [often](x)"))
    \\*Do\\* &lt;b&gt;come&lt;/b&gt; \\# soon &amp; \\[often\\](x)
    >>> print(plain("a\\x9bb\\u202ec"))
    a\\\\x9bb\\\\u202ec
    """
    return _SPECIAL.sub(r"\\\1", html.escape(printable(" ".join(text.split())), quote=False))


def heading(level: int, text: str, target: str = "") -> str:
    """A heading that links reach by its `anchor`; `text` is Markdown."""
    return f"{'#' * level} " + (f'<a id="{target}"></a>' if target else "") + text


def link(text: str, target: str) -> str:
    """A link within the document; `text` is Markdown, `target` an `anchor`."""
    return f"[{text}](#{target})"


def anchor(*parts: str) -> str:
    """A name for a place in the document, made of letters, digits and hyphens, so that HTML and links need no escapes.

    >>> anchor("conversation", "3-ana")
    'conversation-3-ana'
    """
    return re.sub(r"[^-.\w]", "-", "-".join(parts))


def quote(depth: int, text: str) -> str:
    """A line of a quotation within `depth` − 1 others."""
    return f"{'>' * depth} {text}".rstrip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; cells are Markdown without line breaks."""
    return [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
