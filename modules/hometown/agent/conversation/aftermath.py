"""The aftermath of a conversation: summaries, news, relations and intentions.

At its end, participants record that they talked and what was said. In the next step each sums up
its outcome as a deferred question, for which no resident waits.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hometown.agent.acting.reasons import find_unsaid
from hometown.agent.conversation.called_over import drop_what_is_over, list_errands
from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.conversation.commitments import (
    SideSummary,
    are_equal,
    make_promises,
    without_repeated,
)
from hometown.agent.conversation.fresh_news import find_fresh_news, find_teller
from hometown.agent.conversation.news_of_ends import enter_news_of_ends
from hometown.agent.inner_life.bonds import update_bond
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.due import find_date, names_day
from hometown.agent.mind.meant import awaits_event, is_refraining
from hometown.agent.mind.open_intentions import find_open_intentions, is_meant_already
from hometown.agent.mind.wishes import list_open_wishes, record_wish
from hometown.agent.perception.poignancy import rate
from hometown.agent.planning.agreements import enter_agreements
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_tasks import shortest_task_minutes
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.participation import (
    AGREE_PREDICATE,
    AGREEMENT_POIGNANCY_MIN,
    is_one_meeting,
    learn_of_occasion,
)
from hometown.agent.planning.place_choice import named_places
from hometown.agent.planning.plan_settling import settle_memories
from hometown.agent.planning.reconsider import (
    QUARREL_TONE,
    WEIGHTY_CONVERSATION_MIN,
    WEIGHTY_INTENTION_MIN,
    WEIGHTY_NEWS_MIN,
)
from hometown.agent.working.society_plugin import society_in
from hometown.clock import DAY
from hometown.memory.concept import INTENTION_PREDICATE, NEWS_PREDICATE, Concept
from hometown.memory.schedule import PlacedTask
from hometown.prompt.conversation_summary import CONVERSATION_SUMMARY
from hometown.prompt.dialogue import (
    ConversationSummaryReply,
    ConversationSummaryVars,
    Learnt,
)
from hometown.prompt.outcome import CONVERSATION_OUTCOME, ConversationOutcomeReply
from hometown.prompt.reactions import RatedEvent
from hometown.world.conversation import Conversation, Line
from hometown.world.deal_records import DealStruck
from hometown.world.effects import ConcernsRenewed, Related, TalkBegan, TasksSet
from hometown.world.pending import SummedUp
from hometown.world.resident_names import find_company
from hometown.world.rows import Promise
from hometown.world.world import World

VISIT_POIGNANCY, INTENTION_POIGNANCY_MAX = 5, 6
"""Poignancy of a visitor's memory of a conversation, and the highest of a talk's intentions."""

Keep = Callable[
    ["Mind", Conversation, str, "SideSummary", Sequence[Promise]], Coroutine[Any, Any, None]
]
"""Function that stores a conversation's outcome in a mind: the conversation, its summary, the
side's own answers, and the agreements.
"""


def end_participation(speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
    """End a speaker's part in a conversation: update their relations to the others, put it among
    the tasks of the hour, and defer the question for its outcome. One participant who heard
    everything states summary and agreements for all who did; others who missed a part state their
    own. The opener records the conversation itself. A visitor answers no question.
    """
    mind, others = speaker.mind, [other.who for other in circle.met_by(speaker)]
    if speaker is circle.speakers[0]:
        mind.do(
            TalkBegan(talk, talk.started + timedelta(minutes=talk.minutes), summed=False), cause
        )
    said = [line.text for line in circle.lines if line.speaker == mind.who]
    for other in others:
        relation = mind.state.relation(mind.who, other).after(said, mind.now)
        mind.do(Related(mind.who, other, relation), "rule:talk")
    if mind.me.is_visitor:
        return
    recounter = talk.find_recounter(find_summing_up(mind.world, talk))
    variables = _make_summary_variables(
        speaker, circle, speaker.who == recounter or not talk.present_throughout(speaker.who)
    )
    mind.defer_question(
        CONVERSATION_OUTCOME if mind.world.book else CONVERSATION_SUMMARY,
        variables,
        speaker.found,
        "rule:talk",
        talk=talk.id,
        company=mind.company,
    )
    _add_to_tasks(mind, talk)


def find_summing_up(world: World, talk: Conversation) -> list[str]:
    """Return the participants who sum up a conversation: all but visitors."""
    return [who for who in talk.people if not world.is_visitor(who)]


def _make_summary_variables(
    speaker: Speaker, circle: Circle, recounts: bool
) -> ConversationSummaryVars:
    """Return the variables of the question for a conversation's outcome.

    `recounts` asks for summary and agreements too.
    """
    mind, heard = speaker.mind, speaker.opening
    assert heard is not None, f"{speaker.who} has had nothing in mind"
    lines = circle.dialogue(speaker)
    spoken = replace(heard, lines=lines, closing=circle.closing(speaker))
    met = {speaker.who, *(one.other.id for one in spoken.all_partners)}
    people = [one.mind for one in circle.taking_part if one.who in met]
    ids, plain = [each.who for each in people], spoken.situation.plain
    return ConversationSummaryVars.after(
        spoken,
        people=tuple((each.who, each.me.name) for each in people),
        pronouns=tuple(each.me.pronouns for each in people),
        place=mind.world.place_name(mind.arena),
        sites=tuple(
            site
            for site in named_places(
                mind,
                [*(line.text for line in lines), *(memory.text for memory in spoken.in_mind)],
            )
            if site not in heard.places
        )
        if recounts
        else (),
        together=tuple(mind.words.say("together").split("|")) if recounts and plain else (),
        recounts=recounts,
        open_intentions=()
        if plain
        else find_open_intentions(
            mind,
            [who for who in ids if who != mind.who],
            {scored.concept.id for scored in speaker.found},
        ),
        errands=() if plain else list_errands(mind, ids, circle.lines),
    )


async def enter_outcomes(
    talk: Conversation,
    sums: Mapping[str, SideSummary],
    minds: Mapping[str, Mind],
    keep: Keep | None = None,
) -> None:
    """Enter the outcome of a conversation into the minds of all participants: the summary,
    agreements, each stated once, and deals.

    Args:
        talk: the conversation.
        sums: the outcome by participant.
        minds: the minds of all participants.
        keep: stores the outcome in one mind; `store_outcome` by default.
    """
    keep = keep or store_outcome
    recounter = talk.find_recounter(sums)
    told = sums[recounter]
    minds[recounter].do(SummedUp(talk.id, told.reply.summary), told.cause)
    made = make_promises(told, talk, minds[recounter])
    stated = [promise for promise in made if len(promise.people) > 1]
    alone = [promise for promise in made if len(promise.people) == 1]
    for who in sums:
        if who != recounter and not talk.present_throughout(who):
            for promise in make_promises(sums[who], talk, minds[who]):
                if len(promise.people) == 1:
                    continue  # an intention of their own, which they name as such
                equal = next((each for each in stated if are_equal(promise, each)), None)
                if equal is None:
                    stated.append(promise)
                else:  # one agreement, in the words of each
                    stated[stated.index(equal)] = equal.with_part(who, promise.part_of(who))
    await drop_what_is_over(talk, sums, minds)  # what is agreed anew is not missed, and stands once
    causes = {who: sums.get(who, told).cause for who in talk.people}
    agreed = await enter_agreements(stated, minds, causes)
    for who in talk.people:
        if who not in sums:
            await _remember_visit(minds[who], talk, told)
            continue
        summary = (told if talk.present_throughout(who) else sums[who]).reply.summary
        mine = without_repeated([promise for promise in agreed if who in promise.people])
        await keep(minds[who], talk, summary, sums[who], mine)
    for promise in alone:
        await _remember_own_promise(minds[promise.people[0]], promise, told.cause)
    _strike_deals(talk, sums, minds)


async def _remember_visit(visitor: Mind, talk: Conversation, told: SideSummary) -> None:
    """Remember a conversation as a visitor, in the words of the resident who has summed it up."""
    others = tuple(who for who in talk.people if who != visitor.who)
    memory = NewMemory(
        "chat",
        told.reply.summary,
        visitor.who,
        "talk",
        others[0],
        talk.address,
        talk=talk.id,
        about=others,
    )
    await visitor.remember([memory], [VISIT_POIGNANCY], told.cause)


async def _remember_own_promise(mind: Mind, promise: Promise, cause: str) -> None:
    """Remember what one participant alone has promised, which is an intention of theirs."""
    text = mind.words.say(
        "own_promise",
        name=mind.me.name,
        what=promise.what,
        when=mind.words.when(promise.start),
        place=mind.world.place_name(promise.address),
    )
    about = tuple(find_concerned(mind, promise.what))
    memory = NewMemory(
        "thought", text, mind.who, INTENTION_PREDICATE, talk=promise.talk, about=about
    )
    await mind.remember([memory], [WEIGHTY_INTENTION_MIN], cause)


def _strike_deals(
    talk: Conversation, sums: Mapping[str, SideSummary], minds: Mapping[str, Mind]
) -> None:
    """Record the deals that two sides have agreed on; the town's rules check them at the end of the
    step.
    """
    said = {
        who: (each.reply, each.asked.people, each.asked.dealings)
        for who, each in sums.items()
        if isinstance(each.reply, ConversationOutcomeReply) and each.asked.dealings
    }
    for deal in society_in(minds[talk.people[0]].world).match_deals(talk, said):
        giver = deal.handovers[0].giver
        minds[giver].do(DealStruck(deal), sums[giver].cause)


async def store_outcome(
    mind: Mind, talk: Conversation, summary: str, summed: SideSummary, promises: Sequence[Promise]
) -> None:
    """Store a conversation's outcome in one mind: relations, bonds, memories of it, of fresh news
    and of agreements, intentions, the course of wishes, and the resident's concerns. Memories that it
    has settled are retired. It is a reason to reconsider the day if it was a quarrel, brought weighty news, or is
    important without an agreement for today.
    """
    cause, others = summed.cause, [one.other.id for one in summed.asked.others]
    heard = [line for line in talk.lines_for(mind.who) if line.speaker in others]
    learnt = await enter_news_of_ends(mind, talk.id, summed, heard)
    fresh = find_fresh_news(mind, talk.lines_for(mind.who), learnt)
    reply = summed.reply.model_copy(update={"learnt": fresh})
    _relate(mind, others, summed)
    _learn_of_occasions(mind, summed.reply.learnt, heard, others, cause)
    tellers = [find_teller(each.what, heard, others) for each in reply.learnt]
    about = tuple(dict.fromkeys([*tellers, *others]))
    agreements = [mind.words.agreement(mind.who, promise) for promise in promises]
    ratings = await _rate_outcome(mind, summary, reply, agreements, about)
    chat = NewMemory(
        "chat", summary, mind.who, "talk", about[0], talk.address, talk=talk.id, about=about
    )
    kept = await mind.remember([chat], ratings[:1], cause)
    news = [
        _news_memory(mind.who, talk, each.what, teller, kept[0].id)
        for each, teller in zip(reply.learnt, tellers, strict=True)
    ]
    plans = [
        _plan_memory(mind.who, talk, text, promise, about)
        for text, promise in zip(agreements, promises, strict=True)
    ]
    await mind.remember([*news, *plans], ratings[1:], cause)
    _record_wishes(mind, summed, others, kept[0], summary)
    said = find_unsaid(mind, others, talk.started)
    settle_memories(mind, dict.fromkeys((*summed.settled_memories, *said)), cause)
    if reply.concerns:
        mind.do(ConcernsRenewed(mind.who, reply.concerns), cause)
    # what is settled and meant anew, at another time or place, is an intention again
    await _remember_intentions(mind, talk, reply, promises, kept[0], cause)
    is_answered = any(promise.start.date() == mind.now.date() for promise in promises)
    is_open = ratings[0] >= WEIGHTY_CONVERSATION_MIN and not is_answered
    is_weighty = any(each.weight >= WEIGHTY_NEWS_MIN for each in reply.learnt)
    if is_open or is_weighty or QUARREL_TONE in reply.closer:
        give_reason(mind, kept[0], cause)


def _relate(mind: Mind, others: Sequence[str], summed: SideSummary) -> None:
    """Update the resident's relations and bonds to the others in a conversation."""
    reply, cause = summed.reply, summed.cause
    for other, standing in zip(others, reply.relations, strict=True):
        relation = replace(mind.state.relation(mind.who, other), summary=standing)
        mind.do(Related(mind.who, other, relation), cause)
    for other, tone in zip(others, reply.closer or [1] * len(others), strict=True):
        update_bond(mind, other, tone, cause)


