"""A town at noon in which Lin Yue and Chen Siyuan are awake, and a fire in its café."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from hometown.agent.acting.reasons import FAILED_PREDICATE
from hometown.agent.mind import Mind, NewMemory
from hometown.game import Game
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry, Schedule, Task, Tasks
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.prompt.approach_prompt import ApproachVars
from hometown.prompt.reactions import CONTINUE
from hometown.prompt.responses import DO, RespondVars
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.incidents import Happening, Happenings
from hometown.world.rows import Body
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"
NOON = datetime(2025, 2, 13, 12, 0)
SQUARE, CAFE, STUDIO, PARK = "square/plaza", "cafe/main", "studio/workspace", "park/grounds"
TELLING = "telling Chen Siyuan about the poster"
FIGHTING = "putting out the fire"


class Deciding(ScriptedModel):
    """A model that decides by a rule about residents in mind, and notes what it was asked."""

    def __init__(self, decide: Callable[[ApproachVars], str]) -> None:
        self.decide = decide
        self.topic = "the poster"
        self.asked: list[ApproachVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, ApproachVars):
            self.asked.append(request.variables)
            reply = {"decision": self.decide(request.variables), "topic": self.topic}
            return Completion(orjson.dumps(reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Noon:
    """A town at noon, in which Lin Yue has Chen Siyuan in mind and all others are asleep."""

    def __init__(self, folder: Path, model: LanguageModel | None = None) -> None:
        begin_town(folder, start=NOON)
        self.model = Deciding(lambda asked: CONTINUE)
        self.run = RunFile.open(folder, "town", write=True)
        self.game: Game = game_on(self.run, minitown(), model or self.model)
        for who in self.game.world.personas:
            if who not in (LIN, CHEN):
                self.plan(who, "sleeping", kind="sleep")
        self.plan(LIN, TELLING)
        self.plan(CHEN, "reading a book")
        self.put(LIN, SQUARE)
        self.put(CHEN, SQUARE)

    def plan(self, who: str, activity: str, **how: Any) -> None:
        """Give a resident one activity for the whole day."""
        self.plan_day(who, Entry(0, 1440, activity, **how))
        self.game.state.put(keys.TASKS.of(who), Tasks(0, (Task(0, 1440, activity),)))

    def plan_day(self, who: str, *entries: Entry) -> None:
        """Give a resident a plan for the day."""
        self.game.state.put(keys.SCHEDULE.of(who), Schedule(NOON.date(), entries))

    def put(self, who: str, room: str) -> None:
        """Put a resident into a room, where they stay."""
        entry = self.game.state.schedule(who).entries[0]
        self.plan(who, entry.activity, kind=entry.kind, address=room)
        tile = self.game.world.open_tiles[room][0]
        self.game.state.put(keys.BODY.of(who), Body(tile))

    def mind(self, who: str = LIN, now: datetime | None = None) -> Mind:
        return minds_of(self.game, [who], now)[who]

    def remember(self, who: str, memory: NewMemory, poignancy: int = 8) -> None:
        """Give a resident a memory."""
        mind = self.mind(who)
        asyncio.run(mind.remember([memory], [poignancy], "rule:test"))
        self.enter(mind)

    def enter(self, mind: Mind) -> None:
        """Let the effects of a mind take place."""
        for logged in mind.effects:
            apply(logged.effect, self.game.state)

    def intend(self, text: str) -> None:
        """Give Lin Yue an intention that is about Chen Siyuan."""
        memory = NewMemory("thought", text, LIN, INTENTION_PREDICATE, about=(CHEN,))
        self.remember(LIN, memory, 6)

    def step(self) -> None:
        asyncio.run(self.game.step())

    def texts(self, who: str, predicate: str = "") -> list[str]:
        """Return the texts of a resident's live memories, or of those with a predicate."""
        return [
            memory.text
            for memory in self.game.state.memory(who).concepts.values()
            if predicate in ("", memory.predicate)
        ]

    def failures(self) -> list[str]:
        return self.texts(LIN, FAILED_PREDICATE)


class Responding(ScriptedModel):
    """A model that responds to alarms by a rule, and notes the kinds of prompts it was asked."""

    def __init__(self, respond: Callable[[RespondVars], dict[str, Any]]) -> None:
        self.respond = respond
        self.kinds: list[tuple[str, str]] = []
        self.alarms: list[RespondVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.kinds.append((request.variables.situation.me.id, request.kind))
        if isinstance(request.variables, RespondVars):
            self.alarms.append(request.variables)
            reply = self.respond(request.variables)
            return Completion(orjson.dumps(reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Fire(Noon):
    """A fire in the café at noon; Lin Yue and Chen Siyuan are awake."""

    def __init__(self, folder: Path) -> None:
        self.alarm = Responding(
            lambda asked: {"decision": DO, "what": FIGHTING, "minutes": 20, "where": 1}
        )
        super().__init__(folder, self.alarm)
        self.plan(LIN, "reading a book")
        self.put(LIN, CAFE)
        self.put(CHEN, CAFE)
        self.happen(Happening(CAFE, "A fire breaks out", NOON.replace(hour=14), 16))

    def happen(self, event: Happening) -> None:
        """Let one thing happen, instead of any other."""
        self.game.state.put(keys.HAPPENINGS.key, Happenings((event,)))

    def answer(self, decision: str, what: str = "", minutes: int = 20) -> None:
        """Let all who are asked about the alarm decide in one way."""
        self.alarm.respond = lambda _: {
            "decision": decision,
            "what": what,
            "minutes": minutes,
            "where": 0,
        }
