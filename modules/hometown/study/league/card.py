"""The card of a model: how it lived some hours of a town, as a file that others can add to their
league.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, field_validator

from hometown.config import read_bounded
from hometown.errors import BadInput, reason_of
from hometown.files import atomic_write
from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.shares import Share
from hometown.study.league.limits import LIMIT_TEXTS, Limit
from hometown.text import Phrase
from hometown.world.faults import MOST_VALUES, Faults, parse_json, validate_model

FORMAT: Literal["hometown-league-1"] = "hometown-league-1"

MOST_LINES, LONGEST_LINE = 6, 400
"""Lines of the conversation that a card quotes, and characters of each."""

Source = Literal["model", "stand-in", "run"]
"""The writer of the replies: a model that took part, the rule-based stand-in, or that of a run
which is shown beside them.
"""

Count = Annotated[int, Field(ge=0, le=10**15)]
Amount = Annotated[float, Field(ge=0, le=1e15)]
ShortText = Annotated[str, Field(min_length=1, max_length=120)]


class CardPart(BaseModel):
    """A part of a card: no unknown keys, and only finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("*", mode="after")
    @classmethod
    def _check_share(cls, value: object) -> object:
        if isinstance(value, Share) and not 0 <= value.count <= value.total:
            raise ValueError(
                Phrase(
                    "count is {count} and total {total}; the count lies between 0 and the total",
                    count=value.count,
                    total=value.total,
                )
            )
        return value


class Hours(CardPart):
    """The hours that were lived: all that makes them the same for each model."""

    world: ShortText
    lang: Lang
    residents: Annotated[int, Field(ge=1, le=10**6)]
    start: Annotated[str, Field(pattern=r"^\d{8}-\d\d:\d\d$")]
    minutes: Annotated[int, Field(ge=1, le=10**7)]
    seed: Count
    embedding: ShortText


class Farmstead(CardPart):
    """Life on the farmstead without autopilot: residents who have not collapsed, of all, and steps
    after which a resident was urgently hungry, of all steps of all residents.
    """

    minutes: Annotated[int, Field(ge=1, le=10**7)]
    standing: Share
    hungry: Share


class Card(CardPart):
    """The figures of one model.

    Attributes:
        version: Version of Hometown with which the run was begun.
        missed: The limits of acceptance that it missed; none for a living town.
        decisions: Decisions that depart from the default option, of all.
        faults, repetition, echo: Replies with any fault by the rules of the bench, of those judged.
        faulty_lines: Spoken lines with a fault, of those judged.
        conversations: The conversations of each resident, added up.
        interviews: Answers that hold, of those that a rule can check; None if nobody was asked.
        seconds: Wall time of the hours; None for a run, which another machine may have lived.
        memory: Bytes of this machine at most, with the model; None if the model was elsewhere.
        talk: Lines from the conversation in the middle.
    """

    format: Literal["hometown-league-1"] = FORMAT
    model: ShortText
    source: Source
    hours: Hours
    version: ShortText
    missed: Annotated[tuple[Limit, ...], Field(max_length=50)]
    decisions: Share
    faults: Share
    repetition: Share
    echo: Share
    faulty_lines: Share
    conversations: Count
    interviews: Share | None = None
    farmstead: Farmstead | None = None
    calls: Count
    prompt_tokens: Count
    cached_tokens: Count
    reply_tokens: Count
    seconds: Amount | None = None
    memory: Count | None = None
    talk: Annotated[
        tuple[Annotated[str, Field(max_length=LONGEST_LINE)], ...], Field(max_length=MOST_LINES)
    ] = ()

    @property
    def is_alive(self) -> bool:
        """Return True if every limit of acceptance is met."""
        return not self.missed

    @property
    def resident_days(self) -> float:
        """Return the days of all residents together."""
        return self.hours.residents * self.hours.minutes / 1440

    @field_validator("missed")
    @classmethod
    def _check_names(cls, missed: tuple[Limit, ...]) -> tuple[Limit, ...]:
        unknown = [limit.name for limit in missed if limit.name not in LIMIT_TEXTS]
        if unknown:
            raise ValueError(
                Phrase(
                    "there is no limit of acceptance {name!r}: a newer version may have it, so update Hometown",
                    name=unknown[0][:80],
                )
            )
        return missed


def card_name(model: str) -> str:
    """Return the name of a model's run and files.

    >>> card_name("gguf:/home/ann/Qwen2.5-Coder-0.5B.gguf"), card_name("ollama:qwen3:8b")
    ('gguf-qwen2-5-coder-0-5b-gguf', 'ollama-qwen3-8b')
    """
    name = re.sub(r"[^a-z0-9]+", "-", public_name(model).casefold())
    return name[-31:].strip("-") or "model"


def card_file(card: Card, folder: Path, ending: str) -> Path:
    """Return the file of a card, or of its picture, below the folder of a league."""
    return folder / "cards" / f"{card_name(card.model)}.{ending}"


def write_card(card: Card, folder: Path) -> Path:
    """Write a card below the folder of a league and return the file."""
    file = card_file(card, folder, "json")
    with atomic_write(file) as written:
        written.write(
            orjson.dumps(card.model_dump(mode="json"), option=orjson.OPT_INDENT_2) + b"\n"
        )
    return file


def read_cards(folder: Path) -> list[Card]:
    """Return the cards of all models that have lived in a league.

    Raises:
        BadInput: A card is damaged.
    """
    return [read_card(file) for file in sorted((folder / "cards").glob("*.json"))]


def read_card(file: Path) -> Card:
    """Return the card in a file.

    Raises:
        BadInput: With a line for each fault.
    """
    try:
        text = read_bounded(file)
    except FileNotFoundError:
        raise BadInput("{file}: there is no such card", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read as a card ({reason})", file=file, reason=reason_of(error)
        ) from None
    faults = Faults(str(file.parent))
    content = parse_json(text, file.name, faults, MOST_VALUES)
    card = None if content is None else _validate(content, file.name, faults)
    if card is None:
        raise BadInput(faults.lines)
    return card


def _validate(content: dict[str, object], name: str, faults: Faults) -> Card | None:
    """Return a card; None, with faults, if the content is none."""
    if content.get("format") != FORMAT:
        faults.add(
            name,
            "format",
            "is {given!r}; a card of a league has {format!r}",
            given=str(content.get("format", ""))[:40],
            format=FORMAT,
        )
        return None
    return validate_model(Card, content, name, faults)