def _record_wishes(
    mind: Mind, summed: SideSummary, others: Sequence[str], chat: Concept, summary: str
) -> None:
    """Record the course of the resident's open wishes in a conversation, with the reason: those
    carried out or refused, those settled, and those towards the others that did not come up.
    """
    candidates = summed.asked.candidates_to_settle
    results = {candidates[each.number - 1].id: each for each in summed.reply.wishes}
    settled = {memory.id for memory in summed.settled_memories}
    for wish in list_open_wishes(mind):
        if result := results.get(wish.memory):
            record_wish(mind, wish, result.how, summed.cause, result.why, chat.id)
        elif wish.memory in settled:
            record_wish(mind, wish, "done", summed.cause, summary, chat.id)
        elif wish.is_due(mind.now) and not set(wish.people).isdisjoint(others):
            record_wish(mind, wish, "talked", "rule:wish", memory=chat.id)


async def _remember_intentions(
    mind: Mind,
    talk: Conversation,
    reply: ConversationSummaryReply,
    promises: Sequence[Promise],
    chat: Concept,
    cause: str,
) -> None:
    """Remember the promises of the side alone, and the residents to be told of the agreements,
    without intentions that they have already. Each that is not for another day is a reason to
    reconsider this one.
    """
    lang = mind.world.lang
    meant = (*reply.intentions, *_list_messages(mind, talk, promises))
    texts = [text for text in meant if not is_meant_already(mind, text)]
    new = [
        NewMemory(
            "thought",
            text,
            mind.who,
            INTENTION_PREDICATE,
            evidence=(chat.id,),
            talk=talk.id,
            about=tuple(who for who in find_named(mind.world, [text]) if who != mind.who),
        )
        for text in texts
    ]
    rating = min(max(chat.poignancy, WEIGHTY_INTENTION_MIN), INTENTION_POIGNANCY_MAX)
    for memory in await mind.remember(new, [rating] * len(new), cause):
        due = find_date(memory.text, mind.now, lang, True)
        is_for_later = names_day(memory.text, mind.now, lang) or awaits_event(memory.text, lang)
        is_for_today = due.day == mind.now.date() if due else not is_for_later
        if is_for_today and not is_refraining(memory.text, lang):
            give_reason(mind, memory, cause)


