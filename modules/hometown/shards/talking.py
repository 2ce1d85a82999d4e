"""Conversations of residents who think on shards: the shard of whoever asked for one leads it, and
each says its lines where its own mind is.

Nothing of a mind reaches another shard but what is said, and what the process of the run is to be
handed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.conversation.converse import LocalSpeaking, hold
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import Intent
from hometown.shards.folding import Handed
from hometown.shards.neighbours import Neighbours
from hometown.world.conversation import Conversation, Line

Parts = dict[str, Handed]
"""What is handed over, by resident."""

Place = tuple[int, int | None, bool]
"""When somebody came to a conversation and left it, and whether it has rounded it off."""


class Home(Protocol):
    """The shard that leads a conversation, or has a side in it."""

    intents: dict[str, Intent]
    neighbours: Neighbours

    def lives_here(self, who: str) -> bool: ...
    def mind(self, who: str) -> Mind: ...
    def stranger(self, who: str) -> Mind:
        """Somebody of another shard, of whom nothing is known here but what anybody sees."""
        ...

    def added(self, mind: Mind) -> Handed:
        """What a mind has come to that was not handed over yet."""
        ...


class Conversations:
    """The conversations of a step in which residents of a shard take part."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._circles: dict[str, Circle] = {}

    def circle(self, people: Sequence[str]) -> Circle:
        """The conversation that the first of these has asked for."""
        home, opener = self._home, people[0]
        minds = [home.mind(who) if home.lives_here(who) else home.stranger(who) for who in people]
        topic = home.intents[opener].topic if home.lives_here(opener) else ""
        return self._circles.setdefault(opener, Circle(minds[0], minds[1], minds[2:], topic))

    async def lead(
        self, people: Sequence[str], away: Mapping[str, int]
    ) -> tuple[Conversation, Parts]:
        """A conversation that the first of these has asked for; `away` are the shards of those who
        live on others. What it leaves with each.
        """
        speaking = SpeakingAcross(self._home, away)
        talk = await hold(self.circle(people), self._home.intents[people[0]].cause, speaking)
        return talk, speaking.parts | {
            who: self._home.added(self._home.mind(who)) for who in people if who not in away
        }

    async def meet(self, people: Sequence[str], who: str) -> None:
        """A conversation begins that another shard leads."""
        self.circle(people)
        await LocalSpeaking().meet(*self._side(people[0], who, [], []))

    async def utter(
        self, opener: str, who: str, lines: list[Line], places: Sequence[Place]
    ) -> tuple[Line, bool, bool]:
        return await LocalSpeaking().utter(*self._side(opener, who, lines, places))

    async def urge(
        self, opener: str, who: str, lines: list[Line], places: Sequence[Place]
    ) -> float:
        return await LocalSpeaking().urge(*self._side(opener, who, lines, places))

    async def part(
        self,
        opener: str,
        who: str,
        lines: list[Line],
        places: Sequence[Place],
        talk: Conversation,
        cause: str,
    ) -> Handed:
        await LocalSpeaking().part(*self._side(opener, who, lines, places), talk, cause)
        return self._home.added(self._home.mind(who))

    def _side(
        self, opener: str, who: str, lines: list[Line], places: Sequence[Place]
    ) -> tuple[Speaker, Circle]:
        """Somebody's side of a conversation, which has come to this."""
        circle = self._circles[opener]
        circle.lines = lines
        for speaker, place in zip(circle.speakers, places, strict=False):
            speaker.came, speaker.left, speaker.done = place
        return next(speaker for speaker in circle.speakers if speaker.who == who), circle


class SpeakingAcross:
    """Speaking in a conversation that this shard leads: those who live here do so here, and of the
    others their shards are asked.
    """

    def __init__(self, home: Home, away: Mapping[str, int]) -> None:
        self._neighbours, self._away = home.neighbours, away
        self._here = LocalSpeaking()
        self.parts: Parts = {}
        """What the others hand over at the end."""

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        if speaker.who not in self._away:
            await self._here.meet(speaker, circle)
        else:
            await self._neighbours.ask(
                self._away[speaker.who], "meet", [one.who for one in circle.speakers], speaker.who
            )

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool]:
        if speaker.who not in self._away:
            return await self._here.utter(speaker, circle)
        return await self._ask("utter", speaker, circle)  # type: ignore[no-any-return]

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        if speaker.who not in self._away:
            return await self._here.urge(speaker, circle)
        return await self._ask("urge", speaker, circle)  # type: ignore[no-any-return]

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        if speaker.who not in self._away:
            await self._here.part(speaker, circle, talk, cause)
        else:
            self.parts[speaker.who] = await self._ask("part", speaker, circle, talk, cause)

    async def _ask(self, method: str, speaker: Speaker, circle: Circle, *arguments: Any) -> Any:
        places = [(one.came, one.left, one.done) for one in circle.speakers]
        return await self._neighbours.ask(
            self._away[speaker.who],
            method,
            circle.speakers[0].who,
            speaker.who,
            circle.lines,
            places,
            *arguments,
        )
