"""The rule about the form of a reply: its schema, and what a prompt asks for beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from hometown.bench.contradictions import NIGHT_MINUTES
from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import minutes_of, words_of
from hometown.clock import DAY
from hometown.prompt.checks import SAYS_NOTHING
from hometown.prompt.reactions import CONTINUE, WAIT
from hometown.prompt.responses import DO

MINUTES_SHARE = 0.25
"""Share of the time to be filled by which the minutes of its tasks may miss it."""

MINUTES_DEMANDED = r"must add up to (\d+) minutes|加起来正好[\s\S]*一共(\d+)分钟"
"""Words by which earlier prompts demanded that the minutes of tasks fill a time."""

FEWEST_STROKES = 5
"""Broad strokes of a day that the prompt asks for at least."""

DRAFTED_TOGETHER = (
    ("means", "effort"),
    ("helpers", "help_minutes"),
    ("damage", "mending", "repair_hours"),
)
"""Fields of the draft of a happening of which all or none are given."""


def breaks_form(reply: ScoredReply) -> str:
    """Return why a reply has not the form asked for, "" if it has. A text without words is one that
    says nothing (`lacks_content`), and no fault of the form.
    """
    fault = "" if reply.fault.endswith(SAYS_NOTHING) else reply.fault
    return fault or breaks_demand(reply)


def breaks_demand(reply: ScoredReply) -> str:
    """Return why a reply that fits its schema has not the form that its prompt asks for, "" if it
    has.
    """
    return (
        _missing_end(reply)
        or _needless_topic(reply)
        or _misplaced_decision(reply)
        or next(_misshapen_plan(reply), "")
        or next(_unfitting_fields(reply), "")
    )


def _missing_end(reply: ScoredReply) -> str:
    """Return the words of the last message that ask for the last line of a conversation, where a
    reply speaks and does not mark the end; "" otherwise.
    """
    asked = re.search(words_of(reply.lang)["last_line"], reply.messages[-1].content)
    return asked[0] if asked and reply.speech and not reply.fields.get("end") else ""


def _needless_topic(reply: ScoredReply) -> str:
    """Return the superfluous text of a decision: the topic of one to go on, to wait or to do
    something, or the task of one of the first two; "" if there is none.
    """
    decision = reply.fields.get("decision")
    names = ("topic", "what") if decision in (CONTINUE, WAIT) else ("topic",)
    if decision not in (CONTINUE, WAIT, DO):
        return ""
    return next((str(reply.fields[name]) for name in names if reply.fields.get(name)), "")


def _misplaced_decision(reply: ScoredReply) -> str:
    """Return a decision, such as "wait" or "talk to 2", that stands where a topic or a task should;
    "" if there is none.
    """
    found = (str(reply.fields.get(name, "")) for name in ("topic", "what"))
    decision = rf"{CONTINUE}|{WAIT}|{DO}|(?:talk|talking|go) to \d+"
    return next((text for text in found if re.fullmatch(decision, text.strip())), "")


def _misshapen_plan(reply: ScoredReply) -> Iterator[str]:
    """Yield a number of strokes below the one asked for, starting times that do not go up or are
    after 24:00, and minutes whose sum misses the one demanded.
    """
    strokes = [each for each in reply.strokes if re.search(r"[^\W\d_]{2}", each)]
    if reply.kind == "schedule_init" and len(strokes) < FEWEST_STROKES:
        yield f"{len(strokes)} < {FEWEST_STROKES}"
    if reply.kind == "schedule_daily":
        starts = [clock for clock in reply.starts if re.fullmatch(r"\d\d?:\d\d", clock)]
        yield from (
            f"{one} {other}"
            for one, other in pairwise(starts)
            if minutes_of(other) <= minutes_of(one)
            and not minutes_of(other) < NIGHT_MINUTES < minutes_of(one)
        )
        yield from (clock for clock in starts if minutes_of(clock) > DAY)
    total = re.search(MINUTES_DEMANDED, reply.prompt_text)
    minutes = [row[1] for row in reply.tasks if isinstance(row[1], int)]
    if reply.tasks and total:
        wanted = int(total[1] or total[2])
        if abs(sum(minutes) - wanted) > MINUTES_SHARE * wanted:
            yield f"{sum(minutes)} ≠ {wanted}"


def _unfitting_fields(reply: ScoredReply) -> Iterator[str]:
    """Yield fields of the draft of a happening that do not fit together, a missing `over`, growth
    in no less than all its minutes, and an activity in it that does not begin with a verb in -ing
    (English only).
    """
    if reply.kind != "happening":
        return
    fields = reply.fields
    for group in DRAFTED_TOGETHER:
        given = [bool(fields.get(name)) for name in group]
        if any(given) and not all(given):
            yield ", ".join(f"{name} {fields.get(name)!r}" for name in group)
    if not fields.get("over"):
        yield "over ''"
    grows, minutes = fields.get("grows"), fields.get("minutes")
    if isinstance(grows, int) and isinstance(minutes, int) and grows >= minutes:
        yield f"grows {grows}, minutes {minutes}"
    if reply.lang == "en":
        activities = (text for name, text, _ in reply.texts if name in ("means", "mending"))
        yield from (
            text for text in activities if text and not re.match(r"[a-z-]+ing\b", text, re.I)
        )
