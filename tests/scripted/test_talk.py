"""Conversations of the scripted model, on the residents of minitown with a memory as simple as can be."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.clock import minute_of_day
from hometown.language import LANGS, Lang
from hometown.memory.concept import Concept
from hometown.prompt.noticing import Neighbour
from hometown.prompt.prompt import Situation
from hometown.prompt.talking import Companion, ConversationSummaryReply, ConversationSummaryVars, DialogueLine, RelationVars, UtteranceVars
from hometown.scripted import gossip
from hometown.scripted.grammar import as_me, as_them
from hometown.scripted.phrases import SLOT, bank
from hometown.scripted.talking import answer_relation, answer_talk_summary, answer_utterance
from hometown.world.load import load_world
from hometown.world.persona import Persona
from hometown.world.verbs import bare, third
from hometown.world.world import World, arena_of

START = datetime(2025, 2, 13, 8, 0)


def summary_vars(heard: UtteranceVars, people: tuple[tuple[str, str], ...], place: str) -> ConversationSummaryVars:
    """With what the one who began is asked at the end."""
    return ConversationSummaryVars.after(heard, people=people, pronouns=((), ()), place=place, days=(heard.situation.now.date(),), sites=(), recounts=True)


@dataclass
class Town:
    """Residents with memory and retrieval, and nothing else of the engine."""

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

    def recall(self, who: str, other: str, line: str) -> tuple[Concept, ...]:
        """Ten memories by importance and by shared characters, as retrieval would."""
        name = self.world.personas[other].name

        def score(memory: Concept) -> float:
            shared = len(set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", memory.text)) & set(re.findall(r"\w{4,}|[\u4e00-\u9fff]", line)))
            return memory.poignancy + 4 * (name in memory.text) + shared + 2 * (other in memory.about)

        return tuple(sorted(self.memories[who], key=lambda memory: (-score(memory), -memory.id))[:14])

    def habit(self, who: str, minute: int) -> tuple[str, str]:
        persona = self.world.personas[who]
        habits = [habit for habit in persona.habits if not habit.days or self.now.weekday() in habit.days]
        return next(((habit.activity, habit.place) for habit in habits if habit.start <= minute < habit.end), ("", "park/grounds"))

    def neighbour(self, who: str, other: str) -> Neighbour:
        me, them = self.world.personas[who], self.world.personas[other]
        doing = self.habit(other, minute_of_day(self.now))[0]
        closeness = (me.closeness or {}).get(other, 0)
        return Neighbour(other, them.name, them.occupation, doing, me.relation_to(other), closeness, self.talks[who, other], self.last.get((who, other)))

    def situation(self, who: str, where: str) -> Situation:
        me: Persona = self.world.personas[who]
        return Situation(me, me.currently, self.now, where, self.habit(who, minute_of_day(self.now))[0])

    def utterance(self, who: str, other: str, where: str, lines: list[DialogueLine], number: int) -> UtteranceVars:
        minute, me = minute_of_day(self.now), self.world.personas[who]
        habits = [habit for habit in me.habits if not habit.days or self.now.weekday() in habit.days]
        places = tuple(
            (address, self.world.place_name(address)) for address, arena in self.world.arenas.items() if arena.public and not address.startswith("outdoors")
        )
        memories = self.recall(who, other, lines[-1].text if lines else "")
        plan = tuple((habit.start, habit.activity) for habit in habits if habit.start > minute)[:6]
        return UtteranceVars(
            self.situation(who, where), (Companion(self.neighbour(who, other)),), "", memories, tuple(lines), 6, plan, ((minute, 22 * 60),), places
        )

    def talk(self, a: str, b: str, ordinal: int) -> tuple[list[DialogueLine], ConversationSummaryVars]:
        where = self.world.place_name(arena_of(self.habit(a, minute_of_day(self.now))[1]))
        lines: list[DialogueLine] = []
        for turn in range(8):
            who, other = (a, b) if turn % 2 == 0 else (b, a)
            v = self.utterance(who, other, where, lines, turn // 2)
            reply = answer_utterance(v, random.Random(f"{self.seed}/{who}/{ordinal}/{turn}"), self.lang)
            lines.append(DialogueLine(who, self.world.personas[who].name, reply.say))
            if reply.end:
                break
        people = tuple((person, self.world.personas[person].name) for person in (a, b))
        heard = replace(self.utterance(a, b, where, [], 0), lines=tuple(lines))
        return lines, summary_vars(heard, people, where)

    def keep(self, v: ConversationSummaryVars, ordinal: int) -> ConversationSummaryReply:
        a, b = (person for person, _ in v.people)
        reply = answer_talk_summary(v, random.Random(f"{self.seed}/sum/{ordinal}"), self.lang)
        hers = replace(v, situation=self.situation(b, v.place), company=(Companion(self.neighbour(b, a)),), recounts=False)
        learnt = {a: reply.learnt, b: answer_talk_summary(hers, random.Random(f"{self.seed}/sum/{ordinal}/b"), self.lang).learnt}
        for who, other in ((a, b), (b, a)):
            self.talks[who, other] += 1
            self.last[who, other] = self.now
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


@lru_cache
def day(lang: Lang, seed: int) -> list[tuple[list[DialogueLine], ConversationSummaryReply]]:
    return Town(world(lang), seed).day()


def six_grams(lines: list[str], lang: Lang) -> Counter[tuple[str, ...]]:
    """In how many lines each run of six words occurs."""
    counts: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        words = words_of(line, lang)
        counts.update({tuple(words[i : i + 6]) for i in range(len(words) - 5)})
    return counts


def words_of(line: str, lang: Lang) -> list[str]:
    if lang == "zh":
        import jieba

        return [word for word in jieba.lcut(line) if re.search(r"\w", word)]
    return [word for raw in line.lower().split() if (word := re.sub(r"[^\w']", "", raw))]


# a day of talk -----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_day_of_talk_is_varied(lang: Lang, seed: int) -> None:
    texts = [line.text for lines, _ in day(lang, seed) for line in lines]
    assert len(set(texts)) >= 0.85 * len(texts)
    assert Counter(texts).most_common(1)[0][1] <= 3
    run, lines = six_grams(texts, lang).most_common(1)[0]
    assert lines <= 0.05 * len(texts), f"{' '.join(run)!r} stands in {lines} of {len(texts)} lines"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_talks_are_short_and_end_by_leave_taking(lang: Lang, seed: int) -> None:
    for lines, reply in day(lang, seed):
        assert 4 <= len(lines) <= 8
        assert all(0 < len(line.text) <= 220 and line.text.isprintable() and not re.search(r"[{}]|  ", line.text) for line in lines)
        assert any(move.act.startswith("bye") for move in bank(lang).recognise(lines[-1].text))
        assert 0 < len(reply.summary) <= 600


@pytest.mark.parametrize("lang", LANGS)
def test_the_same_seed_says_the_same_and_another_does_not(lang: Lang) -> None:
    assert Town(world(lang), 1).day(6) == day(lang, 1)[:6]
    assert day(lang, 1)[0] != day(lang, 2)[0]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", range(1, 6))
def test_news_travels_as_clean_clauses(lang: Lang, seed: int) -> None:
    """At most one note of who told it, and never somebody else's "I"."""
    mark = "说的）" if lang == "zh" else "(heard from"
    for _, reply in day(lang, seed):
        for news in reply.learnt:
            assert news.what.count(mark) == 1
            assert not re.search(r"\b(I|my|you|your)\b|[我你]", news.what), news.what
            assert not re.search(r"(told me|says that) .* (told me|says that)", news.what)


