"""Those who think on one snapshot and whose minds are on shards: how they meet, talk and overhear each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, cast

from hometown.agent.circle import Circle, Speaker
from hometown.agent.context import StepContext
from hometown.agent.converse import hold
from hometown.agent.gathering import Gathering
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.minds import Thought
from hometown.agent.overhear import overheard
from hometown.agent.pairing import Meeting
from hometown.shards.folding import EncodedRows, FarThought, Handed
from hometown.together import together
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Logged
from hometown.world.recipes import Way


class Shards(Protocol):
    """Where the minds are."""

    home: Any

    async def ask(self, number: int, method: str, *arguments: Any) -> Any: ...


class KnownMinds(MutableMapping[str, Mind]):
    """Minds as they are known here, put together when somebody asks for them: rows, and what has been handed over. They cannot remember or ask."""

    def __init__(self, order: Sequence[str], context: StepContext) -> None:
        self.parts: dict[str, list[Handed]] = defaultdict(list)
        self.noticed: Counter[str] = Counter()
        self._ways: dict[str, Way] = {}
        self._order = dict.fromkeys(order)
        self._context = context
        self._minds: dict[str, Mind] = {}

    def add(self, who: str, part: Handed, way: Way | None = None) -> None:
        """What a shard has handed over, and the way that somebody will take, where it has found one."""
        self.parts[who].append(part)
        if way:
            self._ways[who] = way
        self.noticed[who] += part.noticed
        if who in self._minds:
            _let_happen(self._minds[who], part, part.returned)

    def take_done(self, who: str) -> list[Logged]:
        """What a mind has done here, which its shard does not know yet."""
        if who not in self._minds:
            return []
        done, self._minds[who].effects = self._minds[who].effects, []
        return done

    def thoughts(self, order: Iterable[str], intents: Mapping[str, Intent] = MappingProxyType({})) -> list[Thought]:
        """What they have come to."""
        known = (who for who in order if who in self.parts or who in intents)
        return [FarThought(who, (), intent=intents.get(who), way=self._ways.get(who), parts=self.parts[who]) for who in known]

    def arena(self, who: str) -> str:
        return self._context.scene.arena(who)

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


class FarGathering(Gathering):
    """A group whose minds are on shards: each thinks and talks on its own."""

    def __init__(self, known: KnownMinds, shards: Shards) -> None:
        super().__init__(known, known.__getitem__, lambda: None, lambda who, arisen: None)
        self._known, self._shards = known, shards

    def _arena(self, who: str) -> str:
        return self._known.arena(who)

    async def _at_home(self, who: str, method: str, *arguments: Any) -> Any:
        return await self._shards.ask(self._shards.home[who], method, *arguments)

    async def _live_in_arena(self, here: Sequence[str]) -> None:
        """As in one process, but that each shard is asked once for all of its residents here, none of whom can talk before all have decided."""
        by_shard: dict[int, list[str]] = defaultdict(list)
        for who in here:
            by_shard[self._shards.home[who]].append(who)
        await together(self._think_on(*each) for each in by_shard.items())
        meetings = self._match(here)
        talks = await together(self._converse(meeting) for meeting in meetings)
        await self._overhear([(talk, self._bystanders(meeting.opener)) for talk, meeting in zip(talks, meetings, strict=True)])

    async def _think_on(self, number: int, people: Sequence[str]) -> None:
        for who, (intent, part, way) in zip(people, await self._shards.ask(number, "think", people), strict=True):
            self.intents[who] = intent
            self._known.add(who, part, way)

    async def _hold(self, meeting: Meeting) -> Conversation:
        """On the shard of those who talk; where they live on several, here, and each says its lines on its own."""
        if len({self._shards.home[who] for who in meeting.people}) > 1:
            opener, partner, *joining = (self._known[who] for who in meeting.people)
            return await hold(Circle(opener, partner, joining, meeting.intent.topic), meeting.intent.cause, SpeakingElsewhere(self._known, self._at_home))
        talk, parts = await self._at_home(meeting.opener, "talk", meeting.people)
        for who, part in parts.items():
            self._known.add(who, part)
        return talk  # type: ignore[no-any-return]

    async def _overhear(self, talks: Sequence[tuple[Conversation, Sequence[str]]]) -> None:
        """All in one message: who hears what does not depend on how it is remembered."""
        noticed, heard = Counter(self._known.noticed), defaultdict[str, list[tuple[NewMemory, int]]](list)
        for talk, near in talks:
            for mind, memory, rating in overheard(talk, near, self._known.__getitem__, lambda mind: noticed[mind.who]):
                noticed[mind.who] += 1
                heard[mind.who].append((memory, rating))
        parts = await together(self._at_home(who, "overhear", who, each) for who, each in heard.items())
        for who, part in zip(heard, parts, strict=True):
            self._known.add(who, part)


class SpeakingElsewhere:
    """Speaking between residents of several shards: this process leads the conversation, and passes on what is said."""

    def __init__(self, known: KnownMinds, at_home: Any) -> None:
        self._known, self._at_home = known, at_home

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        await self._at_home(speaker.who, "meet", [one.who for one in circle.speakers], speaker.who)

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool]:
        return await self._ask("utter", speaker, circle)  # type: ignore[no-any-return]

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        return await self._ask("urge", speaker, circle)  # type: ignore[no-any-return]

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        self._known.add(speaker.who, await self._ask("part", speaker, circle, talk, cause))

    async def _ask(self, method: str, speaker: Speaker, circle: Circle, *arguments: Any) -> Any:
        places = [(one.came, one.left, one.done) for one in circle.speakers]
        return await self._at_home(speaker.who, method, circle.speakers[0].who, speaker.who, circle.lines, places, *arguments)
