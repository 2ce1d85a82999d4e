"""The visitors of a step: their conversations with residents, which wait for their words, and what
they hand over. Words that come while residents think break the step off, so that they are answered
at once, and so does a walk, so that it begins in this step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial
from math import inf
from typing import Any, TypeVar

from hometown.agent.conversation.converse import hold_conversation
from hometown.agent.conversation.visiting import (
    VisitorSpeaking,
    give_to_resident,
    is_within_reach,
    let_overhear,
    refuse_out_of_reach,
)
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.minds import Thought, collect_thoughts
from hometown.run_interface import InterventionSource
from hometown.world.conversation import Conversation
from hometown.world.effects import Logged
from hometown.world.interventions import Intervention
from hometown.world.state import State

LISTENING_SECONDS = 0.1
"""Seconds between two looks for a visitor's words."""

T = TypeVar("T")

MOST_BREAKS = 3
"""Maximum number of times that visitors break one step off; later acts wait for its end. A walk may
only be the first.
"""

OTHERS_WAIT_SECONDS = 5.0
"""Seconds for which the town waits for a visitor's next words while other visitors ask for something;
words that come later begin another conversation.
"""


def sort_acts(
    acts: Sequence[Intervention], state: State
) -> tuple[list[Intervention], list[Intervention]]:
    """Return the acts that are carried out now, before the conversations of this step, and those
    that open one or hand something over, all of them among different people. All others wait: for
    the end of a conversation, or, of one who has done something before, for the next step.
    """
    now: list[Intervention] = []
    held: list[Intervention] = []
    involved: set[str] = set()
    for act in acts:
        is_talk = act.kind in ("say", "give")
        people = {act.target, act.memory} if is_talk else {act.target}
        is_free = involved.isdisjoint(people) and not (is_talk and any(map(state.talking, people)))
        if is_free:
            (held if is_talk else now).append(act)
        if is_talk:
            involved |= people if is_free else {act.target}
    return now, held


class BrokenOff(Exception):
    """A visitor has acted while residents think. The step begins anew, with their act first; the
    replies so far are in the journal.
    """


class Visitors:
    """The visitors in a step, which begins anew where they break it off.

    `breaks` counts that. `silences` are the numbers of the acts after which a visitor has said
    nothing more, so that the town does not wait for their words once more. `hosted` are those who
    have talked, or to whom something was handed over; they do so once in a step.
    """

    def __init__(self, inbox: InterventionSource) -> None:
        self.inbox = inbox
        self.breaks, self.silences, self.hosted = 0, set[int](), set[str]()

    async def attend(
        self, context: StepContext, thinking: Coroutine[Any, Any, T], can_be_interrupted: bool
    ) -> T:
        """Return what residents think, unless a visitor sets out or speaks to one of them meanwhile,
        and they can be interrupted: a conversation that has only begun in this step gives way. Raises
        BrokenOff.
        """
        if self.breaks == MOST_BREAKS or not can_be_interrupted or not _has_visitors(context):
            return await thinking
        thoughts = asyncio.ensure_future(thinking)
        try:
            while not (await asyncio.wait([thoughts], timeout=LISTENING_SECONDS))[0]:
                if any(self._is_urgent(act, context) for act in self._list_due(context)):
                    self.breaks += 1
                    raise BrokenOff
            return thoughts.result()
        finally:
            thoughts.cancel()
            await asyncio.wait([thoughts])

    def _list_due(self, context: StepContext) -> Sequence[Intervention]:
        """Return the acts that have come since the step began."""
        return self.inbox.due(context.moment.step, context.snapshot.answered)

    def _is_urgent(self, act: Intervention, context: StepContext) -> bool:
        """Return True if a visitor sets out, or speaks to a resident within reach, and they were free
        as the step began.
        """
        state = context.snapshot
        if act.kind == "walk":
            return self.breaks == 0 and self._are_free(context, act.target)
        return (
            act.kind == "say"
            and act.text != ""
            and self._are_free(context, act.target, act.memory)
            and is_within_reach(context.scene, state, act.target, act.memory)
        )

    def _are_free(self, context: StepContext, *people: str) -> bool:
        """Return True if people are in town, have not talked with each other in this step, and were
        not talking as it began.
        """
        return set(people) <= context.world.personas.keys() - self.hosted and not any(
            map(context.snapshot.talking, people)
        )