@pytest.mark.parametrize("lang", LANGS)
def test_a_question_is_answered(lang: Lang) -> None:
    """Whoever is asked something of the bank's answers from the bank, in the very next line."""
    for seed in range(1, 6):
        for lines, _ in day(lang, seed):
            for asked, answered in pairwise(lines):
                asks = [move.act for move in bank(lang).recognise(asked.text) if move.act.startswith("ask:")]
                acts = {move.act for move in bank(lang).recognise(answered.text)}
                if asks and not any(act in acts for act in ("tell", "heard_no")):
                    assert acts & {f"answer:{asks[-1][4:]}", "ack", "accept", "decline", "counter"}, (asked.text, answered.text)


# news --------------------------------------------------------------------------------------


def scene_of(lang: Lang, mine: list[str], *, other_knows: str = "", lines: tuple[DialogueLine, ...] = ()) -> UtteranceVars:
    """Chen Siyuan speaks to Lin Yue, with nothing in mind but these memories."""
    town = Town(replace(world(lang), personas={person: replace(who, seeds=()) for person, who in world(lang).personas.items()}), 1)
    for text in mine:
        town.remember("chen_siyuan", "thought", text, 8)
    if other_knows:
        town.remember("chen_siyuan", "chat", other_knows, 5, ("lin_yue",), "1-lin_yue")
    v = town.utterance("chen_siyuan", "lin_yue", "Starlight Café", list(lines), len(lines) // 2)
    return replace(v, company=(Companion(replace(v.other, closeness=8)),))


CANARY = {"en": "Old Ming has painted his boat violet", "zh": "老明把船漆成了紫色"}


@pytest.mark.parametrize("lang", LANGS)
def test_only_what_was_retrieved_is_told(lang: Lang) -> None:
    texts = [answer_utterance(scene_of(lang, [CANARY[lang]]), random.Random(i), lang).say for i in range(60)]
    silent = [answer_utterance(scene_of(lang, []), random.Random(i), lang).say for i in range(60)]
    assert any(CANARY[lang][:6] in line for line in texts)
    assert not any(CANARY[lang][:6] in line for line in silent)


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_other_knows_from_me_is_not_told_again(lang: Lang) -> None:
    v = scene_of(lang, [CANARY[lang]], other_knows=f"… {CANARY[lang]} …")
    assert not any(CANARY[lang][:6] in answer_utterance(v, random.Random(i), lang).say for i in range(60))


def test_what_was_told_in_other_words_is_not_told_again() -> None:
    v = scene_of("zh", ["陈思远正在筹备船模小会"], other_knows="陈思远告诉林悦：陈思远正忙着办船模小会。")
    assert not any("船模" in answer_utterance(v, random.Random(i), "zh").say for i in range(60))


@pytest.mark.parametrize("lang", LANGS)
def test_one_s_own_is_not_told_to_somebody_with_whom_a_talk_is_forgotten(lang: Lang) -> None:
    own = {"en": "Chen Siyuan is building a ship in a bottle", "zh": "陈思远在做一只瓶中船"}[lang]
    v = scene_of(lang, [own])
    forgetful = replace(v, company=(Companion(replace(v.other, conversations=2)),))
    mark = {"en": "bottle", "zh": "瓶中船"}[lang]
    assert any(mark in answer_utterance(v, random.Random(i), lang).say for i in range(60))
    assert not any(mark in answer_utterance(forgetful, random.Random(i), lang).say for i in range(60))


@pytest.mark.parametrize("lang", LANGS)
def test_only_strangers_introduce_themselves(lang: Lang) -> None:
    v = scene_of(lang, [])
    known, stranger = (replace(v, company=(Companion(replace(v.other, relation=relation, closeness=0)),)) for relation in ("somebody from the village", ""))
    for variables, introduces in ((known, False), (stranger, True)):
        acts = {move.act for i in range(20) for move in bank(lang).recognise(answer_utterance(variables, random.Random(i), lang).say)}
        assert ("introduce" in acts) == introduces


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("hour", "drowsy"), [(7, True), (10, False), (15, False)])
def test_nobody_is_half_asleep_at_ten(lang: Lang, hour: int, drowsy: bool) -> None:
    v = scene_of(lang, [])
    v = replace(v, situation=replace(v.situation, now=datetime(2025, 2, 13, hour)))
    early = {frame.text for frame in bank(lang).frames["greet"] if frame.tag == "early"}
    phrases = {move.text for i in range(200) for move in bank(lang).recognise(answer_utterance(v, random.Random(i), lang).say)}
    assert bool(early & phrases) == drowsy


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_told_is_learnt_by_the_other_alone(lang: Lang) -> None:
    v = scene_of(lang, [CANARY[lang]])
    say = next(line for i in range(60) if CANARY[lang][:6] in (line := answer_utterance(v, random.Random(i), lang).say))
    people = tuple((person, world(lang).personas[person].name) for person in ("chen_siyuan", "lin_yue"))
    told = summary_vars(replace(v, lines=(DialogueLine("chen_siyuan", people[0][1], say),)), people, "Starlight Café")
    teller = answer_talk_summary(told, random.Random(1), lang)
    assert teller.learnt == []
    assert CANARY[lang] in teller.summary
    hearing = replace(v.situation, me=world(lang).personas["lin_yue"])
    heard = answer_talk_summary(replace(told, situation=hearing, recounts=False), random.Random(1), lang)
    assert [gossip.split_source(news.what, lang) for news in heard.learnt] == [(CANARY[lang], people[0][1])]
    assert heard.summary == ""


