"""A resident's feelings as of the last change, from which the page computes mood and feelings at
any moment in the same way as the engine.
"""

from __future__ import annotations

from collections.abc import Mapping

from hometown.agent.mind.mood import CALMING_PER_HOUR
from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.feeling import Feel, Feeling
from hometown.world.world import World


def feelings(
    run: RunReader, names: Names, who: str, begin: int, last: int
) -> Versions[shapes.MoodView | None]:
    """Return the feelings by the step since which they hold; None before the first change, in a run
    without feelings, and where the world is not known.
    """
    world = names.world
    if world is None or not run.manifest.settings.faculties.feel:
        return [(begin, None)]
    rows = run.versions_or(keys.FEEL.of(who), begin, last, None)
    return [(since, _feel(run, world, who, row) if row else None) for since, row in rows]


def moods(run: RunReader, names: Names) -> dict[str, str]:
    """Return the names of moods by the signs of pleasure, arousal and dominance, as in "++-"; "" is
    the neutral mood. Empty in a run without feelings.
    """
    if names.world is None or not run.manifest.settings.faculties.feel:
        return {}
    words = catalogue(names.world.lang, "feelings")
    return {"": words["mood_even"]} | {
        key.removeprefix("mood_"): text for key, text in words.items() if key[-1] in "+-"
    }


def _feel(run: RunReader, world: World, who: str, feel: Feel) -> shapes.MoodView:
    words = catalogue(world.lang, "feelings")
    felt = [
        _feeling(run, world, words, each)
        for each in feel.feelings
        if each.kind in world.hearts.feelings
    ]
    return {
        "mood": feel.mood,
        "tick": run.tick(feel.since),
        "nature": world.temperaments[who],
        "calms": CALMING_PER_HOUR,
        "feelings": felt,
    }


def _feeling(
    run: RunReader, world: World, words: Mapping[str, str], feeling: Feeling
) -> shapes.FeelingView:
    part, name = world.hearts.feelings[feeling.kind], world.name_of(feeling.towards)
    return {
        "says": (part.towards if part.towards and feeling.towards else part.says)[
            world.lang
        ].format(who=name),
        "why": words[f"stir_{feeling.stir}"].format(who=name),
        "towards": feeling.towards,
        "memory": feeling.memory,
        "tick": run.tick(feeling.since),
        "strength": feeling.strength,
        "fades": part.fades,
    }
