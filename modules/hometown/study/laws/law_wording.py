"""Laws in words: their changes, announcements, and breaches with their times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from hometown.clock import hhmm
from hometown.language import Lang
from hometown.prompt.wording import WEEKDAYS, short_date
from hometown.society.forecast import Forecast
from hometown.society.law_impact import Harm, LawImpact
from hometown.society.work_phrasing import WorkPhrases
from hometown.text import COMMAS, catalogue
from hometown.world.authored import WEEKDAYS as DAYS
from hometown.world.book.amend import Entries, dump_entry, section
from hometown.world.book.book import Book
from hometown.world.book.parts import FixturePart, KindPart, NeedPart, PersonPart
from hometown.world.moving_in import SECTION, read_latecomers
from hometown.world.world import World

DRAINED = "collapse"


def changes(book: Book | None, entries: Entries) -> list[str]:
    """Return the changes, a line for each value: `+ recipes/brew.minutes: 60`, `- kinds/cider`, `~
    fixtures/mill/main/chest.shop.opens: "06:00" → "08:00"`.

    Of new residents: names, age, home and bed.
    """
    lines: list[str] = []
    for key, text in sorted(entries.items()):
        name, _, entry = key.partition("/")
        if name == SECTION:
            person = orjson.loads(text)
            lines.append(
                f"+ {key}: {' / '.join(person['name'].values())}, {person['age']}, {person['home']}, {person['sleeps']}"
            )
            continue
        there = section(book, name) if book else {}
        before, after = (
            dump_entry(there[entry]) if entry in there else {},
            orjson.loads(text) if text else {},
        )
        lines += _differences(key, before, after) if text else [f"- {key}"]
    return lines


def _differences(where: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _differences(f"{where}.{key}", before.get(key), after.get(key))
    elif before is None and isinstance(after, dict):
        yield from _differences(where, {}, after)
    elif before != after:
        was, now = (orjson.dumps(value).decode() for value in (before, after))
        yield (
            f"+ {where}: {now}"
            if before is None
            else f"- {where}: {was}"
            if after is None
            else f"~ {where}: {was} → {now}"
        )


def verdict_lines(world: World, outlook: Forecast, verdict: LawImpact, lang: Lang) -> list[str]:
    """Return the breaches of a law, a line each, the earliest first."""
    return [_breach(world, outlook, breach, lang) for breach in verdict.breaches]


def _breach(world: World, outlook: Forecast, breach: Harm, lang: Lang) -> str:
    if breach.kind == "leap":
        return _tell_leap(world, outlook, breach, lang)
    texts, book = catalogue(lang, "laws"), outlook.after
    drained = breach.kind == "empty" and not book.needs[breach.what].at_zero
    name: KindPart | NeedPart = (
        book.kinds[breach.what] if breach.kind == "gone" else book.needs[breach.what]
    )
    weakest = (
        book.kinds[breach.weakest].name.get(lang, breach.weakest)
        if breach.weakest in book.kinds
        else breach.weakest or texts["time"]
    )
    return texts[f"breach_{DRAINED if drained else breach.kind}"].format(
        when=_say_when(outlook, breach, lang),
        what=name.name.get(lang, breach.what),
        who=world.name_of(breach.who),
        weakest=weakest,
        supplied=breach.supplied,
        used=breach.used,
    )


def _tell_leap(world: World, outlook: Forecast, breach: Harm, lang: Lang) -> str:
    """Return the line for work that creates value from nothing, with the resident who tried it."""
    key = "breach_leap_tried" if breach.who else "breach_leap"
    return catalogue(lang, "laws")[key].format(
        when=_say_when(outlook, breach, lang),
        who=world.name_of(breach.who) if breach.who else "",
        what=WorkPhrases(world, outlook.after).entry(outlook.after.entries[breach.what]),
        now=breach.supplied,
        before=breach.used,
    )


def _say_when(outlook: Forecast, breach: Harm, lang: Lang) -> str:
    """Return the day of a breach, and how far off it is; "" if it has none."""
    if not breach.when:
        return ""
    days = f"{outlook.days_until(breach.when):.0f}"
    return catalogue(lang, "laws")["when"].format(
        date=short_date(breach.when.date(), lang), days=days
    )


def write_announcement(world: World, after: World, entries: Entries) -> str:
    """Return the announcement of a law to residents, in the run's language; `after` is the town
    once it holds.
    """
    texts, said = catalogue(world.lang, "laws"), list[str]()
    for who, persona in read_latecomers(world, entries).items():
        said.append(
            texts["moved_in"].format(
                who=after.name_of(who),
                occupation=persona.occupation,
                home=after.place_name(persona.home),
            )
        )
    if world.book and after.book:
        announcer = _Announcer(world, after, world.book, after.book)
        for key, entry in sorted(entries.items()):
            name, _, of = key.partition("/")
            said += announcer.lines(name, of, bool(entry))
    return texts["from_now_on"].format(news=texts["and"].join(dict.fromkeys(said)))


class _Announcer:
    """Words for the changes of a town's rules; `town` is the town after them."""

    def __init__(self, world: World, town: World, before: Book, after: Book) -> None:
        self.world, self.town, self.before, self.after, self.lang = (
            world,
            town,
            before,
            after,
            world.lang,
        )
        self.texts, self.telling = catalogue(world.lang, "laws"), WorkPhrases(world)

    def say(self, key: str, **fields: object) -> str:
        return self.texts[key].format(**fields)

    def lines(self, name: str, entry: str, stays: bool) -> Iterator[str]:
        match name:
            case "fixtures":
                yield from self._fixture(entry)
            case "recipes":
                yield self._recipe(entry)
            case "kinds":
                book = self.after if stays else self.before
                key = (
                    "changed_kind"
                    if stays and entry in self.before.kinds
                    else "new_kind"
                    if stays
                    else "no_kind"
                )
                yield self.say(key, kind=book.kinds[entry].name[self.lang])
            case "people":
                yield from self._person(entry)
            case "needs":
                book = self.after if stays else self.before
                yield self.say(
                    "new_need" if stays else "no_need", need=book.needs[entry].name[self.lang]
                )
            case "houses" | "seasons" | "weather":
                yield self.say(f"changed_{name}")

    def _recipe(self, family: str) -> str:
        if family not in self.after.families:
            recipe = self.before.entries[family]
            return self.say("no_recipe", doing=self.telling.entry(recipe))
        recipe = self.after.entries[family]
        return self.say(
            "changed_recipe" if family in self.before.entries else "new_recipe",
            doing=self.telling.entry(recipe),
            says=recipe.says[self.lang][0],
        )

    def _fixture(self, address: str) -> Iterator[str]:
        was, now, thing = (
            self.before.fixtures.get(address),
            self.after.fixtures.get(address),
            self.telling.thing(address),
        )
        if now is None:
            yield self.say("no_fixture", thing=thing)
            return
        found = [*self._sales(was, now, thing), *self._hours(was, now, thing)]
        yield from found or [self.say("changed_fixture", thing=thing)]

    def _sales(self, was: FixturePart | None, now: FixturePart, thing: str) -> Iterator[str]:
        before, after = (part.shop.sells if part and part.shop else {} for part in (was, now))
        for kind in sorted({*before, *after}):
            name = (self.after.kinds.get(kind) or self.before.kinds[kind]).name[self.lang]
            if kind not in after:
                yield self.say("sells_no", thing=thing, kind=name)
            elif before.get(kind) != after[kind]:
                yield self.say("sells", thing=thing, kind=name, price=after[kind])

    def _hours(self, was: FixturePart | None, now: FixturePart, thing: str) -> Iterator[str]:
        if now.shop and (
            was is None
            or was.shop is None
            or (was.shop.opens, was.shop.closes) != (now.shop.opens, now.shop.closes)
        ):
            yield self.say(
                "hours", thing=thing, opens=hhmm(now.shop.opens), closes=hhmm(now.shop.closes)
            )
        if now.closed_on != (was.closed_on if was else ()):
            days = [WEEKDAYS[self.lang][DAYS.index(day)] for day in now.closed_on]
            yield self.say(
                "closed" if days else "closed_never", thing=thing, days=COMMAS[self.lang].join(days)
            )

    def _person(self, who: str) -> Iterator[str]:
        was, now, name = (
            self.before.start.people.get(who),
            self.after.start.people[who],
            self.town.name_of(who),
        )
        if was and was.house != now.house:
            yield self.say(
                "moves",
                who=name,
                house=self.world.place_name(self.after.start.houses[now.house].home),
            )
        if now.duties != (was.duties if was else ()):
            yield self._duties(name, now)

    def _duties(self, name: str, person: PersonPart) -> str:
        telling = WorkPhrases(self.world, self.after)
        duties = [telling.duty(duty) for duty in person.duties]
        return (
            self.say("sees_to", who=name, duties=COMMAS[self.lang].join(duties))
            if duties
            else self.say("sees_to_nothing", who=name)
        )
