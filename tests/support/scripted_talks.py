"""Talks of the scripted model: the residents of minitown with a memory as simple as can be, and
scenes between two of them.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache

from hometown.clock import minute_of_day
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.dialogue import (
    Companion,
    ConversationSummaryReply,
    ConversationSummaryVars,
    DialogueLine,
    UtteranceVars,
)
from hometown.prompt.prompt import Situation
from hometown.prompt.reactions import Neighbour
from hometown.scripted.phrases import bank
from hometown.scripted.talking import answer_talk_summary, answer_utterance
from hometown.world.load import load_world
from hometown.world.persona import Persona
from hometown.world.rows import Relation, earlier_lines
from hometown.world.world import World, arena_of

START = datetime(2025, 2, 13, 8, 0)


def summary_vars(
    heard: UtteranceVars, people: tuple[tuple[str, str], ...], place: str
) -> ConversationSummaryVars:
    """With what the one who began is asked at the end."""
    return ConversationSummaryVars.after(
        heard, people=people, pronouns=((), ()), place=place, sites=(), recounts=True
    )


@dataclass
class Town:
    """Residents with memory and retrieval, and nothing else of the engine."""

    world: World
    seed: int
    memories: dict[str, list[Concept]] = field(default_factory=lambda: defaultdict(list))
    relations: dict[tuple[str, str], Relation] = field(
        default_factory=lambda: defaultdict(Relation)
    )
    now: datetime = START

    def __post_init__(self) -> None:
        for who, persona in self.world.personas.items():
            for seed in persona.seeds:
                self.remember(who, seed.type, seed.text, seed.poignancy, seed.about)

    @property
    def lang(self) -> Lang:
        return self.world.lang

    def remember(
        self,
        who: str,
        kind: str,
        text: str,
        poignancy: int,
        about: tuple[str, ...] = (),
        talk: str = "",
        address: str = "",
    ) -> None:
        kept = self.memories[who]
        kept.append(
            Concept(
                len(kept) + 1,
                kind,  # type: ignore[arg-type]
                text,
                who,
                "",
                "",
                address,
                poignancy,
                self.now,
                self.now + timedelta(30),
                (),
                talk,
                about,
            )
        )

    def recall(self, who: str, other: str, line: str) -> tuple[Concept, ...]:
        """Ten memories by importance and by shared characters, as retrieval would."""
        name = self.world.personas[other].name

        def score(memory: Concept) -> float:
            shared = len(
                set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", memory.text))
                & set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", line))
            )
            return (
                memory.poignancy + 4 * (name in memory.text) + shared + 2 * (other in memory.about)
            )

        return tuple(
            sorted(self.memories[who], key=lambda memory: (-score(memory), -memory.id))[:14]
        )

    def habit(self, who: str, minute: int) -> tuple[str, str]:
        persona = self.world.personas[who]
        habits = [
            habit for habit in persona.habits if not habit.days or self.now.weekday() in habit.days
        ]
        return next(
            (
                (habit.activity, habit.place)
                for habit in habits
                if habit.start <= minute < habit.end
            ),
            ("", "park/grounds"),
        )

    def neighbour(self, who: str, other: str) -> Neighbour:
        me, them = self.world.personas[who], self.world.personas[other]
        doing = self.habit(other, minute_of_day(self.now))[0]
        closeness = (me.closeness or {}).get(other, 0)
        relation = self.relations[who, other]
        return Neighbour(
            other,
            them.name,
            them.occupation,
            doing,
            me.relation_to(other),
            closeness,
            relation.talks,
            relation.last,
            is_latecomer=them.is_latecomer,
        )

    def situation(self, who: str, where: str) -> Situation:
        me: Persona = self.world.personas[who]
        return Situation(
            me,
            me.currently,
            self.now,
            where,
            self.habit(who, minute_of_day(self.now))[0],
            names=self.world.names,
            lang=self.lang,
            earlier=tuple(
                (other, line)
                for other, _ in self.world.names
                for line in earlier_lines(self.relations[who, other])
            ),
        )

    def utterance(
        self, who: str, other: str, where: str, lines: list[DialogueLine], number: int
    ) -> UtteranceVars:
        minute, me = minute_of_day(self.now), self.world.personas[who]
        habits = [
            habit for habit in me.habits if not habit.days or self.now.weekday() in habit.days
        ]
        places = tuple(
            (address, self.world.place_name(address))
            for address, arena in self.world.arenas.items()
            if arena.public and not address.startswith("outdoors")
        )
        memories = self.recall(who, other, lines[-1].text if lines else "")
        plan = tuple((habit.start, habit.activity) for habit in habits if habit.start > minute)[:6]
        return UtteranceVars(
            self.situation(who, where),
            (Companion(self.neighbour(who, other)),),
            "",
            memories,
            tuple(lines),
            6,
            plan,
            ((minute, 22 * 60),),
            places,
        )

    def talk(
        self, a: str, b: str, ordinal: int
    ) -> tuple[list[DialogueLine], ConversationSummaryVars]:
        where = self.world.place_name(arena_of(self.habit(a, minute_of_day(self.now))[1]))
        lines: list[DialogueLine] = []
        for turn in range(8):
            who, other = (a, b) if turn % 2 == 0 else (b, a)
            v = self.utterance(who, other, where, lines, turn // 2)
            reply = answer_utterance(
                v, random.Random(f"{self.seed}/{who}/{ordinal}/{turn}"), self.lang
            )
            lines.append(DialogueLine(who, self.world.personas[who].name, reply.say))
            if reply.end:
                break
        people = tuple((person, self.world.personas[person].name) for person in (a, b))
        heard = replace(self.utterance(a, b, where, [], 0), lines=tuple(lines))
        return lines, summary_vars(heard, people, where)

    def keep(self, v: ConversationSummaryVars, ordinal: int) -> ConversationSummaryReply:
        a, b = (person for person, _ in v.people)
        reply = answer_talk_summary(v, random.Random(f"{self.seed}/sum/{ordinal}"), self.lang)
        hers = replace(
            v,
            situation=self.situation(b, v.place),
            company=(Companion(self.neighbour(b, a)),),
            recounts=False,
        )
        learnt = {
            a: reply.learnt,
            b: answer_talk_summary(
                hers, random.Random(f"{self.seed}/sum/{ordinal}/b"), self.lang
            ).learnt,
        }
        for who, other in ((a, b), (b, a)):
            said = [line.text for line in v.lines if line.speaker == who]
            self.relations[who, other] = self.relations[who, other].after(said, self.now)
            self.remember(who, "chat", reply.summary, 5, (other,), f"{ordinal}-{a}", "cafe/main")
            for news in learnt[who]:
                self.remember(who, "event", news.what, 6, (other,), f"{ordinal}-{a}", "cafe/main")
        return reply

    def day(self, talks: int = 18) -> list[tuple[list[DialogueLine], ConversationSummaryReply]]:
        rng, ids, held = random.Random(self.seed), list(self.world.personas), []
        for ordinal in range(talks):
            self.now = START + timedelta(minutes=45 * ordinal)
            opener, partner = rng.sample(ids, 2)
            lines, v = self.talk(opener, partner, ordinal)
            held.append((lines, self.keep(v, ordinal)))
        return held


@lru_cache
def world(lang: Lang) -> World:
    return load_world("minitown", lang)


def settle_newcomer(town: World, newcomer: str) -> World:
    """The town in which one resident has arrived only now and knows nobody, nor anybody them."""

    def forget(person: Persona) -> Persona:
        others = {} if person.id == newcomer else dict(person.relations or {})
        others.pop(newcomer, None)
        return replace(person, relations=others, closeness=None, is_latecomer=person.id == newcomer)

    return replace(town, personas={who: forget(each) for who, each in town.personas.items()})


def scene_of(
    lang: Lang, mine: list[str], *, other_knows: str = "", lines: tuple[DialogueLine, ...] = ()
) -> UtteranceVars:
    """Chen Siyuan speaks to Lin Yue, with nothing in mind but these memories."""
    town = Town(
        replace(
            world(lang),
            personas={
                person: replace(who, seeds=()) for person, who in world(lang).personas.items()
            },
        ),
        1,
    )
    for text in mine:
        town.remember("chen_siyuan", "thought", text, 8)
    if other_knows:
        town.remember("chen_siyuan", "chat", other_knows, 5, ("lin_yue",), "1-lin_yue")
    v = town.utterance("chen_siyuan", "lin_yue", "Starlight Café", list(lines), len(lines) // 2)
    return replace(v, company=(Companion(replace(v.other, closeness=8)),))


def replies(lang: Lang, texts: list[str], mine: tuple[str, ...] = ()) -> list[list[str]]:
    """Return the acts of Chen Siyuan's replies to the lines, the last of which is Lin Yue's."""
    speakers = ["lin_yue", "chen_siyuan"] * 4
    first = (len(texts) + 1) % 2
    lines = tuple(
        DialogueLine(who, who, text) for who, text in zip(speakers[first:], texts, strict=False)
    )
    v = scene_of(lang, list(mine), lines=lines)
    says = (answer_utterance(v, random.Random(seed), lang).say for seed in range(30))
    return [[move.act for move in bank(lang).recognise(say)] for say in says]
