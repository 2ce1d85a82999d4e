"""The influence of feelings on a resident: prompts, poignancy, readiness to talk, leisure.

Decisions in a step depend on the mood at its beginning, since concurrent trains of thought must not
depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.agent.mind.appraisal import (
    appraise,
    appraise_others,
    appraise_own_action,
    feel_stimulus,
)
from hometown.agent.mind.esteem import update_regard
from hometown.agent.mind.mood import Stimulus, current_feelings, current_mood
from hometown.agent.mind.phrasing import Words
from hometown.memory.concept import Concept
from hometown.settings import Settings
from hometown.text import catalogue
from hometown.world.activities import themes_of
from hometown.world.effects import Effect, Logged, Remembered
from hometown.world.feeling import Pad, Tone
from hometown.world.state import State
from hometown.world.world import World, arena_of

STRONG_FEELING_MIN = 250
"""Strength from which a feeling is mentioned in prompts and colours the tone towards its object."""

IMPORTANCE_STRENGTHS = (250, 500, 750)
"""Strengths of a feeling, each of which adds a point to the poignancy of the memory behind it."""

MAX_POIGNANCY = 10

EVEN_MOOD_MAX = 15
"""Points of pleasure and arousal below which a mood is not mentioned."""

AUDIBLE_PLEASURE_MIN = 25
"""Points of pleasure from which a mood colours the tone of speech."""

FULL_EFFECT_PLEASURE = 50
"""Points of pleasure at which the urge to talk is half as strong again; half as strong at the
negative.
"""

STAY_HOME_PLEASURE_MAX = -40
"""Pleasure, −100 to 100, up to which residents spend their leisure at home."""

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
"""Themes of activities that are leisure and can be skipped."""


def find_triggers(
    world: World, state: State, settings: Settings, effect: Effect
) -> Iterator[Stimulus]:
    """Yield the triggers of an effect: residents who feel something or change an opinion because
    of it. Without feelings in the run, these are only the acts of other residents, in a town with a
    society. `state` is the state before the effect.
    """
    if settings.faculties.feel:
        return appraise(world, state, effect)
    return appraise_others(state, effect) if world.book else iter(())


def find_own_triggers(
    world: World, state: State, settings: Settings, who: str, effect: Effect
) -> list[Stimulus]:
    """Return the triggers of a resident's own effect that concern that resident, own achievements
    included.
    """
    achieved = appraise_own_action(world, state, who, effect) if settings.faculties.feel else ()
    return [
        each
        for each in (*find_triggers(world, state, settings, effect), *achieved)
        if each.who == who
    ]


def derive_feelings(
    world: World, state: State, settings: Settings, stirred: list[Stimulus]
) -> Iterator[Logged]:
    """Yield the feelings and opinions that follow from triggers: feelings if the run has them, and
    regard in a town with a society. The caller must apply each before it takes the next, since they
    depend on each other.
    """
    for each in stirred:
        if settings.faculties.feel and (feels := feel_stimulus(world, state, each)):
            yield Logged(feels, each.who, "rule:feeling")
        if thinks := update_regard(world, state, each):
            yield Logged(thinks, each.who, "rule:regard")


def rate_with_feelings(world: World, state: State, who: str, memory: Concept) -> int:
    """Return the poignancy of a new memory: its rating, raised by a point for each level of
    `IMPORTANCE_STRENGTHS` that the strongest feeling about it reaches, to 10 at most.
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
    """Mood (pleasure, arousal and dominance, each -100 to 100) and feelings with their strengths,
    of a resident at the beginning of a step; neutral if the run has no feelings.
    """

    def __init__(self, world: World, snapshot: State, who: str, settings: Settings) -> None:
        self._world, self._who, self._on = world, who, settings.faculties.feel
        now = snapshot.clock.now
        self.felt = current_feelings(world.hearts, snapshot.feel(who), now) if self._on else []
        self.mood: Pad = (
            current_mood(world.temperaments[who], snapshot.feel(who), now)
            if self._on
            else (0, 0, 0)
        )

    @property
    def talkativeness(self) -> float:
        """Return a factor for the urge to talk, 0.5 to 1.5; 1 in an even mood."""
        return 1 + max(-FULL_EFFECT_PLEASURE, min(FULL_EFFECT_PLEASURE, self.mood[0])) / 100

    @property
    def is_withdrawn(self) -> bool:
        """Return True if the mood is so low that the resident prefers to be at home."""
        return self.mood[0] <= STAY_HOME_PLEASURE_MAX

    def prefers_home(self, activity: str, address: str, home: str, planned: bool) -> bool:
        """Return True if a withdrawn resident skips an activity: leisure that takes place away from
        home.

        In a society, where rules take care of all work first, every planned activity that is no
        errand counts as leisure.
        """
        if not self.is_withdrawn or arena_of(address) == home:
            return False
        themes = themes_of(activity, self._world.lang)
        return (planned and self._world.book is not None) or (
            bool(themes) and themes[0].key in LEISURE_THEMES
        )

    def tone(self, other: str) -> Tone | None:
        """Return the tone of speech towards a resident: by the feelings towards them, else by the
        mood.

        None is a neutral tone.
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
        """Return the mood, and the strongest feeling with its cause, for prompts; "" if neither is
        notable.
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
            part = self._world.hearts.feelings[feeling.kind]
            who = Words(self._world).name(feeling.towards)
            says = (
                (part.towards or part.says)[self._world.lang].format(who=who)
                if feeling.towards
                else part.says[self._world.lang]
            )
            why = words[f"stir_{feeling.stir}"].format(who=who)
            parts.append(words["because"].format(says=says, why=why, time=f"{feeling.since:%H:%M}"))
        return words["joint"].join(parts)


def find_octant(mood: Pad) -> str:
    """Return the octant of PAD space in which a mood lies, as in "++-" for pleasure, arousal and
    dominance; 0 counts as +.
    """
    return "".join("+" if points >= 0 else "-" for points in mood)
