"""Those who think on one snapshot: each waits only for whom it might talk with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, MutableMapping, Sequence
from functools import partial

from hometown.agent.act import neighbour
from hometown.agent.afterthoughts import OnQuestions
from hometown.agent.agent import think
from hometown.agent.converse import hold_conversation, may_meet
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind
from hometown.agent.occasions import mingles
from hometown.agent.overhear import overhear, within_earshot
from hometown.agent.pairing import Meeting, join, pair
from hometown.agent.urge import feels_like_joining
from hometown.together import together
from hometown.world.conversation import Conversation


class Gathering:
    """A group's minds in step order, what each intends as soon as it is known, and who talks with
    whom. `busy` are those who still think or talk.

    `mind_of` makes the mind of somebody outside the group who is spoken to. `when_known` is called
    whenever some are busy no more, `when_arisen` with what those who have talked are to think over
    in the next step. In a copy that runs ahead, some are `unknown`: whoever talks with them stays
    busy.
    """

    def __init__(
        self,
        minds: MutableMapping[str, Mind],
        mind_of: Callable[[str], Mind],
        when_known: Callable[[], None],
        when_arisen: OnQuestions,
        unknown: frozenset[str] = frozenset(),
    ) -> None:
        self.minds = minds
        self.intents: dict[str, Intent] = {}
        self.meetings: list[Meeting] = []
        self.busy = {*minds, *unknown}
        self._mind_of = mind_of
        self._when_known = when_known
        self._when_arisen = when_arisen
        self._unknown = unknown

    async def live(self) -> None:
        """All think at once; those in an arena pair, and talk, as soon as all of them have decided."""
        arenas: dict[str, list[str]] = defaultdict(list)
        for who in self.minds:
            arenas[self._arena(who)].append(who)
        await together(self._live_in_arena(here) for here in arenas.values())

    async def _live_in_arena(self, here: Sequence[str]) -> None:
        await self._decide(here)
        meetings = [
            meeting for meeting in self._match(here) if self._unknown.isdisjoint(meeting.people)
        ]
        talks = await together(self._converse(meeting) for meeting in meetings)
        await self._overhear(
            [
                (talk, self._bystanders(meeting.opener))
                for talk, meeting in zip(talks, meetings, strict=True)
            ]
        )

    async def _decide(self, here: Sequence[str]) -> None:
        """What each of those in an arena intends."""

        async def decide(who: str) -> None:
            self.intents[who] = await think(self.minds[who])

        await together(decide(who) for who in here)

    def _arena(self, who: str) -> str:
        return self.minds[who].arena

    async def _hold(self, meeting: Meeting) -> Conversation:
        opener, partner, *joining = (self.minds[who] for who in meeting.people)
        talk = await hold_conversation(opener, partner, joining, meeting.intent)
        for who in talk.people:
            self._when_arisen(self.minds[who], self.minds[who].state.questions(who)[-1:])
        return talk

    async def _overhear(self, talks: Sequence[tuple[Conversation, Sequence[str]]]) -> None:
        for talk, near in talks:
            await overhear(
                talk, within_earshot(talk, near, self._mind(talk.opener).scene.tiles), self._mind
            )

    async def _converse(self, meeting: Meeting) -> Conversation:
        """The opener holds the conversation, for which the others wait."""
        talk = await self._hold(meeting)
        self.busy.difference_update(meeting.people)
        self._when_known()
        return talk

    def _mind(self, who: str) -> Mind:
        """Anybody's mind, made where it is outside the group."""
        if who not in self.minds:
            self.minds[who] = self._mind_of(who)
        return self.minds[who]

    def _bystanders(self, who: str) -> list[str]:
        """All who are in the same arena, those of the group first, in step order."""
        mind = self._mind(who)
        residents = dict.fromkeys(mind.scene.residents[mind.arena])
        return [
            *(other for other in self.minds if other in residents),
            *(other for other in residents if other not in self.minds),
        ]

    def _match(self, here: Sequence[str]) -> list[Meeting]:
        """Requests to talk become meetings. Who talks does nothing else; whoever was refused takes
        its second choice.
        """
        meetings = pair(
            here, self.intents, lambda asker, asked: may_meet(self._mind(asker), self._mind(asked))
        )
        if meetings:
            join(self._bystanders(here[0]), meetings, self._joins)
        talking = {who for meeting in meetings for who in meeting.people}
        self.busy.difference_update(here)
        self.busy |= talking
        for who in here:
            if who in talking:
                self.intents[who] = GO_ON
            elif self.intents[who].partner:
                second = self.intents[who].second
                assert second is not None, f"{who} asked to talk without a second choice"
                self.intents[who] = second
        self.meetings += meetings
        self._when_known()
        return meetings

    def _joins(self, who: str, meeting: Meeting) -> bool:
        """Whether somebody comes up to those who talk: it is free to talk to each of them, and
        feels like it.
        """
        if who in self._unknown:
            return False
        mind, intent = self._mind(who), self.intents.get(who, GO_ON)
        if (
            intent.cause == "rule:appointment"
            or mind.state.is_asleep(who)
            or mind.state.talking(who) is not None
        ):
            return False
        meant = intent.partner in meeting.people
        wants = mingles(mind, meeting.people) or feels_like_joining(
            mind, meeting.people, partial(neighbour, mind), meant
        )
        return wants and all(may_meet(self._mind(other), mind) for other in meeting.people)
