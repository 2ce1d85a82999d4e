"""The visitors of a step: their conversations with residents, which wait for their words, and what
they hand over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from math import inf

from hometown.agent.conversation.visiting import (
    VisitorSpeaking,
    converse_with_visitor,
    give_to_resident,
    is_within_reach,
    refuse_out_of_reach,
)
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.minds import Thought, collect_thoughts
from hometown.run_interface import InterventionSource
from hometown.world.effects import Logged
from hometown.world.incidents import Intervened
from hometown.world.interventions import Intervention

LISTENING_SECONDS = 0.1
"""Seconds between two looks for a visitor's words."""

OTHERS_WAIT_SECONDS = 5.0
"""Seconds for which the town waits for a visitor's next words while other visitors ask for something;
words that come later begin another conversation.
"""


class VisitorHost:
    """The host of visitors on one snapshot of the town: `inbox` has their acts, and `carry_out`
    applies an effect to the town.
    """

    def __init__(
        self,
        context: StepContext,
        inbox: InterventionSource,
        carry_out: Callable[[Logged], None],
    ) -> None:
        self.context, self.inbox, self.carry_out = context, inbox, carry_out
        self.minds: dict[str, Mind] = {}

    async def host(self, act: Intervention) -> list[Thought]:
        """Let a visitor speak to a resident, or hand them something; return the thoughts of those
        who took part. What is said while one of the two is in a conversation waits.
        """
        visitor, other, cause = act.target, act.memory, f"user:{act.number}"
        state = self.context.snapshot
        if any(state.talking(who) for who in (visitor, other)):
            return []
        if not is_within_reach(self.context.scene, state, visitor, other):
            self._accept(act)
            refuse_out_of_reach(self._mind_of(visitor), other, cause)
        elif act.kind == "give":
            self._accept(act)
            await give_to_resident(act, self._mind_of, cause)
        elif act.text:
            listen = partial(self._listen, act.number)
            speaking = VisitorSpeaking(visitor, listen, self._show_line)
            await converse_with_visitor(visitor, other, self._mind_of, cause, speaking)
        else:
            self._accept(act)
        return collect_thoughts(self.minds)

    def _mind_of(self, who: str) -> Mind:
        return self.minds.get(who) or self.minds.setdefault(who, Mind(who, self.context))

    def _accept(self, act: Intervention) -> None:
        """Record that a visitor's act is carried out."""
        effect = Intervened(act.number, act.kind, act.target, act.text, act.memory)
        self.carry_out(Logged(effect, "", f"user:{act.number}"))

    async def _listen(self, begun: int, visitor: str, other: str) -> str:
        """Return a visitor's next words to a resident in the conversation that their act `begun`
        opens, waiting for them for the time in the settings, or less while others ask for
        something; "" if they end the conversation, turn to another, do something else, or say
        nothing.
        """
        clock = asyncio.get_running_loop().time
        patience = self.context.settings.machine.visitor_seconds
        since = clock()
        while True:
            waiting = self._find_acts(begun)
            acts = [each for each in waiting if each.target == visitor]
            if acts and (acts[0].kind, acts[0].memory) == ("say", other):
                self._accept(acts[0])
                return acts[0].text
            if acts or clock() >= since + min(patience, OTHERS_WAIT_SECONDS if waiting else inf):
                return ""
            await asyncio.sleep(LISTENING_SECONDS)

    def _find_acts(self, begun: int) -> Sequence[Intervention]:
        """Return the acts that were not carried out yet, from the act `begun` on."""
        answered = self.context.snapshot.answered
        return [
            each
            for each in self.inbox.due(self.context.moment.step, answered)
            if each.number >= begun and each.number not in answered
        ]

    def _show_line(self, speaker: str, partner: str, text: str) -> None:
        """Show a line of a conversation with a visitor to those who watch."""
        listener = self.context.caller.listener
        if listener is not None:
            listener.hear(speaker, partner, text, complete=True)
