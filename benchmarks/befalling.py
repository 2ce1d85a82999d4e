"""Whether what happens matters: `python -m benchmarks.befalling [fire|stove|any] [WORLD] [LANG]
[SEEDS] [MODEL] [FILE]`, in the Ville, in English and over 10 seeds by default, without a model.

`fire`: a fire in the café at noon. How many of those within sight or hearing act on it within two
steps, how many know of it at midnight, and how many of them along no way by which news can go.
`stove`: the stove that most use breaks at eleven. How many cook on it before it is mended, in how
many runs somebody mends it within a day, and for how many of those who came for it the day differs
from the same day with a stove that works.
`any`: each line of a file, by default ten happenings for tuning, happens in the café at noon. For
each: its course as drafted, who ended it, how many of those within sight or hearing decide to do
something, and for how many of them the afternoon differs from the same one without it; the calls
that it costs for each resident.

Shares are given with their 95 % intervals, over the people, or the runs, of all seeds.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.towns import STEPS_A_DAY, new_run
from hometown.backends import make_model
from hometown.config import combine
from hometown.history.entities import OwnedMemory
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.shares import Share
from hometown.world.befalling import course_of, happening_kind, usual_course
from hometown.world.effects import Arrived, Began, Effect, Refused, Rescheduled, TalkBegan
from hometown.world.incidents import (
    ConditionSet,
    HappeningBegan,
    HappeningStopped,
    MeasureTaken,
)
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.whereabouts import box_distance
from hometown.world.world import World, arena_of

FIRE = {"en": "A fire breaks out behind the counter", "zh": "柜台后面着火了"}
BROKEN = {"en": "broken", "zh": "坏了"}

STEPS_AN_HOUR = STEPS_A_DAY // 24
NOON, ELEVEN = 12 * STEPS_AN_HOUR, 11 * STEPS_AN_HOUR
"""Steps from midnight."""

SOON = 2
"""Steps within which somebody acts on what it notices."""


@dataclass
class Tally:
    """Counts of `what` out of how many."""

    of: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, held: int, of: int) -> None:
        self.held[what] += held
        self.of[what] += of

    def lines(self) -> Iterator[str]:
        for what, total in self.of.items():
            share = Share(self.held[what], total)
            low, high = share.interval if total else (0.0, 1.0)
            yield f"{what:44} {share.count} of {total}  {share.count / max(total, 1):.1%}  [{low:.1%}, {high:.1%}]"


async def live(
    folder: Path,
    world: World,
    seed: int,
    last: int,
    wishes: Sequence[Intervention],
    llm: str = "scripted",
) -> None:
    """Lives from the start of a world to the step `last` from midnight, with the user's wishes."""
    steps = last - world.start.hour * STEPS_AN_HOUR
    model = make_model(llm, combine([world.settings]))
    run, game = await new_run(folder, world, steps=steps, seed=seed, model=model)
    with run:
        run.ask(wishes)
        for _ in range(steps):
            await game.step()


