"""The prompt for a law: a user's wish becomes changes of entries of the society's book."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from hometown.frozen import frozen
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Variables

MOST_CHANGES = 6
"""Maximum number of changes of one draft."""

LONGEST_VALUE = 450
"""Maximum length of a value in characters: a whole recipe in two languages has 400."""

_SPACES = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

NAME = rf'[^{_SPACES}"\\][^\x00-\x1f"\\]{{0,59}}'
"""Pattern of an entry's id, which begins with no space and contains neither quotation marks nor
backslashes.
"""

SECTIONS = ("kinds", "recipes", "fixtures", "needs", "seasons", "weather", "houses", "people")


@frozen
class BookEntry:
    """A current entry: its `path`, as in `recipes/mill`, its `names` in both languages, and its
    JSON `text`.
    """

    path: str
    names: tuple[str, ...]
    text: str


@frozen
class LawVars(Variables):
    """Variables for drafting a law from a user's `words`.

    `entries` are all that exist. `faults` are those of the previous draft, "" for the first.
    """

    words: str
    entries: tuple[BookEntry, ...]
    faults: str = ""


class BookChange(BaseModel):
    """One value that differs from now on."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, str_strip_whitespace=True, defer_build=True
    )

    entry: str = Field(
        pattern=rf"^({'|'.join(SECTIONS)})/{NAME}$",
        description="Section and id, as listed, or a new id.",
    )
    key: Annotated[str, OneLine(40, 0)] = Field(
        description="The key within the entry, parts joined by dots; empty for the whole entry."
    )
    value: Annotated[str, OneLine(LONGEST_VALUE, 0)] = Field(
        description="The value in JSON; null takes it away."
    )


class LawReply(Reply):
    changes: list[BookChange] = Field(
        max_length=MOST_CHANGES,
        description="What differs from now on; nothing if the words ask for no such thing.",
    )
    begins: int = Field(ge=0, le=365, description="Days until it holds: 0 at once, 1 tomorrow.")


LAW = Prompt(
    "law",
    LawVars,
    LawReply,
    fallback=lambda v: LawReply(changes=[], begins=0),
    persona="nobody",
    max_tokens=4000,
    temperature=0.2,
    judges=True,
)
