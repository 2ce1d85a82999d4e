"""Questions from the bank: those that raise a subject, and those that follow up a statement."""

from __future__ import annotations

from collections.abc import Callable, Collection

from hometown.scripted import clauses, exchanging
from hometown.scripted.phrases import NEWLY, Bank, Exchange
from hometown.scripted.scene import Scene

KEEPS_TO_SETTING = 0.5
"""Probability of asking about the setting rather than the world in general."""

AT_HOME = ("family", "partners")
"""Tags of questions for the family."""

OF_ANY_PLACE = frozenset({"apart"})
"""Tags of questions about the world in general, beside those of the hour."""

JOINING = "newcomer"
"""Tag of the questions with which one who joins a talk is drawn into its subject."""

SHORTEST_COURSE = 3
"""Lines that have to be left for an exchange."""


def ask_about_setting(scene: Scene, must: bool = False) -> bool:
    """Ask a question that suits the two, the hour and the place: with a newcomer about being new, of
    the family about life at home, of others about the place, their work or themselves, or about the
    world in general; one beyond the speaker's share if one `must` be found. Return True if one is
    asked.
    """
    if new := scene.tags.intersection(NEWLY):
        peers = tuple(each.id for tag in sorted(new) for each in scene.bank.by_need[tag])
        return ask_question(
            scene, lambda needs: not needs.isdisjoint(new), True, peers
        ) or ask_question(scene, lambda needs: not needs, must)
    if "family" in scene.tags:
        return ask_question(scene, lambda needs: not needs.isdisjoint(AT_HOME), must)
    general = scene.hours | OF_ANY_PLACE
    of_setting = scene.chance(KEEPS_TO_SETTING) and ask_question(
        scene, lambda needs: not needs <= general and not _is_occasion(needs)
    )
    return of_setting or ask_question(scene, lambda needs: needs <= general, must)


def _is_occasion(needs: Collection[str]) -> bool:
    """Return True if a question is for those at a gathering or shaken by an event."""
    return any(tag == "at-gathering" or tag.startswith("after-") for tag in needs)


def ask_question(
    scene: Scene,
    suits: Callable[[frozenset[str]], bool],
    must: bool = False,
    peers: tuple[str, ...] = (),
) -> bool:
    """Ask a question from the bank whose needs suit; not one about what the speaker has talked about
    lately with anybody, nor any if its course would be too long. After the other has told of their
    day, it is led up to. `must` and `peers` are as for `Scene.ask_one`. Return True if one is asked.
    """
    room = scene.v.closing + len(scene.v.there) - len(scene.v.lines)
    if room < SHORTEST_COURSE:
        return False
    talked = " ".join(memory.text for memory in scene.v.memories if memory.type == "chat")
    spoken_of = _find_gists(scene)
    fresh = [
        exchange
        for exchange in scene.bank.exchanges.values()
        if exchange.gist
        and not exchange.follows
        and exchange.needs <= scene.tags
        and suits(exchange.needs)
        and _is_fresh(scene, exchange)
        and exchange.gist not in talked
        and exchange.gist not in spoken_of
        and (not scene.v.several or _is_open_to_newcomers(exchange, scene.bank))
    ]
    act = scene.ask_one(fresh, must, peers)
    if act and "ack_day" in scene.acts:
        scene.say("change_subject")
    return bool(act) and scene.say(act)


def _find_gists(scene: Scene) -> set[str]:
    """Return the gists of the exchanges, begun by whomever, in which the speaker has said something
    of late.
    """
    exchanges = scene.bank.exchanges
    return {
        exchanges[found].gist
        for _, line in scene.v.situation.earlier
        for move in scene.bank.recognise(line)
        if (found := exchanging.find_exchange(move.act)) in exchanges
    }


def _is_open_to_newcomers(exchange: Exchange, bank: Bank) -> bool:
    """Return True if one who joins can be asked in their turn, so that an exchange suits a group."""
    return any(JOINING in each.needs for each in bank.followers.get(exchange.id, ()))


def ask_on(scene: Scene) -> bool:
    """Open an exchange that follows the latest one of a talk of two; return True if there is one."""
    following = [] if scene.v.several else find_following(scene, scene.tags)
    act = scene.ask_one(following, must=True, peers=tuple(each.id for each in following))
    return bool(act) and scene.say(act)


def ask_joining(scene: Scene) -> bool:
    """Welcome a newcomer, and ask them in their turn what the talk is about; return True if the
    latest exchange has a question for that.
    """
    following = find_following(scene, {*scene.tags, JOINING})
    act = scene.ask_one(following, must=True, peers=tuple(each.id for each in following))
    return bool(act) and scene.say("welcome") and scene.say(act)


def find_latest(scene: Scene) -> str:
    """Return the id of the exchange to which the latest line of any belongs; "" if there is none."""
    opened = [found for spoken in scene.moves if (found := exchanging.find_exchange(spoken.act))]
    return opened[-1] if opened else ""


def find_following(scene: Scene, tags: Collection[str]) -> list[Exchange]:
    """Return the exchanges that may follow the latest one of the talk in a scene with these tags."""
    return [
        each
        for each in scene.bank.followers.get(find_latest(scene), ())
        if each.needs.issubset(tags)
        and (JOINING in each.needs) == (JOINING in tags)
        and _is_fresh(scene, each)
    ]


def _is_fresh(scene: Scene, exchange: Exchange) -> bool:
    """Return True if an exchange has not begun in this talk, and its last question comes before the
    speakers' last lines.
    """
    has_room = len(scene.v.lines) + exchange.last_question < scene.v.closing
    return has_room and not scene.has_occurred(exchange.ask)


def follow_up(scene: Scene, after: str, must: bool = False, clause: str = "") -> bool:
    """Ask a question of the speaker's share that takes up the latest news; `after` is a tag such as
    "own-money". None is asked that the speaker has asked of late, that is about another subject than
    the clause, or in the last round. Return True if one is asked.
    """
    if scene.v.last_round:
        return False
    fitting = [
        each
        for each in scene.bank.by_need.get(after, ())
        if not each.about or clauses.mentions(clause, each.about)
    ]
    fresh = [each for each in fitting if _is_fresh(scene, each)]
    act = scene.ask_one(fresh, must, peers=tuple(each.id for each in fitting))
    return bool(act) and scene.say(act)


def follow_up_on(scene: Scene, clause: str, whose: str, must: bool = True) -> bool:
    """Ask a question about the very subject of a statement, for which the bank has words; `whose`
    is "own" for a statement about the other's life, and "you" for one about the speaker. Unless it
    `must` be asked, as of what is told to everybody, it has to be in the speaker's share. None is
    asked in a group. Return True if one is asked.
    """
    return not scene.v.several and follow_up(scene, f"{whose}-about", must, clause)
