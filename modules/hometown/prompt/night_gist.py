"""The prompt for the gist of a night: what repeats itself in memories, in one thought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Variables
from hometown.prompt.wording import fitting
from hometown.text import catalogue

GIST_LENGTH = 400
"""Maximum length of a gist in English characters."""

MOST_QUOTED = 3
"""Maximum number of memories that the gist by rule quotes."""


@frozen
class NightGistVars(Variables):
    """Variables for the gist of a night: the memories that repeat themselves most, one for each
    matter, the most repeated first.
    """

    memories: tuple[Concept, ...]


class NightGistReply(Reply):
    gist: Annotated[str, OneLine(GIST_LENGTH)] = Field(
        description="What these days have in common, in the third person."
    )


def _narrow(v: NightGistVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the length of its text."""
    return {"gist": v.situation.text(GIST_LENGTH)}


def quote_most_repeated(v: NightGistVars) -> str:
    """Return the gist by rule: the texts of the most repeated memories, `MOST_QUOTED` at most."""
    words = catalogue(v.situation.lang, "mind")
    texts = words["item_separator"].join(memory.text for memory in v.memories[:MOST_QUOTED])
    return words["summed_up"].format(texts=texts)


NIGHT_GIST = Prompt(
    "night_gist",
    NightGistVars,
    NightGistReply,
    fallback=lambda v: NightGistReply(gist=fitting(quote_most_repeated(v), GIST_LENGTH)),
    narrow=_narrow,
    persona="life",
    max_tokens=300,
)
