"""Checks of `threads.json`: unknown names, and parts that are not cast yet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from hometown.text import Phrase
from hometown.world.book.book import Book
from hometown.world.book.known_names import check_known
from hometown.world.book.plots import BeatPart, OmenPart, ThreadPart
from hometown.world.faults import Faults

FILE = "society/threads.json"

_PART = re.compile(r"\{(.*?)\}")


def check_threads(
    book: Book, places: Collection[str], stories: Collection[str], faults: Faults
) -> None:
    """Add a fault for each unknown name in a thread, and for each part in a text that may be uncast
    at that stage.
    """
    for name, plot in book.threads.items():
        stages: list[tuple[str, Sequence[BeatPart], list[dict[str, str]], OmenPart | None]] = [
            ("planted", plot.planted.when, [plot.title, plot.planted.tells], plot.planted.omen),
            ("active", plot.active.when, [plot.active.tells], plot.active.omen),
            ("paid_off", plot.paid_off.when, [plot.paid_off.tells], None),
        ]
        cast = set[str]()
        for stage, beats, texts, omen in stages:
            for beat in beats:
                _check_beat(book, f"{name}.{stage}", beat, places, stories, faults)
            cast |= set[str].intersection(*map(_list_parts, beats))
            if omen:
                check_known(
                    faults,
                    FILE,
                    f"{name}.{stage}",
                    Phrase("thing or arena on the map"),
                    [omen.at],
                    places,
                )
            _check_texts(f"{name}.{stage}", [*texts, *([omen.text] if omen else [])], cast, faults)
        _check_texts(f"{name}.dropped", [plot.dropped.tells], _cast_when_planted(plot), faults)


def _cast_when_planted(plot: ThreadPart) -> set[str]:
    """Return the parts that each of the beats by which a thread can begin casts, without their
    sign.
    """
    return set[str].intersection(*map(_list_parts, plot.planted.when))


def _list_parts(beat: BeatPart) -> set[str]:
    """Return the parts for which a beat finds residents, without the `$` before their names."""
    return {who[1:] for who in (beat.who, beat.other) if who.startswith("$")}


def _check_beat(
    book: Book,
    where: str,
    beat: BeatPart,
    places: Collection[str],
    stories: Collection[str],
    faults: Faults,
) -> None:
    """Add a fault for each unknown resident, house or subject of a beat; the kind of the subject
    follows from the event.
    """
    people = [*book.start.people, *(f"house:{house}" for house in book.start.houses)]
    named = [who for who in (beat.who, beat.other) if who and not who.startswith("$")]
    check_known(faults, FILE, where, Phrase("resident or house"), named, people)
    kinds: dict[str, tuple[Phrase, Iterable[str]]] = {
        **dict.fromkeys(("did", "failed"), (Phrase("recipe"), book.families)),
        **dict.fromkeys(("bought", "given", "price"), (Phrase("kind"), book.kinds)),
        "talked": (Phrase("storyline"), stories),
        "learned": (
            Phrase("skill"),
            {
                skill
                for recipe in book.recipes.values()
                for skill in (recipe.skill, *(recipe.part.gains or ()))
                if skill
            },
        ),
        "weather": (Phrase("weather"), book.calendar.weather),
        "happened": (Phrase("thing or arena on the map"), places),
    }
    if beat.what and beat.event in kinds:
        what, there = kinds[beat.event]
        check_known(faults, FILE, where, what, [beat.what], there)


def _check_texts(
    where: str, texts: Sequence[dict[str, str]], cast: set[str], faults: Faults
) -> None:
    """Add a fault for each part that a text names, in braces, and that is not in `cast`: the parts
    that are certain to have a resident when the text is told. `texts` are by language.
    """
    for text in (text for each in texts for text in each.values()):
        for part in _PART.findall(text):
            if part not in cast:
                faults.add(
                    FILE,
                    where,
                    "names {part!r} in a text, but nobody need be in that part by then; add it to each beat of 'when'",
                    part=part,
                )
