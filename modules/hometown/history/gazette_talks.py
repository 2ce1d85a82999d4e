"""The newspaper's articles on conversations, headed by their consequence or by their best line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from hometown.clock import format_time
from hometown.frozen import frozen
from hometown.history import shapes
from hometown.history.day_matters import Beat
from hometown.history.gazette_events import GRAVE
from hometown.history.gazette_issue import Issue
from hometown.history.quotes import QUESTION_MARKS, without_farewell
from hometown.history.recounts import recount_briefly
from hometown.history.spread import authored_pairs
from hometown.scripted.places import speak_places
from hometown.text import nest_quotes, split_sentences
from hometown.world import keys
from hometown.world.conversation import Conversation

CONVERSATIONS = 4
"""Maximum number of conversations."""

LONGEST_HEADLINE = {"en": 110, "zh": 40}
"""Maximum length of a headline that tells news, in characters."""

BONUS = {"quarrel": 12, "made_up": 10, "news": 5, "agreement": 2, "line": 1, "strangers": 1}
"""Weight of each consequence; the poignancy of the conversation is added."""

LIVELY = 3
"""Number of lines of an exchange from which on a small talk is worth an article."""

EXCHANGE = 3
"""Additional weight of a conversation with an exchange that is worth quoting."""

_OF_HEARER = re.compile("[教让叫请劝帮替给对跟陪诉][他她]")
"""Words of Chinese news in which a pronoun stands for the one who heard it."""


@frozen
class ConversationNews:
    """A conversation with its headline and weight. `quotes` stand below the text, and `speaker` is
    whom the headline quotes, "" for nobody. It `is_complete` if these say all.
    """

    talk: Conversation
    headline: str
    weight: int
    quotes: Sequence[shapes.Quote]
    is_complete: bool = False
    speaker: str = ""


def list_encounters(issue: Issue, events: Sequence[shapes.Article]) -> Iterator[shapes.Article]:
    """Yield the weightiest conversations about other subjects than storylines, with each resident
    at most once. One without a consequence and without a line worth quoting is no news, and those
    quoted in the articles on `events` stand there.
    """
    quoted = {article["conversation"] for article in events}
    talks = (talk for talk in _printable(issue) if talk.id not in quoted)
    found = [news for talk in talks if (news := _find_news(issue, talk))]
    written: set[str] = set()
    count = 0
    for news in sorted(found, key=lambda each: -each.weight):
        if count == CONVERSATIONS or written & {*news.talk.people}:
            continue
        article = _write(issue, news)
        if article["text"] or article["quotes"]:
            written |= {*news.talk.people}
            count += 1
            yield article


def _printable(issue: Issue) -> Iterator[Conversation]:
    """Yield the conversations of the day that may be printed, the weightiest first."""
    for moment in issue.archive.moments:
        if moment["kind"] == "conversation" and issue.is_printable(moment):
            talk = issue.run.conversation(moment["conversation"])
            if talk and not issue.archive.is_confidential(talk):
                yield talk


def _find_news(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return what there is to report of a conversation; None for nothing."""
    ways = (_report_bond, _report_own_news, _report_agreement, _report_line, _report_strangers)
    return next((news for report in ways if (news := report(issue, talk))), None)


def _weigh(issue: Issue, talk: Conversation, kind: str, quotes: Sequence[shapes.Quote]) -> int:
    """Return the newsworthiness of a conversation."""
    return issue.weights.get(talk.id, 0) + BONUS[kind] + EXCHANGE * (len(quotes) > 1)


