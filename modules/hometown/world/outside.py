"""The outside of an action: the act that others see, without the reasons and thoughts of the one
who does it. Its owner may have worded it; if not, it is derived from the words of the activity.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache

from hometown.language import Lang
from hometown.memory.action import Action, outside_of
from hometown.text import catalogue
from hometown.world.resident_names import (
    IsHere,
    drop_absent_company,
    drop_absent_listeners,
    drop_conversation,
    name_kin,
    resident_names,
)
from hometown.world.world import World, arena_of


def visible_act(
    world: World,
    who: str,
    action: Action,
    arena: str,
    now: datetime,
    is_here: IsHere,
    known: Collection[str] = (),
) -> str:
    """Return the words for a resident's action as others in the same arena see it. Residents whom
    it names, by name or as relatives, as company or as those for whom it is done, are left out
    unless they are there (`is_here`). A conversation that it only speaks of is not seen; nor is
    what is to be done elsewhere, of which only the way is.

    An action that mentions a storyline is hidden by neutral words, since others learn of it in
    conversations; it is visible only to those who know of the storyline's gathering (`known`: the
    ids of such storylines), and at the place and time of it.
    """
    texts = catalogue(world.lang, "outside")
    if arena_of(action.address) not in ("", arena):
        return texts["way_seen"]
    worded = (
        outside_of(action)
        or _quest_seen(world, action.activity)
        or visible_part(action.activity, world.lang)
    )
    act = drop_conversation(world, worded) or texts["speech_seen"]
    named = name_kin(world, who, act)
    there = drop_absent_company(world, drop_absent_listeners(world, named, is_here), is_here)
    seen = (act if there == named else there) or texts["hidden_seen"]
    is_hidden = any(
        story.id not in known
        and story.is_mentioned_in(seen)
        and not (
            (gathering := story.gathering)
            and gathering.place == arena
            and gathering.start <= now < gathering.end
        )
        for story in world.storylines
    )
    return texts["hidden_seen"] if is_hidden else seen


def _quest_seen(world: World, activity: str) -> str:
    """Return the visible part of a search for a resident or of waiting for one, without the name;
    "" for any other activity.
    """
    mind, texts = catalogue(world.lang, "mind"), catalogue(world.lang, "outside")
    for phrase, seen in (("looking_for", "search_seen"), ("waiting_for_resident", "waiting_seen")):
        beginning = mind[phrase].partition("{names}")[0]
        if activity.startswith(beginning) and any(
            activity.startswith(mind[phrase].format(names=each)) for each in resident_names(world)
        ):
            return texts[seen]
    return ""


@lru_cache(maxsize=8192)
def visible_part(activity: str, lang: Lang) -> str:
    """Return an activity up to its first reason, subject, relative clause or thought, but not cut
    within a list; a phrase for acts of the mind or of speech, whose content nobody sees.

    >>> visible_part("trying once more to begin about the layoffs", "en")
    'deep in thought'
    >>> visible_part("eating dumplings because nobody came", "en"), visible_part("reading a book", "en")
    ('eating dumplings', 'reading a book')
    >>> visible_part("laying out chalk, problems and an extra chair", "en")
    'laying out chalk, problems and an extra chair'
    >>> visible_part("untangling the script that gives nonsense", "en")
    'untangling the script'
    >>> visible_part("跟林悦说公司要裁员的事", "zh"), visible_part("给小陈盛饭夹菜，装作什么也没听见", "zh")
    ('像有话要说', '给小陈盛饭夹菜')
    """
    texts = catalogue(lang, "outside")
    for kind in ("inner", "speech"):
        if re.match(texts[kind], activity, re.IGNORECASE):
            return texts[f"{kind}_seen"]
    part = re.split(texts["cut"], activity, maxsplit=1, flags=re.IGNORECASE)[0].strip()
    if part != activity and re.fullmatch(texts["incomplete"], part, re.IGNORECASE):
        return texts["hidden_seen"]
    return part or texts["inner_seen"]
