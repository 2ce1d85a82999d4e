"""The summary of a conversation, read from its lines, which are made of the bank's own frames."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import date
from itertools import takewhile
from typing import Literal

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import DENSITY, MOST_SETTLED
from hometown.prompt.dialogue import (
    CONCERNS_LENGTH,
    NEWS_LENGTH,
    NEWS_PASSED,
    SUMMARY_LENGTH,
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
    Learnt,
)
from hometown.prompt.reactions import RatedEvent
from hometown.scripted import clauses, goods, wish_talk
from hometown.scripted.gist import TELLER_PRONOUNS
from hometown.scripted.grammar import as_them
from hometown.scripted.meeting import PROPOSALS, kind_of_place, terms
from hometown.scripted.naming import casual, formal, short_names
from hometown.scripted.noticing import rating
from hometown.scripted.phrases import Bank, Move, bank
from hometown.scripted.places import address_of, short_place, speak_places
from hometown.scripted.quarrels import tones
from hometown.scripted.reference import OTHER, PRONOUNS, use_pronouns, use_pronouns_in_return
from hometown.scripted.standing import standing
from hometown.scripted.when import day_of, find_when
from hometown.scripted.words import clip, sentences
from hometown.text import capital, overlap, overlaps

SAME_NEWS_OVERLAP_MIN = 0.3
"""Overlap of character trigrams (Jaccard) from which telling news carries out an intention."""

TELLING = ("tell", "tell_own", "tell_source", "tell_seen", "tell_you")


@frozen
class PassedNews:
    """A piece of news in the third person, its listener, and whether the listener already knew it."""

    teller: str
    listener: str
    clause: str
    known: bool


def answer_talk_summary(
    v: ConversationSummaryVars, rng: random.Random, lang: Lang
) -> ConversationSummaryReply:
    """Return the summary of a conversation, with relations, tones, news learnt, commitments,
    settled memories and wishes, derived from its lines alone.
    """
    words, names = bank(lang), dict(v.people)
    moves = [(line.speaker, move) for line in v.lines for move in words.recognise(line.text)]
    passed = _find_passed_news(moves, v, words)
    agreed = _find_agreement(moves, passed, v, words)
    summary = _compose_summary(v, moves, passed, agreed, words, rng)
    fresh = [
        clauses.fitting_source(
            news.clause, names[news.teller], lang, int(NEWS_LENGTH * DENSITY[lang])
        )
        for news in passed
        if not news.known and news.teller != v.situation.me.id
    ]
    settled = _find_settled(v, passed)
    return ConversationSummaryReply(
        summary=summary if v.recounts else "",
        relations=[standing(v, one.other, rng, lang) for one in v.others],
        closer=tones(v, lang),
        weight=_rate(summary, "chat", v, rng, lang),
        learnt=[
            Learnt(what=what, weight=_rate(what, "event", v, rng, lang))
            for what in fresh[:NEWS_PASSED]
        ],
        commitments=agreed if v.recounts else [],
        settled=settled,
        concerns=_renew_concerns(v, settled, summary, lang),
        wishes=wish_talk.find_results(v, moves, lang),
    )


def _find_settled(v: ConversationSummaryVars, passed: list[PassedNews]) -> list[int]:
    """Return the numbers of the memories that are over: intentions to tell what was told now, and
    the agreement to meet for which they have met; none for the smallest models.
    """
    if v.situation.plain:
        return []
    me, others = v.situation.me.id, {who for who, _ in v.people}
    told = [news.clause for news in passed if news.teller == me]

    def is_settled(memory: Concept) -> bool:
        if memory.predicate == "agree":
            return bool(v.met_for) and v.met_for in memory.text
        is_intention = memory.type == "thought" and not others.isdisjoint(memory.about)
        return is_intention and any(
            overlap(memory.text, clause) >= SAME_NEWS_OVERLAP_MIN for clause in told
        )

    return [
        number for number, memory in enumerate(v.candidates_to_settle, 1) if is_settled(memory)
    ][:MOST_SETTLED]


def _renew_concerns(
    v: ConversationSummaryVars, settled: Sequence[int], summary: str, lang: Lang
) -> str:
    """Return the words about what is going on in the resident's life with the first sentence of the
    summary in place of what is about settled memories; "" if nothing is.
    """
    over = [v.candidates_to_settle[number - 1].text for number in settled]
    said = sentences(v.situation.currently, lang)
    left = [each for each in said if not overlaps(each, over, SAME_NEWS_OVERLAP_MIN)]
    if left == said:
        return ""
    parts = [*left, *sentences(summary, lang)[:1]]
    return clip(
        ("" if lang == "zh" else " ").join(parts), int(CONCERNS_LENGTH * DENSITY[lang]), lang
    )


def _rate(
    text: str,
    kind: Literal["chat", "event"],
    v: ConversationSummaryVars,
    rng: random.Random,
    lang: Lang,
) -> int:
    """Return the poignancy of a conversation, or of news about it."""
    return rating(RatedEvent(text, kind, (v.other.id,)), v.situation.me, (), rng, lang)


def _find_passed_news(
    moves: list[tuple[str, Move]], v: ConversationSummaryVars, words: Bank
) -> list[PassedNews]:
    """Return the news that was told, each with its listener, as a clause in the third person with
    its time, and marked if it was known.
    """
    passed = []
    for i, (teller, move) in enumerate(moves):
        if move.act not in TELLING or teller not in dict(v.people):
            continue
        later = moves[i + 1 :]
        apart = next(
            (
                other.slots["when"]
                for speaker, other in later
                if speaker == teller and other.act == "tell_when"
            ),
            "",
        )
        replies = takewhile(lambda each: each[1].act not in TELLING, later)
        knows = next(
            (
                speaker
                for speaker, other in replies
                if speaker != teller and other.act in ("react_known", "react_known_own")
            ),
            "",
        )
        wording = formal(move.slots["news"], short_names(v.situation.names, words))
        listener = knows or next(
            (speaker for speaker, _ in reversed(moves[:i]) if speaker != teller),
            _first_but(teller, v),
        )
        clause = _as_clause(wording, apart, teller, listener, v, words)
        passed.append(PassedNews(teller, listener, clause, bool(knows)))
    return passed


def _first_but(who: str, v: ConversationSummaryVars) -> str:
    """Return the id of the first participant of the conversation other than `who`."""
    return next(person for person, _ in v.people if person != who)


def _as_clause(
    wording: str, apart: str, teller: str, listener: str, v: ConversationSummaryVars, words: Bank
) -> str:
    """Return spoken news as a clause in the third person, with its time in the usual position."""
    names, lang, pronouns = dict(v.people), words.lang, _pronouns(teller, v)
    name, hearer = names[teller], listener if listener in names else _first_but(teller, v)
    when = find_when(wording, lang)
    comma = "，" if lang == "zh" else ", "
    if when and wording.lower().startswith(f"{when}{comma}".lower()):
        wording, apart = wording[len(when + comma) :], when
    apart = clauses.lower_initial(apart, words)
    clause = as_them(wording, name, pronouns, lang, names[hearer], _pronouns(hearer, v))
    if apart and apart not in clause:
        clause = str(words.words["with_when"]).format(clause=clause, when=apart)
    return capital(clauses.as_dated(v.situation.now.date(), clause, words))


def _pronouns(who: str, v: ConversationSummaryVars) -> tuple[str, ...]:
    """Return the pronouns of a participant."""
    return next(
        pronouns
        for (person, _), pronouns in zip(v.people, v.pronouns, strict=True)
        if person == who
    )


def _find_agreement(
    moves: list[tuple[str, Move]], passed: list[PassedNews], v: ConversationSummaryVars, words: Bank
) -> list[Commitment]:
    """Return the last proposal at the last time named, if it was accepted; for those who took part
    in it, if there were more than two. Nothing if its day is too far away.
    """
    proposal: tuple[str, Move] | None = None
    time, taken = "", list[str]()
    for speaker, move in moves:
        if move.act in PROPOSALS:
            proposal, time, taken = (speaker, move), move.slots["time"], []
        elif move.act == "counter":
            time = move.slots["time"]
        elif move.act == "accept" and proposal:
            taken += [proposal[0], speaker]
    if proposal is None or not taken:
        return []
    numbers = (
        [number for number, (person, _) in enumerate(v.people, 1) if person in taken]
        if len(v.people) > 2
        else []
    )
    slots = proposal[1].slots
    place = slots.get("place", "") or _find_venue(passed, v, words)
    what, minutes = terms(slots, words)
    address = address_of(place, kind_of_place(slots, words), v.numbered, words)
    where = next((number for number, (known, _) in enumerate(v.numbered, 1) if known == address), 0)
    days = v.days
    day = day_of(slots.get("day", ""), days[0], words.lang) or days[0]
    named = {"where": where} if where else {}  # without a number, the place that was named last
    return (
        [Commitment(what=what, day=day, start=time, minutes=minutes, who=numbers, **named)]
        if day in days
        else []
    )


def _find_venue(passed: list[PassedNews], v: ConversationSummaryVars, words: Bank) -> str:
    """Return the place of the event that was talked about, taken from its news; "" if there was
    none.
    """
    events = [news.clause for news in reversed(passed) if clauses.is_gathering(news.clause, words)]
    return next(
        (
            short_place(name, words.lang)
            for clause in events
            for _, name in v.numbered
            if name.split(",")[0] in clause
        ),
        "",
    )


def _compose_summary(
    v: ConversationSummaryVars,
    moves: list[tuple[str, Move]],
    passed: list[PassedNews],
    agreed: list[Commitment],
    words: Bank,
    rng: random.Random,
) -> str:
    """Return the text of a summary: meeting, news, quarrels, wishes, goods, subjects and
    agreements. Parts are left out before the last one until it fits; in Chinese, pronouns replace
    the names of two.
    """
    names, (*others, last) = dict(v.people), [name for _, name in v.people]
    all_of_them = {
        "a": ("、" if words.lang == "zh" else ", ").join(others),
        "b": last,
        "place": _name_place(v, words),
    }
    acts = [*_talk_acts(v, moves, passed, words), *_agreement_acts(v, agreed, words)]
    shorts = short_names(v.situation.names, words)
    pieces = [
        speak_places(_choose_phrase(_meeting_act(v, words), all_of_them, words, rng), words.lang),
        *(
            casual(_choose_phrase(act, {**all_of_them, **slots}, words, rng), shorts)
            for act, slots in acts
        ),
    ]
    pronouns = [each[0] if each else "" for each in v.pronouns]
    if len(names) == 2 and all(each in PRONOUNS for each in pronouns):
        people = list(zip(names.values(), pronouns, strict=True))
        pieces[1:] = [use_pronouns(piece, people) for piece in pieces[1:]]
    elif words.lang == "zh" and len(names) > 2:
        own = {
            casual(name, shorts): each for name, each in zip(names.values(), pronouns, strict=True)
        }
        pieces[1:] = use_pronouns_in_return(pieces[1:], own)
        pieces[0] = _meeting_of_several(names.values(), pieces, all_of_them["place"], words, rng)
    while len(words.join(pieces)) > SUMMARY_LENGTH * DENSITY[words.lang] and len(pieces) > 2:
        pieces.pop(-2)
    return words.join(piece for piece in pieces if piece)


def _talk_acts(
    v: ConversationSummaryVars,
    moves: list[tuple[str, Move]],
    passed: list[PassedNews],
    words: Bank,
) -> list[tuple[str, dict[str, str]]]:
    """Return the summary's acts and slots about the talk itself: news, quarrels, wishes, goods, and
    its subjects or that there were none.
    """
    names, said = dict(v.people), {move.act for _, move in moves}
    acts = _news_acts(v, passed, words)
    acts += [
        (act, {})
        for act, spoken in (("sum_quarrel", "fall_out"), ("sum_made_up", "make_up_back"))
        if spoken in said
    ]
    acts += wish_talk.recount(moves, names, dict(zip(names, v.pronouns, strict=True)), words)
    acts += goods.recount_deals(moves, names) if v.dealings else []
    gists = _list_gists(moves, v, words)
    if gists or not acts:
        gist = words.words["gist_join"].join(gists[:2])
        acts.append(("sum_about" if gists else "sum_small", {"gist": gist}))
    return acts


def _meeting_act(v: ConversationSummaryVars, words: Bank) -> str:
    """Return the act of the first sentence: a meeting, or of two, one with a guest at the home that
    is named after the first of them, or a visit to that of the other.
    """
    at_home = _find_residents(v, words)
    if len(v.people) != 2 or len(at_home) != 1:
        return "sum_met"
    return "sum_hosted" if at_home[0] == v.people[0][0] else "sum_visited"


def _name_place(v: ConversationSummaryVars, words: Bank) -> str:
    """Return the short name of the place; "home" for those after whom their home is named."""
    if len(_find_residents(v, words)) == len(v.people):
        return str(words.words["at_home"])
    return short_place(v.place, words.lang)


def _find_residents(v: ConversationSummaryVars, words: Bank) -> list[str]:
    """Return the ids of the participants after whom the place is named."""
    place, shorts = short_place(v.place, words.lang), short_names(v.situation.names, words)
    return [who for who, name in v.people if casual(name, shorts) in place]


def _meeting_of_several(
    names: Collection[str], pieces: Sequence[str], place: str, words: Bank, rng: random.Random
) -> str:
    """Return the first sentence about a meeting of several, which names only those whom no later
    one names; Chinese names have no shorter form for a second mention.
    """
    rest = [name for name in names if not any(name in piece for piece in pieces[1:])]
    if len(rest) == len(names):
        return pieces[0]
    return _choose_phrase("sum_met", {"a": "、".join(rest), "place": place}, words, rng)


def _news_acts(
    v: ConversationSummaryVars, passed: list[PassedNews], words: Bank
) -> list[tuple[str, dict[str, str]]]:
    """Return the summary's acts and slots about news, storylines first."""
    names = dict(v.people)
    acts = []
    for news in sorted(passed, key=lambda news: not clauses.topic_of(news.clause, words))[:4]:
        slots = {
            "a": names[news.teller],
            "b": names.get(news.listener, names[_first_but(news.teller, v)]),
            "news": _about_teller(news, v, words),
        }
        acts.append(("sum_known" if news.known else "sum_told", slots))
    return acts


