"""Rules for reflection: questions about recurring people and subjects, and insights that generalise over memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from random import Random

from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import DENSITY
from hometown.prompt.noticing import Happening
from hometown.prompt.prompt import Situation
from hometown.prompt.reflecting import (
    LONGEST,
    MOST_CHATS,
    ChatsReply,
    ChatsVars,
    ChatThought,
    FocusReply,
    FocusVars,
    Insight,
    InsightsReply,
    InsightsVars,
)
from hometown.scripted.gist import gist, is_hollow, takeaway
from hometown.scripted.gossip import is_over, topic_of
from hometown.scripted.noticing import DEAR, NEWS, close_to, is_sighting, rating, weight
from hometown.scripted.phrases import bank as phrase_bank
from hometown.scripted.pursuits import plain
from hometown.scripted.words import bank, capital, clip, has, is_day_plan, names, objective, possessive, shuffled

INSIGHTS = (2, 2, 2, 3)
"""How many insights one question yields, by chance."""

CHATTER_KEPT = 0.4
"""Probability that small talk yields a thought."""

EVIDENCE = 4
GIST_LENGTH = {"en": 170, "zh": 80}
QUOTE_LENGTH = {"en": 105, "zh": 50}
"""Letters of a memory's gist that a thought may hold, and of each where it holds two."""

BEGINNING = {"en": 40, "zh": 14}
"""Characters by which two wordings of one piece of news are recognised as the same."""

LONGEST_ACTIVITY = {"en": 70, "zh": 24}
"""Letters of an activity that can be named in passing."""

INNER = str.maketrans("“”", "‘’")
"""Quotation marks within quotation marks."""

QUIET, FULL = 2.6, 4.5
"""Mean poignancy up to which days count as quiet, and from which on as full."""


class Frames:
    """The phrases of one group, filled for one resident and clipped at the end of a clause or a word."""

    def __init__(self, situation: Situation, group: str, lang: Lang, rng: Random) -> None:
        self.phrases: dict[str, list[str]] = bank(lang, "reflecting")[group]
        self.lang, self.rng = lang, rng
        self.fixed = {"me": situation.me.name, "possessive": possessive(situation.me, lang), "objective": objective(situation.me, lang)}

    def say(self, key: str, **fields: str) -> str:
        text = self.rng.choice(self.phrases[key]).format(**self.fixed, **fields)
        return capital(clip(text, round(LONGEST * DENSITY[self.lang]), self.lang))


# reflect_focus -----------------------------------------------------------------------------


def answer_reflect_focus(v: FocusVars, rng: Random, lang: Lang) -> FocusReply:
    """Questions about who and what recurs: one of each sort before a second of any; and what conversations lead to."""
    frames = Frames(v.situation, "questions", lang, rng)
    memories = tuple(sorted((*v.memories, *v.chats), key=lambda memory: memory.id))
    asked = list(dict.fromkeys(_questions(replace(v, memories=memories), frames, rng, lang)))
    thoughts = answer_reflect_chats(ChatsVars(v.situation, v.chats), rng, lang).thoughts
    return FocusReply(questions=list(islice(cycle(asked), v.questions)), thoughts=thoughts)


