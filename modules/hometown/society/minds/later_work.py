"""Work that ends on a later day: the intention to come back for what has been sown."""

from __future__ import annotations

from datetime import timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.society.society_view import SocietyView
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.labour import Outcome, Verb
from hometown.world.world import arena_of

RETURN_POIGNANCY = 4
"""Poignancy of the intention to come back on a later day."""


async def remember_to_return(mind: Mind, outcome: Outcome) -> None:
    """Remember the intention to come back for the products of work just done, if these are due on a
    later day. It is dated, with the next full hour, so that it comes to mind in the plan of that
    day and at that hour.
    """
    society, errand = society_of(mind), outcome.errand
    process = society.state.process(errand.at)
    if (
        errand.verb != Verb.DO
        or outcome.code
        or process is None
        or process.recipe != errand.what
        or process.due.date() <= mind.now.date()
    ):
        return
    phrases, recipe = WorkPhrases(mind.world), society.book.recipes[process.recipe]
    text = phrases.say(
        "to_return",
        name=mind.me.name,
        thing=phrases.thing(errand.at),
        goods=mind.words.texts["item_separator"].join(
            phrases.goods(kind, count) for kind, count in recipe.products
        ),
        when=mind.words.when(process.due + timedelta(minutes=-process.due.minute % 60)),
    )
    memory = NewMemory(
        "thought",
        text,
        mind.who,
        INTENTION_PREDICATE,
        errand.at,
        arena_of(errand.at),
        about=(mind.who,),
    )
    await mind.remember([memory], [RETURN_POIGNANCY], "rule:work")


def settle_returns(mind: Mind, society: SocietyView) -> None:
    """Settle the intentions to come back to fixtures that, as far as the resident knows, have
    neither a process nor goods any more.

    Args:
        society: The society as the resident believes it to be.
    """
    places = {
        at
        for recipe in society.book.recipes.values()
        if recipe.part.after
        for at in society.book.places_for(recipe.at)
    }
    over = [
        memory
        for memory in list_open_intentions(mind)
        if memory.object in places
        and not society.state.process(memory.object)
        and not society.state.stock(memory.object).goods
    ]
    mind.settle(over, "rule:work")
