"""The tidy tables of an experiment: one observation a row, CSV in UTF-8, the same bytes for the
same runs.

| table | a row for |
|---|---|
| runs | a run: where it forked, its last step and digest, whether a language model took part |
| provenance | a run: the versions, prompts, model, settings, machine and date |
| storylines | a storyline of a run's world: its id (`about` in answers) and its title (elsewhere) |
| measures | a figure of a run |
| learned | a resident who has come to know of a storyline: the first memory of it |
| channels | a resident's first memory of a storyline by a channel |
| answers | an answer |
| allocations | the amount of a thing in an answer that divides something |
| games | the outcome of a resident's role in a game |
| rankings | an answer's rank in its block, by the model or by people |
| people | an answer's place in its block, as one person ranked it |
| readings | an answer's place in one order of its block, as the judge ranked it |
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

from hometown.export.table_export import CSV_ENCODING, make_cell, read_cell
from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.history.channels import find_channels
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import knowers_of_each
from hometown.model.routing import public_name
from hometown.storage.run import RunFile
from hometown.study.closed_items import CHOICE_COLUMNS
from hometown.study.experiment.asking import AnswerKey, name_block, reading_key, sheets_of
from hometown.study.experiment.claims import claims
from hometown.study.experiment.instruments import (
    AskedWave,
    find_instrument_figures,
    list_allocations,
    list_game_rows,
)
from hometown.study.experiment.interview_ledgers import InterviewLedgers, Ledger, open_ledgers
from hometown.study.experiment.origins import PROVENANCE, RunOrigin, provenance_of, read_origin
from hometown.study.experiment.people_pages import RunRankings, group_rankings, rankings_of_people
from hometown.study.experiment.planned_interventions import find_planned_targets
from hometown.study.experiment.provenance import hash_definition
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.spec import ASKED, Experiment
from hometown.study.experiment.weights import ModelWeights, read_weights
from hometown.study.judging.readings import Reading, Sheet, ranks_of
from hometown.study.measuring import measure_run

COLUMNS: dict[str, tuple[str, ...]] = {
    "runs": (
        "condition",
        "seed",
        "parent",
        "at",
        "steps",
        "residents",
        "model",
        "digest",
        "start",
        "stride",
    ),
    "provenance": ("condition", "seed", *PROVENANCE),
    "storylines": ("condition", "seed", "story", "title"),
    "measures": ("condition", "seed", "measure", "about", "value", "kind"),
    "learned": ("condition", "seed", "story", "who", "step", "teller"),
    "channels": ("condition", "seed", "story", "who", "channel", "step", "teller", "memory"),
    "answers": (
        "condition",
        "seed",
        "questionnaire",
        "moment",
        "step",
        "access",
        "who",
        "question",
        "about",
        "text",
        "category",
        "answer",
        "knows",
        "outcome",
        "verdict",
        "cited",
        *CHOICE_COLUMNS,
        "judged",
        "block",
    ),
    "allocations": (
        "condition",
        "seed",
        *AskedWave._fields,
        "who",
        "question",
        "thing",
        "amount",
    ),
    "games": (
        "condition",
        "seed",
        *AskedWave._fields,
        "game",
        "endowment",
        "multiplier",
        "who",
        "role",
        "partner",
        "stake",
        "amount",
        "payoff",
    ),
    "rankings": ("condition", "seed", "judge", "who", "question", "access", "rank"),
    "people": ("condition", "seed", "rater", "who", "question", "access", "place", "length"),
    "readings": (
        "condition",
        "seed",
        "who",
        "question",
        "reading",
        "position",
        "access",
        "place",
        "length",
        "outcome",
    ),
}

TABLE_DECIMALS = 6
"""Number of decimals of values in tables."""

DIFFERENCE_DECIMALS = 9
"""Number of decimals of differences: means of up to eight values of tables are exact."""

LATER_TABLES = ("allocations", "channels", "games", "provenance", "reference", "storylines")
"""Tables that experiments of earlier versions, or without reference answers, lack."""

Row = tuple[Any, ...]


@frozen
class Measuring:
    """A run after its simulation and interviews, with all data for the tables."""

    experiment: Experiment
    plan: RunPlan
    run: RunFile
    reader: RunReader
    names: Names
    kept: InterviewLedgers
    people: Ledger
    weights: ModelWeights
    origin: RunOrigin


def write_experiment_tables(experiment: Experiment, plans: Sequence[RunPlan], folder: Path) -> None:
    """Write `tables/NAME.csv` below the folder of the experiment, from its runs and ledgers;
    trunks, which belong to no condition, are left out. Each row ends with the hash of the
    experiment's definition.
    """
    definition = hash_definition(experiment)
    rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    people = rankings_of_people(folder)
    for plan in sorted(
        (plan for plan in plans if plan.condition),
        key=lambda plan: (list(experiment.conditions).index(plan.condition), plan.seed),
    ):
        with RunFile.open(folder, plan.name) as run:
            whole = Measuring(
                experiment,
                plan,
                run,
                RunReader(run),
                Names.of(run),
                open_ledgers(folder, plan.name),
                people,
                read_weights(folder, plan.name),
                read_origin(folder, plan.name),
            )
            for name, make in MAKERS.items():
                rows[name] += ((plan.condition, plan.seed, *row) for row in make(whole))
    known = {row[COLUMNS["learned"].index("story")] for row in rows["learned"]}
    titles = {row[COLUMNS["storylines"].index("title")] for row in rows["storylines"]}
    absent = find_absent(experiment, titles, known)
    rows["measures"] = [_leave_out(row, absent) for row in rows["measures"]]
    for name, columns in COLUMNS.items():
        signed = [(*row, definition) for row in rows[name]]
        write_csv(folder / "tables" / f"{name}.csv", (*columns, "definition"), signed)


def find_absent(experiment: Experiment, titles: Iterable[str], known: Collection[str]) -> set[str]:
    """Return the titles of storylines that are not in an experiment's towns: of the world's own,
    those that no resident of any run has ever `known`, such as those of residents left out.
    """
    news = {each.title for each in experiment.town.news.values()}
    return {title for title in titles if title not in known and title not in news}


def _leave_out(row: Row, absent: Collection[str]) -> Row:
    """Return a row of `measures`, its value empty for behaviour about an absent storyline: a share
    of 0 would say that it might have spread. Claims of such knowledge remain.
    """
    condition, seed, name, about, value, kind = row
    is_missing = about in absent and name.partition(".")[0] not in ASKED
    return condition, seed, name, about, "" if is_missing else value, kind


def read_table(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table, with all values as text; none of a table that the version which
    wrote the others did not have.
    """
    if name in LATER_TABLES and not (folder / "tables" / f"{name}.csv").exists():
        return []
    with (folder / "tables" / f"{name}.csv").open(encoding=CSV_ENCODING, newline="") as file:
        return [
            {column: read_cell(cell) for column, cell in row.items()}
            for row in csv.DictReader(file)
        ]


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a table, in which texts are cells by `make_cell`."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(
        [make_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    with atomic_write(path) as file:
        file.write(text.getvalue().encode(CSV_ENCODING))


def _run(of: Measuring) -> Iterator[Row]:
    has = of.run.manifest
    yield (
        of.plan.parent,
        of.plan.at if of.plan.parent else "",
        of.plan.end,
        len(has.residents),
        public_name(has.llm),
        of.run.digest(of.plan.end),
        has.start.isoformat(),
        has.stride,
    )


def _describe_provenance(of: Measuring) -> Iterator[Row]:
    has = of.run.manifest
    yield provenance_of(has, public_name(has.llm), of.weights, of.origin)


def _list_storylines(of: Measuring) -> Iterator[Row]:
    yield from ((story.id, story.title) for story in of.names.storylines)


def _measures(of: Measuring) -> Iterator[Row]:
    world = of.names.world
    targets = find_planned_targets(of.experiment, world, of.plan.seed) if world else ()
    claimed = claims(of.kept.answers, {story.id: story.title for story in of.names.storylines})
    lived = (
        (each.name, each.about, each.value, each.kind)
        for each in measure_run(of.reader, of.names, of.plan.end, targets)
        if not each.timed
    )
    for name, about, value, kind in (
        *lived,
        *((name, about, value, "share") for name, about, value in claimed),
        *find_instrument_figures(of.experiment, of.kept.answers),
    ):
        if of.experiment.keeps(name):
            yield name, about, round(value, TABLE_DECIMALS), kind


def _list_learned(of: Measuring) -> Iterator[Row]:
    stories = of.names.storylines
    for story, learned in zip(
        stories, knowers_of_each(of.reader, stories, of.plan.end), strict=True
    ):
        for learning in learned:
            yield story.title, learning.memory.who, learning.memory.step, learning.teller


def _list_channels(of: Measuring) -> Iterator[Row]:
    stories = of.names.storylines
    found = find_channels(of.reader, stories, of.plan.end)
    for story, learned in zip(stories, found, strict=True):
        for each in learned:
            memory = each.memory
            yield (
                story.title,
                memory.who,
                each.channel,
                memory.step,
                each.teller,
                memory.concept.id,
            )


def _answers(of: Measuring) -> Iterator[Row]:
    for key, entry in of.kept.answers.entries.items():
        judged = of.kept.verdicts.entries.get(key, {"verdict": ""})["verdict"]
        asked = AnswerKey(*key)
        yield (
            *key,
            *(entry.get(name, "") for name in COLUMNS["answers"][2 + len(AnswerKey._fields) : -2]),
            judged,
            name_block(asked.questionnaire, asked.question, asked.about),
        )


def _read(of: Measuring, at: int, sheet: Sheet) -> list[Reading]:
    found = of.kept.readings.entries.get(reading_key(at, sheet), {"readings": []})["readings"]
    return [
        Reading(**entry | {name: tuple(entry[name]) for name in ("shown", "places", "lengths")})
        for entry in found
    ]


def _rankings(of: Measuring) -> Iterator[Row]:
    """Yield rankings by the model where there is one, and by people, averaged over those who have
    ranked a block.
    """
    ranked = group_rankings(of.people, of.plan.name)
    for _, at, sheet in sheets_of(of.experiment, of.plan, of.kept.answers):
        by_people = [reading for _, reading in _of_people(ranked, sheet)]
        judges = {
            "model": _read(of, at, sheet) if of.experiment.judge else None,
            "people": by_people or None,
        }
        for judge, readings in judges.items():
            if readings is not None:
                for access, rank in ranks_of(sheet, readings).items():
                    yield judge, sheet.who, sheet.question, access, rank


def _of_people(ranked: RunRankings, sheet: Sheet) -> Iterator[tuple[str, Reading]]:
    """Yield (rater, ranking) of the returned rankings of a sheet; those made before an answer was
    added are left out.
    """
    for rater, places in ranked.get((sheet.who, sheet.question), []):
        if places.keys() == set(sheet.names.values()):
            lengths = tuple(len(sheet.answers[name]) for name in places)
            shown = tuple(places), tuple(places.values()), lengths
            yield rater, Reading(sheet.seed, sheet.who, sheet.question, *shown)


def _people(of: Measuring) -> Iterator[Row]:
    ranked = group_rankings(of.people, of.plan.name)
    for _, _, sheet in sheets_of(of.experiment, of.plan, of.kept.answers):
        for rater, reading in _of_people(ranked, sheet):
            for name, place, length in zip(
                reading.shown, reading.places, reading.lengths, strict=True
            ):
                yield rater, sheet.who, sheet.question, name, place, length


def _readings(of: Measuring) -> Iterator[Row]:
    for _, at, sheet in sheets_of(of.experiment, of.plan, of.kept.answers):
        for number, reading in enumerate(_read(of, at, sheet)):
            for position, (name, place, length) in enumerate(
                zip(reading.shown, reading.places, reading.lengths, strict=True), 1
            ):
                yield (
                    sheet.who,
                    sheet.question,
                    number,
                    position,
                    name,
                    place,
                    length,
                    reading.outcome,
                )


MAKERS: dict[str, Callable[[Measuring], Iterable[Row]]] = {
    "runs": _run,
    "provenance": _describe_provenance,
    "storylines": _list_storylines,
    "measures": _measures,
    "learned": _list_learned,
    "channels": _list_channels,
    "answers": _answers,
    "allocations": lambda of: list_allocations(of.kept.answers),
    "games": lambda of: list_game_rows(of.experiment, of.kept.answers),
    "rankings": _rankings,
    "people": _people,
    "readings": _readings,
}


def group_people_readings(rows: Iterable[dict[str, str]]) -> dict[str, list[Reading]]:
    """Return the readings of the table `people`, by rater; `who` of each is CONDITION/RESIDENT."""
    found: dict[str, list[Reading]] = {}
    for (condition, seed, rater, who, question), group in groupby(
        rows, key=lambda row: tuple(row[name] for name in COLUMNS["people"][:5])
    ):
        cells = list(group)
        places, lengths = (tuple(int(row[name]) for row in cells) for name in ("place", "length"))
        shown = tuple(row["access"] for row in cells)
        found.setdefault(rater, []).append(
            Reading(int(seed), f"{condition}/{who}", question, shown, places, lengths)
        )
    return found


def list_readings(rows: Iterable[dict[str, str]]) -> list[Reading]:
    """Return the readings of the table `readings`, in the judge's original order; `who` of each is
    CONDITION/RESIDENT.
    """
    found = []
    for (condition, seed, who, question, _), group in groupby(
        rows, key=lambda row: tuple(row[name] for name in COLUMNS["readings"][:5])
    ):
        cells = list(group)
        places, lengths = (tuple(int(row[name]) for row in cells) for name in ("place", "length"))
        found.append(
            Reading(
                int(seed),
                f"{condition}/{who}",
                question,
                tuple(row["access"] for row in cells),
                places,
                lengths,
                cells[0]["outcome"],
            )
        )
    return found
