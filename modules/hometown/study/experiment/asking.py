"""Interviews with the residents of a completed run, and the ranking of their answers; answers from
before a kill are kept.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from hometown.rng import stream
from hometown.session import same_model
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.closed_items import choice_columns
from hometown.study.experiment.interview_ledgers import Ledger, count_entries, open_ledgers
from hometown.study.experiment.run_plans import RunPlan, find_step
from hometown.study.experiment.spec import Experiment, Interviews
from hometown.study.grounding import judge
from hometown.study.interview import Interviewer, world_of_interview
from hometown.study.judging.judge import read_sheet, verify_answer
from hometown.study.judging.readings import Sheet, build_sheet
from hometown.study.questionnaire import Asking, InterviewQuestion, questions_for
from hometown.world.furnish import furnish_world

LEAST_RANKED = 3
"""Minimum number of kinds of access for a ranking of answers."""


class AnswerKey(NamedTuple):
    """The circumstances of an answer; `moment` is its wave."""

    questionnaire: str
    moment: str
    step: int
    access: str
    who: str
    question: str
    about: str


def ask_run(experiment: Experiment, plan: RunPlan, folder: Path, here: Settings) -> bool:
    """Ask and judge everything that is missing for a completed run, and store it in the ledgers.
    Return True if anything was missing. `here` are the user's settings.

    Raises:
        ModelUnavailable: The model does not answer.
    """
    return asyncio.run(_ask(experiment, plan, folder, here))


def count_answers(experiment: Experiment, plan: RunPlan, folder: Path) -> tuple[int, int]:
    """Return the number of a completed run's answers so far, and that of all its questions."""
    with RunFile.open(folder, plan.name) as run:
        questions = _questions(experiment, plan, run, world_of_interview(run))
        total = sum(1 for _ in questions)
    return count_entries(folder / "answers" / f"{plan.name}.jsonl"), total


async def _ask(experiment: Experiment, plan: RunPlan, folder: Path, here: Settings) -> bool:
    has = open_ledgers(folder, plan.name)
    with RunFile.open(folder, plan.name) as run:
        world = world_of_interview(run)
        asks = [
            each
            for each in _questions(experiment, plan, run, world)
            if each[0] not in has.answers.entries
        ]
        if asks:
            interviewer = Interviewer.on(run, world, await same_model(run.manifest, here), here)
            # All questions to one resident in a row: their prompts begin alike, and servers reuse that.
            for asked, question in sorted(asks, key=lambda each: (each[0].step, each[0].who)):
                has.answers.put(asked, await _answer(interviewer, asked, question))
        sheets = list(sheets_of(experiment, plan, has.answers)) if experiment.judge else []
        unread = [
            (number, at, each)
            for number, at, each in sheets
            if reading_key(at, each) not in has.readings.entries
        ]
        unchecked = [
            (number, asked)
            for number, asked in list_answers_to_check(experiment, has.answers)
            if asked not in has.verdicts.entries
        ]
        if unread or unchecked:
            interviewer = Interviewer.on(
                run, world, await same_model(run.manifest, here, experiment.judge), here
            )
            for number, at, each in unread:
                found = await read_sheet(interviewer, each, at, number)
                has.readings.put(
                    reading_key(at, each), {"readings": [asdict(reading) for reading in found]}
                )
            for number, asked in unchecked:
                given = has.answers.entries[asked]
                verdict, reason = await verify_answer(
                    interviewer, asked.who, given["text"], given["answer"], asked.step, number
                )
                has.verdicts.put(asked, {"verdict": verdict, "reason": reason})
    return bool(asks or unread or unchecked)


async def _answer(
    interviewer: Interviewer, asked: AnswerKey, question: InterviewQuestion
) -> dict[str, Any]:
    answer = await interviewer.ask(
        asked.who,
        question.text,
        asked.step,
        condition=asked.access,  # type: ignore[arg-type]
        choices=question.choices,
    )
    verdict = judge(interviewer, question, answer)
    return {
        "text": question.text,
        "category": question.category,
        "answer": answer.text,
        "knows": answer.knows,
        "outcome": answer.outcome,
        "verdict": verdict.verdict,
        "cited": len(answer.cited),
        **choice_columns(question, answer),
    }


def reading_key(at: int, sheet: Sheet) -> tuple[int, str, str, str]:
    """Return the key of readings of a sheet: step, resident, question and a hash of its answers, so
    that a sheet to which later answers were added counts as another one.
    """
    shown = blake2b(repr(sorted(sheet.answers.items())).encode(), digest_size=8).hexdigest()
    return at, sheet.who, sheet.question, shown


