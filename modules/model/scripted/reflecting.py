"""Reflection by rules: what recurs in memories is asked about and put into words that generalise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from modules.memory.concept import Concept
from modules.model.scripted.gist import gist, is_hollow, told
from modules.model.scripted.gossip import is_over, topic_of
from modules.model.scripted.noticing import DEAR, NEWS, close_to, is_sighting, weight
from modules.model.scripted.phrases import bank as phrase_bank
from modules.model.scripted.pursuits import plain
from modules.model.scripted.words import bank, capital, clip, has, is_day_plan, names, objective, possessive, shuffled
from modules.prompt.prompt import Situation
from modules.prompt.reflecting import (
    ChatsReply,
    ChatsVars,
    ChatThought,
    FocusReply,
    FocusVars,
    Insight,
    InsightsReply,
    InsightsVars,
)
from modules.world.world import Lang

THOUGHT_LENGTH = 300
INSIGHTS = (2, 2, 2, 3)
"""How many insights one question yields, by chance."""

SMALL_TALK_KEPT = 0.4
"""Share of the talks about nothing in particular that leave a thought."""

EVIDENCE = 4
GIST_LENGTH = {"en": 170, "zh": 80}
QUOTE_LENGTH = {"en": 105, "zh": 50}
"""Letters of a memory's gist that a thought may hold, and of each where it holds two."""

BEGINNING = {"en": 40, "zh": 14}
"""Letters by which two wordings of one piece of news are known for the same."""

LONGEST_ACTIVITY = {"en": 70, "zh": 24}
"""Letters of an activity that can be named in passing."""

INNER = str.maketrans("“”", "‘’")
"""Quotation marks within quotation marks."""

QUIET, FULL = 2.6, 4.5
"""Mean poignancy up to which days count as quiet, and from which on as full."""


class Frames:
    """The phrases of one kind for one person, filled so that every sentence ends well."""

    def __init__(self, situation: Situation, group: str, lang: Lang, rng: Random) -> None:
        self.phrases: dict[str, list[str]] = bank(lang, "reflecting")[group]
        self.lang, self.rng = lang, rng
        self.fixed = {"me": situation.me.name, "possessive": possessive(situation.me, lang), "objective": objective(situation.me, lang)}

    def say(self, key: str, **fields: str) -> str:
        text = self.rng.choice(self.phrases[key]).format(**self.fixed, **fields)
        return capital(clip(text, THOUGHT_LENGTH, self.lang))


# reflect_focus -----------------------------------------------------------------------------


def answer_reflect_focus(v: FocusVars, rng: Random, lang: Lang) -> FocusReply:
    """Questions about who and what recurs: one of each sort before a second of any."""
    frames = Frames(v.situation, "questions", lang, rng)
    asked = list(dict.fromkeys(_questions(v, frames, rng, lang)))
    return FocusReply(questions=[clip(one, THOUGHT_LENGTH, lang) for one in asked[: min(v.questions, 10)]])


def _questions(v: FocusVars, frames: Frames, rng: Random, lang: Lang) -> Iterator[str]:
    people = _people(v.situation, v.memories, rng)
    telling = [one for one in v.memories if not is_day_plan(one) and (one.type != "chat" or told(one, v.situation, lang).text)]
    weighty = sorted(telling, key=lambda one: (-one.poignancy - 2 * rng.random(), one.id))
    kinds = {"memory": "memory", "chat": "memory", "event": "memory", "thought": "thought", "plan": "plan"}
    sorts: list[list[str]] = [
        [frames.say("person", other=name) for name in people[:3]],
        [frames.say(kinds[one.type], gist=_core(one, v.situation, lang)) for one in weighty[:4] if one.poignancy >= 4],
        [frames.say("pair", other=people[0], third=people[1])] if len(people) > 1 else [],
        [frames.say("interest", interest=interest) for interest in v.situation.me.interests[:1]],
    ]
    first, rest = sorts[:2], shuffled([*sorts[2:], [frames.say("days")]], rng)
    for nth in range(4):
        for sort in (*first, *rest):
            yield from sort[nth : nth + 1]
    for key in ("days",) * v.questions:
        yield frames.say(key)


def _people(situation: Situation, memories: Sequence[Concept], rng: Random) -> list[str]:
    """Names of the others in the memories, those who weigh most first."""
    known = names(situation)
    weights: dict[str, float] = {}
    for memory in memories:
        for one in memory.about:
            if one in known:
                weights[one] = weights.get(one, 0.0) + memory.poignancy * rng.random()
    return [known[one] for one in sorted(weights, key=lambda one: (-weights[one], one))]


# reflect_insights --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the memories at `evidence` (positions from 1) show; `subject` is what it is about."""

    frame: str
    subject: str
    evidence: tuple[int, ...]
    fields: dict[str, str]
    worth: float


