"""Story sifting (as in Felt and Winnow, Kreminski et al.): derives facts from effects and matches
them with patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from hometown.society.errands import FAILED
from hometown.society.jobs import MISHAPS
from hometown.world.bond import Why
from hometown.world.book.book import Book
from hometown.world.book.plots import BeatPart, Event
from hometown.world.conversation import Conversation
from hometown.world.director_moves import DirectorAsked, DirectorMove
from hometown.world.effects import Effect, Remembered, TalkBegan
from hometown.world.incidents import HappeningBegan
from hometown.world.labour import CameOf, Learned, Outcome, Priced, Verb, WeatherCame
from hometown.world.social import BondMoved
from hometown.world.threads import Cast, Fact
from hometown.world.world import World

BOND_EVENTS: dict[Why, Event] = {
    "talk": "good_talk",
    "quarrel": "quarrelled",
    "made_up": "made_up",
    "let_down": "let_down",
}
"""The pattern event for each cause of a change of a bond."""


def derive_facts(world: World, book: Book, effect: Effect) -> Iterator[Fact]:
    """Yield the facts that an effect establishes; none for most kinds of effects."""
    match effect:
        case CameOf(who, outcome):
            yield from _derive_from_outcome(book, who, outcome)
        case TalkBegan(talk):
            yield from _derive_from_talk(world, talk)
        case BondMoved(who, other, _, why) if why in BOND_EVENTS:
            yield Fact(BOND_EVENTS[why], who, other)
        case Remembered(who, memory) if memory.predicate == "agree":
            yield from (
                Fact("agreed", who, other, talk=memory.talk)
                for other in memory.about
                if other != who
            )
        case Learned(who, skill, level):
            yield Fact("learned", who, what=skill, amount=level)
        case Priced(_, shop):
            yield from (Fact("price", what=kind, amount=price) for kind, price in shop.prices)
        case WeatherCame(_, kind):
            yield Fact("weather", what=kind)
        case HappeningBegan(happening):
            yield Fact("happened", what=happening.address)
        case DirectorAsked(_, DirectorMove(kind="letter", target=who)):
            yield Fact("letter", who)


def match_cast(book: Book, beat: BeatPart, fact: Fact, cast: Cast) -> Cast | None:
    """Return the cast of a thread after a fact matches a beat; None if it does not match.

    A beat names a resident by a part ("$lover"), which the fact casts if it is open, a house
    ("house:mill") or an id; "" is anyone. No resident plays two parts.
    """
    if (
        beat.event != fact.event
        or beat.what not in ("", fact.what)
        or not beat.least <= fact.amount <= beat.most
    ):
        return None
    parts = dict(cast)
    for meant, who in ((beat.who, fact.who), (beat.other, fact.other)):
        if meant.startswith("$"):
            if parts.get(meant[1:], who) != who or (
                meant[1:] not in parts and (not who or who in parts.values())
            ):
                return None
            parts[meant[1:]] = who
        elif meant.startswith("house:"):
            if who not in book.start.people or book.start.people[who].house != meant.removeprefix(
                "house:"
            ):
                return None
        elif meant not in ("", who):
            return None
    return tuple(parts.items())


def _derive_from_outcome(book: Book, who: str, outcome: Outcome) -> Iterator[Fact]:
    """Yield the fact of an errand's outcome: a refusal, a gift received, a purchase, or work done
    or failed; none for others, such as a mishap during work.
    """
    errand = outcome.errand
    if outcome.code in MISHAPS:
        return
    if outcome.code not in ("", FAILED):
        yield Fact("refused", who, what=outcome.code)
    elif errand.verb == Verb.GET and not dict(outcome.facts).get("coins"):
        yield Fact("given", errand.at, who, errand.what, errand.count)
    elif errand.verb == Verb.BUY:
        yield Fact("bought", who, what=errand.what, amount=errand.count)
    elif errand.verb == Verb.DO and errand.what in book.recipes:
        partner = outcome.partner
        yield Fact(
            "failed" if outcome.code else "did", who, partner, book.recipes[errand.what].family
        )


def _derive_from_talk(world: World, talk: Conversation) -> Iterator[Fact]:
    """Yield, for each two participants, a fact in either direction, and one more for each storyline
    that both have heard mentioned.
    """
    for one, other in permutations(talk.people, 2):
        yield Fact("talked", one, other, talk=talk.id)
        both = [line.text for line in talk.lines_for(one) if line in talk.lines_for(other)]
        for story in world.storylines:
            if any(story.is_mentioned_in(text) for text in both):
                yield Fact("talked", one, other, story.id, talk=talk.id)
