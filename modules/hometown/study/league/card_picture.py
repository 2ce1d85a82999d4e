"""The card of a model as a picture to share."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from hometown.files import atomic_write
from hometown.history.lettering import INK, LINE, PAPER, SOFT, Lettering
from hometown.language import Lang
from hometown.study.league.card import Card, card_file
from hometown.study.league.league_wording import (
    describe_hours,
    describe_misses,
    list_card_figures,
    load_league_words,
    name_of,
)

WIDTH, HEIGHT, MARGIN = 1200, 630, 60
"""Pixels of a picture that is shown beside a link."""

ALIVE, NOT_ALIVE = (52, 120, 66), (168, 66, 46)

FIRST_LINE, LINE_HEIGHT = 256, 33
"""Pixels from the top of the list of figures, and of each of its lines."""

SHOWN = (
    "league_decisions",
    "league_conversations",
    "league_faults",
    "league_repetition",
    "league_echo",
    "league_interviews",
    "league_farmstead",
    "league_hungry",
    "league_seconds",
    "league_memory",
)
"""The figures on the picture."""


def write_picture(card: Card, folder: Path, lang: Lang) -> Path:
    """Write the picture of a card below the folder of a league and return the file."""
    file = card_file(card, folder, "png")
    buffer = io.BytesIO()
    draw_card(card, lang).save(buffer, "PNG", optimize=True)
    with atomic_write(file) as written:
        written.write(buffer.getvalue())
    return file


def draw_card(card: Card, lang: Lang) -> Image.Image:
    """Return the picture of a card."""
    words = load_league_words(lang)
    figures = dict(list_card_figures(card, words))
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    letters, inner = Lettering(picture), WIDTH - 2 * MARGIN
    colour = ALIVE if card.is_alive else NOT_ALIVE
    letters.pen.rectangle((0, 0, WIDTH, 14), fill=colour)
    letters.write((MARGIN, 44), name_of(card, words), 48, INK, "Bold", inner)
    letters.write((MARGIN, 112), figures["league_verdict"], 32, colour, "Bold", inner)
    letters.write((MARGIN, 162), describe_misses(card, words), 20, SOFT, most=inner)
    letters.write((MARGIN, 196), describe_hours(card, words, lang), 20, SOFT, most=inner)
    letters.pen.line((MARGIN, 240, WIDTH - MARGIN, 240), fill=LINE, width=2)
    measured = [key for key in SHOWN if figures[key] != words["league_unmeasured"]]
    for number, key in enumerate(measured):
        height = FIRST_LINE + LINE_HEIGHT * number
        left = WIDTH - MARGIN - letters.width(figures[key], 22, "Bold")
        letters.write((MARGIN, height), words[key], 22, SOFT, most=left - MARGIN - 20)
        letters.write((left, height), figures[key], 22, INK, "Bold")
    made = words["league_made"].format(version=card.version)
    letters.write((MARGIN, HEIGHT - 42), made, 18, SOFT, most=inner)
    return picture