def answer_reflect_insights(v: InsightsVars, rng: Random, lang: Lang) -> InsightsReply:
    """What the memories have in common, most telling first, each frame and each subject once."""
    frames = Frames(v.situation, "insights", lang, rng)
    found = sorted(_findings(v, rng, lang), key=lambda one: -one.worth - 2 * rng.random() - 4 * (one.subject in v.question))
    wanted = min(v.insights, rng.choice(INSIGHTS))
    insights: list[Insight] = []
    used: set[str] = set()
    for one in found:
        if len(insights) < wanted and not {one.frame, one.subject} & used:
            used |= {one.frame, one.subject}
            insights.append(Insight(thought=frames.say(one.frame, **one.fields), evidence=list(one.evidence)))
    return InsightsReply(insights=insights)


def _findings(v: InsightsVars, rng: Random, lang: Lang) -> Iterator[Finding]:
    numbered = [(at, one) for at, one in enumerate(v.memories, 1) if not is_day_plan(one)]
    known = names(v.situation)
    asked = {person for person, name in known.items() if name in v.question}
    for person in known:
        about = [(at, one) for at, one in numbered if person in one.about and (person in asked or not asked)]
        if about:
            yield from _about_person(v.situation, person, known[person], about, lang)
    news = [one for one in _fresh_news(v, numbered, lang) if asked & {*one[1].about} or _subject(one[2], lang) in v.question]
    yield from _about_news(v.situation, news, lang)
    yield from _about_self(v.situation, numbered, rng, lang)
    yield from _about_thoughts(v.situation, numbered, rng, lang)
    if not asked:
        yield from _about_times(numbered)


Numbered = list[tuple[int, Concept]]


def _fresh_news(v: InsightsVars, numbered: Numbered, lang: Lang) -> list[tuple[int, Concept, str]]:
    """(position, memory, core) of what matters, is still to come if it was agreed on, and hasn't been thought over in whatever words."""
    thought_of = {_subject(_core(one, v.situation, lang), lang) for _, one in numbered if one.type == "thought" and one.evidence}
    found = []
    for at, one in numbered:
        past = one.type == "plan" and is_over(one, v.situation.now, lang)
        seen = is_sighting(one.text, lang) or (_is_activity(one, lang) and not weight(one.text, lang))
        if one.type == "thought" or one.poignancy < NEWS or past or seen:
            continue
        core = told(one, v.situation, lang).text if one.type == "chat" else _core(one, v.situation, lang)
        if core and _subject(core, lang) not in thought_of:
            found.append((at, one, _core(one, v.situation, lang)))
    return found


def _subject(core: str, lang: Lang) -> str:
    """What tells one piece of news from another, however it is worded: its topic, or how it begins."""
    return topic_of(core, phrase_bank(lang)) or core[: BEGINNING[lang]]


def _at(memories: Numbered) -> tuple[int, ...]:
    return tuple(at for at, _ in memories[-EVIDENCE:])


def _core(memory: Concept, situation: Situation, lang: Lang) -> str:
    return gist(memory, situation, lang, GIST_LENGTH[lang])


def _about_person(situation: Situation, person: str, name: str, about: Numbered, lang: Lang) -> Iterator[Finding]:
    who = {"other": name}
    seen = _activities(about, person, {person}, lang)
    talks = [(at, one) for at, one in about if one.type == "chat"]
    if len(about) >= 3:
        yield Finding("often", name, _at(about), who, 1.5)
    if len(seen) >= 2:
        (activity, first), (another, second) = list(seen.items())[-2:]
        yield Finding("busy", name, (first, second), who | {"activity": activity, "another": another}, 2.0)
    elif seen:
        yield Finding("doing", name, tuple(seen.values()), who | {"activity": next(iter(seen))}, 1.5)
    if talks:
        yield Finding("talks", name, _at(talks), who, 0.5 + len(talks))
    if close_to(situation.me, person) >= DEAR:
        yield Finding("close", name, _at(about), who, 1.0)


def _activities(memories: Numbered, who: str, about: set[str], lang: Lang) -> dict[str, int]:
    """What `who` was seen doing, with the last position of each. Talking is no activity of one's own, nor are long ones fit to quote."""
    return {
        plain(one.predicate, lang): at
        for at, one in memories
        if one.type == "event" and one.subject == who and {*one.about} <= about and _is_activity(one, lang)
    }


def _is_activity(event: Concept, lang: Lang) -> bool:
    """Whether the event was seen somewhere, as against heard of or known from the start, and is short enough to quote."""
    seen = bool(event.address) and not event.talk and event.predicate in event.text
    seen = seen and not any(word in event.predicate for word in phrase_bank(lang).words["not_worth_mention"])
    return seen and 0 < len(event.predicate) <= LONGEST_ACTIVITY[lang]


