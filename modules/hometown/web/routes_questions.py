"""The API's route of questions to residents, asked from the page. It changes nothing, but it costs
model calls: so it has the rules of a change.
"""

from __future__ import annotations

from typing import Any, cast

from flask import Flask, Response

from hometown.history.memories import memory_shape
from hometown.history.reader import RunReader
from hometown.storage.run import RunFile
from hometown.study.desk import InterviewDesk
from hometown.study.interview import InterviewAnswer, Lines
from hometown.study.reporting import answer_json
from hometown.web.answers import API, Wrong, body_of_request, respond_json
from hometown.web.library import Library
from hometown.web.study_errors import translate_errors

MOST_LINES = 8
"""Maximum number of earlier questions of a conversation."""

LONGEST_LINE = 1000
"""Maximum number of characters of an earlier question or answer."""


def question_routes(app: Flask, library: Library, desk: InterviewDesk) -> None:
    """Add the route to the app that puts a question to a resident."""

    @app.post(f"{API}/runs/<name>/questions")
    def ask(name: str) -> Response:
        who, question, at, lines = _read_body()
        with library.open(name) as run:
            world = library.worlds.names(run).world
            if world is None:
                raise Wrong(
                    422, "The world of “{name}” is not here, so nobody can be asked.", name=name
                )
            if who not in world.personas:
                raise Wrong(404, "No resident has the id “{who}”.", who=who[:80])
            answer = translate_errors(
                lambda: desk.ask(
                    lambda: RunFile.open(library.results, name), world, who, question, at, lines
                )
            )
            return respond_json(_shape(run, answer, world.name_of(who)))


def _read_body() -> tuple[str, str, int, Lines]:
    """Return resident, question, step and the conversation so far.

    Raises:
        Wrong: 400, for an invalid body.
    """
    body = body_of_request()
    who, question, at, lines = (body.get(key) for key in ("who", "question", "step", "lines"))
    valid = (
        isinstance(who, str) and isinstance(question, str) and type(at) is int and 0 <= at < 2**63
    )
    if (
        not valid
        or not isinstance(lines, list)
        or len(lines) > MOST_LINES
        or not all(map(_is_line, lines))
    ):
        raise Wrong(
            400,
            "A question has a resident (who), a text (question), a step and lines, up to "
            "{most} earlier questions with their answers.",
            most=MOST_LINES,
        )
    return (
        cast(str, who),
        cast(str, question),
        cast(int, at),
        tuple((asked, answered) for asked, answered in lines),
    )


def _is_line(line: Any) -> bool:
    """Return True if a value is a pair of texts of permitted length, a question and an answer."""
    return (
        isinstance(line, list)
        and len(line) == 2
        and all(isinstance(part, str) and len(part) <= LONGEST_LINE for part in line)
    )


def _shape(run: RunReader, answer: InterviewAnswer, name: str) -> dict[str, Any]:
    """Return the answer with memories in the page's format: those cited by id, and all that were
    retrieved, best first, with their scores.
    """
    scores = {
        scored.concept.id: [scored.score, scored.recency, scored.importance, scored.relevance]
        for scored in answer.retrieved
    }
    memories = [
        cast("dict[str, Any]", memory_shape(run, memory)) | {"scores": scores[memory.concept.id]}
        for memory in run.recall(answer.who, list(scores))
    ]
    return answer_json(answer, name) | {
        "cited": [memory.id for memory in answer.cited],
        "retrieved": memories,
        "scripted": answer.model == "scripted",
    }
