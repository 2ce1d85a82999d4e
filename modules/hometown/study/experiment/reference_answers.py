"""Reference answers: those of the people whom residents stand for, in a table of the user's own.

The columns are questionnaire, question, who (a resident's id), answer, and optionally retest: the
answer of the same person at a later time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from hometown.errors import BadInput
from hometown.given_tables import find_surplus_cells, open_table
from hometown.language import Lang
from hometown.paths import USER_WORLDS
from hometown.study.closed_items import ChoiceCell
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.spec import Experiment
from hometown.study.experiment.tables import write_csv
from hometown.study.questionnaire_definition import QuestionDefinition, Questionnaire
from hometown.text import Phrase, excerpt
from hometown.world.load import load_world

REFERENCE = "reference"
"""The name of the table."""

ASKED_COLUMNS = ("questionnaire", "question", "who")

GIVEN_COLUMNS = (*ASKED_COLUMNS, "answer")

REFERENCE_COLUMNS = (*GIVEN_COLUMNS, "retest", "score", "retest_score", "low", "high")

LONGEST_SHOWN, LONGEST_LIST = 80, 400
"""Characters of a faulty value and of the list of residents that are shown."""


def add_reference(
    file: Path, experiment: Experiment, folder: Path, worlds: Path = USER_WORLDS
) -> int:
    """Check a table of reference answers, write it among the tables of an experiment, with the
    scores of the answers and the lowest and highest possible one, and return the number of answers.

    Raises:
        BadInput: The file can't be read, lacks columns, or has impossible values or two answers of
            a person to a question, one line each.
    """
    faults: list[Phrase] = []
    residents = load_world(experiment.town.world, experiment.town.lang, worlds).personas
    rows = [*_read_rows(file, experiment, residents, faults)]
    if not rows and not faults:
        faults = [Phrase("{file}: has no rows; add one for each answer of a person", file=file)]
    if faults:
        raise BadInput(faults)
    definition = hash_definition(experiment)
    signed = [(*(row[name] for name in REFERENCE_COLUMNS), definition) for row in rows]
    columns = (*REFERENCE_COLUMNS, "definition")
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    write_csv(folder / "tables" / f"{REFERENCE}.csv", columns, signed)
    return len(rows)


def _read_rows(
    file: Path, experiment: Experiment, residents: Collection[str], faults: list[Phrase]
) -> Iterator[Mapping[str, ChoiceCell]]:
    """Yield the rows of a table that are possible, and add the faults of the others."""
    table = open_table(file)
    columns = [name.strip().lower() for name in table.fieldnames or ()]
    if missing := [name for name in GIVEN_COLUMNS if name not in columns]:
        raise BadInput(
            "{file}: lacks the columns {missing}; it has {columns}",
            file=file,
            missing=missing,
            columns=columns,
        )
    table.fieldnames = columns
    known = {part.questionnaire.name: part.questionnaire for part in experiment.interviews}
    lines: dict[tuple[str, ...], int] = {}
    for cells in table:
        values = {name: (cell or "").strip() for name, cell in cells.items() if name}
        if not values["answer"]:
            continue
        found, fault = _complete(values, known, experiment.town.lang)
        first = lines.setdefault(tuple(values[name] for name in ASKED_COLUMNS), table.line_num)
        if first != table.line_num:
            fault = fault or Phrase(
                "{who} has answered the question {question} in line {line} already; keep one of "
                "the two",
                who=values["who"],
                question=values["question"],
                line=first,
            )
        fault = find_surplus_cells(cells) or fault or _check_person(values["who"], residents)
        if fault:
            faults.append(
                Phrase("{file}, line {line}: {fault}", file=file, line=table.line_num, fault=fault)
            )
        else:
            yield values | {"retest": values.get("retest", "")} | found


def _check_person(who: str, residents: Collection[str]) -> Phrase | None:
    """Return the fault of an id that no resident of the world has; None for any other."""
    if who in residents:
        return None
    return Phrase(
        "who is {value!r}; it should be the id of a resident of the world: {known}",
        value=who[:LONGEST_SHOWN],
        known=excerpt(", ".join(residents), LONGEST_LIST),
    )


def _complete(
    values: Mapping[str, str], known: Mapping[str, Questionnaire], lang: Lang
) -> tuple[dict[str, ChoiceCell], Phrase | None]:
    """Return the scores of a row and its fault, None if there is none."""
    questionnaire = known.get(values["questionnaire"])
    if questionnaire is None:
        return {}, Phrase(
            "questionnaire is {value!r}; the experiment has {names}",
            value=values["questionnaire"][:LONGEST_SHOWN],
            names=list(known),
        )
    closed = {each.id: each for each in questionnaire.questions if _is_comparable(each)}
    question = closed.get(values["question"])
    if question is None:
        return {}, Phrase(
            "question is {value!r}; it should be one of {names}: items with options, of a scale, or sliders",
            value=values["question"][:LONGEST_SHOWN],
            names=list(closed),
        )
    scores = _list_scores(question, questionnaire, lang)
    for column in ("answer", "retest"):
        given = values.get(column, "")
        if given and given not in scores:
            return {}, Phrase(
                "{column} is {value!r}; the question {question} allows {answers}",
                column=column,
                value=given[:LONGEST_SHOWN],
                question=question.id,
                answers=list(scores),
            )
    numbers = [score for score in scores.values() if score != ""]
    return {
        "score": scores[values["answer"]],
        "retest_score": scores.get(values.get("retest", ""), ""),
        "low": min(numbers, default=""),
        "high": max(numbers, default=""),
    }, None


def _is_comparable(question: QuestionDefinition) -> bool:
    """Return True if a question has possible answers that are the same for all residents."""
    return question.kind in ("choice", "scale", "slider")


def _list_scores(
    question: QuestionDefinition, questionnaire: Questionnaire, lang: Lang
) -> dict[str, int | str]:
    """Return the score of each possible answer to a question, "" for those of a choice."""
    if question.slider:
        slider = question.slider
        return {str(each): each for each in range(slider.low, slider.high + 1, slider.step)}
    if question.scale:
        options = getattr(questionnaire.scales[question.scale], lang)
        scores = range(len(options), 0, -1) if question.reversed else range(1, len(options) + 1)
        return dict(zip(options, scores, strict=True))
    return dict.fromkeys(getattr(question.options, lang), "")