def _about_news(situation: Situation, news: Sequence[tuple[int, Concept, str]], lang: Lang) -> Iterator[Finding]:
    """What was agreed, heard or talked about; what somebody tells of itself is told in confidence."""
    known = names(situation)
    for at, one, core in news:
        frame = "agreed" if one.talk and one.type == "plan" else "plan" if one.type == "plan" else "news"
        yield Finding(frame, _subject(core, lang), (at,), {"gist": core}, 2.5 if one.type == "plan" else one.poignancy / 2)
        if one.predicate == "hear" and one.object in known:
            teller = known[one.object]
            frame = "confided" if core.startswith(teller) else "told"
            yield Finding(frame, _subject(core, lang), (at,), {"other": teller, "gist": core}, one.poignancy / 2)


def _about_self(situation: Situation, numbered: Numbered, rng: Random, lang: Lang) -> Iterator[Finding]:
    me = situation.me
    done = _activities(numbered, me.id, {me.id}, lang)
    activities = shuffled(done, rng)
    if len(activities) >= 2:
        first, second = sorted(activities[:2], key=lambda one: done[one])
        yield Finding("rhythm", me.id, (done[first], done[second]), {"activity": first, "another": second}, 1.5)
    for activity in activities[:1]:
        yield Finding("self", activity, (done[activity],), {"activity": activity}, 1.0)
    for interest in me.interests:
        told_of = [(at, one) for at, one in numbered if interest.lower() in one.text.lower()]
        if told_of:
            yield Finding("interest", interest, _at(told_of), {"interest": interest}, 1.0)


def _about_thoughts(situation: Situation, numbered: Numbered, rng: Random, lang: Lang) -> Iterator[Finding]:
    """Thoughts about thoughts, so that trees of reflection grow."""
    telling = ((at, one) for at, one in numbered if one.type == "thought" and one.poignancy >= 4 and not is_hollow(one.text, lang))
    thoughts = shuffled(telling, rng)
    quoted = " ".join(one.text for _, one in numbered if "“" in one.text)
    cores = {core.translate(INNER): at for at, one in thoughts if len(core := _core(one, situation, lang)) <= QUOTE_LENGTH[lang]}
    cores = {core: at for core, at in cores.items() if f"“{core}”" not in quoted}
    if len(cores) >= 2:
        (one, first), (other, second) = list(cores.items())[:2]
        fields = {"gist": one, "second": other, "value": _value(f"{one} {other}", situation, lang)}
        yield Finding("deeper", one, tuple(sorted((first, second))), fields, 2.0)
    for core, at in list(cores.items())[:1]:
        yield Finding("value", core, (at,), {"gist": core, "value": _value(core, situation, lang)}, 1.5)


def _value(text: str, situation: Situation, lang: Lang) -> str:
    """What the text stands for, by its words; for want of any, what matters to this resident anyway."""
    values: dict[str, list[str]] = bank(lang, "reflecting")["values"]
    own = list(values)[situation.me.age % len(values)]
    return next((value for value, words in values.items() if has(text, tuple(words))), own)


def _about_times(numbered: Numbered) -> Iterator[Finding]:
    if not numbered:
        return
    mean = sum(one.poignancy for _, one in numbered) / len(numbered)
    if mean <= QUIET:
        yield Finding("quiet", "", _at(numbered), {}, 1.0)
    elif mean >= FULL:
        yield Finding("full", "", _at(numbered), {}, 1.0)


# reflect_chats -----------------------------------------------------------------------------


def answer_reflect_chats(v: ChatsVars, rng: Random, lang: Lang) -> ChatsReply:
    """Of each talk what weighed most, to keep, to follow up or to pass on; of small talk, at times, a feeling."""
    frames = Frames(v.situation, "chats", lang, rng)
    known = names(v.situation)
    thoughts: list[ChatThought] = []
    for number, chat in enumerate(v.chats, 1):
        other = next((known[one] for one in chat.about if one in known), "")
        core = _core(chat, v.situation, lang)
        heard = told(chat, v.situation, lang)
        if heard.text:
            public = heard.news and weight(core, lang) >= NEWS and bool(topic_of(core, phrase_bank(lang)))
            thoughts.append(_kept(number, core, other, frames, rng, public))
        elif other and rng.random() < SMALL_TALK_KEPT:
            thoughts.append(ChatThought(chat=number, memo=frames.say("light", other=other)))
    return ChatsReply(thoughts=thoughts[:20])


def _kept(number: int, core: str, other: str, frames: Frames, rng: Random, public: bool) -> ChatThought:
    """One thought a talk, since two would say the same thing twice: to keep it, to come back to it, or to pass it on."""
    if not other:
        return ChatThought(chat=number, memo=frames.say("memo_plain", gist=core))
    if rng.random() < 0.5:
        return ChatThought(chat=number, memo=frames.say("memo", other=other, gist=core))
    return ChatThought(chat=number, plan=frames.say("tell" if public else "plan", other=other, gist=core))
