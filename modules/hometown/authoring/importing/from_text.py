"""Read a town from plain text: a floor plan in characters, what its letters mean, and its people.

    Willow Lane

    ##########..~~~~
    #b..A..#k#..~~~~
    #b.....+.+....P.
    ##########..P...

    A  Rose Cottage / bedroom
    P  Duck Pond Green
    b  bed
    k  stove

    Ada Reed, 34, A
    Ada Reed is a baker. Her neighbour Ben likes her bread.
    Day: bakes bread at 8am, and sits on Duck Pond Green from 4pm.

Blank lines part the title, the plan, the meanings and each person. In the plan, a capital letter
names the room that it stands in, or, in the open, a place by its corners; a small letter is a thing.
`SIGNS` are the other characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hometown.authoring.art.kinds import load_kinds
from hometown.authoring.art.thing_pictures import thing_kind
from hometown.authoring.importing.guess import speaks
from hometown.authoring.importing.site import (
    Names,
    SourceMap,
    SourcePerson,
    around,
    parts,
    tiles_of,
)
from hometown.authoring.word_tables import read_word_table
from hometown.language import Lang
from hometown.text import Phrase
from hometown.world.faults import Faults, likely, read_text
from hometown.world.maze import Tile

SUFFIXES = (".txt", ".md")

SIGNS = ".#+:~^%*"
"""The characters of a plan other than letters: open ground or floor, wall, door, path, water, tree,
hedge and flowers. A space is open ground, too.
"""

BLOCKED = "#~^%"

GROUND = {"+": "+", ":": ":", "~": "~", "^": "t", "%": "T", "*": "f"}
"""The characters of the ground that is drawn (`modules/hometown/authoring/art/plan.py`)."""

MARGIN = 3
"""The tiles of open ground around a plan, so that each door leads somewhere."""

MOST_SIDE = 994
"""The largest number of characters of a line, and of lines of a plan."""

PERSON = re.compile(r"(?P<name>[^,，]+)[,，]\s*(?P<age>\d{1,3})\s*[,，]\s*(?P<home>.+)")

MEANING = re.compile(r"(?P<letter>\w)(?:\s*[=:：]\s*|\s+)(?P<name>\S.*)")

FIELD = re.compile(r"(?P<key>\w+)\s*[:：]\s*(?P<text>.+)")

FIELDS = {
    "day": "daily_plan",
    "日程": "daily_plan",
    "now": "currently",
    "近况": "currently",
    "hours": "lifestyle",
    "作息": "lifestyle",
    "character": "innate",
    "性格": "innate",
    "work": "occupation",
    "职业": "occupation",
}
"""The fields of a person by the words that begin their lines."""


@dataclass
class DrawnTown:
    """A town as its text has it: lines by their numbers from 1."""

    title: str = ""
    plan: list[tuple[int, str]] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)
    people: list[list[tuple[int, str]]] = field(default_factory=list)


def read_drawn_town(
    path: Path, lang: Lang | None, faults: Faults
) -> tuple[str, SourceMap | None, list[SourcePerson]]:
    """Return the title, the map and the people of a text; no map, with faults, where it is
    unusable.

    Args:
        lang: The language of what the text leaves open; None for that of the text.
    """
    text = read_text(path, path.name, faults)
    if text is None:
        return "", None, []
    town = _sort_paragraphs(text, path.name, faults)
    if not town.plan:
        faults.add(
            path.name,
            "",
            "has no plan; draw one with # for walls, + for doors and a capital letter in each room",
        )
        return town.title, None, []
    if max(len(town.plan), *(len(line) for _, line in town.plan)) > MOST_SIDE:
        faults.add(
            path.name,
            "",
            "is too large; a plan has at most {most} characters each way",
            most=MOST_SIDE,
        )
        return town.title, None, []
    site = _Draughtsman(town, path.name, faults).draw()
    language = lang or speaks(text)
    people = [
        person
        for number, lines in enumerate(town.people)
        if (person := _read_person(lines, number, town, site, language, path.name, faults))
    ]
    return town.title, site, people


def _sort_paragraphs(text: str, file: str, faults: Faults) -> DrawnTown:
    """Sort the paragraphs of a text into title, plan, meanings and people; any other is a fault."""
    town = DrawnTown()
    for paragraph in _split_paragraphs(text):
        lines = [line.strip() for _, line in paragraph]
        meanings = [_match_groups(MEANING, line) for line in lines]
        if any("##" in line for line in lines):
            _add_rows(town, paragraph)
        elif PERSON.fullmatch(lines[0]) and not (town.plan and all(meanings)):
            town.people.append(paragraph)
        elif town.plan and 2 * sum(map(bool, meanings)) > len(meanings):
            _add_meanings(town, paragraph, file, faults)
        elif town.plan and not town.meanings and all(map(_is_row, lines)):
            _add_rows(town, paragraph)
        elif not town.plan and not town.title:
            town.title = lines[0].lstrip("# ")
        else:
            faults.add(
                file,
                _describe_place(paragraph[0][0]),
                "is neither a plan, nor meanings of letters, nor a person; "
                "begin a person with a line like: Ada Reed, 34, A",
            )
    return town


def _is_row(line: str) -> bool:
    """Return True if a line looks like a row of a plan without walls: no word of it is of letters
    alone.
    """
    return all(len(word) == 1 or not set(word).isdisjoint(SIGNS) for word in line.split())


def _add_rows(town: DrawnTown, rows: list[tuple[int, str]]) -> None:
    """Add rows to a plan, with the blank ones above them, which are open ground."""
    if town.plan and not town.meanings:
        town.plan += [(number, "") for number in range(town.plan[-1][0] + 1, rows[0][0])]
    town.plan += rows


def _add_meanings(town: DrawnTown, lines: list[tuple[int, str]], file: str, faults: Faults) -> None:
    """Add the meanings of letters, and a fault for each line that is none."""
    for number, line in lines:
        if meaning := _match_groups(MEANING, line):
            town.meanings[meaning[0]] = meaning[1]
        else:
            faults.add(
                file,
                _describe_place(number),
                "{line!r} is no meaning; write one letter or digit and its name, like: b  bed",
                line=line.strip(),
            )


def _split_paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the paragraphs, parted by blank lines, each as (number from 1, line) of its lines;
    marks of code blocks are left out.
    """
    paragraph: list[tuple[int, str]] = []
    for number, line in enumerate([*text.expandtabs(4).splitlines(), ""], 1):
        if line.strip() and not line.startswith("```"):
            paragraph.append((number, line.rstrip()))
        elif paragraph:
            yield paragraph
            paragraph = []


