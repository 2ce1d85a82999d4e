"""The day's work in sentences, by rule: a resident's deeds, products, earnings and obstacles; and
the market of a day in a line or two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from hometown.history.daybook import Day, WorkRecord
from hometown.history.deeds import BegunDeed, deeds_begun
from hometown.history.diary import steps_of
from hometown.history.held_goods import town_at
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.society.work_phrasing import WorkPhrases, format_goods
from hometown.text import capital, catalogue
from hometown.world import keys
from hometown.world.book.book import Book
from hometown.world.labour import Errand, Outcome, Shop, Verb, Weather
from hometown.world.world import World, sector_of

SOLD, PRICED = 4, 4
"""Maximum numbers of kinds of goods in the market's sales, and of prices."""


class Workdays:
    """The days' work of a run; none in a world without a society."""

    def __init__(self, run: RunReader, names: Names) -> None:
        self.run, self.names = run, names
        self._days: dict[date, Day] = {}

    def of(self, who: str, day: date) -> list[str]:
        """Return sentences about a resident's work on a day, in the run's language; none where
        there was no work.
        """
        world = self._find_town(steps_of(self.run, day, self.run.last_step())[1])
        if world is None or world.book is None:
            return []
        prose = _Prose(world, world.book, self._read_day(world.book, day))
        return list(prose.of(who, catalogue(self.run.manifest.lang, "day")["I"]))

    def list_begun_work(self, who: str, day: date, last: int) -> list[BegunDeed]:
        """Return the work that a resident began on a day up to step `last`; none if the world is
        unknown.
        """
        steps = steps_of(self.run, day, last)
        world = self._find_town(steps[1])
        if world is None:
            return []
        return [
            deed
            for deed in deeds_begun(self.run, self.names, WorkPhrases(world), who, *steps)
            if deed.start.date() == day
        ]

    def market(self, day: date, lang: Lang, last: int) -> list[str]:
        """Return lines on the weather, the sales, and the prices at the end of a day, whose last
        step is `last`; none without a society.
        """
        world = self._find_town(last)
        if world is None or world.book is None:
            return []
        words, book = catalogue(lang, "daybook"), world.book
        return [
            *self._describe_weather(words, book, lang, (day - world.start.date()).days, last),
            *_describe_sales(words, book, self._read_day(book, day), lang),
            *self._describe_prices(words, book, lang, last),
        ]

    def _find_town(self, step: int) -> World | None:
        """Return the world after a step, with its laws; None without a society."""
        return town_at(self.run, self.names, step) if self.names.book else None

    def _read_day(self, book: Book, day: date) -> Day:
        """Return the work of a day, cached unless it is the run's last day, which may still grow."""
        if day not in self._days or day == self.run.moment(self.run.last_step()).date():
            self._days[day] = Day(self.run, book, day)
        return self._days[day]

    def _describe_weather(
        self, words: dict[str, str], book: Book, lang: Lang, number: int, last: int
    ) -> Iterator[str]:
        """Yield a sentence about season and weather on a day, by its number in the calendar;
        nothing where there is no weather.
        """
        row = self.run.row(keys.WEATHER.key, last)
        kind = row.on(number) if isinstance(row, Weather) else ""
        if kind in book.calendar.weather:
            season, weather = (
                book.calendar.seasons[book.season_on(number)].name[lang],
                book.calendar.weather[kind].name[lang],
            )
            yield capital(words["weather"].format(season=season, weather=weather))

    def _describe_prices(
        self, words: dict[str, str], book: Book, lang: Lang, last: int
    ) -> Iterator[str]:
        """Yield a sentence for each of the `PRICED` kinds whose prices have changed most, in
        proportion, within the 24 hours before step `last`: the new price, and by how much it rose
        or fell.
        """
        before = max(1, last - 24 * 60 // self.run.manifest.stride)
        changes = []
        for address in book.fixtures:
            now, then = (
                self.run.row(keys.SHOP.of(address), last),
                self.run.row(keys.SHOP.of(address), before),
            )
            if isinstance(now, Shop) and isinstance(then, Shop):
                old = dict(then.prices)
                changes += [
                    (price - old[kind], kind, price)
                    for kind, price in now.prices
                    if kind in old and kind in book.kinds and price != old[kind]
                ]
        most = {
            kind: (change, price)
            for change, kind, price in sorted(
                changes, key=lambda each: (abs(each[0]) * 1000 // each[2], each[1])
            )
        }
        for kind, (change, price) in list(most.items())[::-1][:PRICED]:
            yield capital(
                words["dearer" if change > 0 else "cheaper"].format(
                    kind=book.kinds[kind].name[lang], price=price, by=abs(change)
                )
            )


def _describe_sales(words: dict[str, str], book: Book, day: Day, lang: Lang) -> Iterator[str]:
    """Yield a sentence about the `SOLD` kinds of goods sold most in all shops, and the coins taken;
    nothing without sales.
    """
    sold = sum((sales.sold for sales in day.sales.values()), Counter[str]())
    if sold:
        goods = [format_goods(book, kind, count, lang) for kind, count in sold.most_common(SOLD)]
        yield words["market_sold"].format(
            goods=join_parts(words, goods),
            coins=f"{sum(sales.took for sales in day.sales.values()):,}",
        )


def join_parts(words: dict[str, str], parts: Sequence[str], what: str = "goods") -> str:
    """Join goods, or deeds, into an enumeration: "a, b and c"."""
    *others, last = parts
    return (
        words[f"{what}_and"].join([words[f"{what}_comma"].join(others), last]) if others else last
    )


class _Prose:
    """The sentences of one day, in the run's language."""

    def __init__(self, world: World, book: Book, day: Day) -> None:
        self.book, self.day, self.lang = book, day, world.lang
        self.words, self.telling = catalogue(world.lang, "daybook"), WorkPhrases(world)

    def of(self, who: str, name: str) -> Iterator[str]:
        """Yield the sentences about a resident, called `name`: their work and purchases, their
        house's sales if they keep its shop, failures, broken tools, cold, and the refusal met most
        often for work that they did not do.
        """
        work = self.day.works.get(who, WorkRecord())
        done = [*self._describe_work(work), *self._describe_purchases(work)]
        if done:
            yield self.words["did"].format(name=name, what=join_parts(self.words, done, "acts"))
        house = self.book.purse(who) if who in self.book.start.people else ""
        sales = self.day.sales.get(house)
        if sales and any(duty.keep in sales.sold for duty in self.book.start.people[who].duties):
            goods = [
                self.telling.goods(kind, count) for kind, count in sales.sold.most_common(SOLD)
            ]
            shop = self.telling.world.name_of(
                sector_of(self.book.start.houses[house.removeprefix("house:")].home)
            )
            yield capital(
                self.words["sold"].format(
                    house=shop, goods=join_parts(self.words, goods), coins=f"{sales.took:,}"
                )
            )
        yield from (
            capital(self.words["failed"].format(what=self._doing(family))) for family in work.failed
        )
        yield from (
            capital(self.words["broke"].format(some=self.telling.some(kind))) for kind in work.broke
        )
        if work.chilled:
            yield self.words["chilled"].format(name=name)
        for outcome in [
            each
            for each, _ in work.refused.most_common()
            if self._is_work(each.errand) and not self._is_done(each.errand, work)
        ][:1]:
            yield capital(self._describe_refusal(outcome, name))

    def _describe_refusal(self, outcome: Outcome, name: str) -> str:
        """Return a sentence about work that could not be done: the place was taken, or why else."""
        errand = outcome.errand
        if outcome.code == "BUSY" and errand.verb == Verb.DO and errand.at in self.book.fixtures:
            what = self.telling.recipe(self.book.recipes[errand.what])
            return self.words["refused_busy"].format(
                name=name, what=what, thing=self.telling.thing(errand.at)
            )
        return self.words["refused"].format(
            what=self.telling.doing(errand), why=self.telling.why(outcome)
        )

    def _describe_work(self, work: WorkRecord) -> Iterator[str]:
        """Yield a phrase for each family of serious work (`_is_serious`), to be joined to a
        sentence.
        """
        for family, times in work.did.most_common():
            if not self._is_serious(family):
                continue
            recipe = self.book.families[family][0]
            made = (
                join_parts(
                    self.words,
                    [self.telling.goods(kind, count) for kind, count in work.made[family].items()],
                )
                if work.made[family]
                else ""
            )
            others = (
                join_parts(
                    self.words, [self.telling.world.name_of(who) for who in work.others[family]]
                )
                if work.others[family]
                else ""
            )
            did = (
                recipe.part.did[self.lang]
                if recipe.part.did
                else self.words["was_doing"].format(what=self._doing(family, others))
            )
            did = did.replace("{other}", others)
            yield (
                did.format(made=made)
                if "{made}" in did and made
                else self._tell_times(did.replace(" {made}", "").replace("{made}", ""), times)
            )

    def _is_serious(self, family: str) -> bool:
        """Return True if a recipe makes something, may fail, or is done for another resident; other
        recipes serve the resident's own needs and are no work.
        """
        return any(
            recipe.products or recipe.part.chance or recipe.part.leads
            for recipe in self.book.families.get(family, ())
        )

    def _is_work(self, errand: Errand) -> bool:
        """Return True if an errand is work: to buy something, or to do a serious recipe."""
        return errand.verb == Verb.BUY or (
            errand.verb == Verb.DO
            and errand.what in self.book.recipes
            and self._is_serious(self.book.recipes[errand.what].family)
        )

    def _is_done(self, errand: Errand, work: WorkRecord) -> bool:
        """Return True if work of the kind of an errand was done on the same day all the same."""
        recipe = self.book.recipes.get(errand.what)
        return errand.verb == Verb.DO and recipe is not None and recipe.family in work.did

    def _describe_purchases(self, work: WorkRecord) -> Iterator[str]:
        """Yield phrases about the goods bought, with their price, and about those received."""
        if work.bought:
            goods = [self.telling.goods(kind, count) for kind, count in work.bought.items()]
            yield self.words["bought"].format(
                goods=join_parts(self.words, goods), coins=f"{work.paid:,}"
            )
        if work.given:
            yield self.words["given"].format(
                goods=join_parts(
                    self.words,
                    [self.telling.goods(kind, count) for kind, count in work.given.items()],
                )
            )

    def _tell_times(self, did: str, times: int) -> str:
        """Return a deed with its number of times in words: once, twice or more."""
        key = "once" if times == 1 else "twice" if times == 2 else "times"
        return self.words[key].format(did=did, times=times)

    def _doing(self, family: str, other: str = "") -> str:
        return self.telling.recipe(self.book.families[family][0], other)