def _has_visitors(context: StepContext) -> bool:
    """Return True if a visitor is in town."""
    people = context.world.personas
    return any(
        persona.is_visitor and not context.snapshot.is_away(who) for who, persona in people.items()
    )


class VisitorHost:
    """The host of visitors on one snapshot of the town, who talk at the same time."""

    def __init__(self, context: StepContext, visitors: Visitors) -> None:
        self.context, self.visitors = context, visitors
        self.inbox = visitors.inbox
        self.minds: dict[str, Mind] = {}
        self._accepted: dict[str, list[Intervention]] = {}
        self._talking: set[str] = set()

    async def host(self, acts: Sequence[Intervention]) -> tuple[list[Logged], list[Thought]]:
        """Let visitors speak to residents, or hand them something, all of them among different
        people; return the effects by which their acts are carried out, and the thoughts of those
        who took part.
        """
        for act in acts:
            self.visitors.hosted |= {act.target, act.memory}
            self._accepted[act.target] = []
            self._talking.add(act.target)
            self._mind_of(act.target), self._mind_of(act.memory)
        taking_part = frozenset(self.minds)
        talks = await asyncio.gather(*map(self._host_one, acts))
        for talk in filter(None, talks):
            await let_overhear(talk, taking_part, self._mind_of)
        done = [each for act in acts for each in self._accepted[act.target]]
        return [_carry_out(each) for each in done], collect_thoughts(self.minds)

    async def _host_one(self, act: Intervention) -> Conversation | None:
        """Let one visitor act; return the conversation, if they hold one."""
        visitor, other, cause = act.target, act.memory, f"user:{act.number}"
        try:
            if not is_within_reach(self.context.scene, self.context.snapshot, visitor, other):
                self._accept(act)
                refuse_out_of_reach(self._mind_of(visitor), other, cause)
            elif act.kind == "give":
                self._accept(act)
                await give_to_resident(act, self._mind_of, cause)
            elif act.text:
                listen = partial(self._listen, act.number)
                speaking = VisitorSpeaking(visitor, listen, self._show_line)
                two = self._mind_of(visitor), self._mind_of(other)
                return await hold_conversation(*two, (), {}, cause, speaking)
            else:
                self._accept(act)
        finally:
            self._talking.discard(visitor)
        return None

    def _mind_of(self, who: str) -> Mind:
        return self.minds.get(who) or self.minds.setdefault(who, Mind(who, self.context))

    def _accept(self, act: Intervention) -> None:
        """Note that a visitor's act is carried out."""
        self._accepted[act.target].append(act)

    async def _listen(self, begun: int, visitor: str, other: str) -> str:
        """Return a visitor's next words to a resident in the conversation that their act `begun`
        opens, waiting for them for the time in the settings, or less while others ask for
        something; "" if they end the conversation, turn to another, do something else, or say
        nothing, as they did before the step was broken off.
        """
        clock = asyncio.get_running_loop().time
        said = {each.number for each in self._accepted[visitor][-1:]}
        was_silent = not said.isdisjoint(self.visitors.silences)
        patience = 0 if was_silent else self.context.settings.machine.visitor_seconds
        since = clock()
        while True:
            waiting = self._find_acts(begun)
            acts = [each for each in waiting if each.target == visitor]
            if acts and (acts[0].kind, acts[0].memory) == ("say", other):
                self._accept(acts[0])
                return acts[0].text
            others = any(each.target not in self._talking for each in waiting)
            if acts:
                return ""
            if clock() >= since + min(patience, OTHERS_WAIT_SECONDS if others else inf):
                self.visitors.silences |= said
                return ""
            await asyncio.sleep(LISTENING_SECONDS)

    def _find_acts(self, begun: int) -> Sequence[Intervention]:
        """Return the acts that were not carried out yet, from the act `begun` on."""
        done = {each.number for accepted in self._accepted.values() for each in accepted}
        due = self.inbox.due(self.context.moment.step, self.context.snapshot.answered)
        return [each for each in due if each.number >= begun and each.number not in done]

    def _show_line(self, speaker: str, partner: str, text: str) -> None:
        """Show a line of a conversation with a visitor to those who watch."""
        listener = self.context.caller.listener
        if listener is not None:
            listener.hear(speaker, partner, text, complete=True)


def _carry_out(act: Intervention) -> Logged:
    """Return the effect by which a visitor's act is carried out."""
    return Logged(act.effect, "", f"user:{act.number}")
