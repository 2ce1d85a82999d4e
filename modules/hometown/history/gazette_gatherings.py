"""The newspaper's articles on gatherings of public storylines: who came, and what they said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hometown.clock import format_time
from hometown.history import shapes
from hometown.history.gazette_issue import Issue
from hometown.history.spread import GuestVisit, Learning, measure_attendance
from hometown.world import keys
from hometown.world.conversation import Conversation
from hometown.world.world import Gathering, Storyline, arena_of

LATECOMER = timedelta(minutes=30)
"""The time after the first guest from which on the last one is late."""

MAX_SCENES = 2
"""Maximum number of exchanges quoted from a gathering."""


def list_gatherings(issue: Issue) -> Iterator[shapes.Article]:
    """Yield an article for each gathering of a public storyline that has begun on the day, then for
    each that was to be on the day and was called off.
    """
    for story, learned in issue.public:
        meeting = story.gathering
        if (
            meeting
            and meeting.start.date() == issue.day
            and issue.run.moment(issue.last) > meeting.start
        ):
            yield _write_gathering(issue, story, meeting, learned)
    for story, _ in issue.public:
        occasion = issue.run.row(keys.OCCASION.of(story.id), issue.last)
        if occasion and occasion.fate == "called off" and occasion.start.date() == issue.day:
            yield issue.article(
                "gathering",
                list(occasion.hosts),
                issue.run.tick(occasion.start),
                occasion.address,
                headline=issue.say("called_off", story=issue.title(story)),
                deck=issue.say(
                    "gathering_deck",
                    place=issue.place(occasion.address),
                    time=format_time(occasion.start),
                    hosts=issue.people(occasion.hosts),
                ),
                text=occasion.why,
                lang=issue.run.manifest.lang,
            )


def _write_gathering(
    issue: Issue, story: Storyline, meeting: Gathering, learned: list[Learning]
) -> shapes.Article:
    """Return an article on a gathering: its acts, the guests, those who passed by and those who
    stayed away, and the best exchanges there.
    """
    people = measure_attendance(issue.run, issue.names, story, meeting, learned, issue.last)
    occasion = issue.run.row(keys.OCCASION.of(story.id), issue.last)
    has_failed = occasion is not None and occasion.fate == "fell through"
    stand_ins = [who for who in occasion.hosts if who not in people.hosts] if occasion else []
    came = [visit.who for visit in people.came]
    groups = {"came": came, "stayed_away": people.stayed_away}
    hosts = issue.people(people.hosts) if people.hosts else issue.place(meeting.place)
    key = "fell_through" if has_failed else "gathering" if came else "gathering_alone"
    there = [*people.hosts, *came]
    talks = [] if has_failed else _list_talks(issue, meeting)
    return issue.article(
        "gathering",
        there,
        issue.run.tick(meeting.start),
        meeting.place,
        headline=issue.say(key, story=issue.title(story), count=issue.count(len(there))),
        deck=issue.say(
            "gathering_deck",
            place=issue.place(meeting.place),
            time=format_time(meeting.start),
            hosts=hosts,
        ),
        text=issue.between.join(
            [
                *([issue.say("host_missing", hosts=hosts)] if has_failed else []),
                *([issue.say("stood_in", names=issue.people(stand_ins))] if stand_ins else []),
                *_tell_acts(issue, meeting, there),
                *_tell_latecomer(issue, people.came),
                *(issue.say(key, names=issue.people(ids)) for key, ids in groups.items() if ids),
            ]
        ),
        lang=issue.lang,
        quotes=issue.quote_scenes(talks, MAX_SCENES),
    )


def _tell_acts(issue: Issue, meeting: Gathering, people: list[str]) -> Iterator[str]:
    """Yield a sentence on the first and the last act of a gathering: what hosts and guests did
    there as a part of it.
    """
    steps = (issue.first, issue.last)
    acts = {
        action.started: act
        for who in people
        for _, action in issue.run.actions_of(who, *steps)
        if action.started
        and meeting.start <= action.started < meeting.end
        and arena_of(action.address) == arena_of(meeting.place)
        and (act := issue.part_of_occasion(action.activity))
    }
    named = dict.fromkeys(acts[at] for at in sorted(acts))
    done = [act for act in named if not any(one != act and one.startswith(act) for one in named)]
    if len(done) > 1:
        yield issue.say("acts", first=done[0], last=done[-1])


def _tell_latecomer(issue: Issue, came: list[GuestVisit]) -> Iterator[str]:
    """Yield a sentence on the last guest, if they came much later than the first."""
    visits = sorted(came, key=lambda visit: visit.arrived)
    if visits and visits[-1].arrived - visits[0].arrived >= LATECOMER:
        last = visits[-1]
        time = issue.time.clock(last.arrived)
        yield issue.say("latecomer", name=issue.names.person(last.who), time=time)


def _list_talks(issue: Issue, meeting: Gathering) -> list[Conversation]:
    """Return the talks at a gathering while it lasted."""
    return [
        talk
        for talk in issue.talks
        if arena_of(talk.address) == arena_of(meeting.place)
        and meeting.start <= talk.started < meeting.end
    ]
