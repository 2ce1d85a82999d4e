"""A table of people, such as the rows of a survey: a CSV file with a column for each property.

Columns are name, age, gender, occupation, traits, about, concern and interests, in English or
Chinese; any others, such as education, are attributes, by which quotas may be set as well.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.given_tables import find_surplus_cells, open_table
from hometown.text import Phrase

COLUMNS_OF_PEOPLE = {
    "name": "姓名",
    "age": "年龄",
    "gender": "性别",
    "occupation": "职业",
    "traits": "性格",
    "about": "简介",
    "concern": "心事",
    "interests": "兴趣",
}
"""The columns with a meaning, in both languages."""

NEEDED_COLUMNS = ("age", "occupation")

GENDERS = {
    "she": ("she", "woman", "female", "f", "w", "女"),
    "he": ("he", "man", "male", "m", "男"),
    "they": ("they", "nonbinary", "other", "x", "", "其他"),
}
"""The values of the column gender, by pronoun."""

OLDEST = 120

MOST_ROWS = 100_000


@frozen
class PersonRow:
    """A row of a table of people; `line` is its number in the file, from 1 for the header, and
    `cells` are all its values, by column in English. `pronoun` is she, he or they.
    """

    line: int
    age: int
    pronoun: str
    cells: Mapping[str, str]

    def get(self, column: str) -> str:
        """Return a value; "" if the table does not have it."""
        return self.cells.get(column, "")

    @property
    def attributes(self) -> dict[str, str]:
        """The values of columns without a meaning of their own."""
        return {
            column: value
            for column, value in self.cells.items()
            if value and column not in COLUMNS_OF_PEOPLE
        }


def read_people(file: Path) -> list[PersonRow]:
    """Return the rows of a table of people.

    Raises:
        BadInput: The file can't be read, lacks columns, or has impossible values, one line each.
    """
    table = open_table(file)
    columns = [translate_column(column) for column in table.fieldnames or ()]
    missing = [name for name in NEEDED_COLUMNS if name not in columns]
    if missing or len(set(columns)) < len(columns):
        raise BadInput(
            "{file}: has the columns {columns}; it needs each of them once, among them {needed}",
            file=file,
            columns=columns,
            needed=list(NEEDED_COLUMNS),
        )
    table.fieldnames = columns
    faults: list[Phrase] = []
    rows = [*_read_rows(file, table, faults)]
    if not rows and not faults:
        faults = [Phrase("{file}: has no rows; add one for each person", file=file)]
    if faults:
        raise BadInput(faults)
    return rows


def translate_column(column: str) -> str:
    """Return a column in English, in small letters."""
    plain = column.strip().lower()
    return next((name for name, other in COLUMNS_OF_PEOPLE.items() if other == plain), plain)


def _read_rows(file: Path, table: csv.DictReader[str], faults: list[Phrase]) -> Iterator[PersonRow]:
    """Yield the rows of a table that are possible, and add the faults of the others."""
    for cells in table:
        line = table.line_num
        if line > MOST_ROWS:
            faults.append(
                Phrase("{file}: has more than {most} rows; split it", file=file, most=MOST_ROWS)
            )
            return
        values = {name: (cell or "").strip() for name, cell in cells.items() if name}
        if not any(values.values()):
            continue
        if surplus := find_surplus_cells(cells):
            faults.append(
                Phrase("{file}, line {line}: {fault}", file=file, line=line, fault=surplus)
            )
            continue
        age, gender = values["age"], values.get("gender", "")
        pronoun = next((key for key, words in GENDERS.items() if gender.lower() in words), None)
        if not age.isdecimal() or int(age) > OLDEST:
            faults.append(
                Phrase(
                    "{file}, line {line}: age is {value!r}; it should be a whole number from 0 to {most}",
                    file=file,
                    line=line,
                    value=age,
                    most=OLDEST,
                )
            )
        elif pronoun is None:
            faults.append(
                Phrase(
                    "{file}, line {line}: gender is {value!r}; it should be one of {known}",
                    file=file,
                    line=line,
                    value=gender,
                    known=[word for words in GENDERS.values() for word in words if word],
                )
            )
        else:
            yield PersonRow(line, int(age), pronoun, values)


def list_columns(rows: Iterable[PersonRow]) -> list[str]:
    """Return the columns of a table; not every transcript has them all."""
    return list(dict.fromkeys(column for row in rows for column in row.cells))
