"""The outside of an action: the act that others see, without the reasons and thoughts of the one
who does it. Its owner may have worded it; if not, it is derived from the words of the activity.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from hometown.language import Lang
from hometown.memory.action import Action, outside_of
from hometown.text import catalogue
from hometown.world.resident_names import (
    IsHere,
    drop_absent_company,
    drop_absent_listeners,
    resident_names,
)
from hometown.world.world import World


def visible_act(world: World, action: Action, arena: str, now: datetime, is_here: IsHere) -> str:
    """Return what others see of an action in an arena; company that is not there, and those who are
    not there for whom it is done, are left out.

    A storyline is visible only at its gathering; a private one can be learnt of in words alone.
    """
    texts = catalogue(world.lang, "outside")
    worded = outside_of(action) or (
        texts["search_seen"]
        if _is_search(world, action.activity)
        else _visible_part(action.activity, world.lang)
    )
    there = drop_absent_listeners(world, worded, is_here)
    seen = drop_absent_company(world, there, is_here) or texts["hidden_seen"]
    is_hidden = any(
        story.is_mentioned_in(seen)
        and not (
            (gathering := story.gathering)
            and gathering.place == arena
            and gathering.start <= now < gathering.end
        )
        for story in world.storylines
    )
    return texts["hidden_seen"] if is_hidden else seen


def _is_search(world: World, activity: str) -> bool:
    """Return True if an activity is a search for a resident, whose name nobody can see."""
    looking = catalogue(world.lang, "mind")["looking_for"]
    return any(activity.startswith(looking.format(names=name)) for name in resident_names(world))


@lru_cache(maxsize=8192)
def _visible_part(activity: str, lang: Lang) -> str:
    """Return an activity up to its first reason, subject, relative clause or thought, but not cut
    within a list; a phrase for acts of the mind or of speech, whose content nobody sees.

    >>> _visible_part("trying once more to begin about the layoffs", "en")
    'deep in thought'
    >>> _visible_part("eating dumplings because nobody came", "en"), _visible_part("reading a book", "en")
    ('eating dumplings', 'reading a book')
    >>> _visible_part("laying out chalk, problems and an extra chair", "en")
    'laying out chalk, problems and an extra chair'
    >>> _visible_part("untangling the script that gives nonsense", "en")
    'untangling the script'
    >>> _visible_part("跟林悦说公司要裁员的事", "zh"), _visible_part("给小陈盛饭夹菜，装作什么也没听见", "zh")
    ('和人说着话', '给小陈盛饭夹菜')
    """
    texts = catalogue(lang, "outside")
    for kind in ("inner", "speech"):
        if re.match(texts[kind], activity, re.IGNORECASE):
            return texts[f"{kind}_seen"]
    part = re.split(texts["cut"], activity, maxsplit=1, flags=re.IGNORECASE)[0].strip()
    return part or texts["inner_seen"]
