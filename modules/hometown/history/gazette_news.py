"""The newspaper's articles on news among residents: how it spread, and how it was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hometown.clock import format_time
from hometown.frozen import frozen
from hometown.history import shapes
from hometown.history.day_matters import Beat
from hometown.history.gazette_issue import Issue
from hometown.history.spread import Learning
from hometown.scripted.places import speak_places
from hometown.world.conversation import Conversation
from hometown.world.world import Storyline

WIDELY = 0.5
"""Share of the town from which on a headline says that the town knows."""

AGAIN = 3
"""Number of new hearers from which on a storyline of an earlier day has an article again."""

EXCHANGED = 3
"""Number of lines from which on a telling is an exchange."""

MANY_HEARERS = 2
"""Number of hearers from which on it is told who passed news on."""


@frozen
class NewsTelling:
    """A resident telling another of a storyline in a talk, with what is quoted from it."""

    teller: str
    hearer: str
    talk: Conversation
    quotes: tuple[shapes.Quote, ...]


def list_news(issue: Issue) -> list[shapes.Article]:
    """Return an article for each storyline of which residents learned today, not only in
    confidence, the most widespread first: those that are new, or had `AGAIN` hearers. What came of
    a gathering's storyline stands in the article on the gathering.
    """
    told = []
    for story, learned in issue.public:
        heard = [each for each in learned if each.teller]
        today = [each for each in heard if issue.is_today(_tick(issue, each))]
        spoken = [each for each in today if not _is_confided(issue, each)]
        is_new = not any(_tick(issue, each) < issue.begin for each in heard)
        if spoken and (is_new or len(today) >= AGAIN) and not _has_begun(issue, story):
            known = sum(_tick(issue, each) < issue.end for each in learned)
            key = _head(issue, known, is_new)
            residents = len(issue.run.residents_at(issue.last))
            deck = issue.say(
                "news_deck_all" if known == residents else "news_deck",
                count=len(today),
                known=known,
                all=residents,
            )
            told.append((len(today), _write_news(issue, story, spoken, key, deck)))
    return [article for _, article in sorted(told, key=lambda each: -each[0])]


def _head(issue: Issue, known: int, is_new: bool) -> str:
    """Return the key of the headline on news that `known` residents know by now."""
    everybody = len(issue.run.residents_at(issue.last))
    if known == everybody:
        return "all_know"
    if is_new:
        return "new"
    return "many_know" if known >= WIDELY * everybody else "word"


def _has_begun(issue: Issue, story: Storyline) -> bool:
    """Return True if a storyline's gathering has begun, so that the paper has an article on it."""
    start = story.gathering.start if story.gathering else None
    return start is not None and start < issue.run.moment(issue.last)


def _tick(issue: Issue, learning: Learning) -> int:
    return issue.run.tick(learning.memory.concept.created)


def _is_confided(issue: Issue, learning: Learning) -> bool:
    return issue.archive.is_confidential(issue.run.conversation(learning.memory.concept.talk))


def _write_news(
    issue: Issue, story: Storyline, today: list[Learning], key: str, deck: str
) -> shapes.Article:
    """Return an article on a storyline of which residents learned today."""
    tellings = _list_tellings(issue, story, today)
    best = _choose_telling(issue, tellings)
    first = today[0]
    talk = best.talk if best else issue.run.conversation(first.memory.concept.talk)
    heard_of_it = issue.say("heard", names=issue.people([each.memory.who for each in today]))
    return issue.article(
        "news",
        [best.teller, best.hearer] if best else [first.teller, first.memory.who],
        issue.run.tick(talk.started if talk else first.memory.concept.created),
        talk.address if talk else "",
        talk,
        headline=issue.say(key, story=issue.title(story)),
        deck=deck,
        text=issue.between.join(_trace(issue, tellings, best)) if best else heard_of_it,
        lang=issue.lang,
        quotes=list(best.quotes) if best else [],
    )


def _list_tellings(issue: Issue, story: Storyline, today: list[Learning]) -> list[NewsTelling]:
    """Return who told whom of a storyline of which they learned today by that, in order, without
    confidences.
    """
    learned = {(each.memory.who, each.memory.concept.talk) for each in today}
    told = [
        (beat, teller)
        for teller in issue.run.residents
        for beat in issue.passed_on.outgoing[teller]
        if story.is_mentioned_in(beat.text)
        and beat.talk
        and (beat.people[0], beat.talk.id) in learned
    ]
    return [
        NewsTelling(teller, beat.people[0], beat.talk, tuple(_quote(issue, beat, teller)))
        for beat, teller in sorted(told, key=lambda each: each[0].moment)
        if beat.talk and not issue.archive.is_confidential(beat.talk)
    ]


def _quote(issue: Issue, beat: Beat, teller: str) -> list[shapes.Quote]:
    return issue.quote_telling(beat.talk, teller, beat.text) if beat.talk else []


def _trace(issue: Issue, tellings: list[NewsTelling], best: NewsTelling) -> Iterator[str]:
    """Yield sentences on who told a storyline first today, to whom, on the telling that is quoted,
    if it is in another talk, and on who passed it on most.
    """
    first = tellings[0]
    yield _tell(issue, first, "told")
    told = [first]
    if best.quotes and best.talk.id != first.talk.id:
        told.append(best)
        yield _tell(issue, best, "told_again" if best.teller == first.teller else "told")
    tellers = Counter(each.teller for each in tellings if each not in told)
    for who, count in tellers.most_common(1):
        if count >= MANY_HEARERS:
            key = "told_more" if who == first.teller else "passed_on"
            yield issue.say(key, name=issue.names.person(who), count=issue.count(count))


def _tell(issue: Issue, telling: NewsTelling, key: str) -> str:
    """Return who told a storyline to whom, where and when, in the words of a key."""
    told = issue.say(
        key,
        teller=issue.names.person(telling.teller),
        name=issue.names.person(telling.hearer),
        place=issue.place(telling.talk.address),
        time=format_time(telling.talk.started),
    )
    return speak_places(told, issue.lang)


def _choose_telling(issue: Issue, tellings: list[NewsTelling]) -> NewsTelling | None:
    """Return the telling that is quoted: the weightiest talk in which the news led to an exchange,
    or else was answered, or was told in words that may stand alone; the first if none is quoted.
    """
    return max(
        tellings,
        key=lambda each: (
            min(len(each.quotes), EXCHANGED),
            issue.weights.get(each.talk.id, 0),
        ),
        default=None,
    )
