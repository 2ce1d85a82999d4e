"""The prompt that drafts the course of a happening from a user's words, and the rules that check it."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.world.befalling import happening_kind, usual_course
from hometown.world.incidents import Course

Reach = Literal["room", "house", "street", "town"]
"""The distance at which a happening is heard."""

REACH_TILES: dict[Reach, int] = {"room": 0, "house": 8, "street": 20, "town": 60}
"""The distance in tiles of each named reach."""

MOST_MEANS, TEXT_LENGTH = 3, 80
"""Maximum number of means, and maximum length of each text of a draft in characters."""

EFFORT_MINUTES, HELP_MINUTES, REPAIR_HOURS = 240, 120, 60
"""Maximum minutes of work that end a happening, minutes until help arrives, and hours of repair."""

DAY_MINUTES = 24 * 60

_DOERS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:(?:the )?(?:people|residents|neighbou?rs|bystanders|customers|others) (?:there )?"
        r"|every(?:one|body) |some(?:one|body) |any(?:one|body) )(?:(?:who|that) .*?,? )?"
        r"(?:(?:can|could|should|must|may|might|will|to|are|is) )?(?=\w)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "^(?:人们|大家|众人|居民们?|邻居们?|旁人|有人|在场的人)(?:可以|应该|能|要|会|正在)?(?=.)"
    ),
}
"""The doers at the beginning of an activity, who are no part of it."""

Text = Annotated[str, OneLine(TEXT_LENGTH, 0)]


@frozen
class HappeningVars(Variables):
    """Variables for drafting the course of a happening; `text` are the user's words."""

    text: str


class HappeningReply(Reply):
    """A draft. Each text is "", and each number 0, where there is nothing of the kind."""

    weight: int = Field(ge=1, le=10, description="Importance to those who notice it.")
    reach: Reach = Field(description="How far it is heard.")
    minutes: int = Field(ge=5, le=DAY_MINUTES, description="Minutes until it ends by itself.")
    over: Text = Field(description="The sentence that it is over.")
    means: list[Text] = Field(max_length=MOST_MEANS, description="Activities that help to end it.")
    effort: int = Field(ge=0, le=EFFORT_MINUTES, description="Minutes of work that end it.")
    helpers: Text = Field(description="Who can be called from outside.")
    help_minutes: int = Field(ge=0, le=HELP_MINUTES, description="Minutes until they arrive.")
    grows: int = Field(ge=0, le=DAY_MINUTES, description="Minutes after which it gets worse.")
    closes: bool = Field(description="True if nothing in the room can be used meanwhile.")
    damage: Text = Field(description="The state in which it leaves the place.")
    mending: Text = Field(description="The activity that repairs the damage.")
    repair_hours: int = Field(ge=0, le=REPAIR_HOURS, description="Hours of work of the repair.")


def as_course(reply: HappeningReply, text: str, lang: Lang) -> Course:
    """Return the course of a draft in which all parts agree: work without means is left out, and
    means take at least 10 minutes; so does help; it gets worse only if work or help can end it; and
    damage without an activity that repairs it is left out.
    """
    kind, means = happening_kind(text, lang), tuple(reply.means)
    effort = max(reply.effort, 10) if means else 0
    has_damage = bool(reply.damage and reply.mending)
    return Course(
        key=kind.key if kind else "",
        weight=reply.weight,
        reach=REACH_TILES[reply.reach],
        sound=usual_course(text, lang).sound,
        minutes=reply.minutes,
        effort=effort,
        means=means,
        helpers=reply.helpers,
        help_minutes=max(reply.help_minutes, 10) if reply.helpers else 0,
        grows=reply.grows if effort or reply.helpers else 0,
        closes=reply.closes,
        over=reply.over.rstrip(" .!。！"),
        damage=reply.damage if has_damage else "",
        mending=reply.mending if has_damage else "",
        repair=max(reply.repair_hours, 1) * 60 if has_damage else 0,
    )


def _word_activities(v: HappeningVars, reply: HappeningReply) -> HappeningReply:
    """Return a reply whose means and mending have the form of activities; those that name nothing
    to do, and repeated means, are left out.
    """
    means = list(dict.fromkeys(filter(None, (_as_activity(v, each) for each in reply.means))))
    mending = _as_activity(v, reply.mending)
    if (means, mending) == (reply.means, reply.mending):
        return reply
    return reply.model_copy(update={"means": means, "mending": mending})


def _as_activity(v: HappeningVars, text: str) -> str:
    """Return a text in the form of activities, without those who do it; "" if it names nothing to
    do: in English, one of the first two words of an activity ends in -ing; in Chinese, any text
    may be one.
    """
    lang = v.situation.lang
    worded = v.situation.word_activity(_DOERS[lang].sub("", text), TEXT_LENGTH)
    is_verbal = any(word.endswith("ing") for word in worded.split()[:2])
    return worded if is_verbal or lang == "zh" else ""


def as_draft(course: Course) -> HappeningReply:
    """Return a happening's course in the form of a draft, with the smallest named reach that covers
    its own, "town" if none does, and the repair in hours, rounded.
    """
    reach = next((name for name, tiles in REACH_TILES.items() if course.reach <= tiles), "town")
    return HappeningReply(
        weight=course.weight,
        reach=reach,
        minutes=course.minutes,
        effort=course.effort,
        means=list(course.means),
        helpers=course.helpers,
        help_minutes=course.help_minutes,
        grows=course.grows,
        closes=course.closes,
        over=course.over,
        damage=course.damage,
        mending=course.mending,
        repair_hours=round(course.repair / 60),
    )


HAPPENING = Prompt(
    "happening",
    HappeningVars,
    HappeningReply,
    fallback=lambda v: as_draft(usual_course(v.text, v.situation.lang)),
    mend=(Rule("worded", _word_activities),),
    persona="nobody",
    max_tokens=840,
    temperature=0.2,
    judges=True,
)
