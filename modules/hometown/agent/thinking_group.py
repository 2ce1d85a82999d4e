"""Thinking and talking of several residents on one snapshot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, MutableMapping, Sequence

from hometown.agent.acting.note_leaving import hand_over
from hometown.agent.acting.respond import drop_agreements, hear_shout
from hometown.agent.agent import think
from hometown.agent.conversation.converse import (
    LocalSpeaking,
    Speaking,
    hold_conversation,
    may_meet,
)
from hometown.agent.conversation.overhear import overhear, within_earshot
from hometown.agent.conversation.pairing import Meeting, let_others_join, pair_up
from hometown.agent.deferred import OnQuestions, ignore
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import GO_ON, MET_CAUSE, Intent
from hometown.agent.planning.at_occasions import wants_to_mingle
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation
from hometown.world.labour import CourseSet


class ThinkingGroup:
    """A group of residents who think concurrently, pair up for conversations and talk.

    Residents wait only for those in the same arena, the only ones with whom they could talk.

    Args:
        minds: the minds of the group, in the step's order.
        mind_of: returns a mind for a resident outside the group who is spoken to or overhears.
        when_known: called whenever residents cease to be busy.
        when_arisen: called with the questions that a conversation leaves for the next step.
        unknown: in a copy that runs ahead, residents whose thoughts are unknown. Those who
            would talk with them stay busy.
    """

    def __init__(
        self,
        minds: MutableMapping[str, Mind],
        mind_of: Callable[[str], Mind],
        when_known: Callable[[], None] = ignore,
        when_arisen: OnQuestions = ignore,
        unknown: frozenset[str] = frozenset(),
    ) -> None:
        self.minds = minds
        self._order = tuple(minds)
        self.intents: dict[str, Intent] = {}
        self.meetings: list[Meeting] = []
        self.busy = {*minds, *unknown}
        self._mind_of = mind_of
        self._when_known = when_known
        self._when_arisen = when_arisen
        self._unknown = unknown
        self._speaking: Speaking = LocalSpeaking()
        self._alarmed: list[tuple[str, Intent]] = []
        """The residents who drop agreements for an alarm, with their intents."""

    def order_minds(self) -> dict[str, Mind]:
        """Return all minds: those of the group in the step's order, then those outside it by id, since
        arenas that live at the same time may come to them in any order.
        """
        others = sorted(self.minds.keys() - set(self._order))
        return {who: self.minds[who] for who in (*self._order, *others)}

    async def live(self) -> None:
        """Let all residents think and talk, each arena for itself; then drop the agreements that
        alarms leave no time for.
        """
        arenas: dict[str, list[str]] = defaultdict(list)
        for who in self.minds:
            arenas[self._arena(who)].append(who)
        await run_concurrently(self._live_in_arena(here) for here in arenas.values())
        for who, intent in sorted(self._alarmed, key=lambda each: each[0]):
            await drop_agreements(self._mind(who), intent.broken, self._mind)

    async def _live_in_arena(self, here: Sequence[str]) -> None:
        """Let the residents of an arena decide, hold the conversations that result, without those
        with residents unknown to a copy, and let others overhear these and hear shouts.
        """
        await self._decide(here)
        decided = [(who, self.intents[who]) for who in here]
        meetings = [
            meeting for meeting in self._match(here) if self._unknown.isdisjoint(meeting.people)
        ]
        talks = await run_concurrently(self._converse(meeting) for meeting in meetings)
        await self._overhear(
            [
                (talk, self._bystanders(meeting.opener))
                for talk, meeting in zip(talks, meetings, strict=True)
            ]
        )
        await self._pass_on_alarms(decided)

    async def _decide(self, here: Sequence[str]) -> None:
        """Store the intents of all residents in an arena."""

        async def decide(who: str) -> None:
            self.intents[who] = await think(self.minds[who])

        await run_concurrently(decide(who) for who in here)

    async def _pass_on_alarms(self, decided: Sequence[tuple[str, Intent]]) -> None:
        """Keep the intents that drop agreements for an alarm until all arenas are done, and let all
        who are awake in the arena hear shouts.
        """
        for who, intent in decided:
            if intent.broken:
                self._alarmed.append((who, intent))
            if intent.shout:
                for other in self._mind(who).awake_company:
                    await hear_shout(self._mind(other), who, intent.shout)

    def _arena(self, who: str) -> str:
        return self.minds[who].arena

    async def _hold(self, meeting: Meeting) -> Conversation:
        """Hold a conversation, report the questions that it leaves for its participants, and return
        it.
        """
        opener, partner, *joining = (self.minds[who] for who in meeting.people)
        talk = await hold_conversation(
            opener, partner, joining, meeting.topics, meeting.intent.cause, self._speaking
        )
        for who in talk.people:
            self._when_arisen(self.minds[who], self.minds[who].state.questions(who)[-1:])
        return talk

    async def _overhear(self, talks: Sequence[tuple[Conversation, Sequence[str]]]) -> None:
        """Let bystanders within earshot overhear conversations, each with the residents nearby."""
        for talk, near in talks:
            await overhear(
                talk, within_earshot(talk, near, self._mind(talk.opener).scene.tiles), self._mind
            )

    async def _converse(self, meeting: Meeting) -> Conversation:
        """Hold a conversation, hand over its gifts, and mark its participants as no longer busy."""
        talk = await self._hold(meeting)
        for giver, intent in meeting.gifts:
            await hand_over(self._mind(giver), self._mind(intent.partner), intent)
        self.busy.difference_update(meeting.people)
        self._when_known()
        return talk

    def _mind(self, who: str) -> Mind:
        """Return a resident's mind, creating one for residents outside the group."""
        if who not in self.minds:
            self.minds[who] = self._mind_of(who)
        return self.minds[who]

    def _bystanders(self, who: str) -> list[str]:
        """Return all residents in the same arena: those of the group first, in step order."""
        mind = self._mind(who)
        residents = dict.fromkeys(mind.scene.residents[mind.arena])
        return [
            *(other for other in self.minds if other in residents),
            *(other for other in residents if other not in self.minds),
        ]

    def _match(self, here: Sequence[str]) -> list[Meeting]:
        """Turn requests to talk into meetings, those by agreement first, then those of two who ask
        each other, let others join, and return the meetings. Participants do nothing else. Residents whose request was refused take
        their second choice.
        """
        meetings = pair_up(
            here, self.intents, lambda asker, asked: may_meet(self._mind(asker), self._mind(asked))
        )
        self._gather(meetings)
        if meetings:
            let_others_join(self._bystanders(here[0]), meetings, self._joins)
        for meeting in meetings:
            meeting.keep_requests(self.intents)
        talking = {who for meeting in meetings for who in meeting.people}
        self.busy.difference_update(here)
        self.busy |= talking
        for who in here:
            if who in talking:
                self._forgo_errands(self._mind(who))
                self.intents[who] = GO_ON
            elif self.intents[who].partner:
                second = self.intents[who].second
                assert second is not None, f"{who} asked to talk without a second choice"
                self.intents[who] = second
        self.meetings += meetings
        self._when_known()
        return meetings

    def _forgo_errands(self, mind: Mind) -> None:
        """Drop errands that a resident has decided on in this step, since they talk instead."""
        errands = mind.state.errand_queue(mind.who)
        if errands and errands != mind.context.snapshot.errand_queue(mind.who):
            mind.do(CourseSet(mind.who, ()), "rule:talk")

    def _gather(self, meetings: Sequence[Meeting]) -> None:
        """Add those to meetings whom the opener wants to talk with beside the partner."""
        taken = {who for meeting in meetings for who in meeting.people}
        for meeting in meetings:
            asker = self._mind(meeting.opener)
            for who in meeting.intent.along:
                if who in taken | self._unknown or self._with_visitor((*meeting.people, who)):
                    continue
                if may_meet(asker, self._mind(who)):
                    meeting.joining += (who,)
                    taken.add(who)

    def _with_visitor(self, people: Sequence[str]) -> bool:
        """Return True if one of several residents is a visitor, with whom only one talks at once."""
        return any(self._mind(who).me.is_visitor for who in people)

    def _joins(self, who: str, meeting: Meeting) -> bool:
        """Return True if a resident joins a meeting: they are free to talk to all participants, and
        have decided or agreed to talk to one, or mingle. Those who declined a participant, who leave
        for an appointment, or who want to talk alone, do not, and nobody joins a talk meant so.
        """
        if who in self._unknown or self._with_visitor(meeting.people):
            return False
        mind, intent = self._mind(who), self.intents.get(who, GO_ON)
        if (
            intent.cause == "rule:appointment"
            or intent.alone
            or meeting.intent.alone
            or not set(intent.declined).isdisjoint(meeting.people)
            or mind.state.is_asleep(who)
            or mind.state.talking(who) is not None
        ):
            return False
        joins = mind.state.approaches(who).means_to_join(intent.partner)
        means_to = intent.partner in meeting.people and (
            joins or intent.cause == MET_CAUSE == meeting.intent.cause
        )
        wants = means_to or wants_to_mingle(mind, meeting.people)
        return wants and all(may_meet(self._mind(other), mind) for other in meeting.people)
