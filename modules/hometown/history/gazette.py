"""The front page of the town's newspaper for one day, written by rule and without a model.

A grave event leads, or else a gathering; then come the news of the town, the most widespread first;
then conversations, the weightiest first, with each resident at most once. Headlines are made of
facts or are lines of the residents; speech is quoted verbatim. Articles are in the reader's
language, quotes and summaries in the run's. The paper prints no secret: no text that calls itself
one, in the words by which residents keep it from all but their closest, no conversation in which
one of them asked to keep a matter private, and nothing about a storyline that its author has given
a resident in such words.
"""

from __future__ import annotations

from datetime import date

from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.diary import days_of
from hometown.history.gazette_columns import (
    list_coming,
    list_figures,
    list_notices,
    list_thoughts,
    list_threads,
)
from hometown.history.gazette_events import list_events
from hometown.history.gazette_gatherings import list_gatherings
from hometown.history.gazette_issue import Issue
from hometown.history.gazette_news import list_news
from hometown.history.gazette_talks import list_encounters
from hometown.language import Lang


def gazette(archive: Archive, lang: Lang, day: date) -> shapes.Gazette:
    """Return the front page of one day of the run, in a language: its head, articles, thoughts and
    columns at the side.
    """
    issue = Issue(archive, lang, day)
    days = days_of(issue.run, issue.run.last_step())
    events = list(list_events(issue))
    return {
        "title": issue.say("title", world=issue.own_names.world_name(issue.run.manifest)),
        "day": day.isoformat(),
        "days": [other.isoformat() for other in days],
        "number": days.index(day) + 1,
        "articles": [
            *events,
            *list_gatherings(issue),
            *list_news(issue),
            *list_encounters(issue, events),
        ],
        "thoughts": list(list_thoughts(issue)),
        "notices": list(list_notices(issue, events)),
        "coming": list(list_coming(issue)),
        "threads": list(list_threads(issue)),
        "market": archive.workdays.market(day, lang, issue.last),
        "figures": list(list_figures(issue)),
    }
