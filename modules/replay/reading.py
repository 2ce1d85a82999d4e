"""What is there to be read of a run: its conversations, searched and by pairs, and the days of its residents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from modules.replay.diary import days_of, stays, steps_of
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.stream import told
from modules.world.talk import Talk

BEFORE = 0.25
"""Share of a page of conversations that lies before the moment it is asked for."""


def talks(run: RunReader, names: Names, text: str, people: Sequence[str], offset: int, limit: int, at: int | None = None) -> dict[str, Any]:
    """The conversations in which all of `people` take part and that hold a text, in order of time; those about tick `at`, if it is given.

    The text is looked for in what was said, in the summary, and in the names of speakers and place.
    """
    needle = text.casefold()
    of_them = (talk for talk in run.talks(0, run.last_step()) if {talk.opener, talk.partner}.issuperset(people))
    found = [talk for talk in of_them if needle in _whole_text(talk, names)]
    if at is not None:
        begun = sum(run.tick(talk.started) <= at for talk in found)
        offset = max(0, min(begun - int(BEFORE * limit), len(found) - limit))
    return {"total": len(found), "offset": offset, "items": [_talk(run, talk) for talk in found[offset : offset + limit]]}


def threads(run: RunReader, who: str = "") -> list[dict[str, Any]]:
    """Who talked with whom how often and when last, of one resident if given; those who talked most first."""
    rows = run.database.execute(
        "SELECT min(opener, partner), max(opener, partner), count(*), max(step) FROM conversations WHERE step <= ?1 AND ?2 IN ('', opener, partner)"
        " GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC",
        (run.last_step(), who),
    )
    return [{"people": [one, other], "talks": count, "tick": run.tick(run.moment(max(step - 1, 0)))} for one, other, count, step in rows]


def diary(run: RunReader, who: str, day: date) -> dict[str, Any]:
    """A resident's day: what it planned and came to think, where it stayed, what it did and with whom it talked."""
    last = run.last_step()
    first, end = steps_of(run, day, last)
    held = [talk for talk in run.talks(first, end) if talk.started.date() == day]
    made = [one for one in run.memories(first, end, ("plan", "thought"), who) if one.concept.created.date() == day]
    return {
        "day": day.isoformat(),
        "days": [one.isoformat() for one in days_of(run, last)],
        "plans": [told(run, one) for one in made if one.concept.type == "plan"],
        "thoughts": [told(run, one) for one in made if one.concept.type == "thought"],
        "stays": [
            {
                "tick": run.tick(stay.start),
                "end": run.tick(stay.end),
                "address": stay.address,
                "doings": [
                    {"tick": run.tick(doing.start), "label": doing.label, "asleep": doing.asleep, "talk": _talk(run, doing.talk) if doing.talk else None}
                    for doing in stay.doings
                ],
            }
            for stay in stays(run, who, day, last, held)
        ],
    }


def _talk(run: RunReader, talk: Talk) -> dict[str, Any]:
    return {
        "id": talk.id,
        "step": talk.step,
        "tick": run.tick(talk.started),
        "minutes": talk.minutes,
        "opener": talk.opener,
        "partner": talk.partner,
        "address": talk.address,
        "summary": talk.summary,
        "lines": [{"speaker": line.speaker, "text": line.text} for line in talk.lines],
    }


def _whole_text(talk: Talk, names: Names) -> str:
    words = [talk.summary, names.person(talk.opener), names.person(talk.partner), names.place(talk.address), *(line.text for line in talk.lines)]
    return "\n".join(words).casefold()
