"""Find patterns in memories (recurring people, news, habits, values), from which insights are
worded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.prompt import Situation
from hometown.prompt.reflections import InsightsVars
from hometown.scripted.clauses import is_over, topic_of
from hometown.scripted.gist import gist, is_hollow, takeaway
from hometown.scripted.noticing import DEAR, NEWS, closeness_to, is_sighting_text, weight
from hometown.scripted.phrases import bank as phrase_bank
from hometown.scripted.pursuits import plain
from hometown.scripted.words import has, is_day_plan, known_names, read_bank, shuffle
from hometown.text import catalogue, nest_quotes

EVIDENCE = 4
GIST_LENGTH = {"en": 170, "zh": 80}
QUOTE_LENGTH = {"en": 105, "zh": 50}
"""Letters of a memory's gist that a thought may hold, and of each where it holds two."""

BEGINNING = {"en": 40, "zh": 14}
"""Number of leading characters that identify a piece of news."""

LONGEST_ACTIVITY = {"en": 70, "zh": 24}
"""Letters of an activity that can be named in passing."""

RESCUE = 8.0
"""Worth of an insight into a resident who rescued another: above all others, and higher still if
the question asks about them.
"""

QUIET, FULL = 2.6, 4.5
"""Mean poignancy up to which days count as quiet, and from which on as full."""


@frozen
class Finding:
    """A pattern in the memories at `evidence` (positions from 1); `subject` is its topic. `frame`
    is the key of the phrases that word it, `fields` fill them, and `worth` ranks it.
    """

    frame: str
    subject: str
    evidence: tuple[int, ...]
    fields: dict[str, str]
    worth: float


def findings_for(v: InsightsVars, question: str, rng: Random, lang: Lang) -> Iterator[Finding]:
    """Yield the findings about the people whom a question names, or all people if it names none;
    then about news that the question is about, the resident's own life and thoughts, and, if it
    names no one, the times.
    """
    numbered = [(at, memory) for at, memory in enumerate(v.memories, 1) if not is_day_plan(memory)]
    known = known_names(v.situation)
    asked = {person for person, name in known.items() if name in question}
    for person in known:
        about = [
            (at, memory)
            for at, memory in numbered
            if person in memory.about and (person in asked or not asked)
        ]
        if about:
            yield from _list_about_person(v.situation, person, known[person], about, lang)
    news = [
        item
        for item in _fresh_news(v, numbered, lang)
        if asked & {*item[1].about} or _subject(item[2], lang) in question
    ]
    yield from _list_about_news(v.situation, news, lang)
    yield from _list_about_self(v.situation, numbered, rng, lang)
    yield from _list_about_thoughts(v.situation, numbered, rng, lang)
    if not asked:
        yield from _list_about_times(numbered)


Numbered = list[tuple[int, Concept]]


def _fresh_news(v: InsightsVars, numbered: Numbered, lang: Lang) -> list[tuple[int, Concept, str]]:
    """Return (position, memory, core) of news that matters, is not over, and is not yet the subject
    of a thought.
    """
    thought_of = {
        _subject(core_of(memory, v.situation, lang), lang)
        for _, memory in numbered
        if memory.type == "thought" and memory.evidence
    }
    fresh = []
    for at, memory in numbered:
        past = memory.type == "plan" and is_over(memory, v.situation.now, lang)
        seen = is_sighting_text(memory.text, lang) or (
            _is_activity(memory, lang) and not weight(memory.text, lang)
        )
        if memory.type == "thought" or memory.poignancy < NEWS or past or seen:
            continue
        core = (
            takeaway(memory, v.situation, lang).text
            if memory.type == "chat"
            else core_of(memory, v.situation, lang)
        )
        if core and _subject(core, lang) not in thought_of:
            fresh.append((at, memory, core_of(memory, v.situation, lang)))
    return fresh


def _subject(core: str, lang: Lang) -> str:
    """Return the key that identifies a piece of news in any wording: its topic, or else its first
    characters.
    """
    return topic_of(core, phrase_bank(lang)) or core[: BEGINNING[lang]]


def _latest_positions(memories: Numbered) -> tuple[int, ...]:
    """Return the positions of the latest memories, as many as evidence may hold."""
    return tuple(at for at, _ in memories[-EVIDENCE:])


def core_of(memory: Concept, situation: Situation, lang: Lang) -> str:
    """Return the gist of a memory, short enough to fit into a thought."""
    return gist(memory, situation, lang, GIST_LENGTH[lang])


def _list_about_person(
    situation: Situation, person: str, name: str, about: Numbered, lang: Lang
) -> Iterator[Finding]:
    """Yield findings about a resident: a rescue by them, frequent encounters, observed activities,
    conversations and closeness.
    """
    who = {"other": name}
    seen = _activities(about, person, {person}, lang)
    talks = [(at, memory) for at, memory in about if memory.type == "chat"]
    saved = [
        (at, memory) for at, memory in about if memory.object == person and _is_rescue(memory, lang)
    ]
    if saved:
        yield Finding("rescuer", name, _latest_positions(saved), who, RESCUE)
    if len(about) >= 3:
        yield Finding("often", name, _latest_positions(about), who, 1.5)
    if len(seen) >= 2:
        (activity, first), (another, second) = list(seen.items())[-2:]
        yield Finding(
            "busy", name, (first, second), who | {"activity": activity, "another": another}, 2.0
        )
    elif seen:
        yield Finding(
            "doing", name, tuple(seen.values()), who | {"activity": next(iter(seen))}, 1.5
        )
    if talks:
        yield Finding("talks", name, _latest_positions(talks), who, 0.5 + len(talks))
    if closeness_to(situation.me, person) >= DEAR:
        yield Finding("close", name, _latest_positions(about), who, 1.0)


