"""The rules of each verb of an errand: its preconditions, effects and plan, and how it is told.

A new verb is a member of `Verb` (`modules/hometown/world/labour.py`), an entry here, and texts in
`data/text/*/work.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from hometown.frozen import frozen
from hometown.society.aid import begin_care, refuse_care
from hometown.society.errand_plan import ErrandPlan
from hometown.society.hire import hire, refuse_hire
from hometown.society.jobs import begin_work, buy_goods
from hometown.society.planner import Planner
from hometown.society.refusals import (
    Refusal,
    build_refusal,
    refuse_gift,
    refuse_look,
    refuse_move,
    refuse_purchase,
    refuse_work,
)
from hometown.society.society_view import SocietyView
from hometown.world.effects import Effect
from hometown.world.labour import Errand, Verb
from hometown.world.matter import MARK, Shifted, Transfer

RETRY_AFTER, ASK_AGAIN_AFTER = timedelta(hours=1), timedelta(hours=16)
"""The time for which a resident does not repeat a refused errand, and a refused request for work."""


@frozen
class VerbRule:
    """The rule of a verb. The defaults are those of a verb that only tells of an event.

    Attributes:
        emoji: Shown for the errand, unless a recipe has one of its own.
        outcome_text: The key of the text for a success, in `data/text/*/work.json`.
        refuse: Returns the reason why a resident cannot do an errand now; None if they can.
        effects: Returns the effects of an errand that is not refused.
        plan: Returns the cheapest plan for a family of recipes or a kind, at a place or "" for any,
            from an address; None if there is none. A verb without it is never planned this way.
        takes_time: Whether the errand is work, rather than done at once.
        is_success_recorded: Whether the resident remembers a success of an errand done at once.
        is_refusal_recorded: Whether the resident remembers a refusal.
        always_inspects: Whether the resident sees the contents of open holders, too.
        retry_after: The time for which a refused errand is not repeated.
        poignancy: The poignancy of remembering a success, 1 to 10.
        names_resident: Whether the errand's `at` is another resident.
    """

    emoji: str
    outcome_text: str
    refuse: Callable[[SocietyView, str, Errand], Refusal | None] = lambda society, who, errand: (
        build_refusal("NO_TARGET", at=errand.at)
    )
    effects: Callable[[SocietyView, str, Errand], list[Effect]] = lambda society, who, errand: []
    plan: Callable[[Planner, str, str, str], ErrandPlan | None] | None = None
    takes_time: bool = False
    is_success_recorded: bool = False
    is_refusal_recorded: bool = True
    always_inspects: bool = False
    retry_after: timedelta = RETRY_AFTER
    poignancy: int = 1
    names_resident: bool = False


VERB_RULES: Mapping[Verb, VerbRule] = {
    Verb.DO: VerbRule(
        "🛠️",
        "done",
        lambda society, who, errand: refuse_work(society, who, errand.what, errand.at),
        lambda society, who, errand: begin_work(society, who, errand.what, errand.at),
        lambda planner, what, at, place: planner.plan_family(what, place),
        takes_time=True,
    ),
    Verb.TEND: VerbRule(
        "🩹",
        "given",
        lambda society, who, errand: refuse_care(society, who, errand.what, errand.at),
        lambda society, who, errand: begin_care(society, who, errand.what, errand.at),
        takes_time=True,
        is_refusal_recorded=False,  # another resident was quicker to help
    ),
    Verb.TAKE: VerbRule(
        "🧺",
        "given",
        lambda society, who, errand: refuse_move(
            society, who, errand.at, who, ((errand.what, errand.count),)
        ),
        lambda society, who, errand: [
            Shifted(Transfer(errand.at, who, ((errand.what, errand.count),)))
        ],
        lambda planner, what, at, place: planner.plan_fetching(what, at, place),
    ),
    Verb.PUT: VerbRule(
        "📦",
        "given",
        lambda society, who, errand: refuse_move(
            society, who, who, errand.at, ((errand.what, errand.count),)
        ),
        lambda society, who, errand: [
            Shifted(Transfer(who, errand.at, ((errand.what, errand.count),)))
        ],
        lambda planner, what, at, place: planner.plan_storing(what, at, place),
    ),
    Verb.BUY: VerbRule(
        "🪙",
        "bought",
        lambda society, who, errand: refuse_purchase(
            society, who, errand.at, errand.what, errand.count
        ),
        lambda society, who, errand: buy_goods(society, who, errand.at, errand.what, errand.count),
        lambda planner, what, at, place: planner.plan_purchase(what, at, place),
        is_success_recorded=True,
    ),
    Verb.ASK: VerbRule(
        "🙏",
        "given",
        lambda society, who, errand: refuse_gift(society, who, errand.at, errand.what),
        lambda society, who, errand: [Shifted(Transfer(errand.at, who, ((errand.what, 1),)))],
        is_success_recorded=True,
    ),
    Verb.LOOK: VerbRule(
        "👀",
        "given",
        lambda society, who, errand: refuse_look(society, who, errand.at),
        lambda society, who, errand: [],
        lambda planner, what, at, place: planner.plan_look(at, place),
        always_inspects=True,
    ),
    Verb.HIRE: VerbRule(
        "💪",
        "hired",
        lambda society, who, errand: refuse_hire(society, who, errand.what),
        lambda society, who, errand: hire(society, who, errand.what),
        retry_after=ASK_AGAIN_AFTER,
        poignancy=3,
    ),
    Verb.GIVE: VerbRule("🎁", "give", poignancy=3, names_resident=True),
    Verb.GET: VerbRule("🎁", "get", poignancy=3, names_resident=True),
    Verb.SEE: VerbRule("👀", "seen", poignancy=5, names_resident=True),
    Verb.READ: VerbRule("📌", "read_that", poignancy=2),
}


def plan_errand(planner: Planner, verb: Verb, what: str, at: str, place: str) -> ErrandPlan | None:
    """Return the cheapest plan for an errand; None if there is none, or if it names nothing known.

    Args:
        verb: The verb of the errand.
        what: A family of recipes, or a kind.
        at: The fixture or item; "" for any.
        place: The address at which the resident is.
    """
    plan = VERB_RULES[verb].plan
    if plan is None:
        return None
    if verb not in (Verb.DO, Verb.LOOK):
        book = planner.society.book
        is_known_place = not at or MARK in at or at in book.fixtures
        if what not in book.kinds or not is_known_place:
            return None
    return plan(planner, what, at, place)
