"""The page of a league: one file that loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hometown.files import atomic_write
from hometown.language import Lang
from hometown.study.experiment.report_blocks import (
    Heading,
    Paragraph,
    ReportBlock,
    ReportTable,
    format_html,
)
from hometown.study.league.card import Card
from hometown.study.league.league_wording import (
    describe_hours,
    describe_misses,
    list_card_figures,
    load_league_words,
    name_of,
)

PAGE = "league.html"


def write_page(cards: Sequence[Card], folder: Path, lang: Lang) -> Path:
    """Write the page of a league below its folder and return the file. The hours of the league are
    those of the first card.
    """
    file = folder / PAGE
    with atomic_write(file) as written:
        written.write(format_html(list(describe_league(cards, lang)), lang).encode())
    return file


def describe_league(cards: Sequence[Card], lang: Lang) -> Iterator[ReportBlock]:
    """Yield the page as blocks."""
    words, ranked = load_league_words(lang), rank_cards(cards)
    figures = [dict(list_card_figures(card, words)) for card in ranked]
    names = [name_of(card, words) for card in ranked]
    yield Heading(1, words["league_title"])
    yield Paragraph(words["league_about"].format(hours=describe_hours(cards[0], words, lang)))
    for place, (name, of) in enumerate(zip(names, figures, strict=True), 1):
        verdict = of["league_verdict"]
        yield Paragraph(words["league_place"].format(place=place, name=name, verdict=verdict))
    yield Paragraph(words["league_one_run"])
    runs = [card.model for card in ranked if card.source == "run"]
    others = [
        f"{name} ({describe_hours(card, words, lang)})"
        for name, card in zip(names, ranked, strict=True)
        if card.hours != cards[0].hours
    ]
    for note, noted in (("league_runs", runs), ("league_other_hours", others)):
        if noted:
            yield Paragraph(words[note].format(names="; ".join(noted)), note=True)
    yield ReportTable(
        [words["league_figure"], *names],
        [
            [words[key], *(each[key] for each in figures)]
            for key in figures[0]
            if any(each[key] != words["league_unmeasured"] for each in figures)
        ],
    )
    yield Heading(2, words["league_said"])
    for name, card in zip(names, ranked, strict=True):
        yield Heading(3, name)
        yield Paragraph(describe_misses(card, words))
        yield from map(Paragraph, card.talk or (words["league_silent"],))


def rank_cards(cards: Sequence[Card]) -> list[Card]:
    """Return cards in the order of the page: living towns first, then the fewest faulty replies,
    since a town in which nobody speaks misses few limits; the stand-in last, as it is no model.
    """
    return sorted(
        cards,
        key=lambda card: (card.source == "stand-in", not card.is_alive, card.faults.value),
    )