def _questions(
    experiment: Experiment, plan: RunPlan, run: RunFile, world: Any
) -> Iterator[tuple[AnswerKey, InterviewQuestion]]:
    """Yield (key, question) for all questions of a run, answered or not, sorted by step, so that
    each step is restored once.
    """
    for moment, step in list_waves(experiment, run.manifest.start, plan.end):
        state = run.restore(step)
        world, now = furnish_world(world, state.rows), state.clock.now
        for part in experiment.interviews:
            cast = _choose_people(part, list(world.personas), plan.seed)
            for who in cast if moment in part.at else ():
                asking = Asking(world, who, now, plan.seed, cast)
                chosen = questions_for(part.questionnaire, asking)[: part.questions]
                for access in part.access:
                    for question in chosen:
                        yield (
                            AnswerKey(
                                part.questionnaire.name,
                                moment,
                                step,
                                access,
                                who,
                                question.id,
                                question.about,
                            ),
                            question,
                        )


def list_waves(experiment: Experiment, start: datetime, end: int) -> list[tuple[str, int]]:
    """Return (wave, step after which it is held) of each wave of interviews, in order of time."""
    edges = {"start": 0, "end": end}
    waves = dict.fromkeys(wave for part in experiment.interviews for wave in part.at)
    steps = [
        (wave, edges[wave] if wave in edges else find_step(experiment, wave, start) - 1)
        for wave in waves
    ]
    return sorted(steps, key=lambda each: each[1])


def _choose_people(part: Interviews, everybody: list[str], seed: int) -> list[str]:
    """Return the residents to interview: all, or a number of them, drawn by the seed."""
    drawn = (
        everybody
        if part.residents is None
        else stream(seed, "asked", part.questionnaire.name).sample(
            everybody, min(part.residents, len(everybody))
        )
    )
    return [who for who in everybody if who in drawn]


def list_answers_to_check(
    experiment: Experiment, answers: Ledger
) -> Iterator[tuple[int, AnswerKey]]:
    """Yield (number, key) of the answers for a judge's verdict: those at the end with full access
    to a ranked questionnaire, without fallbacks; none without a judge. Numbers count each
    resident's from 0.
    """
    if experiment.judge:
        numbers = Counter[str]()
        for asked, _ in _list_ranked_answers(experiment, answers):
            if asked.access == "full":
                yield numbers[asked.who], asked
                numbers[asked.who] += 1


def _list_ranked_answers(
    experiment: Experiment, answers: Ledger
) -> Iterator[tuple[AnswerKey, dict[str, Any]]]:
    """Yield the answers to ranked questionnaires at the end, without fallbacks and closed
    questions, and their keys.
    """
    ranked = ranked_questionnaires(experiment)
    for key, entry in answers.entries.items():
        asked = AnswerKey(*key)
        if (
            asked.questionnaire in ranked
            and asked.moment == "end"
            and entry["outcome"] != "fallback"
            and not entry.get("options")
        ):
            yield asked, entry


def ranked_questionnaires(experiment: Experiment) -> dict[str, set[str]]:
    """Return the kinds of access of each questionnaire with at least `LEAST_RANKED` of them; these
    are ranked.
    """
    return {
        part.questionnaire.name: set(part.access)
        for part in experiment.interviews
        if len(part.access) >= LEAST_RANKED
    }


def sheets_of(
    experiment: Experiment, plan: RunPlan, answers: Ledger
) -> Iterator[tuple[int, int, Sheet]]:
    """Yield (number, step, sheet) for each question of a ranked questionnaire that has answers of
    at least two kinds of access at the end, without fallbacks. Numbers count the sheets of a
    resident at this step from 0. `answers` is the run's ledger.
    """
    blocks: dict[tuple[str, int, str, str, str], dict[str, str]] = {}
    texts: dict[tuple[str, int, str, str, str], str] = {}
    full: dict[tuple[str, int, str], dict[str, list[str]]] = {}
    for asked, entry in _list_ranked_answers(experiment, answers):
        asking = (asked.questionnaire, asked.step, asked.question)
        block = (*asking, asked.about, asked.who)
        blocks.setdefault(block, {})[asked.access] = entry["answer"]
        texts[block] = entry["text"]
        if asked.access == "full":
            full.setdefault(asking, {}).setdefault(asked.who, []).append(entry["answer"])
    numbers = Counter[tuple[int, str]]()
    for block, given in sorted(blocks.items()):
        questionnaire, step, question, about, who = block
        if len(given) < 2:
            continue
        by_resident = full.get((questionnaire, step, question), {})
        others = [answer for other, own in by_resident.items() if other != who for answer in own]
        name = name_block(questionnaire, question, about)
        sheet = build_sheet(plan.seed, who, name, texts[block], given, others)
        yield numbers[step, who], step, sheet
        numbers[step, who] += 1


def name_block(questionnaire: str, question: str, about: str) -> str:
    """Return the name of a question, as tables of rankings have it."""
    return f"{questionnaire}/{question}/{about}".rstrip("/")