def _list_messages(mind: Mind, talk: Conversation, promises: Sequence[Promise]) -> Iterator[str]:
    """Yield the intentions to tell residents of agreements that name them as company but in which
    they took no part: of those who agreed, the one who named such a resident last has to tell them,
    unless they have agreed with that resident on the same meeting.
    """
    held = mind.state.promises(mind.who).items
    for promise in promises:
        texts = (promise.what, *promise.parts)
        known = {who for each in held if is_one_meeting(mind, each, promise) for who in each.people}
        known.update(talk.people)
        for third in dict.fromkeys(who for each in texts for who in find_company(mind.world, each)):
            if third in known or mind.state.is_away(third):
                continue
            named_by = (
                line.speaker
                for line in reversed(talk.lines)
                if line.speaker in promise.people and third in find_named(mind.world, [line.text])
            )
            if next(named_by, promise.people[0]) == mind.who:
                yield mind.words.has_to_tell(mind.who, third, promise)


def _news_memory(who: str, talk: Conversation, news: str, teller: str, chat: int) -> NewMemory:
    """Return a memory of a piece of news; `chat` is the memory of the conversation."""
    return NewMemory(
        "event", news, who, NEWS_PREDICATE, teller, talk.address, (chat,), talk.id, (teller,)
    )


def _plan_memory(
    who: str, talk: Conversation, text: str, promise: Promise, about: tuple[str, ...]
) -> NewMemory:
    """Return a memory of an agreement."""
    partner = next(other for other in promise.people if other != who)
    return NewMemory(
        "plan", text, who, AGREE_PREDICATE, partner, promise.address, talk=talk.id, about=about
    )


