"""What remains of a talk: read off its lines, which are made of the bank's own frames."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from modules.model.scripted import gossip
from modules.model.scripted.grammar import as_them
from modules.model.scripted.meeting import PROPOSALS, kind_of_place, terms
from modules.model.scripted.naming import formal, short_names
from modules.model.scripted.phrases import Bank, Move, bank
from modules.model.scripted.places import address_of, short_place
from modules.model.scripted.when import day_of, find_when
from modules.prompt.talking import Commitment, Learnt, TalkSummaryReply, TalkSummaryVars
from modules.world.world import Lang

LONGEST = 600
"""Characters of a summary."""

TELLING = ("tell", "tell_own", "tell_source", "tell_you")


@dataclass(frozen=True, slots=True)
class Told:
    """A piece of news, in the third person, and whether the other had heard it before."""

    teller: str
    clause: str
    known: bool


def answer_talk_summary(v: TalkSummaryVars, rng: random.Random, lang: Lang) -> TalkSummaryReply:
    """Summary, news learnt and commitments of a talk, from nothing but its lines."""
    words, names = bank(lang), dict(v.people)
    moves = [(line.speaker, move) for line in v.lines for move in words.recognise(line.text)]
    told = _told(moves, v, words)
    agreed = _agreed(moves, told, v, words)
    fresh = [(one, news) for news in told if not news.known for one in names if one != news.teller]
    learnt = [Learnt(who=one, what=gossip.with_source(news.clause, names[news.teller], lang)) for one, news in fresh]
    return TalkSummaryReply(summary=_summary(v, moves, told, agreed, words, rng), learnt=learnt[:8], commitments=agreed[:4])


def _told(moves: list[tuple[str, Move]], v: TalkSummaryVars, words: Bank) -> list[Told]:
    found = []
    for i, (teller, move) in enumerate(moves):
        if move.act not in TELLING:
            continue
        later = moves[i + 1 :]
        apart = next((other.slots["when"] for speaker, other in later if speaker == teller and other.act == "tell_when"), "")
        known = any(other.act in ("react_known", "react_known_own") for speaker, other in later if speaker != teller)
        said = formal(move.slots["news"], short_names(v.situation.names, words))
        found.append(Told(teller, _clause(said, apart, teller, v, words), known))
    return found


def _clause(said: str, apart: str, teller: str, v: TalkSummaryVars, words: Bank) -> str:
    """News as it was said, turned back to the third person, its time at its usual place."""
    name, lang, pronouns = dict(v.people)[teller], words.lang, _pronouns(teller, v)
    other = next(name for one, name in v.people if one != teller)
    when = find_when(said, lang)
    comma = "，" if lang == "zh" else ", "
    if when and said.lower().startswith(f"{when}{comma}".lower()):
        said, apart = said[len(when + comma) :], when
    first = apart.partition(" ")[0]
    if first in words.words["lowered"]:
        apart = first.lower() + apart[len(first) :]
    clause = as_them(said, name, pronouns, lang, other)
    if not apart or apart in clause:
        return clause
    return str(words.words["with_when"]).format(clause=clause, when=apart)


def _pronouns(who: str, v: TalkSummaryVars) -> tuple[str, ...]:
    return next(pronouns for (one, _), pronouns in zip(v.people, v.pronouns, strict=True) if one == who)


def _agreed(moves: list[tuple[str, Move]], told: list[Told], v: TalkSummaryVars, words: Bank) -> list[Commitment]:
    """The last proposal, at the time last named, if the other took it."""
    proposal: tuple[str, Move] | None = None
    time, taken = "", False
    for speaker, move in moves:
        if move.act in PROPOSALS:
            proposal, time, taken = (speaker, move), move.slots["time"], False
        elif move.act == "counter":
            time = move.slots["time"]
        elif move.act == "accept" and proposal:
            taken = True
    if proposal is None or not taken:
        return []
    slots = proposal[1].slots
    place = slots.get("place", "") or _venue(told, v, words)
    what, minutes = terms(slots, words)
    return [
        Commitment(
            what=what,
            who=[one for one, _ in v.people],
            where=address_of(place, kind_of_place(slots, words), v.places, words),
            day=day_of(slots.get("day", ""), v.day, words.lang) or v.day,
            start=time,
            minutes=minutes,
        )
    ]


def _venue(told: list[Told], v: TalkSummaryVars, words: Bank) -> str:
    """Where the event is of which the talk was, as its news says; "" if there was none."""
    events = [news.clause for news in reversed(told) if gossip.is_gathering(news.clause, words)]
    return next((short_place(name, words.lang) for clause in events for _, name in v.places if name.split(",")[0] in clause), "")


def _summary(v: TalkSummaryVars, moves: list[tuple[str, Move]], told: list[Told], agreed: list[Commitment], words: Bank, rng: random.Random) -> str:
    (a, first), (_, second) = v.people
    both = {"a": first, "b": second, "place": short_place(v.place, words.lang)}
    acts: list[tuple[str, dict[str, str]]] = []
    for news in sorted(told, key=lambda news: not gossip.topic_of(news.clause, words))[:4]:
        teller, listener = (first, second) if news.teller == a else (second, first)
        acts.append(("sum_known" if news.known else "sum_told", {"a": teller, "b": listener, "news": news.clause}))
    gists = _gists(moves, v, words)
    if gists or not told:
        acts.append(("sum_about" if gists else "sum_small", {"gist": words.words["gist_join"].join(gists[:2])}))
    for one in agreed:
        day = words.words["today"] if one.day == v.day else _date(one.day, words)
        where = next((short_place(name, words.lang) for address, name in v.places if address == one.where and one.where), "")
        acts.append(("sum_agreed", {"what": one.what, "day": day, "time": one.start, "place": where}))
    pieces = [_phrase("sum_met", both, words, rng), *(_phrase(act, {**both, **slots}, words, rng) for act, slots in acts)]
    while len(words.join(pieces)) > LONGEST:
        pieces.pop(-2)
    return words.join(piece for piece in pieces if piece)


def _phrase(act: str, slots: dict[str, str], words: Bank, rng: random.Random) -> str:
    frames = words.offers(act, (), slots)[0]
    most = [frame for frame in frames if len(frame.slots) == max(len(one.slots) for one in frames)]
    return rng.choice(most).fill(slots) if most else ""


def _gists(moves: list[tuple[str, Move]], v: TalkSummaryVars, words: Bank) -> list[str]:
    """What was talked about beside the news, in a few words each."""
    names, found = dict(v.people), []
    for speaker, move in moves:
        kind, _, exchange = move.act.partition(":")
        other = next(name for one, name in v.people if one != speaker)
        if kind == "ask" and exchange and words.exchanges[exchange].gist:
            found.append(words.exchanges[exchange].gist)
        elif kind in words.words["gists"]:
            slots = {"topic": "", "seen": "", **move.slots, "speaker": names[speaker], "other": other}
            found.append(str(words.words["gists"][kind]).format(**slots))
    return list(dict.fromkeys(found))


def _date(day: date, words: Bank) -> str:
    return f"{words.words['weekdays'][day.weekday()]}" + (f"（{day.month}月{day.day}日）" if words.lang == "zh" else f" {day.day} {day:%B}")