# arrangements ------------------------------------------------------------------------------


def addresses(lang: Lang) -> list[str]:
    """The addresses of the places in a summary, by which it numbers them."""
    return [address for address, _ in scene_of(lang, []).places]


def summary_of(lang: Lang, texts: tuple[str, str]) -> ConversationSummaryReply:
    v = scene_of(lang, [])
    people = tuple((person, world(lang).personas[person].name) for person in ("chen_siyuan", "lin_yue"))
    lines = tuple(DialogueLine(person, name, text) for (person, name), text in zip(people, texts, strict=True))
    return answer_talk_summary(summary_vars(replace(v, lines=lines), people, ""), random.Random(1), lang)


PROPOSED = {"en": "How about a coffee? The Starlight Café, 16:30 today.", "zh": "今天16:30，星光咖啡店，喝杯咖啡，来不来？"}
ACCEPTED = {"en": "16:30 it is.", "zh": "行，16:30。"}
DECLINED = {"en": "I can't, and I'm sorry about it.", "zh": "去不了，真不好意思。"}


@pytest.mark.parametrize("lang", LANGS)
def test_an_accepted_proposal_is_a_commitment_and_a_declined_one_is_none(lang: Lang) -> None:
    (agreed,) = summary_of(lang, (PROPOSED[lang], ACCEPTED[lang])).commitments
    assert (addresses(lang)[agreed.where - 1], agreed.day, agreed.start) == ("cafe/main", date(2025, 2, 13), "16:30")
    assert summary_of(lang, (PROPOSED[lang], DECLINED[lang])).commitments == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("at", range(10))
