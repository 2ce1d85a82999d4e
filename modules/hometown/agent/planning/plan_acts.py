"""Acts of the lines of a plan: a line such as "buying bread and posting the letter" has two."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from hometown.agent.mind import Mind
from hometown.agent.planning.concerned import find_concerned
from hometown.language import Lang
from hometown.memory.schedule import CutEntry, Entry, Schedule
from hometown.text import catalogue


def split_acts(mind: Mind, activity: str) -> list[str]:
    """Return the acts of an activity, in order. To say something to a resident whom it does not
    name, and what it speaks of as "he" or "she", belongs to the act before.
    """
    lang, acts = mind.world.lang, list[str]()
    for act in _split(activity, lang):
        has_pronoun = re.search(mind.words.texts["third_person"], act, re.IGNORECASE)
        refers_back = has_pronoun or _is_spoken(act, lang)
        if acts and refers_back and not find_concerned(mind, act):
            acts[-1] = mind.words.texts["item_separator"].join((acts[-1], act))
        else:
            acts.append(act)
    return acts


def list_aims(mind: Mind, activity: str) -> list[str]:
    """Return the acts of an activity that are to say something to a resident whom an act before
    names: what its owner has in mind for a meeting.
    """
    later = _split(activity, mind.world.lang)[1:]
    return [act for act in later if _is_spoken(act, mind.world.lang)]


def without_aims(mind: Mind, activity: str) -> str:
    """Return an activity without what its owner has in mind to say."""
    acts = _split(activity, mind.world.lang)
    kept = [act for act in acts[1:] if not _is_spoken(act, mind.world.lang)]
    return mind.words.texts["item_separator"].join((*acts[:1], *kept))


@lru_cache(maxsize=1 << 12)
def _split(activity: str, lang: Lang) -> tuple[str, ...]:
    """Return the parts of an activity that have a verb of their own.

    >>> _split("buying bread, butter and jam and posting the letter", "en")
    ('buying bread, butter and jam', 'posting the letter')
    >>> _split("照看花坛，找林悦说海报", "zh")
    ('照看花坛', '找林悦说海报')
    """
    return tuple(filter(None, re.split(catalogue(lang, "mind")["acts_between"], activity)))


@lru_cache(maxsize=1 << 12)
def _is_spoken(act: str, lang: Lang) -> bool:
    """Return True if an act is to say something."""
    return re.match(catalogue(lang, "outside")["speech"], act, re.IGNORECASE) is not None


def drop_acts(
    mind: Mind, schedule: Schedule, is_gone: Callable[[Entry, str], bool]
) -> tuple[Schedule, list[Entry]]:
    """Drop acts from the coming activities of a schedule; an entry keeps its time for the others,
    and free time takes that of an entry without any left.

    Args:
        mind: the mind of the resident.
        schedule: the schedule of the day.
        is_gone: tells whether an act of an entry is to go, or else the whole of its activity.

    Returns:
        The schedule, and the entries that have lost acts.
    """
    changed, gone = schedule, list[Entry]()
    between = mind.words.texts["item_separator"]
    for entry in schedule.entries:
        if entry.kind != "activity" or entry.start <= mind.minute:
            continue
        acts = split_acts(mind, entry.activity)
        left = [act for act in acts if not is_gone(entry, act)]
        if len(left) == len(acts):
            if not is_gone(entry, entry.activity):
                continue
            left = []
        gone.append(entry)
        if left:
            changed = changed.reword(entry, between.join(left))
    whole = [entry for entry in gone if entry in changed.entries]
    return changed.without(*whole, instead=mind.words.say("free_time")), gone


def drop_lines(
    mind: Mind, schedule: Schedule, lines: Collection[tuple[int, str]]
) -> tuple[Schedule, list[Entry]]:
    """Drop coming lines of a plan, or acts of them, given as (minute, words), as `drop_acts` does."""
    return drop_acts(mind, schedule, lambda entry, words: is_of_line(entry, words, lines))


def is_of_line(entry: Entry, words: str, lines: Collection[tuple[int, str]]) -> bool:
    """Return True if an act of an entry is one of the lines of a plan, given as (minute, words), or is
    what another entry has left of one since.
    """
    first = entry.planned_start if isinstance(entry, CutEntry) else entry.start
    return any(first <= start <= entry.start and words == said for start, said in lines)
