"""The columns at the side of the newspaper's front page: notices, appointments, stories, thoughts
and figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.history import shapes
from hometown.history.day_matters import is_same_matter
from hometown.history.day_mind import is_past_intention, is_spoken
from hometown.history.day_wording import DayWording
from hometown.history.diary import memories_on
from hometown.history.gazette_issue import Issue
from hometown.history.spoken_time import COLON
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.scripted.reference import OTHER
from hometown.text import ngettext, translate
from hometown.world import keys
from hometown.world.rows import Promise, Promises

COMING = 6
"""Maximum number of future events."""

COMING_DAYS = 60
"""Maximum number of days to a gathering or an appointment that is announced: a town may be lived far
from the date of one.
"""

THOUGHTS = 3
"""Maximum number of thoughts."""


def list_notices(issue: Issue, articles: Sequence[shapes.Article]) -> Iterator[shapes.NoticeView]:
    """Yield the events of the day that have no article among those given."""
    told = [(article["tick"], article["address"]) for article in articles]
    for event in issue.happenings:
        if (event["tick"], event["address"]) not in told:
            planted = event["planted"]
            yield {
                "tick": event["tick"],
                "text": issue.say("planted", text=event["text"]) if planted else event["text"],
                "address": event["address"],
            }


def list_thoughts(issue: Issue) -> Iterator[shapes.Article]:
    """Yield the most important reflections in the first person, at most one of each resident,
    without those that quote memories, that were said aloud, or whose time has passed.
    """
    written: dict[str, str] = {}
    now, lang = issue.run.moment(issue.last), issue.run.manifest.lang
    intended, past = set[tuple[str, str]](), set[tuple[str, str]]()
    for memory in issue.run.memories(issue.first, issue.last, ("thought",)):
        if memory.concept.predicate == INTENTION_PREDICATE:
            intended.add((memory.who, memory.concept.text))
        if is_past_intention(memory.concept, now, lang):
            past.add((memory.who, memory.concept.text))
    for moment in issue.archive.moments:
        who = moment["who"][0]
        is_open = who not in written and len(written) < THOUGHTS
        if moment["kind"] != "reflection" or not is_open or not issue.is_printable(moment):
            continue
        thought = (who, moment["text"])
        text = "" if thought in past else _speak_thought(issue, *thought, thought in intended)
        if text and not any(is_same_matter(text, other) for other in written.values()):
            written[who] = text
            yield issue.article(
                "thought",
                [who],
                moment["tick"],
                moment["address"],
                headline=issue.names.person(who),
                text=text,
                lang=issue.run.manifest.lang,
            )


def _speak_thought(issue: Issue, who: str, text: str, is_intended: bool, /) -> str:
    """Return a thought, or what its owner means to do, as its owner would say it; "" if that cannot
    be done safely, if it quotes a memory, or if they said it aloud that day.
    """
    given = issue.archive.day_stories.given
    wording = DayWording(issue.names, given, issue.run.manifest.lang, who)
    if is_spoken(text, wording, issue.talks):
        return ""
    core = wording.mine(text)
    core = wording.intend(core) if is_intended else core
    is_twice = any(core.count(name) > 1 for name in (*given.given.values(), *wording.kin.values()))
    is_quoting = "“" in core or COLON.search(core)
    is_plain = core and not is_twice and not is_quoting and OTHER not in core
    return wording.sentence(core) if is_plain and not wording.is_doubtful(core) else ""


def list_threads(issue: Issue) -> Iterator[shapes.NoticeView]:
    """Yield the stories that moved on today, the latest move of each, in the run's language."""
    for thread in issue.archive.threads:
        moves = [
            move for move in thread["moves"] if issue.is_today(move["tick"]) and not move["omen"]
        ]
        if moves and not issue.archive.is_secret(f"{thread['title']} {moves[-1]['text']}"):
            yield {
                "tick": moves[-1]["tick"],
                "text": issue.say("thread", title=thread["title"], text=moves[-1]["text"]),
                "address": "",
            }


def list_coming(issue: Issue) -> Iterator[shapes.NoticeView]:
    """Yield up to `COMING` future gatherings and other appointments, the soonest first; residents
    with the same appointment are named together. Gatherings of which nobody knows, as none of those
    who give them is in town, are not to come.
    """
    now = issue.run.moment(issue.last)
    gatherings = [
        (story.gathering, issue.title(story))
        for story, knowing in issue.public
        if knowing and story.gathering and _is_to_come(story.gathering.start, now)
    ]
    due = [(meeting.start, title, meeting.place) for meeting, title in gatherings]
    public = {(start, place) for start, _, place in due}
    agreed = [each for each in _list_agreed(issue) if (each.start, each.address) not in public]
    due += [
        (
            each.start,
            issue.say("agreed", names=issue.people(each.people), what=each.what),
            each.address,
        )
        for each in agreed
    ]
    for start, text, address in sorted(due)[:COMING]:
        yield {"tick": issue.run.tick(start), "text": text, "address": address}


def _is_to_come(start: datetime, now: datetime) -> bool:
    """Return True if a moment lies in the next `COMING_DAYS` days."""
    return now <= start <= now + timedelta(days=COMING_DAYS)


def _list_agreed(issue: Issue) -> list[Promise]:
    """Return the appointments to come that may be printed, each once: as several residents word one
    at the same time and place with a participant in common, it is the first of them with all.
    """
    now = issue.run.moment(issue.last)
    found: list[Promise] = []
    for who in issue.run.residents:
        row = issue.run.row(keys.PROMISES.of(who), issue.last) or Promises()
        for each in row.items:
            if not _is_to_come(each.start, now) or issue.archive.is_secret(each.what):
                continue
            if issue.archive.is_confidential(issue.run.conversation(each.talk)):
                continue
            same = next((other for other in found if _is_same(each, other)), None)
            if same:
                people = dict.fromkeys((*same.people, *each.people))
                found[found.index(same)] = replace(same, people=tuple(people))
            else:
                found.append(each)
    return found


def _is_same(promise: Promise, other: Promise) -> bool:
    is_there = (promise.start, promise.address) == (other.start, other.address)
    return is_there and not set(promise.people).isdisjoint(other.people)


def list_figures(issue: Issue) -> Iterator[str]:
    """Yield sentences on the numbers of conversations and conclusions, the busiest speaker, and
    the place where most was said.
    """
    thoughts = memories_on(issue.run, issue.day, issue.last, ("thought",))
    figures = [
        ngettext(
            "{count} conversation was held", "{count} conversations were held", len(issue.talks)
        ),
        ngettext(
            "The residents came to {count} conclusion",
            "The residents came to {count} conclusions",
            len(thoughts),
        ),
    ]
    busiest = Counter(who for talk in issue.talks for who in talk.people).most_common(1)
    places = Counter(talk.address for talk in issue.talks).most_common(1)
    figures += [
        ngettext(
            "{name} talked most: {count} time",
            "{name} talked most: {count} times",
            count,
            name=issue.names.person(who),
        )
        for who, count in busiest
    ]
    figures += [
        ngettext(
            "Most was said here: {place}, {count} time",
            "Most was said here: {place}, {count} times",
            count,
            place=issue.place(address),
        )
        for address, count in places
    ]
    yield from (translate(figure, issue.lang) for figure in figures)