def _learn_of_occasions(
    mind: Mind, learnt: Sequence[Learnt], heard: Sequence[Line], others: Sequence[str], cause: str
) -> None:
    """Make the resident know of the occasions that news is about, fresh or not: a memory of one that
    was overheard does not make them a guest yet.
    """
    for each in learnt:
        learn_of_occasion(mind, each.what, find_teller(each.what, heard, others), cause)


async def _rate_outcome(
    mind: Mind,
    summary: str,
    reply: ConversationSummaryReply,
    agreements: list[str],
    about: tuple[str, ...],
) -> list[int]:
    """Return the poignancy of the conversation, each piece of news and each agreement, in this
    order.

    The reply contains the ratings; without `thrift.rated_at_once`, one more call rates them.
    """
    if mind.settings.thrift.rated_at_once:
        return [
            reply.weight,
            *(each.weight for each in reply.learnt),
            *(max(reply.weight, AGREEMENT_POIGNANCY_MIN) for _ in agreements),
        ]
    happenings = [
        RatedEvent(summary, "chat", about),
        *(RatedEvent(each.what, "event", about) for each in reply.learnt),
    ]
    ratings, _ = await rate(
        mind, [*happenings, *(RatedEvent(text, "plan", about) for text in agreements)]
    )
    return ratings


def _add_to_tasks(mind: Mind, talk: Conversation) -> None:
    """Insert the conversation among the tasks of the hour, if one of them is due now."""
    tasks = mind.state.tasks(mind.who)
    end = min(mind.minute + talk.minutes, DAY)
    doing = mind.words.say("talking_with", other=mind.words.names(talk.others(mind.who)))
    task = PlacedTask(mind.minute, end, doing, "done", address=talk.address, emoji="💬")
    if tasks.due(mind.minute) is not None:
        mind.do(TasksSet(mind.who, tasks.splice(task, shortest_task_minutes(mind))), "rule:talk")