def test_whatever_is_proposed_in_whatever_words_keeps_what_and_where(lang: Lang, at: int) -> None:
    """Plans such as "a look at what we're both making" hold words that frames have too."""
    words = bank(lang)
    slots = {"place": "星光咖啡店" if lang == "zh" else "the Starlight Café", "day": words.words["today"], "time": "16:30"}
    for meet in words.words["meets"]:
        for plan in meet["say"]:
            reply = summary_of(lang, (words.frames["propose"][at].fill({**slots, "what": plan}), ACCEPTED[lang]))
            (agreed,) = reply.commitments
            assert (agreed.what, addresses(lang)[agreed.where - 1], agreed.minutes) == (meet["do"], "cafe/main", meet["minutes"]), plan
            assert meet["do"] in reply.summary
            assert slots["place"] in reply.summary


@pytest.mark.parametrize("lang", LANGS)
@given(start=st.integers(0, 1439), end=st.integers(0, 1440), seed=st.integers(0, 99))
def test_nobody_agrees_to_a_time_that_is_taken(lang: Lang, start: int, end: int, seed: int) -> None:
    name = world(lang).personas["lin_yue"].name
    v = replace(scene_of(lang, [], lines=(DialogueLine("lin_yue", name, PROPOSED[lang]),)), free=((start, end),))
    say = answer_utterance(v, random.Random(seed), lang).say
    free = start <= 16 * 60 + 30 and end >= 17 * 60 + 10
    accepts = any(move.act == "accept" for move in bank(lang).recognise(say))
    assert free or not accepts


@pytest.mark.parametrize("lang", LANGS)
def test_days_hold_arrangements_but_not_in_every_talk(lang: Lang) -> None:
    replies = [reply for seed in range(1, 6) for _, reply in day(lang, seed)]
    assert 0.1 * len(replies) < sum(bool(reply.commitments) for reply in replies) < 0.6 * len(replies)


# relations ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_a_relation_is_told_in_the_third_person(lang: Lang) -> None:
    town = Town(world(lang), 1)
    for who in town.world.personas:
        for other in town.world.personas:
            if who != other:
                v = RelationVars(town.situation(who, ""), town.neighbour(who, other), town.recall(who, other, ""), "")
                summary = answer_relation(v, random.Random(1), lang).summary
                assert town.world.personas[other].name in summary
                assert len(summary) <= 300


# the bank ----------------------------------------------------------------------------------


def sample(lang: Lang) -> dict[str, str]:
    texts = {"time": "16:30", "next_time": "17:30", "talks": "3", "last": "12:00", "when": "Saturday", "day": "today"}
    other = {slot: "画猫" if lang == "zh" else "tea" for frames in bank(lang).frames.values() for frame in frames for slot in map(str.lower, frame.slots)}
    return {**other, **texts}