def _match_groups(pattern: re.Pattern[str], line: str) -> tuple[str, ...]:
    """Return the groups of a pattern that matches a whole line, stripped; () if it does not."""
    found = pattern.fullmatch(line.strip())
    return tuple(part.strip() for part in found.groups()) if found else ()


def _describe_place(number: int, column: int = 0) -> Phrase:
    """Return the place of a fault in the text."""
    if column:
        return Phrase("line {line} column {column}", line=number, column=column)
    return Phrase("line {line}", line=number)


def read_names(meaning: str) -> Names:
    """Return the building and the room that a meaning names; a name alone is both.

    >>> read_names("Rose Cottage / bedroom"), read_names("Corner Café")
    (('Rose Cottage', 'bedroom'), ('Corner Café', 'Corner Café'))
    """
    sector, _, arena = (part.strip() for part in meaning.replace("／", "/").partition("/"))
    return (sector, arena or sector)


def _tiles_of_place(marks: set[Tile], areas: list[set[Tile]], outside: set[Tile]) -> set[Tile]:
    """Return the enclosed rooms that the marks are in; in the open, the box around them."""
    rooms = [area for area in areas if area & marks and area is not outside]
    tiles = set[Tile]().union(*rooms)
    free = marks & outside
    if free:
        columns, rows = zip(*free, strict=True)
        left, top = min(columns), min(rows)
        box = tiles_of((left, top, max(columns) - left + 1, max(rows) - top + 1))
        tiles |= box & outside
    return tiles


