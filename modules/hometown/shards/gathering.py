"""Those who think on one snapshot and whose minds are on shards: how they meet, talk and overhear each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, Protocol

from hometown.agent.circle import Circle, Speaker
from hometown.agent.converse import hold
from hometown.agent.gathering import Gathering
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, StepContext
from hometown.agent.overhear import overheard
from hometown.agent.pairing import Meeting
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Logged


class Shards(Protocol):
    """Where the minds are."""

    home: Any

    async def ask(self, number: int, method: str, *arguments: Any) -> Any: ...


class KnownMinds(MutableMapping[str, Mind]):
    """Minds as they are known here, put together when somebody asks for them: rows, and the effects that have been handed over. They cannot remember or ask."""

    def __init__(self, order: Sequence[str], context: StepContext, effects: dict[str, list[Logged]] | None = None) -> None:
        self.effects: dict[str, list[Logged]] = defaultdict(list, effects or {})
        self._order = dict.fromkeys(order)
        self._context = context
        self._minds: dict[str, Mind] = {}

    def add(self, who: str, effects: Sequence[Logged]) -> None:
        """Effects that a shard has handed over."""
        self.effects[who] += effects
        if who in self._minds:
            self._let_happen(self._minds[who], effects)

    def take_over(self, who: str) -> None:
        """What a mind has done here belongs to its effects."""
        if who in self._minds:
            self.effects[who] = list(self._minds[who].effects)

    def arena(self, who: str) -> str:
        return self._context.scene.arena(who)

    def _let_happen(self, mind: Mind, effects: Sequence[Logged]) -> None:
        for logged in effects:
            apply(logged.effect, mind.state)
        mind.effects += effects

    def __getitem__(self, who: str) -> Mind:
        if who not in self._minds:
            self._minds[who] = Mind(who, self._context)
            self._let_happen(self._minds[who], self.effects.get(who, ()))
        return self._minds[who]

    def __setitem__(self, who: str, mind: Mind) -> None:
        self._minds[who] = mind

    def __delitem__(self, who: str) -> None:
        del self._minds[who]

    def __contains__(self, who: object) -> bool:
        return who in self._order

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)


class FarGathering(Gathering):
    """A group whose minds are on shards: each thinks and talks on its own."""

    def __init__(self, known: KnownMinds, shards: Shards) -> None:
        super().__init__(known, known.__getitem__, lambda gathering: None, lambda who, arisen: None)
        self._known, self._shards = known, shards

    def _arena(self, who: str) -> str:
        return self._known.arena(who)

    async def _at_home(self, who: str, method: str, *arguments: Any) -> Any:
        return await self._shards.ask(self._shards.home[who], method, *arguments)

    async def _think(self, who: str) -> Intent:
        intent, effects = await self._at_home(who, "think", who)
        self._known.add(who, effects)
        return intent  # type: ignore[no-any-return]

    async def _hold(self, meeting: Meeting) -> Conversation:
        """On the shard of those who talk; where they live on several, here, and each says its lines on its own."""
        if len({self._shards.home[who] for who in meeting.people}) > 1:
            opener, partner, *joining = (self._known[who] for who in meeting.people)
            return await hold(Circle(opener, partner, joining, meeting.intent.topic), meeting.intent.cause, SpeakingElsewhere(self._known, self._at_home))
        talk, effects = await self._at_home(meeting.opener, "talk", meeting.people)
        for who, added in effects.items():
            self._known.add(who, added)
        return talk  # type: ignore[no-any-return]

    async def _overhear(self, talk: Conversation, near: Sequence[str]) -> None:
        for mind, memory, rating in overheard(talk, near, self._known.__getitem__):
            self._known.add(mind.who, await self._at_home(mind.who, "overhear", mind.who, memory, rating))


class SpeakingElsewhere:
    """Speaking between residents of several shards: this process leads the conversation, and passes on what is said."""

    def __init__(self, known: KnownMinds, at_home: Any) -> None:
        self._known, self._at_home = known, at_home

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        await self._at_home(speaker.who, "meet", [one.who for one in circle.speakers], speaker.who)

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool]:
        return await self._ask("utter", speaker, circle)  # type: ignore[no-any-return]

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        return await self._ask("urge", speaker, circle)  # type: ignore[no-any-return]

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        self._known.add(speaker.who, await self._ask("part", speaker, circle, talk, cause))

    async def _ask(self, method: str, speaker: Speaker, circle: Circle, *arguments: Any) -> Any:
        places = [(one.came, one.left, one.done) for one in circle.speakers]
        return await self._at_home(speaker.who, method, circle.speakers[0].who, speaker.who, circle.lines, places, *arguments)