def _about_teller(news: PassedNews, v: ConversationSummaryVars, words: Bank) -> str:
    """Return news as it stands after its teller's and its listener's name: "she suspects" for "Jane
    suspects".
    """
    name, pronouns = dict(v.people)[news.teller], _pronouns(news.teller, v)
    if words.lang == "zh" and len(v.people) > 2 and pronouns and pronouns[0] in PRONOUNS:
        rest = news.clause.removeprefix(name)
        told = dict(v.people).get(news.listener, "")
        own = rest.replace(told, OTHER) if told else rest
        return news.clause if rest == news.clause else pronouns[0] + own
    if words.lang == "en" and pronouns and pronouns[0] in TELLER_PRONOUNS:
        rest = news.clause.removeprefix(f"{name} ")
        if rest != news.clause:
            return f"{pronouns[0]} {rest}"
    return clauses.lower_initial(news.clause, words)


def _agreement_acts(
    v: ConversationSummaryVars, agreed: list[Commitment], words: Bank
) -> list[tuple[str, dict[str, str]]]:
    """Return the summary's acts and slots about agreements."""
    acts = []
    for commitment in agreed:
        day = (
            words.words["today"]
            if commitment.day == v.days[0]
            else _phrase_date(commitment.day, words)
        )
        place = v.numbered[commitment.where - 1][1] if commitment.where else ""
        where = short_place(place, words.lang) if place else ""
        slots = {"what": commitment.what, "day": day, "time": commitment.start, "place": where}
        acts.append(("sum_agreed", slots))
    return acts