class _Draughtsman:
    """Makes the map of a plan. Tiles are those of the new map, with the margin."""

    def __init__(self, town: DrawnTown, file: str, faults: Faults) -> None:
        self.town, self.file, self.faults = town, file, faults
        rows = [line for _, line in town.plan]
        self.size = (max(map(len, rows)) + 2 * MARGIN, len(rows) + 2 * MARGIN)
        self.signs: dict[Tile, str] = {
            (column + MARGIN, row + MARGIN): sign
            for row, line in enumerate(rows)
            for column, sign in enumerate(line)
            if sign not in ". "
        }

    def draw(self) -> SourceMap:
        """Return the map, with faults for letters without a meaning."""
        site = SourceMap(self.size, {at for at, sign in self.signs.items() if sign in BLOCKED})
        site.ground = {at: GROUND[sign] for at, sign in self.signs.items() if sign in GROUND}
        self._check_signs()
        barriers = {at for at, sign in self.signs.items() if sign in "#+"}
        width, height = self.size
        everywhere = {(column, row) for row in range(height) for column in range(width)}
        areas = parts(everywhere - barriers)
        outside = next(area for area in areas if (0, 0) in area)
        for letter, meaning in self.town.meanings.items():
            marks = {at for at, sign in self.signs.items() if sign == letter}
            if letter.isupper() and marks:
                for tile in _tiles_of_place(marks, areas, outside):
                    site.mark(read_names(meaning), tile)
                if marks <= outside:
                    site.open_air.add(read_names(meaning))
        for names in site.of_depth(2):
            self._add_walls(names, barriers, site)
        self._add_things(site)
        return site

    def _check_signs(self) -> None:
        """Add a fault for each sign of the plan that has no meaning."""
        for row, (number, line) in enumerate(self.town.plan):
            for column, sign in enumerate(line):
                at = (column + MARGIN, row + MARGIN)
                if at in self.signs and sign not in SIGNS and sign not in self.town.meanings:
                    self.faults.add(
                        self.file,
                        _describe_place(number, column + 1),
                        "{sign!r} has no meaning; below the plan, add a line with it and its name, or use one of {signs}",
                        sign=sign,
                        signs=" ".join(SIGNS),
                    )

    def _add_walls(self, names: Names, barriers: set[Tile], site: SourceMap) -> None:
        """Add the walls and doors around a room to its building."""
        for column, row in sorted(site.places[names]):
            for near in tiles_of((column - 1, row - 1, 3, 3)) & barriers:
                site.mark(names[:1], near)

    def _add_things(self, site: SourceMap) -> None:
        """Mark the things in their rooms, with a fault for each that is in none; a solid one blocks
        its tile unless it bars the way.
        """
        rooms = {tile: names for names in site.of_depth(2) for tile in site.places[names]}
        doors = {at for at, sign in self.signs.items() if sign == "+"}
        for number, (line, signs) in enumerate(self.town.plan):
            for column, sign in enumerate(signs):
                at = (column + MARGIN, number + MARGIN)
                name = self.town.meanings.get(sign)
                if name is None or sign.isupper():
                    continue
                if at not in rooms:
                    self.faults.add(
                        self.file,
                        _describe_place(line, column + 1),
                        "{name!r} is in no room or place; put a capital letter into its room, "
                        "or around it in the open",
                        name=name,
                    )
                    continue
                room = site.places[rooms[at]]
                site.mark((*rooms[at], name), at)
                shape = load_kinds()[thing_kind(name)].shape if thing_kind(name) else ()
                left = {tile for tile in room | doors if site.walkable(tile)} - {at}
                floor = left & room
                gates = {door for tile in room for door in around(tile) if door in doors}
                if (
                    shape
                    and all(set(row) == {"#"} for row in shape)
                    and any(near in floor for near in around(at))
                    and len(parts(floor | (gates & left))) == 1
                ):
                    site.blocked.add(at)


def _read_person(
    lines: list[tuple[int, str]],
    number: int,
    town: DrawnTown,
    site: SourceMap,
    lang: Lang,
    file: str,
    faults: Faults,
) -> SourcePerson | None:
    """Return the person of a paragraph, with default texts where it has none; None, with a fault,
    for one whose home is unknown.
    """
    name, age, home = _match_groups(PERSON, lines[0][1])
    words = read_word_table(lang)
    names = read_names(town.meanings.get(home, home))
    rooms = [room for room in site.of_depth(2) if names in (room, (room[0], room[0]))]
    if not rooms:
        known = [" / ".join(room) for room in site.of_depth(2)]
        faults.add(
            file,
            _describe_place(lines[0][0]),
            "{home!r} is no room of the plan{hint}",
            home=home,
            hint=likely(home, known),
        )
        return None
    given = {"innate": words["people"][number % len(words["people"])]["innate"]}
    fields, texts = _read_fields([line.strip() for _, line in lines[1:]])
    given |= fields
    joined = ("" if lang == "zh" else " ").join(texts)
    return SourcePerson(
        file,
        name,
        min(int(age), 120),
        given["innate"],
        joined or f"{name}: {given.get('occupation', words['resident'])}",
        given.get("lifestyle", str(words["lifestyle"])),
        given.get("daily_plan", ""),
        given.get("currently", ""),
        (rooms[0][0], rooms[0][1]),
        occupation=given.get("occupation", ""),
    )


def _read_fields(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the fields of a person, the lines of each joined, and the lines that are of none."""
    fields: dict[str, str] = {}
    texts: list[str] = []
    for line in lines:
        found = FIELD.fullmatch(line)
        key = FIELDS.get(found["key"].lower()) if found else None
        if found and key:
            fields[key] = f"{fields[key]} {found['text']}" if key in fields else found["text"]
        else:
            texts.append(line)
    return fields, texts