@pytest.mark.parametrize("lang", LANGS)
def test_every_phrase_is_recognised_for_what_it_is(lang: Lang) -> None:
    words, slots = bank(lang), sample(lang)
    for act, frames in words.frames.items():
        assert len({(frame.tag, frame.text) for frame in frames}) == len(frames), act
        for frame in frames:
            assert not re.search(r"\}\{", re.sub(r"\{(next_)?time\}", "+", frame.text, flags=re.IGNORECASE)), f"two slots touch: {frame.text}"
            assert len(set(SLOT.findall(frame.text))) == len(SLOT.findall(frame.text)), frame.text
            acts = [move.act for move in words.recognise(frame.fill(slots))]
            assert acts, frame.text
            assert all(other == act or (other.startswith("close:") and act.startswith("close:")) for other in acts), (frame.text, acts)


def test_the_two_languages_have_the_same_acts_and_exchanges() -> None:
    en, zh = bank("en"), bank("zh")
    assert set(en.frames) == set(zh.frames)
    assert {exchange.id: exchange.needs for exchange in en.exchanges.values()} == {exchange.id: exchange.needs for exchange in zh.exchanges.values()}
    assert set(en.words) == set(zh.words)


# grammar -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_turning_a_sentence_to_the_first_person_and_back_changes_nothing(lang: Lang) -> None:
    for persona in world(lang).personas.values():
        for seed in persona.seeds:
            clause = gossip.one_clause(seed.text, lang)
            if clause.startswith(persona.name):
                spoken = as_me(clause, persona.name, persona.pronouns, lang)
                assert spoken.startswith("我" if lang == "zh" else "I")
                assert as_them(spoken, persona.name, persona.pronouns, lang) == clause


@given(st.sampled_from(["wants", "tries", "teaches", "goes", "has", "is", "passes", "fixes", "knows", "makes", "watches", "does", "plays"]))
def test_verb_forms_come_back(verb: str) -> None:
    assert third(bare(verb)) == verb


# witnesses ---------------------------------------------------------------------------------


FIRE = {"en": "A fire breaks out behind the counter, in Starlight Café", "zh": "星光咖啡店：柜台后面着火了"}
CORE = {"en": "fire breaks out", "zh": "着火了"}


def told_of_a_fire(lang: Lang, seed: int) -> tuple[Town, list[str], list[str]]:
    """Lin Yue has seen a fire and talks to Zhang Wei, who talks to Wang Fang; the lines of both that tell of it."""
    town = Town(world(lang), seed)
    seen = Concept(99, "event", FIRE[lang], "cafe/main", FIRE[lang], "", "cafe/main", 9, START, START + timedelta(30))
    town.memories["lin_yue"].append(seen)
    told: list[list[str]] = []
    for ordinal, (who, other) in enumerate((("lin_yue", "zhang_wei"), ("zhang_wei", "wang_fang"))):
        lines, v = town.talk(who, other, ordinal)
        town.keep(v, ordinal)
        told.append([line.text for line in lines if line.speaker == who and CORE[lang] in line.text.lower()])
    return town, told[0], told[1]


@pytest.mark.parametrize("lang", LANGS)
def test_a_witness_says_so_and_whoever_was_told_names_who_told(lang: Lang) -> None:
    days = [told_of_a_fire(lang, seed) for seed in range(20)]
    eye = {"en": ("saw it", "was there", "what I saw", "seen it"), "zh": ("亲眼", "在那儿", "就在边上")}[lang]
    first = [line for _, lines, _ in days for line in lines]
    assert len(first) >= 12, "hardly anybody tells what it has seen"
    assert all(any(word in line for word in eye) for line in first)
    again = [line for _, _, lines in days for line in lines]
    name = world(lang).personas["lin_yue"].name.split()[0]
    assert any(name in line for line in again)
    assert not any(any(word in line for word in eye) for line in again)
    for town, lines, _ in days:
        learnt = [memory for memory in town.memories["zhang_wei"] if memory.type == "event" and memory.talk and CORE[lang] in memory.text.lower()]
        assert bool(learnt) == bool(lines)
        assert all(gossip.split_source(memory.text, lang)[1] == world(lang).personas["lin_yue"].name for memory in learnt)
