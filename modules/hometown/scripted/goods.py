"""Goods in conversations, in a town with a society: gifts, sales, asking for something to eat, and
what shops ask for what.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hometown.clock import hhmm
from hometown.prompt.dealing import Dealings, Ware
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
"""How a summary tells of what has come of offers, by the act that says so."""

SPARED = 2
"""Of a ware this many at least are at hand where one is given away or sold."""

GIVES, SELLS, TELLS = 0.14, 0.12, 0.3
"""Probability of offering a gift to somebody close or well thought of, and a sale, and of telling a
price, where the speaker comes to think of it.
"""

ARRANGES, LESSON, BOUT = 0.15, 60, 40
"""Probability of asking for a lesson or a bout, and the minutes of each."""

TAKES, BUYS = 0.9, 0.6
"""Probability of taking what is offered as a gift, and of buying what is, where one can pay."""

CLOSE = 4

LIKED = 10
"""Points of regard from which on somebody is given something, and is asked less."""

CONCESSION = 25
"""Percent of a price that one comes down at most, for whoever it thinks most highly of."""


def leads(scene: Scene) -> dict[Callable[[Scene], bool], float]:
    """What a speaker may bring up of goods, with its weight; nothing in a town without a society."""
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
    """Asks for something to eat, who is hungry and has nothing."""
    return _may_deal(scene) and _dealings(scene).hungry and scene.say("beg")


def _offer_gift(scene: Scene) -> bool:
    """Offers something that one has enough of."""
    fond = scene.other.closeness >= CLOSE or _regard(scene) >= LIKED
    if not (
        _may_deal(scene)
        and fond
        and _regard(scene) > -LIKED
        and scene.chance(by_tone(scene, GIVES))
    ):
        return False
    spare = [ware for ware in _dealings(scene).wares if ware.count >= SPARED and ware.treat]
    return bool(spare) and scene.say("offer_gift", {"goods": _some(scene.rng.choice(spare), scene)})


def _offer_sale(scene: Scene) -> bool:
    """Offers something at the price of the shops, and for less to whom one thinks well of."""
    spare = [ware for ware in _dealings(scene).wares if ware.count > SPARED and ware.price]
    if not (_may_deal(scene) and spare and scene.chance(SELLS)):
        return False
    ware = scene.rng.choice(spare)
    count = scene.rng.randint(1, min(3, ware.count - 1))
    coins = max(1, count * ware.price * (100 - max(0, min(CONCESSION, _regard(scene) // 2))) // 100)
    return scene.say("offer_sale", {"goods": _worded(ware, count), "coins": str(coins)})


def _tell_price(scene: Scene) -> bool:
    """Tells what is asked for something in a shop."""
    market = _dealings(scene).market
    if not market or scene.done("tell_price") or not scene.chance(TELLS):
        return False
    shop, goods, price = scene.rng.choice(market)
    return scene.say("tell_price", {"shop": shop, "goods": goods, "coins": str(price)})


def _ask_lesson(scene: Scene) -> bool:
    """Asks to be taught, by somebody of whom one does not think badly, at a place and a time."""
    return _regard(scene) > -LIKED and _arrange(
        scene, "ask_lesson", _dealings(scene).lessons, LESSON
    )


def _ask_bout(scene: Scene) -> bool:
    """Asks to practise together what both know; who thinks little of the other may want to show it."""
    return _arrange(scene, "ask_bout", _dealings(scene).bouts, BOUT)


def _arrange(scene: Scene, act: str, options: Sequence[str], minutes: int) -> bool:
    """Proposes to do one of the options together, at a place and a time."""
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
    scene.say("accept_gift" if scene.chance(by_tone(scene, TAKES)) else "decline_gift")
    return False


def to_sale(scene: Scene, spoken: SpokenMove) -> bool:
    """Buys what can be paid."""
    able = int(spoken.move.slots["coins"]) <= _dealings(scene).coins
    scene.say("accept_sale" if able and scene.chance(by_tone(scene, BUYS)) else "decline_sale")
    return False


def to_begging(scene: Scene, spoken: SpokenMove) -> bool:
    """Gives something to eat, unless one has none, or thinks badly of who asks."""
    food = [ware for ware in _dealings(scene).wares if ware.feeds]
    willing = food and _regard(scene) > -LIKED and scene.v.situation.tone != "cold"
    scene.say("give", {"goods": food[0].single}) if willing else scene.say("refuse")
    return False


def recounted(
    moves: list[tuple[str, Move]], names: Mapping[str, str]
) -> list[tuple[str, dict[str, str]]]:
    """What is told afterwards of goods: what was given, sold, refused and said of prices, as the
    acts of a summary with their slots.
    """
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


def meant(dealings: Dealings, goods: str) -> tuple[int, int]:
    """The number of the ware that words stand for, from 1, and how many of it; (0, 0) for none at
    hand.
    """
    for number, ware in enumerate(dealings.wares, 1):
        count = next(
            (
                count
                for count in range(1, ware.count + 1)
                if _worded(ware, count).lower() == goods.lower()
            ),
            0,
        )
        if count:
            return number, count
    return 0, 0


def _may_deal(scene: Scene) -> bool:
    with_another = not scene.v.several and scene.other.id not in _dealings(scene).housemates
    return with_another and not scene.v.last_round and not scene.done(*OFFERS)


def _dealings(scene: Scene) -> Dealings:
    return scene.v.dealings or Dealings()


def _regard(scene: Scene) -> int:
    return next((points for who, points, _ in _dealings(scene).regards if who == scene.other.id), 0)


def _some(ware: Ware, scene: Scene) -> str:
    return _worded(ware, scene.rng.randint(1, min(2, ware.count - 1)))


def _worded(ware: Ware, count: int) -> str:
    return ware.single if count == 1 else ware.several.format(count=count)
