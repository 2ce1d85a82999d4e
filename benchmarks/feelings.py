"""What feelings change: `python -m benchmarks.feelings [LANG] [SEEDS] [WORLD]`, in English, over 20
seeds and in minitown by default.

The same day is lived twice from each seed, with feelings and without. It is a bad one: there is a
fire, and alarms are heard all over town. Compared are the residents who are distressed in the one,
at those very steps, with themselves in the other: how many conversations they begin, how much of
the time they are at home; and how much what is perceived or heard of those frights weighs in
memory. In a town with a society, where rules tell leisure from work: how much of their leisure they
are at home, and how long they take for what they set about, of the time that its recipe gives. p is
by swapping the two days of each seed (Fisher 1935); a seed without a figure in one of them is left
out. Of the phrases in which a mood is heard, the share is told that fits the sign of the speaker's
pleasure when the step began; and how many prompts name a mood or a feeling, with feelings and
without.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean

from benchmarks.towns import new_run
from hometown.agent.mind.emotions import STAY_HOME_PLEASURE_MAX, Emotions
from hometown.clock import minute_of_day
from hometown.config import combine
from hometown.game import Game
from hometown.language import Lang
from hometown.paths import DATA
from hometown.scripted.phrases import bank
from hometown.study.inference.paired_tests import compute_paired_p
from hometown.text import catalogue
from hometown.world.effects import Remembered, TalkBegan
from hometown.world.interventions import Intervention
from hometown.world.labour import WorkBegun
from hometown.world.load import load_world
from hometown.world.state import State
from hometown.world.world import World, sector_of

STEPS = 108
"""From six in the morning to midnight."""

FRIGHTS = ((18, "fire"), (30, "alarm"), (42, "alarm"), (54, "alarm"), (66, "alarm"))
"""What happens at which step: every two hours from nine on."""

TEXTS = {
    "fire": {"en": "A fire breaks out in the middle of the room", "zh": "屋子中间着火了"},
    "alarm": {"en": "The alarm goes off", "zh": "警报响了起来"},
}

Moment = tuple[int, str]
"""A step, and a resident."""


@dataclass
class Day:
    """What a day was like: the pleasure of each resident as each step began, where it was at home,
    where at leisure, and when it began to talk; how much memories weighed that tell of what is
    strongly felt; which share of its recipe's time each piece of work took; the phrases of a mood
    with the pleasure of who spoke; and how many prompts name a mood.
    """

    pleasure: dict[Moment, int] = field(default_factory=dict)
    home: set[Moment] = field(default_factory=set)
    leisure: set[Moment] = field(default_factory=set)
    opened: list[Moment] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    paces: list[tuple[Moment, float]] = field(default_factory=list)
    toned: list[tuple[str, int]] = field(default_factory=list)
    named: int = 0

    @property
    def distressed(self) -> set[Moment]:
        return {
            moment
            for moment, pleasure in self.pleasure.items()
            if pleasure <= STAY_HOME_PLEASURE_MAX
        }


async def live(folder: Path, world: World, seed: int, feel: bool) -> Day:
    day, settings = Day(), combine([world.settings, {"faculties": {"feel": feel}}])
    run, game = await new_run(folder, world, steps=STEPS, seed=seed, settings=settings)
    squares = [address for address, arena in world.arenas.items() if arena.public]
    with run:
        run.ask(
            [
                Intervention("event", squares[number % len(squares)], TEXTS[what][world.lang], step)
                for number, (step, what) in enumerate(FRIGHTS)
            ]
        )
        for step in range(1, STEPS + 1):
            hearts = {who: Emotions(world, game.state, who, settings) for who in world.personas}
            day.pleasure |= {(step, who): heart.mood[0] for who, heart in hearts.items()}
            await game.step()
            look_at(day, game, world, step)
    return day


def look_at(day: Day, game: Game, world: World, step: int) -> None:
    """Notes what a step has brought."""
    tones = {
        frame.text: frame.tag
        for frames in bank(world.lang).frames.values()
        for frame in frames
        if frame.tag.startswith("tone-")
    }
    for who, persona in world.personas.items():
        if sector_of(world.maze.arena_at(game.state.body(who).tile)) == sector_of(persona.home):
            day.home.add((step, who))
        if world.book and at_leisure(game.state, who):
            day.leisure.add((step, who))
    for effect in (logged.effect for logged in game.log):
        if isinstance(effect, TalkBegan):
            day.opened.append((step, effect.talk.opener))
            spoken = [
                (line.speaker, move.text)
                for line in effect.talk.lines
                for move in bank(world.lang).recognise(line.text)
            ]
            day.toned += [
                (tones[text], day.pleasure[step, speaker])
                for speaker, text in spoken
                if text in tones
            ]
        elif (
            isinstance(effect, Remembered)
            and effect.concept.type == "event"
            and any(texts[world.lang] in effect.concept.text for texts in TEXTS.values())
        ):
            day.weights.append(effect.concept.poignancy)
        elif isinstance(effect, WorkBegun) and world.book:
            minutes = (effect.deed.until - effect.deed.since).total_seconds() / 60
            day.paces.append(
                ((step, effect.who), minutes / world.book.recipes[effect.deed.recipe].minutes)
            )
    named = moods(world.lang)
    day.named += sum(
        any(named.search(message.content) for message in call.messages) for call in game.calls
    )


@cache
def moods(lang: Lang) -> re.Pattern[str]:
    """The words before a mood, or what has stirred a feeling and since when; what people think of
    each other is told by the same causes, with a date.
    """
    words, shared = (
        catalogue(lang, "feelings"),
        (DATA / "prompts" / lang / "_shared.md").read_text("utf-8"),
    )
    label = re.search(r"^(.+)\{\{ situation\.feels", shared, re.MULTILINE)
    assert label is not None, "prompts tell a mood otherwise"
    since = words["because"].partition("{time}")[2]
    causes = [
        re.escape(since.format(why=why))
        for key, why in words.items()
        if key.startswith("stir_") and "{" not in why
    ]
    return re.compile("|".join([re.escape(label[1]), *(rf"\d\d:\d\d{cause}" for cause in causes)]))


def at_leisure(state: State, who: str) -> bool:
    """Whether somebody is awake, neither talks nor works nor runs errands, and is called nowhere."""
    entry = state.schedule(who).at(minute_of_day(state.clock.now))
    busy = (
        state.is_asleep(who)
        or state.talking(who) is not None
        or state.job(who) is not None
        or bool(state.errand_queue(who))
    )
    return not busy and entry.kind == "activity" and not entry.address


@dataclass
class Pairs:
    """One number a seed, with feelings and without."""

    on: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)

    def add(self, on: float | None, off: float | None) -> None:
        if on is not None and off is not None:
            self.on.append(on)
            self.off.append(off)

    def line(self, what: str) -> str:
        if not self.on:
            return f"{what:58} none"
        p = compute_paired_p([one - other for one, other in zip(self.on, self.off, strict=True)])
        return f"{what:58} {fmean(self.on):8.3f} {fmean(self.off):8.3f}   p = {p:.2g}"


def main(lang: Lang = "en", seeds: str = "20", which: str = "minitown") -> None:
    world, measures, toned, named = (
        load_world(which, lang),
        {name: Pairs() for name in MEASURES},
        list[tuple[str, int]](),
        [0, 0],
    )
    for seed in range(1, int(seeds) + 1):
        days = []
        for feel in (True, False):
            with tempfile.TemporaryDirectory() as folder:
                days.append(asyncio.run(live(Path(folder), world, seed, feel)))
        on, off = days
        for name, measure in MEASURES.items():
            measures[name].add(measure(on, on.distressed), measure(off, on.distressed))
        toned, named = toned + on.toned, [named[0] + on.named, named[1] + off.named]
    print(f"{which} {lang}, {seeds} seeds: with feelings, without")
    print(*(pairs.line(name) for name, pairs in measures.items()), sep="\n")
    print(
        *told(toned), f"prompts that name a mood: {named[0]}, without feelings {named[1]}", sep="\n"
    )


def told(toned: Sequence[tuple[str, int]]) -> Iterator[str]:
    """How many of the phrases of a mood fit the pleasure of who spoke."""
    fit = sum(
        pleasure > 0 if tone in ("tone-bright", "tone-warm") else pleasure < 0
        for tone, pleasure in toned
    )
    yield f"phrases of a mood that fit it: {fit} of {len(toned)}, {fit / max(1, len(toned)):.0%}"


def mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


MEASURES: dict[str, Callable[[Day, set[Moment]], float | None]] = {
    "conversations begun by the distressed": lambda day, moments: float(
        sum(moment in moments for moment in day.opened)
    ),
    "share of their time at home": lambda day, moments: (
        len(day.home & moments) / max(1, len(moments))
    ),
    "share of their leisure at home": lambda day, moments: mean(
        [float(moment in day.home) for moment in sorted(day.leisure & moments)]
    ),
    "importance of what was strongly felt": lambda day, moments: mean(day.weights),
    "share of its usual time that their work takes": lambda day, moments: mean(
        [pace for moment, pace in day.paces if moment in moments]
    ),
}


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
