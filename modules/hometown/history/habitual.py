"""Activities that come from residents' habits, which were written in advance, and not from a model."""

from __future__ import annotations

from typing import Literal

from hometown.model.levels import SCRIPTED, played_by
from hometown.model.size import freedom_in
from hometown.prompt.errand_matching import STEPS
from hometown.prompt.plans import ACTIVITY, SCHEDULE_DAILY, SCHEDULE_INIT
from hometown.prompt.tasks import DECOMPOSE
from hometown.prompt.wording import fitting
from hometown.storage.manifest import Manifest
from hometown.world.world import World

Planner = Literal["model", "habits", "rules"]
"""Source of a resident's days: a model that plans freely, habits among which a model chooses
or which stand as they are, or the rules of the scripted model.
"""


def planner_of(manifest: Manifest, world: World | None, who: str) -> Planner:
    """Return the source of a resident's days: "rules" if the scripted model plays them; "model" if
    they plan and their model chooses freely in all prompts of planning (in a society, that for the
    steps of an hour is one); else "habits".
    """
    settings = manifest.settings
    model = played_by(settings.detail, manifest.llm, who)
    if model == SCRIPTED:
        return "rules"
    steps = STEPS if world and world.book else DECOMPOSE
    is_free = settings.faculties.plan and all(
        freedom_in(settings.llm, model, prompt.kind) == "free"
        for prompt in (SCHEDULE_INIT, SCHEDULE_DAILY, steps)
    )
    return "model" if is_free else "habits"


def habitual_activities(manifest: Manifest, world: World | None, who: str) -> frozenset[str]:
    """Return the activities and steps of a resident's habits, as they stand in plans; none for a
    resident whose model plans freely, as the same words are its own, and none without a world.
    """
    persona = world.personas.get(who) if world else None
    if persona is None or planner_of(manifest, world, who) == "model":
        return frozenset()
    return frozenset(
        words
        for habit in persona.habits
        for text in (habit.activity, *habit.tasks)
        for words in (text, fitting(text, ACTIVITY))
    )
