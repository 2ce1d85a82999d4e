"""The prompt for each side's summary of a conversation: the bounds of its reply, and the rules that
mend one.
"""

from __future__ import annotations

from collections.abc import Mapping

from hometown.clock import minute_of_day
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    Keywords,
    at_most,
    between,
    exactly,
    one_of,
    settled_bounds,
    text,
)
from hometown.prompt.dialogue import (
    COMMITMENTS,
    CONCERNS_LENGTH,
    DOING_LENGTH,
    INTENTION_LENGTH,
    INTENTIONS,
    NEWS_LENGTH,
    NEWS_PASSED,
    REASON_LENGTH,
    RELATION_LENGTH,
    SUMMARY_LENGTH,
    WISHES,
    Commitment,
    Companion,
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.prompt.mending import in_words, unrepeated, unrepeated_in_groups
from hometown.prompt.plans import CLOCK, clock_minutes
from hometown.prompt.prompt import Prompt, Rule
from hometown.prompt.wording import fitting

BY_DAY = "^(09|1[0-9]|20):[03]0$"
"""Pattern of a time when residents are awake, for models that know none."""

PASSED_MINUTES = 60
"""Minutes after which a time of today has passed, so that an agreement for it is for tomorrow."""


def _summary_bounds(v: ConversationSummaryVars) -> Mapping[str, Keywords]:
    """Return the bounds of a summary: the lengths and numbers of its parts. A plain model is
    asked for fewer, wishes only where some were shown, and summary and agreements only of the one
    who recounts.
    """
    plain = v.situation.plain
    bounds: dict[str, Keywords] = {
        "summary": v.situation.text(SUMMARY_LENGTH) if v.recounts else LEFT_OUT,
        "relations": exactly(len(v.others)),
        "relations[]": v.situation.text(RELATION_LENGTH, 0),
        "learnt[].what": v.situation.text(NEWS_LENGTH),
        "learnt": at_most(1 if plain else NEWS_PASSED),
        "intentions": LEFT_OUT if plain else MAY_BE_LEFT_OUT | at_most(INTENTIONS),
        **settled_bounds(0 if plain else len(v.candidates_to_settle) + len(v.errands)),
        "wishes": LEFT_OUT,
        "concerns": LEFT_OUT
        if plain
        else MAY_BE_LEFT_OUT | text(v.situation.lang, CONCERNS_LENGTH, shortest=0),
    }
    if v.wish_numbers and not plain:
        bounds |= {
            "wishes": MAY_BE_LEFT_OUT | at_most(WISHES),
            "wishes[].number": one_of(v.wish_numbers),
            "wishes[].why": v.situation.text(REASON_LENGTH),
        }
    if not plain:
        bounds["intentions[]"] = v.situation.text(INTENTION_LENGTH)
    bounds |= (
        {"closer": LEFT_OUT}
        if plain
        else {"closer": exactly(len(v.others)), "closer[]": between(-2, 1)}
    )
    return bounds | (_agreement_bounds(v) if v.recounts else {"commitments": LEFT_OUT})


def _agreement_bounds(v: ConversationSummaryVars) -> dict[str, Keywords]:
    """Return the bounds of agreements. Where activities are given, one of them is chosen, for a
    time by day, and participants have no words of their own; an agreement between two people is
    between both.
    """
    bounds: dict[str, Keywords] = {
        "commitments": at_most(1 if v.situation.plain else COMMITMENTS),
        "commitments[].what": one_of(v.together)
        if v.together
        else text(v.situation.lang, DOING_LENGTH),
        "commitments[].start": {"pattern": BY_DAY if v.together else CLOCK},
        "commitments[].where": between(0, len(v.numbered)),
        "commitments[].then": LEFT_OUT
        if v.together or v.situation.plain
        else MAY_BE_LEFT_OUT | between(0, len(v.numbered)),
        "commitments[].day": one_of([day.isoformat() for day in v.days]),
    }
    bounds |= (
        {"commitments[].parts": LEFT_OUT}
        if v.together
        else {
            "commitments[].parts": MAY_BE_LEFT_OUT
            | (exactly(2) if len(v.people) == 2 else at_most(len(v.people))),
            "commitments[].parts[]": text(v.situation.lang, DOING_LENGTH),
        }
    )
    if len(v.people) == 2:
        return bounds | {"commitments[].who": LEFT_OUT}
    return bounds | {
        "commitments[].who": at_most(len(v.people)),
        "commitments[].who[]": between(1, len(v.people)),
    }


def _word_activities(
    v: ConversationSummaryVars, reply: ConversationSummaryReply
) -> ConversationSummaryReply:
    """Return a reply with the activity of each agreement in the form of all activities, unless it
    was chosen.
    """
    commitments = [
        commitment
        if v.together
        else commitment.model_copy(
            update={"what": v.situation.word_activity(commitment.what, DOING_LENGTH)}
        )
        for commitment in reply.commitments
    ]
    return reply.model_copy(update={"commitments": commitments})


def _postpone_past(
    v: ConversationSummaryVars, reply: ConversationSummaryReply
) -> ConversationSummaryReply:
    """Return a reply in which agreements for today whose time passed more than `PASSED_MINUTES` ago
    are for tomorrow.
    """

    def postpone(commitment: Commitment) -> Commitment:
        late = minute_of_day(v.situation.now) - clock_minutes(commitment.start)
        is_past = commitment.day == v.days[0] and late > PASSED_MINUTES
        return commitment.model_copy(update={"day": v.days[1]}) if is_past else commitment

    commitments = [postpone(commitment) for commitment in reply.commitments]
    if commitments == reply.commitments:
        return reply
    return reply.model_copy(update={"commitments": commitments})


def _remove_repeated(
    v: ConversationSummaryVars, reply: ConversationSummaryReply
) -> ConversationSummaryReply:
    """Return a reply without repeated news, and without agreements that the same people repeat for
    one day.
    """
    learnt = unrepeated(reply.learnt, lambda news: news.what)
    everybody = range(1, len(v.people) + 1)
    commitments = unrepeated_in_groups(
        reply.commitments,
        lambda each: (each.day, frozenset(each.who or everybody)),
        lambda each: each.what,
    )
    return reply.model_copy(update={"learnt": learnt, "commitments": commitments})


def _complete_relations(
    v: ConversationSummaryVars, reply: ConversationSummaryReply
) -> ConversationSummaryReply:
    """Return a reply with one relation and tone for each of the others: surplus ones are left out,
    and for missing ones and those that say nothing everything is as before. Very small models give
    no tones.
    """
    count, relations, closer = len(v.others), reply.relations, reply.closer
    given = [*relations[:count], *[""] * (count - len(relations))]
    whole = [
        relation if in_words(relation) else _describe_standing(one)
        for relation, one in zip(given, v.others, strict=True)
    ]
    tones = [] if v.situation.plain else [*closer[:count], *[0] * (count - len(closer))]
    if (whole, tones) == (relations, closer):
        return reply
    return reply.model_copy(update={"relations": whole, "closer": tones})


def _describe_standing(one: Companion) -> str:
    """Return the speaker's relation to another as it was before: in their words, else as authored,
    else the other's name.
    """
    return fitting(one.standing or one.other.relation or one.other.name, RELATION_LENGTH)


def _quote_lines(v: ConversationSummaryVars) -> ConversationSummaryReply:
    """Return the fallback: the lines as they were said, as far as they fit, for the one who
    recounts, and all relations as before.
    """
    said = fitting(" ".join(f"{line.name}: {line.text}" for line in v.lines), SUMMARY_LENGTH)
    return ConversationSummaryReply(
        summary=said if v.recounts else "", relations=[_describe_standing(one) for one in v.others]
    )


CONVERSATION_SUMMARY = Prompt(
    "talk_summary",
    ConversationSummaryVars,
    ConversationSummaryReply,
    fallback=_quote_lines,
    narrow=_summary_bounds,
    mend=(
        Rule("completed", _complete_relations),
        Rule("worded", _word_activities),
        Rule("merged", _remove_repeated),
        Rule("moved", _postpone_past),
    ),
    persona="life",
    max_tokens=2580,
    temperature=0.3,
)
