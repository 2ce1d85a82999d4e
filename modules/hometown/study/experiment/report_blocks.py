"""A report as blocks, written as Markdown and as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from hometown.frozen import frozen
from hometown.markdown import Markdown, format_table, heading, literal

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}p,ul{max-width:48rem}figure{margin:1rem 0}"
    ".table{margin:1rem 0;overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}"
    "th,td{border:1px solid #ccc;padding:.25rem .6rem;text-align:right}th{vertical-align:bottom}@media(min-width:60rem){td{white-space:nowrap}}"
    "th:first-child,td:first-child{text-align:left;white-space:normal;position:sticky;left:0;background:#fff;min-width:7rem}"
    "svg{max-width:100%;height:auto}.note{border-left:4px solid #c00;padding-left:.8rem}"
)


@frozen
class Heading:
    level: int
    text: str


@frozen
class Paragraph:
    """`note`: an important note."""

    text: str
    note: bool = False


@frozen
class Code:
    """Lines of code that end with a line break and contain no fence of Markdown."""

    text: str


@frozen
class ReportTable:
    """A table with words in the first column, figures in the others."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@frozen
class ReportPicture:
    """A drawing that is also written to `figures/NAME.svg`."""

    name: str
    alt: str
    svg: str


ReportBlock = Heading | Paragraph | Code | ReportTable | ReportPicture


def format_markdown(blocks: Sequence[ReportBlock]) -> str:
    return "\n\n".join(map(_markdown, blocks)) + "\n"


def format_html(blocks: Sequence[ReportBlock], lang: str) -> str:
    """Return the blocks as one HTML file that loads nothing from elsewhere; its title is the first
    heading.
    """
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    about = f'<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>'
    head = (
        f'<!doctype html>\n<html lang="{lang}">\n{about}\n<style>{STYLE}</style>\n<body>\n<main>\n'
    )
    return head + "\n".join(map(_html, blocks)) + "\n</main>\n</body>\n</html>\n"


def _markdown(block: ReportBlock) -> str:
    match block:
        case Heading(level, text):
            return heading(level, text)
        case Paragraph(text, note):
            return Markdown("> **{}**").format(text) if note else literal(text)
        case Code(text):
            return f"```json\n{text}```"
        case ReportPicture(name, alt):
            return Markdown("![{}](figures/{}.svg)").format(alt, Markdown(name))
        case ReportTable(columns, rows):
            return "\n".join(format_table(columns, rows, figures=True))


def _html(block: ReportBlock) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, note):
            return f"<p class='note'>{escape(text)}</p>" if note else f"<p>{escape(text)}</p>"
        case Code(text):
            return f"<pre>{escape(text)}</pre>"
        case ReportPicture(svg=svg):
            return f"<figure>{svg}</figure>"
        case ReportTable(columns, rows):
            head = "".join(f"<th>{escape(cell)}</th>" for cell in columns)
            body = "".join(
                "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n"
                for row in rows
            )
            return f'<div class="table" tabindex="0">\n<table>\n<tr>{head}</tr>\n{body}</table>\n</div>'
