"""Those who think on one snapshot and whose minds are on shards: how they meet, talk and overhear
each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, cast

from hometown.agent.conversation.overhear import within_earshot
from hometown.agent.conversation.pairing import Meeting
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.mind.intent import Intent
from hometown.agent.minds import Thought
from hometown.agent.thinking_group import ThinkingGroup
from hometown.shards.folding import EncodedRows, FarThought, Handed
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation
from hometown.world.effects import Logged
from hometown.world.maze import Tile
from hometown.world.recipes import Way


class Shards(Protocol):
    """Where the minds are."""

    home: Any

    async def ask(self, number: int, method: str, *arguments: Any) -> Any: ...


class KnownMinds(MutableMapping[str, Mind]):
    """Minds as they are known here, put together when somebody asks for them: rows, and what has
    been handed over. They cannot remember or ask.
    """

    def __init__(self, order: Sequence[str], context: StepContext) -> None:
        self.parts: dict[str, list[Handed]] = defaultdict(list)
        self._ways: dict[str, Way] = {}
        self._order = dict.fromkeys(order)
        self._context = context
        self._minds: dict[str, Mind] = {}

    def add(self, who: str, part: Handed, way: Way | None = None) -> None:
        """What a shard has handed over, and the way that somebody will take, where it has found
        one.
        """
        self.parts[who].append(part)
        if way:
            self._ways[who] = way
        if who in self._minds:
            _let_happen(self._minds[who], part, part.returned)

    def take_done(self, who: str) -> list[Logged]:
        """What a mind has done here, which its shard does not know yet."""
        if who not in self._minds:
            return []
        done, self._minds[who].effects = self._minds[who].effects, []
        return done

    def thoughts(
        self, order: Iterable[str], intents: Mapping[str, Intent] = MappingProxyType({})
    ) -> list[Thought]:
        """What they have come to."""
        known = (who for who in order if who in self.parts or who in intents)
        return [
            FarThought(
                who, (), intent=intents.get(who), way=self._ways.get(who), parts=self.parts[who]
            )
            for who in known
        ]

    def arena(self, who: str) -> str:
        return self._context.scene.arena(who)

    @property
    def tiles(self) -> Mapping[str, Tile]:
        return self._context.scene.tiles

    def __getitem__(self, who: str) -> Mind:
        if who not in self._minds:
            mind = self._minds[who] = Mind(who, self._context)
            mind.state.changes.rows = EncodedRows()
            for part in self.parts.get(who, ()):
                _let_happen(mind, part)
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


def _let_happen(mind: Mind, part: Handed, already: int = 0) -> None:
    """What was handed over happens to a mind, but for the first effects, which have."""
    part.happen(mind.state, already)
    rows = cast(EncodedRows, mind.state.changes.rows)
    rows.hand(part.rows)
    rows.update({key: None for key, row in part.rows.items() if row is None})


class FarGathering(ThinkingGroup):
    """A group whose minds are on shards: each thinks and talks on its own."""

    def __init__(self, known: KnownMinds, shards: Shards) -> None:
        super().__init__(known, known.__getitem__, lambda: None, lambda mind, arisen: None)
        self._known, self._shards = known, shards

    def _arena(self, who: str) -> str:
        return self._known.arena(who)

    async def _decide(self, here: Sequence[str]) -> None:
        """Each shard is asked once for all of its residents here."""
        by_shard: dict[int, list[str]] = defaultdict(list)
        for who in here:
            by_shard[self._shards.home[who]].append(who)
        await run_concurrently(self._think_on(*each) for each in by_shard.items())

    async def _think_on(self, number: int, people: Sequence[str]) -> None:
        for who, (intent, part, way) in zip(
            people, await self._shards.ask(number, "think", people), strict=True
        ):
            self.intents[who] = intent
            self._known.add(who, part, way)

    async def _hold(self, meeting: Meeting) -> Conversation:
        """On the shard of whoever has asked for it."""
        home = self._shards.home
        away = {who: home[who] for who in meeting.people if home[who] != home[meeting.opener]}
        talk, parts = await self._shards.ask(home[meeting.opener], "talk", meeting.people, away)
        self._add(parts)
        return talk  # type: ignore[no-any-return]

    async def _overhear(self, talks: Sequence[tuple[Conversation, Sequence[str]]]) -> None:
        """Each shard is asked once for all of its residents within earshot here."""
        told: dict[int, list[tuple[Conversation, list[str]]]] = defaultdict(list)
        for talk, near in talks:
            within = defaultdict[int, list[str]](list)
            for who in within_earshot(talk, near, self._known.tiles):
                within[self._shards.home[who]].append(who)
            for number, people in within.items():
                told[number].append((talk, people))
        for parts in await run_concurrently(
            self._shards.ask(number, "overhear", each) for number, each in told.items()
        ):
            self._add(parts)

    def _add(self, parts: Mapping[str, Handed]) -> None:
        for who, part in parts.items():
            self._known.add(who, part)