def _choose_phrase(act: str, slots: dict[str, str], words: Bank, rng: random.Random) -> str:
    """Return a random phrase for an act of the summary, of those that take the most slots; "" for
    none.
    """
    frames = words.offers(act, (), slots)[0]
    filled = max((len(frame.slots) for frame in frames), default=0)
    most = [frame for frame in frames if len(frame.slots) == filled]
    return rng.choice(most).fill(slots) if most else ""


def _list_gists(
    moves: list[tuple[str, Move]], v: ConversationSummaryVars, words: Bank
) -> list[str]:
    """Return short descriptions of the subjects other than news."""
    names, gists = dict(v.people), []
    for speaker, move in moves:
        kind, _, exchange = move.act.partition(":")
        other = names[_first_but(speaker, v)]
        if kind == "ask" and exchange and words.exchanges[exchange].gist:
            gists.append(words.exchanges[exchange].gist)
        elif kind in words.words["gists"]:
            slots = {"topic": "", "seen": "", **move.slots, "speaker": names[speaker]}
            gists.append(str(words.words["gists"][kind]).format(**slots | {"other": other}))
    return list(dict.fromkeys(gists))


def _phrase_date(day: date, words: Bank) -> str:
    """Return a day with its weekday and date."""
    return f"{words.words['weekdays'][day.weekday()]}" + (
        f"（{day.month}月{day.day}日）" if words.lang == "zh" else f" {day.day} {day:%B}"
    )