def _questions(v: FocusVars, frames: Frames, rng: Random, lang: Lang) -> Iterator[str]:
    people = _people(v.situation, v.memories, rng)
    telling = [memory for memory in v.memories if not is_day_plan(memory) and (memory.type != "chat" or takeaway(memory, v.situation, lang).text)]
    weighty = sorted(telling, key=lambda memory: (-memory.poignancy - 2 * rng.random(), memory.id))
    kinds = {"memory": "memory", "chat": "memory", "event": "memory", "thought": "thought", "plan": "plan"}
    sorts: list[list[str]] = [
        [frames.say("person", other=name) for name in people[:3]],
        [frames.say(kinds[memory.type], gist=_core(memory, v.situation, lang)) for memory in weighty[:4] if memory.poignancy >= 4],
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
        for person in memory.about:
            if person in known:
                weights[person] = weights.get(person, 0.0) + memory.poignancy * rng.random()
    return [known[person] for person in sorted(weights, key=lambda person: (-weights[person], person))]


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
    """Insights from the memories, the most valuable first, each frame and each subject once."""
    frames = Frames(v.situation, "insights", lang, rng)
    insights: list[Insight] = []
    used: set[str] = set()
    for question in v.questions:
        findings = sorted(_findings(v, question, rng, lang), key=lambda finding: -finding.worth - 2 * rng.random() - 4 * (finding.subject in question))
        wanted = min(v.insights, len(insights) + rng.choice(INSIGHTS))
        for finding in findings:
            if len(insights) < wanted and not {finding.frame, finding.subject} & used:
                used |= {finding.frame, finding.subject}
                thought = frames.say(finding.frame, **finding.fields)
                insights.append(Insight(thought=thought, evidence=list(finding.evidence), weight=_weight(thought, v, rng, lang)))
    return InsightsReply(insights=insights)


def _weight(thought: str, v: InsightsVars | ChatsVars, rng: Random, lang: Lang) -> int:
    """How much a thought matters."""
    return rating(Happening(thought, "thought"), v.situation.me, (), rng, lang)


def _findings(v: InsightsVars, question: str, rng: Random, lang: Lang) -> Iterator[Finding]:
    numbered = [(at, memory) for at, memory in enumerate(v.memories, 1) if not is_day_plan(memory)]
    known = names(v.situation)
    asked = {person for person, name in known.items() if name in question}
    for person in known:
        about = [(at, memory) for at, memory in numbered if person in memory.about and (person in asked or not asked)]
        if about:
            yield from _about_person(v.situation, person, known[person], about, lang)
    news = [item for item in _fresh_news(v, numbered, lang) if asked & {*item[1].about} or _subject(item[2], lang) in question]
    yield from _about_news(v.situation, news, lang)
    yield from _about_self(v.situation, numbered, rng, lang)
    yield from _about_thoughts(v.situation, numbered, rng, lang)
    if not asked:
        yield from _about_times(numbered)


Numbered = list[tuple[int, Concept]]


def _fresh_news(v: InsightsVars, numbered: Numbered, lang: Lang) -> list[tuple[int, Concept, str]]:
    """(position, memory, core) of what matters, is still to come if it was agreed on, and isn't the subject of an earlier thought in any wording."""
    thought_of = {_subject(_core(memory, v.situation, lang), lang) for _, memory in numbered if memory.type == "thought" and memory.evidence}
    fresh = []
    for at, memory in numbered:
        past = memory.type == "plan" and is_over(memory, v.situation.now, lang)
        seen = is_sighting(memory.text, lang) or (_is_activity(memory, lang) and not weight(memory.text, lang))
        if memory.type == "thought" or memory.poignancy < NEWS or past or seen:
            continue
        core = takeaway(memory, v.situation, lang).text if memory.type == "chat" else _core(memory, v.situation, lang)
        if core and _subject(core, lang) not in thought_of:
            fresh.append((at, memory, _core(memory, v.situation, lang)))
    return fresh


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
    talks = [(at, memory) for at, memory in about if memory.type == "chat"]
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
        plain(memory.predicate, lang): at
        for at, memory in memories
        if memory.type == "event" and memory.subject == who and {*memory.about} <= about and _is_activity(memory, lang)
    }


def _is_activity(event: Concept, lang: Lang) -> bool:
    """Whether the event was seen somewhere, as against heard of or known from the start, and is short enough to quote."""
    seen = bool(event.address) and not event.talk and event.predicate in event.text
    seen = seen and not any(word in event.predicate for word in phrase_bank(lang).words["not_worth_mention"])
    return seen and 0 < len(event.predicate) <= LONGEST_ACTIVITY[lang]


def _about_news(situation: Situation, news: Sequence[tuple[int, Concept, str]], lang: Lang) -> Iterator[Finding]:
    """Agreements, plans and news; what people tell about themselves counts as told in confidence."""
    known = names(situation)
    for at, memory, core in news:
        frame = "agreed" if memory.talk and memory.type == "plan" else "plan" if memory.type == "plan" else "news"
        yield Finding(frame, _subject(core, lang), (at,), {"gist": core}, 2.5 if memory.type == "plan" else memory.poignancy / 2)
        if memory.predicate == "hear" and memory.object in known:
            teller = known[memory.object]
            frame = "confided" if core.startswith(teller) else "told"
            yield Finding(frame, _subject(core, lang), (at,), {"other": teller, "gist": core}, memory.poignancy / 2)


