"""Gifts and notes: things that residents hand over, and written messages that they leave."""

from __future__ import annotations

import re

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import Intent
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.plan_acts import split_acts
from hometown.agent.planning.plan_settling import drop_entries
from hometown.world.approaches import (
    Note,
    NoteLeft,
    NotesRead,
)
from hometown.world.world import sector_of

GIVEN_PREDICATE, NOTE_PREDICATE = "give", "leave a note"
"""The predicates of the memories of a gift and of a note."""

GIVEN_POIGNANCY, NOTE_POIGNANCY = 5, 5
"""Poignancy of these memories."""


async def hand_over(giver: Mind, taker: Mind, intent: Intent) -> None:
    """Let both residents remember that one has given the other a gift, which settles the line of the
    giver's plan that it is from; no goods change hands.
    """
    words = giver.words
    text = words.say(
        "handed_over",
        name=words.name(giver.who),
        other=words.name(taker.who),
        thing=intent.gift,
    )
    for mind, other in ((giver, taker), (taker, giver)):
        memory = NewMemory(
            "event", text, giver.who, GIVEN_PREDICATE, taker.who, mind.arena, about=(other.who,)
        )
        await mind.remember([memory], [GIVEN_POIGNANCY], intent.cause)
    drop_entries(giver, _list_gift_acts(giver, taker.who), intent.cause)


def _list_gift_acts(giver: Mind, taker: str) -> list[tuple[int, str]]:
    """Return the acts of the line of the plan for which a resident has approached another that hand
    something over to them, each with the minute of the line.
    """
    current = giver.state.approaches(giver.who).current
    if current is None or current.other != taker:
        return []
    pattern = giver.words.texts["gift_words"]
    return [
        (entry.start, act)
        for entry in giver.state.schedule(giver.who).entries
        if current.reason in (f"task {entry.activity}", f"plan {entry.activity}")
        for act in split_acts(giver, entry.activity)
        if re.search(pattern, act, re.IGNORECASE) and taker in find_concerned(giver, act)
    ]


async def leave_note(mind: Mind, other: str, house: str, text: str, cause: str) -> None:
    """Leave a note for another in a house, where they find it on coming there, and remember it."""
    words = mind.words
    note = Note(mind.who, other, text, mind.now)
    mind.do(NoteLeft(house, note), cause)
    memory = NewMemory(
        "event",
        words.say(
            "note_left",
            name=mind.me.name,
            other=words.name(other),
            place=words.name(house),
            text=text,
        ),
        mind.who,
        NOTE_PREDICATE,
        other,
        mind.arena,
        about=(other,),
    )
    await mind.remember([memory], [NOTE_POIGNANCY], cause)


async def read_notes(mind: Mind) -> None:
    """Read and remove the notes that others have left for the resident in this house, and the letters
    from out of town. Each is remembered, and is a reason to reconsider the day.
    """
    house = sector_of(mind.arena)
    notes = [note for note in mind.state.notes(house) if note.reader == mind.who]
    if not notes:
        return
    mind.do(NotesRead(house, mind.who), "rule:note")
    words, place = mind.words, mind.words.name(house)
    for note in notes:
        text = words.say(
            "note_found" if note.writer else "letter_found",
            name=mind.me.name,
            other=words.name(note.writer),
            place=place,
            text=note.text,
        )
        memory = NewMemory(
            "event",
            text,
            note.writer or house,
            NOTE_PREDICATE,
            mind.who,
            mind.arena,
            about=(note.writer,) if note.writer else (),
        )
        (made,) = await mind.remember([memory], [NOTE_POIGNANCY], "rule:note")
        give_reason(mind, made, "rule:note")