@contextmanager
def day(
    world: World, seed: int, last: int, *wishes: Intervention, llm: str = "scripted"
) -> Iterator[RunReader]:
    """A run to read, lived to the step `last` from midnight."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder), world, seed, last, wishes, llm))
        with RunReader.open(Path(folder), "bench") as run:
            yield run


# fire --------------------------------------------------------------------------------------


def fire(world: World, seed: int, tally: Tally) -> None:
    """One day with a fire in the café."""
    cafe = next(address for address, arena in world.arenas.items() if "cafe" in arena.tags)
    step = NOON - world.start.hour * STEPS_AN_HOUR + 1
    with day(world, seed, STEPS_A_DAY, Intervention("event", cafe, FIRE[world.lang], step)) as run:
        reach = usual_course(FIRE[world.lang], world.lang).reach
        near = within(run, world, cafe, step - 1, reach)
        acted = {
            logged.who
            for _, logged in run.run.effects(step, step + SOON - 1)
            if logged.cause.startswith("call:respond") and changes(logged.effect)
        }
        known, unexplained = knowers(run, world, step)
        tally.add("those in sight or hearing who act on it", len(near & acted), len(near))
        tally.add("the town that knows of it at midnight", len(known), len(world.personas))
        tally.add("those who know of it from nowhere", unexplained, len(known))


def changes(effect: object) -> bool:
    return isinstance(effect, (Rescheduled, TalkBegan, Began))


def within(run: RunReader, world: World, address: str, step: int, reach: int) -> set[str]:
    """Who is in the arena after a step, or within hearing of it, `reach` tiles."""
    state = run.run.restore(step)
    tiles = {who: state.body(who).tile for who in world.personas}
    return {
        who
        for who, tile in tiles.items()
        if world.maze.arena_at(tile) == address
        or min(box_distance(tile, other) for other in world.open_tiles[address]) <= reach
    }


def knowers(run: RunReader, world: World, since: int) -> tuple[set[str], int]:
    """Who remembers anything of a fire, and how many of them were told it first by somebody who did
    not know it.
    """
    first: dict[str, OwnedMemory] = {}
    for memory in run.memories(since, run.last_step()):
        kind = happening_kind(memory.concept.text, world.lang)
        if kind and kind.key == "fire":
            first.setdefault(memory.who, memory)
    talks = {talk.id: set(talk.people) for talk in run.conversations(since, run.last_step())}
    told = [memory for memory in first.values() if memory.concept.talk]
    unexplained = [
        memory
        for memory in told
        if not any(
            _knew(first.get(other), memory) for other in talks[memory.concept.talk] - {memory.who}
        )
    ]
    return set(first), len(unexplained)


def _knew(theirs: OwnedMemory | None, told: OwnedMemory) -> bool:
    """Whether somebody knew of it before it was told."""
    return (
        theirs is not None
        and theirs.concept.created <= told.concept.created
        and theirs.concept.talk != told.concept.talk
    )


# stove -------------------------------------------------------------------------------------


def stove(world: World, seed: int, tally: Tally) -> None:
    """One day with a stove that breaks, and the same with one that works; each from eleven to
    eleven.
    """
    broken = most_used(world, "stove")
    step, last = ELEVEN - world.start.hour * STEPS_AN_HOUR + 1, ELEVEN + STEPS_A_DAY
    with day(world, seed, last, Intervention("set", broken, BROKEN[world.lang], step)) as run:
        effects = [(at, logged.effect) for at, logged in run.run.effects(step)]
        mended = next(
            (
                at
                for at, effect in effects
                if isinstance(effect, ConditionSet) and effect.address == broken and not effect.text
            ),
            last,
        )
        came = {
            effect.who
            for at, effect in effects
            if isinstance(effect, Refused) and effect.address == broken and at <= mended
        }
        used = users(world, broken, [effect for at, effect in effects if at < mended])
        days = {who: doings(run, who, step) for who in came}
    with day(world, seed, last) as run:
        differ = sum(doings(run, who, step) != days[who] for who in came)
    tally.add("runs in which it is mended within a day", mended < last, 1)
    tally.add("those who came for it and used it broken", len(used & came), len(came))
    tally.add("runs in which somebody used it broken", bool(used), 1)
    tally.add("those who came for it and whose day differs", differ, len(came))


def users(world: World, broken: str, effects: Sequence[Effect]) -> set[str]:
    """Who used a broken thing for anything but putting it right."""
    doing: dict[str, str] = {}
    used: set[str] = set()
    kind = world.condition_kind(broken, BROKEN[world.lang])
    for effect in effects:
        if isinstance(effect, Began):
            doing[effect.who] = effect.action.activity
        elif (
            isinstance(effect, Arrived)
            and effect.address == broken
            and not kind.rights(doing.get(effect.who, ""))
        ):
            used.add(effect.who)
    return used


def most_used(world: World, tag: str) -> str:
    """The thing with a tag in whose room most habits lie."""
    rooms = Counter(
        arena_of(habit.place) for persona in world.personas.values() for habit in persona.habits
    )
    return max(
        (address for address, thing in world.things.items() if tag in thing.tags),
        key=lambda address: (rooms[arena_of(address)], address),
    )


def doings(run: RunReader, who: str, since: int) -> list[tuple[str, str]]:
    """What somebody does, where, in order."""
    began = (logged.effect for _, logged in run.run.effects(since))
    return [
        (effect.action.activity, effect.action.address)
        for effect in began
        if isinstance(effect, Began) and effect.who == who
    ]


# any happening -------------------------------------------------------------------------------


def happen(world: World, seed: int, texts: Sequence[str], llm: str, tally: Tally) -> None:
    """One afternoon for each happening in the café, and one without any."""
    cafe = next(address for address, arena in world.arenas.items() if "cafe" in arena.tags)
    step, last = NOON - world.start.hour * STEPS_AN_HOUR + 1, NOON + 3 * STEPS_AN_HOUR
    with day(world, seed, last, llm=llm) as run:
        usual = {who: doings(run, who, step) for who in world.personas}
        calls = count_calls(run)
    for text in texts:
        with day(world, seed, last, Intervention("event", cafe, text, step), llm=llm) as run:
            effects = [logged.effect for _, logged in run.run.effects(step)]
            (begun, *_) = (each for each in effects if isinstance(each, HappeningBegan))
            course = course_of(begun.happening, world.lang)
            ended = [
                each
                for each in effects
                if isinstance(each, HappeningStopped) and each.happening.text == text
            ]
            by = ", ".join(ended[0].by) or "time" if ended else "still going on"
            measures = [each for each in effects if isinstance(each, MeasureTaken)]
            acted = {each.who for each in measures if each.measure.role != "stays"}
            near = within(run, world, cafe, step - 1, course.reach)
            differ = {who for who in near if doings(run, who, step) != usual[who]}
            cost = (count_calls(run) - calls) / len(world.personas)
            print(f"{text}: {asdict(course)}; ended by {by}; {cost:+.1f} calls a resident")
            tally.add("those in sight or hearing who act on it", len(near & acted), len(near))
            tally.add("those in sight or hearing whose day differs", len(differ), len(near))
            tally.add("happenings that ended within three hours", bool(ended), 1)


def count_calls(run: RunReader) -> int:
    """The number of calls of a run."""
    return sum(1 for _ in run.run.calls(1, run.last_step()))


def read_happenings(lang: Lang, file: str) -> list[str]:
    """The happenings in a file, one a line."""
    path = Path(file) if file else Path(__file__).with_name(f"happenings.{lang}.txt")
    return [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]


MEASURES = {"fire": fire, "stove": stove}


def main(
    which: str = "fire",
    name: str = "ville",
    lang: Lang = "en",
    seeds: str = "10",
    llm: str = "scripted",
    file: str = "",
) -> None:
    world, tally = load_world(name, lang), Tally()
    for seed in range(1, int(seeds) + 1):
        if which == "any":
            happen(world, seed, read_happenings(lang, file), llm, tally)
        else:
            MEASURES[which](world, seed, tally)
        print(
            f"{which} {name} {lang}: {seed} of {seeds} seeds", *tally.lines(), sep="\n", flush=True
        )


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