def _report_bond(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return the news of a quarrel, over its matter if that is known, or of a reconciliation."""
    matters = issue.archive.day_stories.matters
    bonds = [(who, beat) for who in talk.people for beat in matters.bonds(who, talk)]
    if not bonds:
        return None
    who, beat = bonds[0]
    persona, other = issue.names.persona(who), beat.people[0]
    over = persona.divided_from(other) if persona and beat.kind == "quarrel" else ""
    headline = issue.say(
        "quarrel_over" if over else beat.kind, names=issue.people([who, other]), matter=over
    )
    quotes = _quote_quarrel(issue, talk, over) if over else _quote_best(issue, talk)
    weight = _weigh(issue, talk, beat.kind, quotes)
    return ConversationNews(
        talk, headline, weight, quotes, is_complete=len(quotes) > 1 and bool(over)
    )


def _quote_quarrel(issue: Issue, talk: Conversation, over: str) -> list[shapes.Quote]:
    """Return the line with which a quarrel begins, and the reply."""
    line = next((line for line in talk.lines if over in line.text), None)
    if line is None:
        return []
    replies = issue.exchanges.after(talk, line.speaker, over).lines
    aired = [each for each in split_sentences(line.text) if over in each]
    return issue.quote_lines([*(replace(line, text=each.strip()) for each in aired), *replies])


def _report_own_news(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return the weightiest thing that a participant told of themselves, if it was answered in
    words that may be quoted.
    """
    told = [
        beat
        for who in talk.people
        for beat in issue.passed_on.outgoing[who]
        if beat.talk == talk and _is_public(issue, who, beat)
    ]
    best = max(told, key=lambda beat: beat.weight, default=None)
    if best is None:
        return None
    teller = next(who for who in talk.people if best in issue.passed_on.outgoing[who])
    quotes = issue.quote_telling(talk, teller, best.text)
    if len(quotes) < 2:
        return None
    weight = _weigh(issue, talk, "news", quotes)
    return ConversationNews(talk, issue.time.speak_hours(best.text), weight, quotes)


def _is_public(issue: Issue, who: str, beat: Beat) -> bool:
    """Return True if what somebody told is of themselves and of nobody absent, clear in a headline,
    no matter of a storyline, and neither confided nor a secret.
    """
    lang = issue.run.manifest.lang
    is_clear = len(beat.text) <= LONGEST_HEADLINE[lang] and not _OF_HEARER.search(beat.text)
    is_own = not beat.second_hand and beat.text.startswith(issue.names.person(who))
    is_hidden = beat.confided or issue.archive.is_secret(beat.text)
    is_known = any(story.is_mentioned_in(beat.text) for story in issue.archive.stories)
    return is_clear and is_own and not (is_hidden or is_known or _is_gossip(issue, beat))


def _is_gossip(issue: Issue, beat: Beat) -> bool:
    """Return True if what somebody told names residents who were not there."""
    present = beat.talk.people if beat.talk else ()
    full = issue.archive.day_stories.given.full
    return any(full[who] in beat.text for who in full if who not in present)


def _report_agreement(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return the first agreement of a conversation, if it may be printed."""
    steps = talk.step, min(talk.step + 2, issue.last)
    rows = issue.run.versions(keys.PROMISES.of(talk.people[0]), *steps)
    made = {each for _, row in rows for each in (row.items if row else ())}
    due = sorted(made, key=lambda each: each.start)
    agreed = [each.what for each in due if each.talk == talk.id]
    if not agreed or issue.archive.is_secret(agreed[0]):
        return None
    quotes = _quote_best(issue, talk)
    headline = issue.say("agreement", names=issue.people(talk.people), what=agreed[0])
    return ConversationNews(talk, headline, _weigh(issue, talk, "agreement", quotes), quotes)


def _report_line(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return a conversation headed by its best line: the question of the best exchange, or else
    another line; None for a small talk in which somebody told what is not printed, or without an
    exchange of `LIVELY` lines.
    """
    quotes = _quote_best(issue, talk)
    is_grave = issue.weights.get(talk.id, 0) >= GRAVE
    passes_on = any(
        beat.talk == talk for who in talk.people for beat in issue.passed_on.outgoing[who]
    )
    if not quotes or (not is_grave and (passes_on or len(quotes) < LIVELY)):
        return None
    headline = issue.say("line", line=nest_quotes(quotes[0]["text"]))
    weight = _weigh(issue, talk, "line", quotes)
    return ConversationNews(talk, headline, weight, quotes[1:], speaker=quotes[0]["speaker"])


def _quote_best(issue: Issue, talk: Conversation) -> list[shapes.Quote]:
    """Return the best exchange of a conversation, or else the sentence that is most about its
    point, without greetings and farewells; nothing without one.
    """
    if scene := issue.find_scene(talk):
        return issue.quote_lines(scene.lines)
    lines = issue.exchanges.without_formalities(without_farewell(talk.lines))
    line = issue.quote(lines, sentences=1, point=talk.summary)
    return [line] if line else []


def _report_strangers(issue: Issue, talk: Conversation) -> ConversationNews | None:
    """Return that two got to know each other, if they did."""
    if not _are_strangers(issue, talk):
        return None
    headline = issue.say("strangers", names=issue.people(talk.people))
    return ConversationNews(talk, headline, _weigh(issue, talk, "strangers", ()), [])


def _are_strangers(issue: Issue, talk: Conversation) -> bool:
    """Return True if the first two participants had neither known each other nor talked before;
    False without a world.
    """
    known = authored_pairs(issue.run, issue.names)
    heads = issue.run.conversation_heads(talk.people[0], talk.step)
    known |= {
        frozenset(pair)
        for head in heads
        if head.started < talk.started
        for pair in combinations(head.people, 2)
    }
    return bool(issue.names.world) and frozenset(talk.people[:2]) not in known


def _deck_key(news: ConversationNews) -> str:
    """Return the key of the line below a headline: it names a speaker whom the headline quotes."""
    if not news.speaker:
        return "talk_deck"
    return "question_deck" if news.headline.rstrip("”’")[-1] in QUESTION_MARKS else "line_deck"


def _write(issue: Issue, news: ConversationNews) -> shapes.Article:
    """Return the article on a conversation."""
    talk = news.talk
    names = issue.people(talk.people)
    others = [who for who in talk.people if who != news.speaker]
    deck = issue.say(
        _deck_key(news),
        names=names,
        others=issue.people(others),
        speaker=issue.names.person(news.speaker) if news.speaker else "",
        place=issue.place(talk.address),
        time=format_time(talk.started),
    )
    deck = speak_places(deck, issue.lang)
    above = f"{news.headline} {deck}"
    given = issue.archive.day_stories.given
    return issue.article(
        "encounter",
        list(talk.people),
        issue.run.tick(talk.started),
        talk.address,
        talk,
        headline=news.headline,
        deck=deck,
        text=""
        if news.is_complete
        else recount_briefly(talk, given, issue.run.manifest.lang, above),
        lang=issue.run.manifest.lang,
        quotes=list(news.quotes),
    )
