"""The Markdown elements of a report, built from text nodes: a text is shown literally unless it is
`Markdown` already.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from hometown.text import fill, printable

_SPECIAL = re.compile(r"([\\`*\[\]#|~$]|(?<![^\W_])_|_(?![^\W_]))")
"""Special characters of Markdown; an underscore within a word is not special."""

_BEGINS = re.compile(r"^(?=[-+](?!\S)|--|=)|((?<=^\d)|(?<=^\d\d)|(?<=^\d\d\d))(?=[.)](?!\S))")
"""Matches positions at which a text would start a list or underline a heading."""

_LINKS = re.compile(r"(?<=\w)(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE)
"""Matches positions at which a text would become a link by itself."""


class Markdown(str):
    """Text that is Markdown. Values filled in by `format` are shown literally unless they are
    Markdown, too.
    """

    __slots__ = ()

    def format(self, *values: object, **named: object) -> Markdown:
        """Return this template with its values as text nodes."""
        return Markdown(
            fill(
                self,
                {name: _node(value) for name, value in named.items()},
                "en",
                *map(_node, values),
            )
        )


def _node(value: object) -> Markdown:
    return value if isinstance(value, Markdown) else literal(str(value))


def literal(text: str) -> Markdown:
    """Return a text that is shown literally, on one line, even if it contains Markdown or HTML;
    `Markdown` is returned unchanged.

    >>> print(literal("*Do* <b>come</b>\\n# soon & [often](x)"))
    \\*Do\\* &lt;b&gt;come&lt;/b&gt; \\# soon &amp; \\[often\\](x)
    >>> print(literal("a\\x9bb\\u202ec"), literal("1. see"), literal("-0.5"), literal("- http://x.org"))
    a\\\\x9bb\\\\u202ec 1\\. see -0.5 \\- http\\://x.org
    """
    if isinstance(text, Markdown):
        return text
    shown = _SPECIAL.sub(r"\\\1", html.escape(printable(" ".join(text.split())), quote=False))
    return Markdown(_LINKS.sub(r"\\", _BEGINS.sub(r"\\", shown)))


def join_nodes(separator: str, parts: Iterable[str]) -> Markdown:
    """Return text nodes in a row, with a separator that is Markdown."""
    return Markdown(separator.join(map(literal, parts)))


def heading(level: int, text: str, target: str = "") -> Markdown:
    """Return a heading that links reach by its `anchor`."""
    return Markdown(
        f"{'#' * level} " + (f'<a id="{target}"></a>' if target else "") + literal(text)
    )


def link(text: str, target: str) -> Markdown:
    """Return a link within the document to an `anchor`."""
    return Markdown(f"[{literal(text)}](#{target})")


def anchor(*parts: str) -> str:
    """Return a name for a place in the document, of letters, digits, hyphens, dots and underscores,
    which needs no escapes in HTML and links.

    >>> anchor("conversation", "3-ana")
    'conversation-3-ana'
    """
    return re.sub(r"[^-.\w]", "-", "-".join(parts))


def quote(depth: int, text: str) -> Markdown:
    """Return a line of a quotation within `depth` − 1 others."""
    return Markdown(f"{'>' * depth} {literal(text)}".rstrip())


def format_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, figures: bool = False
) -> list[Markdown]:
    """Return a table whose cells are text nodes. With `figures`, all columns but the first are of
    numbers.
    """
    lines = [Markdown("---"), *[Markdown("---:" if figures else "---")] * (len(head) - 1)]
    return [_row(head), _row(lines), *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> Markdown:
    return Markdown("| {} |").format(join_nodes(" | ", cells))