def _about_self(situation: Situation, numbered: Numbered, rng: Random, lang: Lang) -> Iterator[Finding]:
    me = situation.me
    done = _activities(numbered, me.id, {me.id}, lang)
    activities = shuffled(done, rng)
    if len(activities) >= 2:
        first, second = sorted(activities[:2], key=lambda item: done[item])
        yield Finding("rhythm", me.id, (done[first], done[second]), {"activity": first, "another": second}, 1.5)
    for activity in activities[:1]:
        yield Finding("self", activity, (done[activity],), {"activity": activity}, 1.0)
    for interest in me.interests:
        mentions = [(at, memory) for at, memory in numbered if interest.lower() in memory.text.lower()]
        if mentions:
            yield Finding("interest", interest, _at(mentions), {"interest": interest}, 1.0)


def _about_thoughts(situation: Situation, numbered: Numbered, rng: Random, lang: Lang) -> Iterator[Finding]:
    """Thoughts about thoughts, so that trees of reflection grow."""
    telling = ((at, memory) for at, memory in numbered if memory.type == "thought" and memory.poignancy >= 4 and not is_hollow(memory.text, lang))
    thoughts = shuffled(telling, rng)
    quoted = " ".join(memory.text for _, memory in numbered if "“" in memory.text)
    cores = {core.translate(INNER): at for at, memory in thoughts if len(core := _core(memory, situation, lang)) <= QUOTE_LENGTH[lang]}
    cores = {core: at for core, at in cores.items() if f"“{core}”" not in quoted}
    if len(cores) >= 2:
        (first_gist, first), (second_gist, second) = list(cores.items())[:2]
        fields = {"gist": first_gist, "second": second_gist, "value": _value(f"{first_gist} {second_gist}", situation, lang)}
        yield Finding("deeper", first_gist, tuple(sorted((first, second))), fields, 2.0)
    for core, at in list(cores.items())[:1]:
        yield Finding("value", core, (at,), {"gist": core, "value": _value(core, situation, lang)}, 1.5)


def _value(text: str, situation: Situation, lang: Lang) -> str:
    """The value whose words occur in the text; otherwise one fixed for this resident."""
    values: dict[str, list[str]] = bank(lang, "reflecting")["values"]
    own = list(values)[situation.me.age % len(values)]
    return next((value for value, words in values.items() if has(text, tuple(words))), own)


def _about_times(numbered: Numbered) -> Iterator[Finding]:
    if not numbered:
        return
    mean = sum(memory.poignancy for _, memory in numbered) / len(numbered)
    if mean <= QUIET:
        yield Finding("quiet", "", _at(numbered), {}, 1.0)
    elif mean >= FULL:
        yield Finding("full", "", _at(numbered), {}, 1.0)


# reflect_chats -----------------------------------------------------------------------------


def answer_reflect_chats(v: ChatsVars, rng: Random, lang: Lang) -> ChatsReply:
    """The most important point of each conversation, to remember, follow up or pass on; of small talk sometimes an impression."""
    frames = Frames(v.situation, "chats", lang, rng)
    known = names(v.situation)
    thoughts: list[ChatThought] = []
    for number, chat in enumerate(v.chats, 1):
        other = next((known[person] for person in chat.about if person in known), "")
        core = _core(chat, v.situation, lang)
        kept = takeaway(chat, v.situation, lang)
        if kept.text:
            public = kept.news and weight(core, lang) >= NEWS and bool(topic_of(core, phrase_bank(lang)))
            thoughts.append(_kept(number, core, other, frames, rng, public))
        elif other and rng.random() < CHATTER_KEPT:
            thoughts.append(ChatThought(chat=number, memo=frames.say("light", other=other)))
    weighed = [noted.model_copy(update={"weight": _weight(noted.plan or noted.memo, v, rng, lang)}) for noted in thoughts[:MOST_CHATS]]
    return ChatsReply(thoughts=weighed)


def _kept(number: int, core: str, other: str, frames: Frames, rng: Random, public: bool) -> ChatThought:
    """One thought a talk, since two would say the same thing twice: to keep it, to come back to it, or to pass it on."""
    if not other:
        return ChatThought(chat=number, memo=frames.say("memo_plain", gist=core))
    if rng.random() < 0.5:
        return ChatThought(chat=number, memo=frames.say("memo", other=other, gist=core))
    return ChatThought(chat=number, plan=frames.say("tell" if public else "plan", other=other, gist=core))
