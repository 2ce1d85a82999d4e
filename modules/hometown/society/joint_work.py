"""Activities of two residents, such as teaching and learning: each does their own recipe at the
agreed time. If one leaves, both stop.

An appointment means such a recipe if it contains its words and, for a recipe that covers all
crafts, the words of an activity of that craft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from hometown.language import Lang
from hometown.society.errand_grounding import names_recipe
from hometown.society.jobs import begin_work
from hometown.society.refusals import refuse_means
from hometown.society.society_view import SocietyView
from hometown.world.book.book import Recipe
from hometown.world.effects import Effect
from hometown.world.rows import Promise

MIN_TEACHER_LEAD = 10
"""The points of skill by which a teacher must be ahead of the learner."""

LATEST_START = timedelta(minutes=30)
"""The time after the agreed start within which the two may begin."""


def begin_joint_work(
    society: SocietyView, lang: Lang, is_ready: Callable[[str, str], bool]
) -> Iterator[Effect]:
    """Yield the start of agreed activities for which both residents are present.

    Apply each effect before taking the next.

    Args:
        is_ready: Returns whether a resident is at a place and free.
    """
    for who in society.book.start.people:
        for promise in society.state.promises(who).items:
            if (
                promise.is_on(society.now)
                and society.now <= promise.start + LATEST_START
                and len(promise.people) == 2
                and who == promise.people[0]
                and society.is_member(promise.people[1])
                and all(is_ready(each, promise.address) for each in promise.people)
            ):
                yield from _begin(society, promise, lang)


def find_joint_recipes(society: SocietyView, text: str, lang: Lang) -> list[Recipe]:
    """Return the two-person recipes that a text may mean, the longest match first. A recipe for a
    chosen craft is meant only where the text also names an activity of that craft. Care is none of
    them: who ails gets it without an appointment.
    """
    folded, found = text.casefold(), []
    care = {recipe.id for pair in society.book.care for recipe in pair}
    for recipe in society.book.recipes.values():
        if (
            recipe.part.partner
            and recipe.id not in care
            and (own := _longest_match(recipe.part.says[lang], folded, lang))
        ):
            crafts = (
                [
                    _longest_match(_words(each, lang), folded, lang)
                    for each in society.book.crafts.get(recipe.skill, ())
                ]
                if recipe.chosen
                else [own]
            )
            if any(crafts):
                found.append((own + max(crafts), recipe))
    return [recipe for _, recipe in sorted(found, key=lambda each: -each[0])]


def _words(recipe: Recipe, lang: Lang) -> list[str]:
    """Return the words of a recipe, and the description of its activity, by which a lesson may name
    it, unless it has placeholders.
    """
    doing = recipe.part.doing[lang] if recipe.part.doing else "{"
    return [*recipe.part.says[lang], *([] if "{" in doing else [doing])]


def _longest_match(words: tuple[str, ...] | list[str], text: str, lang: Lang) -> int:
    """Return the length of the longest words that a text uses for a recipe; 0 for none."""
    return max((len(word) for word in words if names_recipe(text, word, lang)), default=0)


def _begin(society: SocietyView, promise: Promise, lang: Lang) -> Iterator[Effect]:
    """Yield the start of an appointment's activity for both residents: the first recipe that it may
    mean and that both can do.
    """
    for recipe in find_joint_recipes(society, promise.what, lang):
        parts = _assign_parts(society, promise.people, recipe)
        if parts and not any(refuse_means(society, who, own, "") for who, own in parts):
            (leads, first), (follows, second) = parts
            until = min(promise.end, society.now + timedelta(minutes=first.minutes))
            yield from begin_work(society, leads, first.id, "", follows, until)
            yield from begin_work(society, follows, second.id, "", leads, until)
            return


def _assign_parts(
    society: SocietyView, people: tuple[str, ...], recipe: Recipe
) -> list[tuple[str, Recipe]]:
    """Return, for each of two residents, their part in a recipe, that of the more skilled one, who
    leads, first. Return none if nobody can lead: a lesson needs a teacher who is
    `MIN_TEACHER_LEAD` ahead.
    """
    partner = next(
        (each for each in society.book.families[recipe.part.partner] if each.skill == recipe.skill),
        None,
    )
    leads, follows = sorted(people, key=lambda who: -_skill(society, who, recipe))
    if partner is None or (
        partner.family != recipe.family
        and _skill(society, leads, recipe) - _skill(society, follows, recipe) < MIN_TEACHER_LEAD
    ):
        return []
    is_leading = recipe.part.leads or partner.family == recipe.family
    first, second = (recipe, partner) if is_leading else (partner, recipe)
    return [(leads, first), (follows, second)]


def _skill(society: SocietyView, who: str, recipe: Recipe) -> int:
    return society.state.skill(who, recipe.skill)
