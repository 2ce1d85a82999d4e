"""Talk about goods in a town with a society: gifts, sales, begging for food, shop prices, lessons
and bouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hometown.clock import hhmm
from hometown.prompt.trade import Dealings, Ware
from hometown.scripted import meeting
from hometown.scripted.phrases import Move
from hometown.scripted.places import short_place
from hometown.scripted.quarrels import by_tone
from hometown.scripted.scene import Scene, SpokenMove

OFFERS = ("offer_gift", "offer_sale", "beg")

RECOUNTED = {
    "accept_gift": "sum_given",
    "accept_sale": "sum_sold",
    "give": "sum_given",
    "refuse": "sum_refused",
    "tell_price": "sum_price",
}
"""Act of the summary that reports each outcome of an offer, by the act that expresses the outcome.
"""

SPARED = 2
"""Minimum stock of a ware from which one piece is given away or sold."""

GIVES, SELLS, TELLS = 0.14, 0.12, 0.3
"""Probabilities of offering a gift to a close or well-regarded resident, of offering a sale, and of
telling a price.
"""

ARRANGES, LESSON, BOUT = 0.15, 60, 40
"""Probability of asking for a lesson or a bout, and the minutes of each."""

TAKES, BUYS = 0.9, 0.6
"""Probabilities of accepting a gift, and of accepting an affordable sale."""

CLOSE = 4

LIKED = 10
"""Points of regard from which a resident receives gifts and lower prices."""

CONCESSION = 25
"""Highest reduction of a price, in percent, for the best-regarded buyers."""


def leads(scene: Scene) -> dict[Callable[[Scene], bool], float]:
    """Return the subjects about goods that a speaker may raise, with their weights; none in a town
    without a society.
    """
    return (
        {
            _beg: 30.0,
            _offer_gift: 4.0,
            _offer_sale: 3.0,
            _tell_price: 2.0,
            _ask_lesson: 3.0,
            _ask_bout: 2.0,
        }
        if scene.v.dealings
        else {}
    )


def _beg(scene: Scene) -> bool:
    """Say that the speaker asks for something to eat, if they are hungry and have no food; return
    True if it was said.
    """
    return _may_deal(scene) and _dealings(scene).hungry and scene.say("beg")


def _offer_gift(scene: Scene) -> bool:
    """Say an offer of a gift from the speaker's surplus, by chance, to a resident to whom they are
    close or whom they regard highly; return True if it was said.
    """
    fond = scene.other.closeness >= CLOSE or _regard(scene) >= LIKED
    if not (
        _may_deal(scene)
        and fond
        and _regard(scene) > -LIKED
        and scene.chance(by_tone(scene, GIVES))
    ):
        return False
    spare = [ware for ware in _dealings(scene).wares if ware.count >= SPARED and ware.treat]
    return bool(spare) and scene.say(
        "offer_gift", {"goods": _describe_some(scene.rng.choice(spare), scene)}
    )


def _offer_sale(scene: Scene) -> bool:
    """Say an offer of a spare ware, by chance, at the shops' price less a discount of up to
    `CONCESSION` per cent for buyers whom the speaker regards highly; return True if it was said.
    """
    spare = [ware for ware in _dealings(scene).wares if ware.count > SPARED and ware.price]
    if not (_may_deal(scene) and spare and scene.chance(SELLS)):
        return False
    ware = scene.rng.choice(spare)
    count = scene.rng.randint(1, min(3, ware.count - 1))
    coins = max(1, count * ware.price * (100 - max(0, min(CONCESSION, _regard(scene) // 2))) // 100)
    return scene.say("offer_sale", {"goods": _describe_ware(ware, count), "coins": str(coins)})


def _tell_price(scene: Scene) -> bool:
    """Tell the price of goods in a shop, by chance, once in a conversation; return True if it was
    told.
    """
    market = _dealings(scene).market
    if not market or scene.has_occurred("tell_price") or not scene.chance(TELLS):
        return False
    shop, goods, price = scene.rng.choice(market)
    return scene.say("tell_price", {"shop": shop, "goods": goods, "coins": str(price)})


def _ask_lesson(scene: Scene) -> bool:
    """Ask a resident whom the speaker does not dislike for a lesson at a place and a time; return
    True if asked.
    """
    return _regard(scene) > -LIKED and _arrange(
        scene, "ask_lesson", _dealings(scene).lessons, LESSON
    )


def _ask_bout(scene: Scene) -> bool:
    """Ask the other to practise a shared skill, however the speaker regards them; return True if
    asked.
    """
    return _arrange(scene, "ask_bout", _dealings(scene).bouts, BOUT)


def _arrange(scene: Scene, act: str, options: Sequence[str], minutes: int) -> bool:
    """Propose one of the options as a joint activity at a random place and time, in a talk of two,
    by chance; return True if it was proposed.
    """
    free = meeting.times(scene, minutes)
    ready = (
        options
        and free
        and scene.v.places
        and len(scene.v.lines) >= 1
        and not scene.v.several
        and not scene.v.last_round
        and meeting.may_propose(scene)
    )
    if not (ready and scene.chance(by_tone(scene, ARRANGES))):
        return False
    place = short_place(scene.rng.choice(scene.v.places)[1], scene.bank.lang)
    slots = {
        "what": scene.rng.choice(options),
        "place": place,
        "time": hhmm(scene.rng.choice(free[:8])),
        "day": scene.bank.words["today"],
    }
    return scene.say(act, slots)


def to_gift(scene: Scene, spoken: SpokenMove) -> bool:
    """Accept or decline a gift by chance; return False, since the other need not answer."""
    scene.say("accept_gift" if scene.chance(by_tone(scene, TAKES)) else "decline_gift")
    return False


def to_sale(scene: Scene, spoken: SpokenMove) -> bool:
    """Accept, by chance, an offer that the speaker can afford, or decline it; return False, since
    the other need not answer.
    """
    able = int(spoken.move.slots["coins"]) <= _dealings(scene).coins
    scene.say("accept_sale" if able and scene.chance(by_tone(scene, BUYS)) else "decline_sale")
    return False


def to_begging(scene: Scene, spoken: SpokenMove) -> bool:
    """Give food to the other, or refuse if there is none, regard is low or the tone is cold; return
    False, since the other need not answer.
    """
    food = [ware for ware in _dealings(scene).wares if ware.feeds]
    willing = food and _regard(scene) > -LIKED and scene.v.situation.tone != "cold"
    scene.say("give", {"goods": food[0].single}) if willing else scene.say("refuse")
    return False


def recount_deals(
    moves: list[tuple[str, Move]], names: Mapping[str, str]
) -> list[tuple[str, dict[str, str]]]:
    """Return the acts and slots of a summary that report gifts, sales, refusals and prices."""
    acts: list[tuple[str, dict[str, str]]] = []
    for at, (speaker, move) in enumerate(moves):
        other = next(
            (who for who, _ in [*moves[at + 1 :], *reversed(moves[:at])] if who != speaker), ""
        )
        slots = {**move.slots, "a": names.get(speaker, ""), "b": names.get(other, "")}
        if move.act in OFFERS and (
            act := RECOUNTED.get(
                next(
                    (
                        each.act
                        for who, each in moves[at + 1 :]
                        if who != speaker and each.act in RECOUNTED
                    ),
                    "",
                )
            )
        ):
            acts.append((act, slots))
        elif move.act in ("give", "refuse", "tell_price"):
            acts.append((RECOUNTED[move.act], slots))
    return acts


def identify_ware(dealings: Dealings, goods: str) -> tuple[int, int]:
    """Return the number of the ware that `goods` names, from 1, and its count; (0, 0) if there is
    none at hand.
    """
    for number, ware in enumerate(dealings.wares, 1):
        count = next(
            (
                count
                for count in range(1, ware.count + 1)
                if _describe_ware(ware, count).lower() == goods.lower()
            ),
            0,
        )
        if count:
            return number, count
    return 0, 0


def _may_deal(scene: Scene) -> bool:
    """Return True if the two may deal: in a talk of two who share no household, before its last
    line, and with no offer yet.
    """
    with_another = not scene.v.several and scene.other.id not in _dealings(scene).housemates
    return with_another and not scene.v.last_round and not scene.has_occurred(*OFFERS)


def _dealings(scene: Scene) -> Dealings:
    return scene.v.dealings or Dealings()


def _regard(scene: Scene) -> int:
    """Return the speaker's regard for the other; 0 if it is not known."""
    return next((points for who, points, _ in _dealings(scene).regards if who == scene.other.id), 0)


def _describe_some(ware: Ware, scene: Scene) -> str:
    """Return a random small quantity of a ware that leaves the speaker at least one piece."""
    return _describe_ware(ware, scene.rng.randint(1, min(2, ware.count - 1)))


def _describe_ware(ware: Ware, count: int) -> str:
    return ware.single if count == 1 else ware.several.format(count=count)
