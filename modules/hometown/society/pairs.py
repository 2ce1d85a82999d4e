"""Activities of two residents, such as teaching and learning: each does their own recipe at the
agreed time. If one leaves, both stop.

An appointment means such a recipe if it contains its words and, for a recipe that covers all
crafts, the words of an activity of that craft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from hometown.language import Lang
from hometown.society.affairs import Affairs
from hometown.society.grounding import says
from hometown.world.book.book import Recipe
from hometown.world.effects import Effect
from hometown.world.labour import Deed, WorkBegun
from hometown.world.rows import Promise

LEAD = 10
"""The points of skill by which a teacher must be ahead of the learner."""

LATEST = timedelta(minutes=30)
"""The time after the agreed start within which the two may begin."""


def begin_together(
    affairs: Affairs, lang: Lang, is_ready: Callable[[str, str], bool]
) -> Iterator[Effect]:
    """Yield the start of agreed activities for which both residents are present.

    Apply each effect before taking the next.

    Args:
        is_ready: Returns whether a resident is at a place and free.
    """
    for who in affairs.book.start.people:
        for promise in affairs.state.promises(who).items:
            begins = promise.start <= affairs.now <= promise.start + LATEST
            if (
                begins
                and len(promise.people) == 2
                and who == promise.people[0]
                and all(is_ready(each, promise.address) for each in promise.people)
            ):
                yield from _begun(affairs, promise, lang)


def meant_together(affairs: Affairs, text: str, lang: Lang) -> list[Recipe]:
    """Return the two-person recipes that a text may mean, the longest match first."""
    folded, found = text.casefold(), []
    for recipe in affairs.book.recipes.values():
        if recipe.part.partner and (own := _longest(recipe.part.says[lang], folded, lang)):
            crafts = (
                [
                    _longest(_words(each, lang), folded, lang)
                    for each in affairs.book.crafts.get(recipe.skill, ())
                ]
                if recipe.chosen
                else [own]
            )
            if any(crafts):
                found.append((own + max(crafts), recipe))
    return [recipe for _, recipe in sorted(found, key=lambda each: -each[0])]


def _words(recipe: Recipe, lang: Lang) -> list[str]:
    """Return the words of a recipe, with its activity's description, which names it in a lesson."""
    doing = recipe.part.doing[lang] if recipe.part.doing else "{"
    return [*recipe.part.says[lang], *([] if "{" in doing else [doing])]


def _longest(words: tuple[str, ...] | list[str], text: str, lang: Lang) -> int:
    return max((len(word) for word in words if says(text, word, lang)), default=0)


def _begun(affairs: Affairs, promise: Promise, lang: Lang) -> Iterator[Effect]:
    """Yield the start of an appointment's activity. The more skilled resident leads."""
    end = promise.start + timedelta(minutes=promise.minutes)
    for recipe in meant_together(affairs, promise.what, lang):
        partner = next(
            (
                each
                for each in affairs.book.families[recipe.part.partner]
                if each.skill == recipe.skill
            ),
            None,
        )
        leads, follows = sorted(promise.people, key=lambda who: -_skill(affairs, who, recipe))
        if partner is None or (
            partner.family != recipe.family
            and _skill(affairs, leads, recipe) - _skill(affairs, follows, recipe) < LEAD
        ):
            continue
        first, second = (
            (recipe, partner)
            if recipe.part.leads or partner.family == recipe.family
            else (partner, recipe)
        )
        until = min(end, affairs.now + timedelta(minutes=first.minutes))
        yield WorkBegun(leads, Deed(first.id, "", affairs.now, until, partner=follows))
        yield WorkBegun(follows, Deed(second.id, "", affairs.now, until, partner=leads))
        return


def _skill(affairs: Affairs, who: str, recipe: Recipe) -> int:
    return dict(affairs.state.skills(who)).get(recipe.skill, 0)
