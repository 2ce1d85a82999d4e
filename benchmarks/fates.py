"""What became of the plans and intentions of scripted days with inner voices and a fire: carried
out, settled, given up by decision or for an agreement, told to be undone, or lost in silence.

`python -m benchmarks.fates [STEPS]` prints the counts for Minitown in both languages, and losses.
`python -m benchmarks.agreements` does so for agreements.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Literal

from benchmarks.befalling import FIRE
from benchmarks.towns import STEPS_A_DAY, STRIDE, new_run
from benchmarks.wishes import WHISPERS, read_whispers
from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.undone import is_promised
from hometown.clock import minute_of_day
from hometown.frozen import frozen
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.schedule import Entry
from hometown.world.effects import Rescheduled, Settled
from hometown.world.interventions import Intervention
from hometown.world.load import load_world

SEEDS = (1, 2)

CAFE, FIRE_HOUR = "cafe/main", 17
"""The place and the hour of a fire."""

LATELY = timedelta(hours=1)
"""Time within which residents remember what they have left undone, and have met whom it names."""

Fate = Literal["begun", "met", "told", "settled", "decided", "agreed", "lost"]
"""Begun: its time came, and the resident began it. Met: they have talked with those whom it names.
Told: they remember that it has no time, or was not done. Settled: something else is over. Decided,
agreed: they changed the day by a decision, or for an agreement. Lost: none of these.
"""


@frozen
class Before:
    """What a resident means to do: promised plans to come, and open intentions by id."""

    plans: tuple[Entry, ...]
    intentions: frozenset[int]


class Fates:
    """The fates of the plans and intentions of a run, step by step; `lost` names the losses."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.counts: Counter[Fate] = Counter()
        self.lost: list[str] = []
        self._begun: set[tuple[str, str]] = set()

    async def step(self) -> None:
        """Live a step and count what has ended in it."""
        day = self.game.state.clock.now.date()
        before = {who: self._means(who) for who in self.game.world.personas}
        await self.game.step()
        for who, meant in before.items():
            if self.game.state.schedule(who).date == day:
                self._count(who, meant)

    def _mind(self, who: str) -> Mind:
        clock = self.game.state.clock
        return Mind(who, self.game.look(Moment(clock.step + 1, clock.now, STRIDE)))

    def _means(self, who: str) -> Before:
        mind = self._mind(who)
        free = mind.words.say("free_time")
        entries = mind.state.schedule(who).entries
        coming = (each for each in entries if each.end > mind.minute and each.activity != free)
        plans = (each for each in coming if is_promised(mind, each))
        return Before(tuple(plans), frozenset(each.id for each in list_open_intentions(mind)))

    def _count(self, who: str, before: Before) -> None:
        state = self.game.state
        now, schedule = minute_of_day(state.clock.now), state.schedule(who)
        begun = schedule.at(state.tasks(who).entry) if state.tasks(who).entry >= 0 else None
        if begun:
            self._begun.add((who, begun.activity))
        left = {each.activity: each for each in schedule.entries}
        for plan in before.plans:
            now_planned = left.get(plan.activity)
            if now_planned is None or now_planned.end <= now:
                self._note(who, plan)
        gone = before.intentions - state.settled_memories(who).keys()
        for number in sorted(gone - state.memory(who).concepts.keys()):
            self.counts["lost"] += 1
            self.lost.append(f"{state.clock.now:%H:%M} {who}: intention {number}")

    def _note(self, who: str, plan: Entry) -> None:
        fate: Fate = next(self._find_fates(who, plan), "lost")
        self.counts[fate] += 1
        if fate == "lost":
            self.lost.append(f"{self.game.state.clock.now:%H:%M} {who}: {plan} [{plan.origin}]")

    def _find_fates(self, who: str, plan: Entry) -> Iterator[Fate]:
        state, since = self.game.state, self.game.state.clock.now - LATELY
        log = [each for each in self.game.log if each.who == who]
        if (who, plan.activity) in self._begun:
            yield "begun"
        others = [one for one in find_named(self.game.world, (plan.activity,)) if one != who]
        if others and all(state.relation(who, one).has_talked_since(since) for one in others):
            yield "met"
        if any(plan.activity in each.text for each in state.memory(who).since(since, ("event",))):
            yield "told"
        if any(isinstance(each.effect, Settled) for each in log):
            yield "settled"
        causes = {each.cause for each in log if isinstance(each.effect, Rescheduled)}
        if any("reconsider" in cause for cause in causes):
            yield "decided"
        if any("talk" in cause or "clash" in cause for cause in causes):
            yield "agreed"


def follow(world: str, lang: Lang, seed: int, steps: int) -> Fates:
    """Live a world on the scripted model and return the fates of its plans and intentions."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_live(Path(folder), world, lang, seed, steps))


async def _live(folder: Path, name: str, lang: Lang, seed: int, steps: int) -> Fates:
    world = load_world(name, lang)
    run, game = await new_run(folder, world, steps=steps, seed=seed)
    fates = Fates(game)
    with run:
        run.ask(read_whispers(WHISPERS / f"{name}_{lang}.txt", world))
        run.ask([Intervention("event", CAFE, FIRE[lang], FIRE_HOUR * 60 // STRIDE)])
        for _ in range(steps):
            await fates.step()
    return fates


def main() -> None:
    """Print the counts for Minitown, and what was lost."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS_A_DAY
    for lang in LANGS:
        for seed in SEEDS:
            found = follow("minitown", lang, seed, steps)
            counts = ", ".join(f"{fate} {count}" for fate, count in found.counts.items())
            print(f"minitown {lang} {seed}: {counts}", *found.lost, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
