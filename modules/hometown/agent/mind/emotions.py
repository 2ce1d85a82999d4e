"""What residents feel, and what it changes: the words of prompts, what is remembered, whom they
talk to, and whether they go out.

What is decided in a step rests on the mood with which the step began, since trains of thought that
run at once must not rest on each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.agent.mind.phrasing import Words
from hometown.memory.concept import Concept
from hometown.settings import Settings
from hometown.society.appraisal import appraise, appraise_others, done_by, felt
from hometown.society.esteem import regarded
from hometown.society.mood import Stirred, mood, present
from hometown.text import catalogue
from hometown.world.activities import themes_of
from hometown.world.effects import Effect, Logged, Remembered
from hometown.world.feeling import Pad, Tone
from hometown.world.state import State
from hometown.world.world import World, arena_of

STRONG_FEELING_MIN = 250
"""Strength from which on a feeling is told, heard in what one says, and makes a memory matter more.
"""

IMPORTANCE_STRENGTHS = (250, 500, 750)
"""Strengths from which on what has stirred a feeling weighs one more point of importance each."""

MAX_POIGNANCY = 10

EVEN_MOOD_MAX = 15
"""Points of pleasure and arousal below which a mood is none to speak of."""

AUDIBLE_PLEASURE_MIN = 25
"""Points of pleasure from which on a mood is heard in what one says."""

FULL_EFFECT_PLEASURE = 50
"""Points of pleasure at which somebody is half as ready again to talk; below 0, half as ready."""

STAY_HOME_PLEASURE_MAX = -40
"""Pleasure from which on downwards somebody spends its leisure at home."""

LEISURE_THEMES = frozenset(
    (
        "read",
        "browse",
        "exercise",
        "game",
        "listen",
        "music",
        "dance",
        "photo",
        "walk",
        "outside",
        "fish",
        "stars",
        "meet",
        "rest",
        "drink",
    )
)
"""Themes of activities that can as well be left."""


def stirs(world: World, state: State, settings: Settings, effect: Effect) -> Iterator[Stirred]:
    """Whom an effect stirs so that anything comes of it: it is felt, or it changes what people
    think of each other. `state` is as it was before.
    """
    if settings.faculties.feel:
        return appraise(world, state, effect)
    return appraise_others(state, effect) if world.book else iter(())


def find_own_triggers(
    world: World, state: State, settings: Settings, who: str, effect: Effect
) -> list[Stirred]:
    """What an effect that somebody brings about stirs in it; else as `stirs`."""
    achieved = done_by(world, state, who, effect) if settings.faculties.feel else ()
    return [each for each in (*stirs(world, state, settings, effect), *achieved) if each.who == who]


def effects_of(
    world: World, state: State, settings: Settings, stirred: list[Stirred]
) -> Iterator[Logged]:
    """What is felt, and thought of others, one after the other; whoever asks carries each out
    before the next.
    """
    for each in stirred:
        if settings.faculties.feel and (feels := felt(world, state, each)):
            yield Logged(feels, each.who, "rule:feeling")
        if thinks := regarded(world, state, each):
            yield Logged(thinks, each.who, "rule:regard")


def rate_with_feelings(world: World, state: State, who: str, memory: Concept) -> int:
    """The poignancy of a memory about to be made: more than it is rated if what it tells of is
    strongly felt.
    """
    stirred = [each for each in appraise(world, state, Remembered(who, memory)) if each.who == who]
    points = [
        points * each.tenths // 10
        for each in stirred
        for _, points in world.hearts.stirred_by(each.stir)
    ]
    feel = state.feel(who)
    points += (
        [feeling.strength for feeling in feel.feelings if feeling.memory == memory.id]
        if feel
        else []
    )
    return max(
        memory.poignancy,
        min(
            MAX_POIGNANCY,
            memory.poignancy
            + sum(max(points, default=0) >= least for least in IMPORTANCE_STRENGTHS),
        ),
    )


class Emotions:
    """What a resident feels as a step begins; nothing at all where the run has no feelings."""

    def __init__(self, world: World, snapshot: State, who: str, settings: Settings) -> None:
        self._world, self._who, self._on = world, who, settings.faculties.feel
        now = snapshot.clock.now
        self.felt = present(world.hearts, snapshot.feel(who), now) if self._on else []
        self.mood: Pad = (
            mood(world.temperaments[who], snapshot.feel(who), now) if self._on else (0, 0, 0)
        )

    @property
    def talkativeness(self) -> float:
        """By how much likelier than in an even mood somebody begins to talk, 0.5 to 1.5."""
        return 1 + max(-FULL_EFFECT_PLEASURE, min(FULL_EFFECT_PLEASURE, self.mood[0])) / 100

    @property
    def is_withdrawn(self) -> bool:
        return self.mood[0] <= STAY_HOME_PLEASURE_MAX

    def prefers_home(self, activity: str, address: str, home: str, planned: bool) -> bool:
        """Whether somebody leaves an activity for some time at home: it is leisure, elsewhere, and
        the mood is too low for it.

        In a town with a society, where rules see to all work first, whatever somebody has planned
        itself and is no errand is leisure.
        """
        if not self.is_withdrawn or arena_of(address) == home:
            return False
        themes = themes_of(activity, self._world.lang)
        return (planned and self._world.book is not None) or (
            bool(themes) and themes[0].key in LEISURE_THEMES
        )

    def tone(self, other: str) -> Tone | None:
        """How what is said sounds to another: by what is felt towards it, else by the mood; None
        for as ever.
        """
        parts = self._world.hearts.feelings
        strongest = (
            next(
                (
                    feeling
                    for feeling, points in self.felt
                    if points >= STRONG_FEELING_MIN and feeling.towards == other
                ),
                None,
            )
            if other
            else None
        )
        if strongest:
            return parts[strongest.kind].tone
        pleasure = self.mood[0]
        return (
            "bright"
            if pleasure >= AUDIBLE_PLEASURE_MIN
            else "low"
            if pleasure <= -AUDIBLE_PLEASURE_MIN
            else None
        )

    def describe(self) -> str:
        """The mood and the strongest feeling with its cause, as prompts say it; "" where there is
        nothing to say.
        """
        words = catalogue(self._world.lang, "feelings")
        parts = (
            [words[f"mood_{find_octant(self.mood)}"]]
            if max(abs(self.mood[0]), abs(self.mood[1])) >= EVEN_MOOD_MAX
            else []
        )
        strongest = next(
            ((feeling, points) for feeling, points in self.felt if points >= STRONG_FEELING_MIN),
            None,
        )
        if strongest:
            feeling, _ = strongest
            part, who = (
                self._world.hearts.feelings[feeling.kind],
                Words(self._world).name(feeling.towards),
            )
            says = (
                (part.towards or part.says)[self._world.lang].format(who=who)
                if feeling.towards
                else part.says[self._world.lang]
            )
            why = words[f"stir_{feeling.stir}"].format(who=who)
            parts.append(words["because"].format(says=says, why=why, time=f"{feeling.since:%H:%M}"))
        return words["joint"].join(parts)


def find_octant(mood: Pad) -> str:
    """The part of PAD space in which a mood lies, as in "++-"."""
    return "".join("+" if points >= 0 else "-" for points in mood)
