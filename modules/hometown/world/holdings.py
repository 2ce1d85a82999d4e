"""Accessors for the rows of work, bodies and goods, which only towns with a society have."""

from __future__ import annotations

from typing import Any, TypeVar

from hometown.world import keys
from hometown.world.deal_records import Deal, Deals
from hometown.world.keys import Key
from hometown.world.labour import (
    ActiveNeed,
    Ailment,
    BlockedErrand,
    BlockedErrands,
    Counts,
    Employment,
    Errand,
    ErrandQueue,
    FixtureSight,
    Job,
    Needs,
    Outcome,
    Process,
    RecentOutcomes,
    Shop,
    Skills,
    Weather,
)
from hometown.world.matter import MARK, Counter, Item, Stock
from hometown.world.notices import Board, Notice
from hometown.world.regard import Impression, Regard
from hometown.world.threads import Threads

R = TypeVar("R")

_NO_STOCK = Stock()
_NO_ITEM_YET = Counter(0)
_NO_SKILLS = Skills()
_NO_WEATHER = Weather(0, ())
_NO_THREADS = Threads()
_NO_BOARD = Board(())
_NO_AIM = ActiveNeed("")
_NO_COURSE = ErrandQueue(())
_NO_OUTCOMES = RecentOutcomes()
_NO_BARS = BlockedErrands()
_NO_REGARD = Regard()
_NO_DEALS = Deals()


class Holdings:
    """The part of a state with these accessors."""

    def row(self, key: Key[R]) -> R | None:
        """Return the row with a key; None if there is none."""
        raise NotImplementedError

    def _required(self, key: Key[R]) -> R:
        """Return a row that is always there."""
        row: Any = self.row(key)
        found: R = row
        return found

    def _get_or(self, key: Key[R], default: R) -> R:
        """Return the row with a key, or a default if there is none."""
        return self.row(key) or default

    def stock(self, holder: str) -> Stock:
        """Return the goods of a holder (`modules/hometown/world/matter.py` lists the kinds of
        holders).
        """
        return self._get_or(keys.STOCK.of(holder), _NO_STOCK)

    def item(self, name: str) -> Item | None:
        """Return an item; None if it no longer exists."""
        return self.row(keys.ITEM.of(name))

    def holders(self, holder: str) -> tuple[str, ...]:
        """Return a holder and the holders that contain it, from the inside out. The last is no
        item.
        """
        found = [holder]
        while MARK in found[-1] and (item := self.item(found[-1])):
            found.append(item.holder)
        return tuple(found)

    @property
    def last_item_number(self) -> int:
        """The highest number of an item so far."""
        return self._get_or(keys.COUNTER.key, _NO_ITEM_YET).items

    def job(self, who: str) -> Job | None:
        """Return a resident's present job; None if there is none."""
        return self.row(keys.DEED.of(who))

    def process(self, address: str) -> Process | None:
        """Return the process at a fixture; None if there is none."""
        return self.row(keys.PROCESS.of(address))

    def needs(self, who: str) -> Needs:
        """Return a resident's needs, as of their last change."""
        return self._required(keys.NEEDS.of(who))

    def skills(self, who: str) -> Counts:
        """Return a resident's skills with their levels, 0 to 1000."""
        return self._get_or(keys.SKILLS.of(who), _NO_SKILLS).levels

    def skill(self, who: str, skill: str) -> int:
        """Return the level of a resident's skill, 0 to 1000."""
        return dict(self.skills(who)).get(skill, 0)

    def shop(self, address: str) -> Shop | None:
        """Return the prices and sales of a shop; None for a fixture without."""
        return self.row(keys.SHOP.of(address))

    @property
    def weather(self) -> Weather:
        return self._get_or(keys.WEATHER.key, _NO_WEATHER)

    @property
    def threads(self) -> Threads:
        """The story threads begun so far."""
        return self._get_or(keys.THREADS.key, _NO_THREADS)

    def notices(self, address: str) -> tuple[Notice, ...]:
        """Return the notices at a board, oldest first."""
        return self._get_or(keys.BOARD.of(address), _NO_BOARD).notices

    def last_sight(self, who: str, address: str) -> FixtureSight | None:
        """Return a resident's knowledge of a fixture; None if there is none."""
        return self.row(keys.SEEN.of(who, address))

    def employment(self, who: str) -> Employment | None:
        """Return a resident's employment by another house; None if there is none."""
        return self.row(keys.HIRED.of(who))

    def ailment(self, who: str) -> Ailment | None:
        """Return a resident's ailment; None if there is none."""
        return self.row(keys.AILING.of(who))

    def is_helpless(self, who: str) -> bool:
        """Return True if a resident lies helpless."""
        ailing = self.ailment(who)
        return ailing is not None and ailing.helpless

    def active_need(self, who: str) -> str:
        """Return a resident's active need; "" for none."""
        return self._get_or(keys.AIM.of(who), _NO_AIM).need

    def errand_queue(self, who: str) -> tuple[Errand, ...]:
        """Return a resident's next errands, in order."""
        return self._get_or(keys.COURSE.of(who), _NO_COURSE).errands

    def recent_outcomes(self, who: str) -> tuple[Outcome, ...]:
        """Return the outcomes of errands that a resident has not reflected on yet."""
        return self._get_or(keys.LATELY.of(who), _NO_OUTCOMES).outcomes

    def blocked_errands(self, who: str) -> tuple[BlockedErrand, ...]:
        """Return a resident's blocked errands, some of which may be allowed again by now."""
        return self._get_or(keys.BARRED.of(who), _NO_BARS).items

    def regard(self, who: str, other: str) -> Regard:
        """Return a resident's regard for another, as of its last change."""
        return self._get_or(keys.REGARD.of(who, other), _NO_REGARD)

    def impression(self, who: str, other: str) -> Impression | None:
        """Return a resident's impression of another; None if there is none."""
        return self.row(keys.IMPRESSION.of(who, other))

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deals of this step that are still to be carried out."""
        return self._get_or(keys.DEALS.key, _NO_DEALS).items
