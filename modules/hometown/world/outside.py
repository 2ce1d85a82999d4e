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
from hometown.world.resident_names import IsHere, drop_absent_company
from hometown.world.world import World


def visible_act(world: World, action: Action, arena: str, now: datetime, is_here: IsHere) -> str:
    """Return what others see of an action in an arena; company that is not there is left out.

    A storyline is visible only at its gathering; a private one can be learnt of in words alone.
    """
    worded = outside_of(action) or _visible_part(action.activity, world.lang)
    seen = (
        drop_absent_company(world, worded, is_here)
        or catalogue(world.lang, "outside")["hidden_seen"]
    )
    is_hidden = any(
        story.is_mentioned_in(seen)
        and not (
            (gathering := story.gathering)
            and gathering.place == arena
            and gathering.start <= now < gathering.end
        )
        for story in world.storylines
    )
    return catalogue(world.lang, "outside")["hidden_seen"] if is_hidden else seen


@lru_cache(maxsize=8192)
def _visible_part(activity: str, lang: Lang) -> str:
    """Return an activity up to its first reason, subject or thought; a phrase for acts of the mind
    or of speech, whose content nobody sees.

    >>> _visible_part("trying once more to begin about the layoffs", "en")
    'deep in thought'
    >>> _visible_part("eating dumplings because nobody came", "en"), _visible_part("reading a book", "en")
    ('eating dumplings', 'reading a book')
    >>> _visible_part("跟林悦说公司要裁员的事", "zh"), _visible_part("给小陈盛饭夹菜，装作什么也没听见", "zh")
    ('和人说着话', '给小陈盛饭夹菜')
    """
    texts = catalogue(lang, "outside")
    for kind in ("inner", "speech"):
        if re.match(texts[kind], activity, re.IGNORECASE):
            return texts[f"{kind}_seen"]
    part = re.split(texts["cut"], activity, maxsplit=1, flags=re.IGNORECASE)[0].strip()
    return part or texts["inner_seen"]
