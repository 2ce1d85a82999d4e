"""Conversations of the scripted model, on the residents of minitown and a little town of their own."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest

from modules.clock import hhmm, minute_of_day
from modules.memory.concept import Concept
from modules.model.scripted import gossip
from modules.model.scripted.phrases import bank
from modules.model.scripted.talking import answer_relation, answer_talk_summary, answer_utterance
from modules.prompt.noticing import Neighbour
from modules.prompt.prompt import Situation
from modules.prompt.talking import RelationVars, Said, TalkSummaryVars, UtteranceVars
from modules.world.load import load_world
from modules.world.persona import Persona
from modules.world.world import LANGS, Lang, World

START = datetime(2025, 2, 13, 8, 0)


@dataclass
class Town:
    """Minds that remember and retrieve, and nothing else of the engine."""

    world: World
    seed: int
    memories: dict[str, list[Concept]] = field(default_factory=lambda: defaultdict(list))
    talks: Counter[tuple[str, str]] = field(default_factory=Counter)
    last: dict[tuple[str, str], datetime] = field(default_factory=dict)
    now: datetime = START

    def __post_init__(self) -> None:
        for who, persona in self.world.personas.items():
            for seed in persona.seeds:
                self.remember(who, seed.type, seed.text, seed.poignancy, seed.about)

    @property
    def lang(self) -> Lang:
        return self.world.lang

    def remember(self, who: str, kind: str, text: str, poignancy: int, about: tuple[str, ...] = (), talk: str = "", address: str = "") -> None:
        kept = self.memories[who]
        kept.append(Concept(len(kept) + 1, kind, text, who, "", "", address, poignancy, self.now, self.now + timedelta(30), (), talk, about))  # type: ignore[arg-type]

    def recall(self, who: str, other: str, heard: str) -> tuple[Concept, ...]:
        """Ten memories by importance and by shared characters, as retrieval would."""
        name = self.world.personas[other].name

        def score(one: Concept) -> float:
            shared = len(set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", one.text)) & set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", heard)))
            return one.poignancy + 4 * (name in one.text) + shared + 2 * (other in one.about)

        return tuple(sorted(self.memories[who], key=lambda one: (-score(one), -one.id))[:14])

    def habit(self, who: str, minute: int) -> tuple[str, str]:
        persona = self.world.personas[who]
        habits = [one for one in persona.habits if not one.days or self.now.weekday() in one.days]
        return next(((one.activity, one.place) for one in habits if one.start <= minute < one.end), ("", "park/grounds"))

    def neighbour(self, who: str, other: str) -> Neighbour:
        me, them = self.world.personas[who], self.world.personas[other]
        doing = self.habit(other, minute_of_day(self.now))[0]
        closeness = (me.closeness or {}).get(other, 0)
        return Neighbour(other, them.name, them.occupation, doing, me.relation_to(other), closeness, self.talks[who, other], self.last.get((who, other)))

    def situation(self, who: str, where: str) -> Situation:
        me: Persona = self.world.personas[who]
        return Situation(me, me.currently, self.now, where, self.habit(who, minute_of_day(self.now))[0])

    def utterance(self, who: str, other: str, where: str, lines: list[Said], number: int) -> UtteranceVars:
        minute, me = minute_of_day(self.now), self.world.personas[who]
        habits = [one for one in me.habits if not one.days or self.now.weekday() in one.days]
        places = tuple((one, self.world.place_name(one)) for one, arena in self.world.arenas.items() if arena.public and not one.startswith("outdoors"))
        memories = self.recall(who, other, lines[-1].text if lines else "")
        plan = tuple((one.start, one.activity) for one in habits if one.start > minute)[:6]
        return UtteranceVars(
            self.situation(who, where), self.neighbour(who, other), "", "", memories, tuple(lines), number, number == 3, plan, ((minute, 22 * 60),), places
        )

    def talk(self, a: str, b: str, ordinal: int) -> tuple[list[Said], TalkSummaryVars]:
        where = self.world.place_name(self.world.arena_of(self.habit(a, minute_of_day(self.now))[1]))
        lines: list[Said] = []
        for turn in range(8):
            who, other = (a, b) if turn % 2 == 0 else (b, a)
            v = self.utterance(who, other, where, lines, turn // 2)
            reply = answer_utterance(v, random.Random(f"{self.seed}/{who}/{ordinal}/{turn}"), self.lang)
            lines.append(Said(who, self.world.personas[who].name, reply.say))
            if reply.end:
                break
        people = tuple((one, self.world.personas[one].name) for one in (a, b))
        places = self.utterance(a, b, where, [], 0).places
        return lines, TalkSummaryVars(self.situation(a, where), b, people, where, self.now.date(), tuple(lines), places)

    def keep(self, v: TalkSummaryVars, ordinal: int) -> str:
        a, b = (one for one, _ in v.people)
        reply = answer_talk_summary(v, random.Random(f"{self.seed}/sum/{ordinal}"), self.lang)
        for who, other in ((a, b), (b, a)):
            self.talks[who, other] += 1
            self.last[who, other] = self.now
            self.remember(who, "chat", reply.summary, 5, (other,), f"{ordinal}-{a}", "cafe/main")
            for news in reply.learnt:
                if news.who == who:
                    self.remember(who, "event", news.what, 6, (other,), f"{ordinal}-{a}", "cafe/main")
        return f"{reply.summary}\n   learnt {[(one.who, one.what) for one in reply.learnt]}\n   agreed {[one.model_dump() for one in reply.commitments]}"

    def day(self, talks: int = 18, show: bool = False) -> list[str]:
        rng, ids, said = random.Random(self.seed), list(self.world.personas), []
        for ordinal in range(talks):
            self.now = START + timedelta(minutes=45 * ordinal)
            a, b = rng.sample(ids, 2)
            lines, v = self.talk(a, b, ordinal)
            said += [line.text for line in lines]
            kept = self.keep(v, ordinal)
            if show:
                print(f"\n--- {hhmm(minute_of_day(self.now))} {v.place}")
                print("\n".join(f"{line.name}: {line.text}" for line in lines))
                print("  =>", kept)
        return said


def six_grams(lines: list[str], lang: Lang) -> Counter[tuple[str, ...]]:
    """In how many lines each run of six words occurs."""
    found: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        words = words_of(line, lang)
        found.update({tuple(words[i : i + 6]) for i in range(len(words) - 5)})
    return found


def words_of(line: str, lang: Lang) -> list[str]:
    if lang == "zh":
        import jieba

        return [word for word in jieba.lcut(line) if re.search(r"\w", word)]
    return [word for raw in line.lower().split() if (word := re.sub(r"[^\w']", "", raw))]
