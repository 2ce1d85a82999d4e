"""The columns at the side of the newspaper's front page: stories, appointments and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from hometown.history import shapes
from hometown.history.gazette_issue import Issue
from hometown.text import ngettext, translate
from hometown.world import keys
from hometown.world.rows import Promises

COMING = 6
"""Maximum number of future events."""


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
    with the same appointment are named together.
    """
    now = issue.run.moment(issue.last)
    gatherings = [
        (story.gathering, issue.title(story))
        for story, _ in issue.archive.public
        if story.gathering and story.gathering.start >= now
    ]
    due = [(meeting.start, title, meeting.place) for meeting, title in gatherings]
    public = {(start, place) for start, _, place in due}
    together: dict[tuple[datetime, str, str], dict[str, None]] = {}
    for who in issue.run.residents:
        row = issue.run.row(keys.PROMISES.of(who), issue.last) or Promises()
        for each in row.items:
            if (
                each.start >= now
                and (each.start, each.address) not in public
                and not issue.archive.is_secret(each.what)
                and not issue.archive.is_confidential(issue.run.conversation(each.talk))
            ):
                together.setdefault((each.start, each.address, each.what), {}).update(
                    dict.fromkeys(each.people)
                )
    due += [
        (start, issue.say("agreed", names=issue.people([*people]), what=what), place)
        for (start, place, what), people in together.items()
    ]
    for start, text, address in sorted(due)[:COMING]:
        yield {"tick": issue.run.tick(start), "text": text, "address": address}


def list_figures(issue: Issue) -> Iterator[str]:
    """Yield sentences on the numbers of conversations and conclusions, the busiest speaker, and
    the place where most was said.
    """
    thoughts = [
        each
        for each in issue.archive.moments
        if each["kind"] == "reflection" and issue.is_today(each["tick"])
    ]
    figures = [
        ngettext(
            "{count} conversation was held", "{count} conversations were held", len(issue.talks)
        ),
        ngettext("{count} conclusion was drawn", "{count} conclusions were drawn", len(thoughts)),
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
