"""Markdown of text nodes, read by a parser: no name and no reply becomes markup."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from hometown.export.diary_report import DiaryReport
from hometown.export.newspaper import Papers
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.markdown import Markdown, format_table, heading, join_nodes, literal, quote
from hometown.study.experiment.report_blocks import Heading, Paragraph, ReportTable, format_markdown
from tests.support.synthetic_run import make_run

HOSTILE = (
    "<a href=javascript:alert(1)>x</a>",
    "<img src=x onerror=alert(1)>",
    "[x](http://x.org)",
    "![x](http://x.org/x.png)",
    "# x",
    "- x",
    "+ x",
    "12. x",
    "1) x",
    "===",
    "---",
    "> x",
    "`x`",
    "*x* _x_ ~~x~~",
    "a | b",
    "http://x.org",
    "www.x.org",
    "<http://x.org>",
    "__x__ ___x___",
    "x\n\n# y",
    "&lt;b&gt;",
    "\\*x\\*",
    "    x",
    "```\nx",
    "[^1]",
    "$x$",
)
ANCHOR = re.compile(r'<a id="[-\w]*">|</a>')
"""What a heading has so that links reach it."""

MARKUP = {
    "a",
    "img",
    "h1",
    "h2",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "s",
    "code",
    "pre",
    "hr",
    "blockquote",
    "table",
}


def tags(markdown: str) -> set[str]:
    """The elements that a reader of Markdown makes of a text, and "html" where it lets HTML
    through.
    """
    parser = MarkdownIt("commonmark", {"linkify": True}).enable(["table", "strikethrough"])
    tokens = [
        inner for token in parser.parse(markdown) for inner in (token, *(token.children or ()))
    ]
    return {token.tag for token in tokens} | {
        "html"
        for token in tokens
        if token.type.startswith("html") and not ANCHOR.match(token.content)
    } - {""}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    for shown in (literal(text), Markdown("{}").format(text), join_nodes(" ", [text])):
        assert not tags(shown) & {*MARKUP, "html"}
    assert tags(heading(2, text)) & MARKUP == {"h2"}
    assert tags(quote(1, text)) & MARKUP == {"blockquote"}
    assert "\n" not in literal(text)


def test_words_follow_numbers() -> None:
    """A number is a text node, too."""
    steps = Markdown("{steps} {steps:step|steps}")
    assert [steps.format(steps=count) for count in (1, 2)] == ["1 step", "2 steps"]


def test_a_text_is_escaped_once() -> None:
    once = literal("*x* & y")
    assert literal(once) == Markdown("{}").format(once) == once
    assert format_table(["a|b"], [["c", once]])[2] == f"| c | {once} |"


def hostile_run(tmp_path: Path) -> RunReader:
    """A run whose model replied with markup."""
    with (
        closing(sqlite3.connect(make_run(tmp_path, news="<b>x</b> [x](y) ![p](q)"))) as database,
        database,
    ):
        database.execute(
            "UPDATE memories SET text = ?", ("<img src=x onerror=alert(1)> # [x](http://x.org)",)
        )
    return RunReader.open(tmp_path, "sample")


def test_a_diary_and_a_newspaper_hold_no_markup_from_names_and_replies(tmp_path: Path) -> None:
    with hostile_run(tmp_path) as run:
        names = Names.of(run)
        names.person = lambda who: f"<i>{who}</i> [x](http://x.org)"  # type: ignore[method-assign]  # a world with such a name no longer loads
        names.place = lambda address: "![p](http://x.org/p.png)"  # type: ignore[method-assign]  # likewise
        lines = [*DiaryReport(run, names, run.last_step()).lines(), *Papers(run, names).lines()]
    assert all(isinstance(line, Markdown) for line in lines)
    whole = "\n".join(lines)
    assert "onerror" in whole
    folded = re.compile(r"^(?:<details><summary>[^<>]*</summary>|</details>)$", re.MULTILINE)
    assert not tags(folded.sub("", whole)) & {"html", "img"}
    parsed = MarkdownIt("commonmark").parse(whole)
    links = [
        str(inner.attrs["href"])
        for token in parsed
        for inner in token.children or ()
        if inner.tag == "a" and inner.attrs
    ]
    assert links
    assert all(link.startswith("#") for link in links)


def test_a_report_of_an_experiment_holds_none_either() -> None:
    for text in HOSTILE:
        written = format_markdown(
            [Heading(1, text), Paragraph(text), ReportTable(["of", text], [[text, "1"]])]
        )
        assert not tags(written) & {"html", "img", "a", "em", "ul", "ol", "code", "hr"}
