"""Persons of interview transcripts as a language model reads them, checked by rules.

The model names facts, each with its quote and the line where it stands. A fact counts only if the
quote stands in that line, word for word, and the person says it; traits, which people seldom name
themselves, are the model's own words, and count only with such a quote. What the model leaves out
is taken by the rules for plain words (`transcripts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from hometown.authoring.importing.guess import speaks
from hometown.authoring.population.plausibility import read_population_words
from hometown.authoring.population.transcripts import MOST_QUOTED, SourcedValue, Transcript
from hometown.json_object import Json
from hometown.model.llm import LanguageModel, Request
from hometown.records import Message

PASSAGE = 4000
"""Number of characters of a transcript in one request, about."""

MOST_FACTS = 8

MOST_TRAITS = 3

SPOKEN_COLUMNS = ("occupation", "interests", "about", "concern")
"""The columns whose values are the person's own words."""

DraftedColumn = Literal["occupation", "interests", "about", "concern", "traits"]

Lines = Sequence[tuple[int, str]]
"""The texts that a person says, by the line of the transcript."""


class DraftedFact(BaseModel):
    """A fact as a model names it; `words` are its own, for traits."""

    column: DraftedColumn
    line: int
    quote: str = Field(min_length=1)
    words: str = ""


class DraftedFacts(BaseModel):
    """The reply of a model."""

    facts: list[DraftedFact]


async def draft_person(transcript: Transcript, model: LanguageModel) -> Transcript:
    """Return a transcript with the values that the model finds and that hold, before those found by
    rules; the values at the top come first.

    Raises:
        ModelUnavailable: The model does not answer.
    """
    lang = speaks(" ".join(said for _, said in transcript.spoken))
    words: Json = read_population_words(lang)["transcript"]
    facts: list[DraftedFact] = []
    for seed, passage in enumerate(_split(transcript.spoken)):
        request = _make_request(passage, words, lang)
        completion = await model.complete(request, seed=seed)
        try:
            facts += DraftedFacts.model_validate_json(completion.text).facts
        except ValidationError:
            continue
    drafted = _make_values([fact for fact in facts if is_quoted(fact, transcript.spoken)], words)
    given = [each for each in transcript.values if each in transcript.head]
    columns = {each.column for each in given}
    values = [*given, *(each for each in drafted if each.column not in columns)]
    columns = {each.column for each in values}
    rest = (each for each in transcript.values if each.column not in columns)
    return Transcript(transcript.file, (*values, *rest), transcript.head, transcript.spoken)


def is_quoted(fact: DraftedFact, spoken: Lines) -> bool:
    """Return True if the quote of a fact stands in its line, in what the person says."""
    quote = fact.quote.strip().casefold()
    return bool(quote) and any(
        line == fact.line and quote in said.casefold() for line, said in spoken
    )


def _split(spoken: Lines) -> Iterator[Lines]:
    """Yield what a person says in passages of about `PASSAGE` characters."""
    passage: list[tuple[int, str]] = []
    for line, said in spoken:
        if passage and sum(len(each) for _, each in passage) + len(said) > PASSAGE:
            yield passage
            passage = []
        passage.append((line, said))
    if passage:
        yield passage


def _make_request(passage: Lines, words: Json, lang: Any) -> Request:
    """Return the request for the facts of a passage."""
    said = "\n".join(f"{line}: {text}" for line, text in passage)
    text = words["task"].format(most=MOST_FACTS, said=said)
    numbers = [line for line, _ in passage]
    fact: dict[str, Any] = {
        "column": {"enum": [*SPOKEN_COLUMNS, "traits"]},
        "line": {"type": "integer", "minimum": numbers[0], "maximum": numbers[-1]},
        "quote": {"type": "string", "minLength": 1, "maxLength": 300},
        "words": {"type": "string", "maxLength": 30},
    }
    schema = {
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "maxItems": MOST_FACTS,
                "items": {
                    "type": "object",
                    "properties": fact,
                    "required": list(fact),
                    "additionalProperties": False,
                },
            }
        },
        "required": ["facts"],
        "additionalProperties": False,
    }
    return Request("transcript", lang, None, (Message("user", text),), schema, 1200, 0.2)


def _make_values(facts: Sequence[DraftedFact], words: Json) -> Iterator[SourcedValue]:
    """Yield the values of facts that hold: the first occupation and concern, and up to three
    interests, traits and sentences of the biography.
    """
    joints = {"interests": "; ", "traits": ", ", "about": words["between"]}
    forms = {"about": words["told"], "concern": words["quoted"]}
    for column in (*SPOKEN_COLUMNS, "traits"):
        most = {"interests": MOST_QUOTED, "about": MOST_QUOTED, "traits": MOST_TRAITS}.get(
            column, 1
        )
        own = [fact for fact in facts if fact.column == column]
        texts: dict[str, int] = {}
        for fact in own:
            text = fact.words.strip() if column == "traits" else fact.quote.strip()
            if text and text not in texts and len(texts) < most:
                texts[text] = fact.line
        if texts:
            value = joints.get(column, "").join(texts)
            lines = tuple(dict.fromkeys(texts.values()))
            yield SourcedValue(column, forms.get(column, "{text}").format(text=value), lines)
