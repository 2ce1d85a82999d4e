"""Rules for reflection: questions about recurring people and subjects, and insights that generalise
over memories.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from random import Random

from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import DENSITY, MOST_SETTLED
from hometown.prompt.night_gist import (
    GIST_LENGTH,
    NightGistReply,
    NightGistVars,
    quote_most_repeated,
)
from hometown.prompt.prompt import Situation
from hometown.prompt.reactions import RatedEvent
from hometown.prompt.reflections import (
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
from hometown.scripted.clauses import is_over, matter_of, topic_of
from hometown.scripted.findings import core_of, findings_for
from hometown.scripted.gist import is_light, takeaway
from hometown.scripted.noticing import NEWS, rating, weight
from hometown.scripted.phrases import bank as phrase_bank
from hometown.scripted.words import (
    clip,
    is_day_plan,
    known_names,
    objective,
    possessive,
    read_bank,
    shuffle,
)
from hometown.text import capital

INSIGHTS = (2, 2, 2, 3)
"""Possible numbers of insights for one question, chosen by chance."""

CHATTER_KEPT = 0.4
"""Probability that small talk yields a thought."""


class FilledPhrases:
    """The phrases of one group, filled for one resident and clipped at the end of a clause or a
    word.
    """

    def __init__(self, situation: Situation, group: str, lang: Lang, rng: Random) -> None:
        self.phrases: dict[str, list[str]] = read_bank(lang, "reflecting")[group]
        self.lang, self.rng = lang, rng
        self.fixed = {
            "me": situation.me.name,
            "possessive": possessive(situation.me, lang),
            "objective": objective(situation.me, lang),
        }

    def say(self, key: str, **fields: str) -> str:
        """Return a random phrase of a key, filled, clipped and with a capital."""
        text = self.rng.choice(self.phrases[key]).format(**self.fixed, **fields)
        return capital(clip(text, round(LONGEST * DENSITY[self.lang]), self.lang))


# reflect_focus -----------------------------------------------------------------------------


def answer_reflect_focus(v: FocusVars, rng: Random, lang: Lang) -> FocusReply:
    """Return questions about recurring people and subjects, one of each sort before a second of
    any, and the thoughts that conversations lead to.
    """
    frames = FilledPhrases(v.situation, "questions", lang, rng)
    memories = tuple(sorted((*v.memories, *v.chats), key=lambda memory: memory.id))
    asked = list(dict.fromkeys(_list_questions(replace(v, memories=memories), frames, rng, lang)))
    thoughts = answer_reflect_chats(ChatsVars(v.situation, v.chats), rng, lang).thoughts
    return FocusReply(questions=list(islice(cycle(asked), v.questions)), thoughts=thoughts)


def _list_questions(v: FocusVars, frames: FilledPhrases, rng: Random, lang: Lang) -> Iterator[str]:
    """Yield questions, one of each sort before a second of any: people, weighty memories, then in
    random order a pair, an interest and the days, which also fill the rest.
    """
    people = _list_people(v.situation, v.memories, rng)
    telling = [
        memory
        for memory in v.memories
        if not is_day_plan(memory)
        and (memory.type != "chat" or takeaway(memory, v.situation, lang).text)
    ]
    weighty = sorted(telling, key=lambda memory: (-memory.poignancy - 2 * rng.random(), memory.id))
    kinds = {
        "memory": "memory",
        "chat": "memory",
        "event": "memory",
        "thought": "thought",
        "plan": "plan",
    }
    sorts: list[list[str]] = [
        [frames.say("person", other=name) for name in people[:3]],
        [
            frames.say(kinds[memory.type], gist=core_of(memory, v.situation, lang))
            for memory in weighty[:4]
            if memory.poignancy >= 4
        ],
        [frames.say("pair", other=people[0], third=people[1])] if len(people) > 1 else [],
        [frames.say("interest", interest=interest) for interest in v.situation.me.interests[:1]],
    ]
    first, rest = sorts[:2], shuffle([*sorts[2:], [frames.say("days")]], rng)
    for nth in range(4):
        for sort in (*first, *rest):
            yield from sort[nth : nth + 1]
    for key in ("days",) * v.questions:
        yield frames.say(key)


def _list_people(situation: Situation, memories: Sequence[Concept], rng: Random) -> list[str]:
    """Return the names of the known residents whom the memories are about, in descending order of
    the sum of the memories' poignancy, each times a random factor from 0 to 1.
    """
    known = known_names(situation)
    weights: dict[str, float] = {}
    for memory in memories:
        for person in memory.about:
            if person in known:
                weights[person] = weights.get(person, 0.0) + memory.poignancy * rng.random()
    return [
        known[person] for person in sorted(weights, key=lambda person: (-weights[person], person))
    ]


# reflect_insights --------------------------------------------------------------------------


def answer_reflect_insights(v: InsightsVars, rng: Random, lang: Lang) -> InsightsReply:
    """Return insights from the memories, up to `v.insights` in all, and the numbers of the memories
    of agreements that are over.

    Each question is answered by one of the numbers in `INSIGHTS` of findings, chosen at random: the
    most valuable, with some random variation. No two have the same wording (`Finding.frame`) or
    subject.
    """
    frames = FilledPhrases(v.situation, "insights", lang, rng)
    insights: list[Insight] = []
    used: set[str] = set()
    for question in v.questions:
        findings = sorted(
            findings_for(v, question, rng, lang),
            key=lambda finding: (
                -finding.worth - 2 * rng.random() - 4 * (finding.subject in question)
            ),
        )
        wanted = min(v.insights, len(insights) + rng.choice(INSIGHTS))
        for finding in findings:
            if len(insights) < wanted and not {finding.frame, finding.subject} & used:
                used |= {finding.frame, finding.subject}
                thought = frames.say(finding.frame, **finding.fields)
                insights.append(
                    Insight(
                        thought=thought,
                        evidence=list(finding.evidence),
                        weight=_rate(thought, v, rng, lang),
                    )
                )
    settled = [
        number
        for number, memory in enumerate(v.memories, 1)
        if memory.predicate == "agree" and is_over(memory, v.situation.now, lang)
    ]
    return InsightsReply(insights=insights, settled=settled[:MOST_SETTLED])


def _rate(thought: str, v: InsightsVars | ChatsVars, rng: Random, lang: Lang) -> int:
    """Return the poignancy of a thought by rule."""
    return rating(RatedEvent(thought, "thought"), v.situation.me, (), rng, lang)


# reflect_chats -----------------------------------------------------------------------------


def answer_reflect_chats(v: ChatsVars, rng: Random, lang: Lang) -> ChatsReply:
    """Return the most important point of each conversation, to remember, follow up or pass on; of
    small talk sometimes an impression.
    """
    frames = FilledPhrases(v.situation, "chats", lang, rng)
    known = known_names(v.situation)
    thoughts: list[ChatThought] = []
    for number, chat in enumerate(v.chats, 1):
        other = next((known[person] for person in chat.about if person in known), "")
        core = core_of(chat, v.situation, lang)
        kept = takeaway(chat, v.situation, lang)
        if kept.text:
            public = kept.news and _is_public(core, v.situation, lang)
            thoughts.append(_make_chat_thought(number, core, other, frames, rng, public))
        elif other and is_light(chat, v.situation, lang) and rng.random() < CHATTER_KEPT:
            thoughts.append(ChatThought(chat=number, memo=frames.say("light", other=other)))
    weighed = [
        noted.model_copy(update={"weight": _rate(noted.plan or noted.memo, v, rng, lang)})
        for noted in thoughts[:MOST_CHATS]
    ]
    return ChatsReply(thoughts=weighed)


def _is_public(core: str, situation: Situation, lang: Lang) -> bool:
    """Return True if what was told is news for others: on a topic of the town, no secret, and not
    about the resident, who only heard what concerns them.
    """
    words = phrase_bank(lang)
    return (
        weight(core, lang) >= NEWS
        and bool(topic_of(core, words))
        and matter_of(core, words) != "secret"
        and situation.me.name not in core
    )


def _make_chat_thought(
    number: int, core: str, other: str, frames: FilledPhrases, rng: Random, public: bool
) -> ChatThought:
    """Return the thought after a talk: to keep its point, to come back to it, or to pass it on. A
    second thought would repeat the first.
    """
    if not other:
        return ChatThought(chat=number, memo=frames.say("memo_plain", gist=core))
    if rng.random() < 0.5:
        return ChatThought(chat=number, memo=frames.say("memo", other=other, gist=core))
    return ChatThought(
        chat=number, plan=frames.say("tell" if public else "plan", other=other, gist=core)
    )


# night_gist --------------------------------------------------------------------------------


def answer_night_gist(v: NightGistVars, rng: Random, lang: Lang) -> NightGistReply:
    """Return the gist by rule, clipped to its length."""
    return NightGistReply(
        gist=clip(quote_most_repeated(v), round(GIST_LENGTH * DENSITY[lang]), lang)
    )
