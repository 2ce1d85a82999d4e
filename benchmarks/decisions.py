"""Counts of the residents' decisions, and of those that depart from the default option, on scripted
days and in the recorded towns.

A decision is a call with at least two options that lead to different effects. `python -m
benchmarks.decisions` prints the counts by kind for Minitown and the Ville, in both languages, and
for the recorded towns; and the longest time for which a resident was in one room with another whom
their own task names without being asked about them.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.agent.planning.known_rooms import find_named
from hometown.clock import at_minute, minute_of_day
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.records import Call
from hometown.session import same_cast
from hometown.settings import RunSettings
from hometown.storage.recordings import Recording, list_recordings, open_recording
from hometown.storage.world_copy import world_of
from hometown.study.league.decisions import DEFAULTS, is_departure
from hometown.world.load import load_world
from hometown.world.state import State
from hometown.world.world import World

SEEDS = (1, 2, 3)


@dataclass
class Decisions:
    """The decisions of a run.

    Attributes:
        calls: The number of all calls by kind.
        departed: The number of decisions by kind that depart from the default option.
        waited: The longest number of steps in one room with a named resident without a question.
    """

    calls: Counter[str] = field(default_factory=Counter)
    departed: Counter[str] = field(default_factory=Counter)
    waited: int = 0

    @property
    def made(self) -> int:
        """Return the number of decisions."""
        return sum(self.calls[kind] for kind in DEFAULTS)

    def add(self, calls: Sequence[Call]) -> None:
        """Count the calls of a step."""
        for call in calls:
            self.calls[call.kind] += 1
            self.departed[call.kind] += is_departure(call)


def count_decisions(world: str, lang: Lang, seed: int, steps: int) -> Decisions:
    """Live a world on the scripted model and return its residents' decisions."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), world, lang, seed, steps))


async def _live(folder: Path, name: str, lang: Lang, seed: int, steps: int) -> Decisions:
    run, game = await new_run(folder, load_world(name, lang), steps=steps, seed=seed)
    found, waiting = Decisions(), Waiting()
    with run:
        for _ in range(steps):
            open_before = waiting.find_unasked(game)
            await game.step()
            found.add(game.calls)
            found.waited = max(found.waited, waiting.count(open_before, game))
    return found


def count_in_recording(recording: Recording) -> Decisions:
    """Return the decisions of the residents of a recorded town."""
    found, waiting = Decisions(), Waiting()
    calls: defaultdict[int, list[Call]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        name = open_recording(Path(folder), recording)
        with RunReader.open(Path(folder), name) as reader:
            run = reader.run
            world = same_cast(world_of(run), run.manifest)
            for call in run.calls():
                calls[call.step].append(call)
            seen = Seen(run.restore(0), world, run.manifest.settings, [])
            for step in range(1, reader.last_step() + 1):
                open_before = waiting.find_unasked(seen) if step > 1 else []  # no plan before
                seen.state, seen.calls = run.restore(step), calls[step]
                found.add(seen.calls)
                found.waited = max(found.waited, waiting.count(open_before, seen))
    return found


class Observed(Protocol):
    """A town between two steps, with the calls of the last one."""

    @property
    def state(self) -> State: ...
    @property
    def world(self) -> World: ...
    @property
    def settings(self) -> RunSettings: ...
    @property
    def calls(self) -> Sequence[Call]: ...


@dataclass
class Seen:
    """A recorded town between two steps, with the calls of one of them."""

    state: State
    world: World
    settings: RunSettings
    calls: list[Call]


class Waiting:
    """The time for which residents wait for a question that their own task raises: from the step in
    which the resident whom the entry of the plan names is in the same room, awake and free.
    """

    def __init__(self) -> None:
        self._steps: Counter[tuple[str, str, str]] = Counter()
        self._asked: set[tuple[str, str, str]] = set()

    def find_unasked(self, game: Observed) -> list[tuple[str, str, str]]:
        """Return (resident, other, activity) for all who could be asked in the coming step."""
        state, world, now = game.state, game.world, game.state.clock.now
        found = []
        for who in world.personas:
            schedule = state.schedule(who)
            if schedule.date != now.date() or state.is_asleep(who) or state.talking(who):
                continue
            entry = schedule.at(minute_of_day(now))
            coming = schedule.next_of("appointment", minute_of_day(now) + 1)
            if entry.kind != "activity" or (
                coming and coming.start - minute_of_day(now) <= game.settings.chat.urgent_minutes
            ):
                continue
            here = world.maze.arena_at(state.body(who).tile)
            for other in find_named(world, (entry.activity,)):
                last = state.relation(who, other).last
                case = (who, other, entry.activity)
                if (
                    other != who
                    and case not in self._asked
                    and world.maze.arena_at(state.body(other).tile) == here
                    and "bathroom" not in world.arenas[here].tags
                    and not state.is_asleep(other)
                    and not state.talking(other)
                    and (last is None or last < at_minute(schedule.date, entry.start))
                ):
                    found.append(case)
        return found

    def count(self, cases: list[tuple[str, str, str]], game: Observed) -> int:
        """Return the longest wait so far of those who could be asked and were not in the last step."""
        asked = {call.who for call in game.calls if call.kind in DEFAULTS}
        self._asked.update(case for case in cases if case[0] in asked)
        unasked = [
            case
            for case in cases
            if case[0] not in asked
            and game.state.talking(case[0]) is None
            and game.state.talking(case[1]) is None
        ]
        self._steps = Counter({case: self._steps[case] + 1 for case in unasked})
        return max(self._steps.values(), default=0)


def describe(found: Decisions) -> str:
    """Return the counts of a run in one line."""
    kinds = ", ".join(
        f"{kind} {found.departed[kind]}/{found.calls[kind]}"
        for kind in DEFAULTS
        if found.calls[kind]
    )
    departed = sum(found.departed.values()) / max(found.made, 1)
    share = found.made / max(found.calls.total(), 1)
    return (
        f"{share:.1%} of the calls are decisions, {departed:.0%} of which depart from the default"
        f" ({kinds}); longest wait {found.waited} steps"
    )


def main() -> None:
    """Print the counts for the shipped worlds and the recorded towns."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS_A_DAY
    for world in ("minitown", "ville"):
        for lang in LANGS:
            for seed in SEEDS:
                found = count_decisions(world, lang, seed, steps)
                print(f"{world} {lang} {seed}: {describe(found)}", flush=True)
    for recording in list_recordings("en"):
        print(f"{recording.name}: {describe(count_in_recording(recording))}", flush=True)


if __name__ == "__main__":
    main()