def _is_rescue(memory: Concept, lang: Lang) -> bool:
    """Return True if a memory reports a rescue."""
    return memory.type == "event" and any(
        word in memory.text for word in phrase_bank(lang).words["rescue"]
    )


def _activities(memories: Numbered, who: str, about: set[str], lang: Lang) -> dict[str, int]:
    """Return the activities in which `who` was observed, each with the last position in `memories`.
    Conversations and activities too long to quote are excluded.
    """
    return {
        plain(memory.predicate, lang): at
        for at, memory in memories
        if memory.type == "event"
        and memory.subject == who
        and {*memory.about} <= about
        and _is_activity(memory, lang)
    }


def _is_activity(event: Concept, lang: Lang) -> bool:
    """Return True if the event was seen somewhere, as against heard of or known from the start, and
    is short enough to quote; not if only its outside was seen, such as somebody on the way.
    """
    seen = bool(event.address) and not event.talk and event.predicate in event.text
    seen = seen and event.predicate not in catalogue(lang, "outside").values()
    seen = seen and not any(
        word in event.predicate for word in phrase_bank(lang).words["not_worth_mention"]
    )
    return seen and 0 < len(event.predicate) <= LONGEST_ACTIVITY[lang]


def _list_about_news(
    situation: Situation, news: Sequence[tuple[int, Concept, str]], lang: Lang
) -> Iterator[Finding]:
    """Yield findings about agreements, plans and news; statements of people about themselves count
    as confidential.
    """
    known = known_names(situation)
    for at, memory, core in news:
        frame = (
            "agreed"
            if memory.talk and memory.type == "plan"
            else "plan"
            if memory.type == "plan"
            else "news"
        )
        yield Finding(
            frame,
            _subject(core, lang),
            (at,),
            {"gist": core},
            2.5 if memory.type == "plan" else memory.poignancy / 2,
        )
        if memory.predicate == "hear" and memory.object in known:
            teller = known[memory.object]
            frame = "confided" if core.startswith(teller) else "told"
            yield Finding(
                frame,
                _subject(core, lang),
                (at,),
                {"other": teller, "gist": core},
                memory.poignancy / 2,
            )


def _list_about_self(
    situation: Situation, numbered: Numbered, rng: Random, lang: Lang
) -> Iterator[Finding]:
    """Yield findings about the resident: a rhythm of two activities, one activity, and interests in
    the memories.
    """
    me = situation.me
    done = _activities(numbered, me.id, {me.id}, lang)
    activities = shuffle(done, rng)
    if len(activities) >= 2:
        first, second = sorted(activities[:2], key=lambda item: done[item])
        yield Finding(
            "rhythm",
            me.id,
            (done[first], done[second]),
            {"activity": first, "another": second},
            1.5,
        )
    for activity in activities[:1]:
        yield Finding("self", activity, (done[activity],), {"activity": activity}, 1.0)
    for interest in me.interests:
        mentions = [
            (at, memory) for at, memory in numbered if interest.lower() in memory.text.lower()
        ]
        if mentions:
            yield Finding(
                "interest", interest, _latest_positions(mentions), {"interest": interest}, 1.0
            )


def _list_about_thoughts(
    situation: Situation, numbered: Numbered, rng: Random, lang: Lang
) -> Iterator[Finding]:
    """Yield thoughts about thoughts, so that trees of reflection grow: two brought together, and
    the value in one.
    """
    telling = (
        (at, memory)
        for at, memory in numbered
        if memory.type == "thought" and memory.poignancy >= 4 and not is_hollow(memory.text, lang)
    )
    thoughts = shuffle(telling, rng)
    quoted = " ".join(memory.text for _, memory in numbered if "“" in memory.text)
    cores = {
        nest_quotes(core): at
        for at, memory in thoughts
        if len(core := core_of(memory, situation, lang)) <= QUOTE_LENGTH[lang]
    }
    cores = {core: at for core, at in cores.items() if f"“{core}”" not in quoted}
    if len(cores) >= 2:
        (first_gist, first), (second_gist, second) = list(cores.items())[:2]
        fields = {
            "gist": first_gist,
            "second": second_gist,
            "value": _find_value(f"{first_gist} {second_gist}", situation, lang),
        }
        yield Finding("deeper", first_gist, tuple(sorted((first, second))), fields, 2.0)
    for core, at in list(cores.items())[:1]:
        yield Finding(
            "value", core, (at,), {"gist": core, "value": _find_value(core, situation, lang)}, 1.5
        )


def _find_value(text: str, situation: Situation, lang: Lang) -> str:
    """Return the value whose words occur in the text; without one, a value fixed for this resident."""
    values: dict[str, list[str]] = read_bank(lang, "reflecting")["values"]
    own = list(values)[situation.me.age % len(values)]
    return next((value for value, words in values.items() if has(text, tuple(words))), own)


def _list_about_times(numbered: Numbered) -> Iterator[Finding]:
    """Yield the finding that the days are quiet or full, by the mean poignancy of the memories;
    none in between.
    """
    if not numbered:
        return
    mean = sum(memory.poignancy for _, memory in numbered) / len(numbered)
    if mean <= QUIET:
        yield Finding("quiet", "", _latest_positions(numbered), {}, 1.0)
    elif mean >= FULL:
        yield Finding("full", "", _latest_positions(numbered), {}, 1.0)
