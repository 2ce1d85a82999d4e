"""Those who think on one snapshot: each waits only for whom it might talk with."""

from __future__ import annotations

from asyncio import Event
from collections import defaultdict
from collections.abc import Callable, Sequence

from hometown.agent.agent import reflect_awake, think
from hometown.agent.converse import hold_conversation, may_meet
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind, together
from hometown.agent.pairing import Pair, pair


class Gathering:
    """A group's minds in step order, what each intends as soon as it is known, and who talks with whom. `busy` are those who still think or talk.

    `mind_of` makes the mind of somebody outside the group who is spoken to. `when_decided` is called once all know what they intend.
    """

    def __init__(self, minds: dict[str, Mind], mind_of: Callable[[str], Mind], when_decided: Callable[[], None]) -> None:
        self.minds = minds
        self.intents: dict[str, Intent] = {}
        self.pairs: list[Pair] = []
        self.busy = set(minds)
        self._mind_of = mind_of
        self._when_decided = when_decided
        self._opened: dict[str, Pair] = {}
        self._size = len(minds)

    async def live(self) -> None:
        """All think at once; those in an arena pair as soon as all of them have decided, and talk as soon as both have reflected."""
        arenas: dict[str, list[str]] = defaultdict(list)
        for who, mind in self.minds.items():
            arenas[mind.arena].append(who)
        await together(self._live_in_arena(here) for here in arenas.values())

    async def _live_in_arena(self, here: Sequence[str]) -> None:
        paired, reflected, undecided = Event(), {who: Event() for who in here}, set(here)

        async def live(who: str) -> None:
            self.intents[who] = await think(self.minds[who])
            undecided.discard(who)
            if not undecided:
                self._pair(here)
                paired.set()
            await reflect_awake(self.minds[who])
            reflected[who].set()
            await paired.wait()
            await self._converse(who, reflected)
            self.busy.discard(who)

        await together(live(who) for who in here)

    async def _converse(self, who: str, reflected: dict[str, Event]) -> None:
        """Of a pair, the opener holds the conversation, for which the other one waits."""
        match = self._opened.get(who)
        if match is not None:
            if match.partner in reflected:
                await reflected[match.partner].wait()
            await hold_conversation(self.minds[who], self.minds[match.partner], match.intent)
            self.busy.discard(match.partner)

    def _pair(self, here: Sequence[str]) -> None:
        """Requests to talk become pairs. Who talks does nothing else; whoever was refused takes its second choice."""
        partners = [self.intents[who].partner for who in here if self.intents[who].partner]
        self.minds |= {partner: self._mind_of(partner) for partner in partners if partner not in self.minds}
        pairs = pair(here, self.intents, lambda asker, asked: may_meet(self.minds[asker], self.minds[asked]))
        talking = {who for match in pairs for who in (match.opener, match.partner)}
        for who in here:
            if who in talking:
                self.intents[who] = GO_ON
            elif self.intents[who].partner:
                second = self.intents[who].second
                assert second is not None, f"{who} asked to talk without a second choice"
                self.intents[who] = second
        self.pairs += pairs
        self._opened |= {match.opener: match for match in pairs}
        if len(self.intents) == self._size:
            self._when_decided()
