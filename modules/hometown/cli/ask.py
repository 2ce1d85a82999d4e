"""The work of `hometown ask`: questions to a resident, or a questionnaire for several."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import orjson

from hometown.cli.closed_answer_output import print_closed, print_means, print_outcomes
from hometown.cli.contacts import contacts_of, print_servers
from hometown.cli.options import Folders, QuestionOptions
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.memory.type_names import type_name
from hometown.model.routing import public_name
from hometown.progress_bar import progress
from hometown.session import same_model
from hometown.storage.run import RunFile
from hometown.study.closed_items import list_closed, list_moves
from hometown.study.economic_games import GameOutcome, find_outcomes
from hometown.study.interview import (
    InterviewAnswer,
    Interviewer,
    parse_questions,
    world_of_interview,
)
from hometown.study.questionnaire import find_questionnaire
from hometown.study.questionnaire_definition import CATEGORIES, Questionnaire
from hometown.study.reporting import answer_json, judged_json, outcome_json, totals_json
from hometown.study.run_interviews import give_questionnaire
from hometown.study.tally import Judged, count_invented, fallbacks, verdicts
from hometown.text import N_, ngettext, pgettext
from hometown.world.intervention_time import step_before

DOUBTED = ("invented", "contradicted", "embellished", "missed")
"""Verdicts with answers that are printed one by one."""

ANSWERS = {
    "yes": N_("Answer:   {answer}"),
    "no": N_("Answer:   {answer} (says it doesn't know)"),
    "unsure": N_("Answer:   {answer} (says it is not sure)"),
}
"""An answer, by whether the resident claims to know it."""

CATEGORY_NAMES = {
    "self": N_("self-knowledge"),
    "memory": N_("memory"),
    "plans": N_("plans"),
    "reactions": N_("reactions"),
    "reflections": N_("reflections"),
    "attitudes": N_("attitudes"),
}

VERDICTS = {
    "supported": N_("{count} supported"),
    "embellished": N_("{count} embellished"),
    "invented": N_("{count} invented"),
    "contradicted": N_("{count} contradicted"),
    "missed": N_("{count} missed"),
    "declined": N_("{count} rightly declined"),
    "unchecked": N_("{count} unchecked"),
    "unanswered": N_("{count} unanswered"),
}


def ask_residents(
    name: str,
    asked: QuestionOptions,
    llm: str,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    *,
    as_json: bool,
) -> int:
    """Print the answers of residents of a run, which is only read, and return the exit code.

    Args:
        name: The run.
        asked: The questions, and when they are asked.
        llm: The model that answers; "" for the run's own.
        folders: The folders of runs and worlds.
        layers: The user's settings.
        text: The user's language.
        as_json: Whether the answers are printed as JSON.
    """
    # The user is told once that a model is waited for, without its log.
    logging.getLogger("hometown").addHandler(logging.NullHandler())
    with RunFile.open(folders.results, name) as run:
        step = step_before(asked.at, run.manifest.start, run.manifest.stride, run.last.step)
        return run_stoppable(_ask(run, step, asked, llm, folders, layers, text, as_json))


async def _ask(
    run: RunFile,
    step: int,
    asked: QuestionOptions,
    llm: str,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    as_json: bool,
) -> int:
    settings, world = combine(layers), world_of_interview(run, folders.worlds)
    print_servers(contacts_of(run.manifest, settings, llm), text, aside=as_json)
    model = await same_model(run.manifest, settings, llm)
    interviewer = Interviewer.on(run, world, model, settings)
    if asked.questionnaire:
        questionnaire = find_questionnaire(asked.questionnaire)
        judged = await _questionnaire(interviewer, step, asked, questionnaire, text)
        if as_json:
            print(_json(_judged_content(interviewer, judged, step, asked, questionnaire)))
        else:
            _print_verdicts(interviewer, judged, step, asked, questionnaire, text)
    else:
        answers = await _conversation(interviewer, step, asked)
        if as_json:
            print(_json(_answers_content(interviewer, answers, asked)))
        else:
            _print_answers(interviewer, answers, asked, text)
    return 0


async def _conversation(
    interviewer: Interviewer, step: int, asked: QuestionOptions
) -> list[InterviewAnswer]:
    """Return the answers to the questions, each of which knows those before it."""
    who, questions = parse_questions(asked.questions, interviewer.world(step))
    answers: list[InterviewAnswer] = []
    for question in questions:
        lines = tuple((answer.question, answer.text) for answer in answers)
        answers.append(await interviewer.ask(who, question, step, lines, asked.condition))
    return answers


async def _questionnaire(
    interviewer: Interviewer,
    step: int,
    asked: QuestionOptions,
    questionnaire: Questionnaire,
    text: Text,
) -> list[Judged]:
    """Ask residents the questions of the questionnaire, with a progress bar, and return their
    judged answers.
    """
    return await give_questionnaire(
        interviewer,
        questionnaire,
        asked.residents or (),
        step,
        asked.condition,
        lambda cast: progress(cast, text("asking"), text(pgettext("unit", "resident")), len(cast)),
    )


# printing ----------------------------------------------------------------------------------


def _answers_content(
    interviewer: Interviewer, answers: Sequence[InterviewAnswer], asked: QuestionOptions
) -> dict[str, object]:
    name_of = interviewer.founded.name_of
    return {
        "run": interviewer.run.manifest.name,
        "condition": asked.condition,
        "answers": [answer_json(answer, name_of(answer.who)) for answer in answers],
    }


def _judged_content(
    interviewer: Interviewer,
    judged: Sequence[Judged],
    step: int,
    asked: QuestionOptions,
    questionnaire: Questionnaire,
) -> dict[str, object]:
    name_of = interviewer.founded.name_of
    outcomes = [outcome_json(each, name_of) for each in _list_outcomes(questionnaire, judged)]
    return {
        "run": interviewer.run.manifest.name,
        "step": step,
        "questionnaire": questionnaire.name,
        "condition": asked.condition,
        **totals_json(judged),
        **({"game": outcomes} if questionnaire.game else {}),
        "answers": [judged_json(each, name_of(each.answer.who)) for each in judged],
    }


def _print_answers(
    interviewer: Interviewer, answers: Sequence[InterviewAnswer], asked: QuestionOptions, text: Text
) -> None:
    first = answers[0]
    _print_ablation(asked.condition, text)
    print(
        text(
            "{name}, {now}, after step {step}",
            name=interviewer.founded.name_of(first.who),
            now=f"{first.now:%Y-%m-%d %H:%M}",
            step=first.step,
        )
    )
    for answer in answers:
        print("\n" + text("Question: {question}", question=answer.question))
        print(
            text("Answer:   none; the model gave nothing usable")
            if answer.outcome == "fallback"
            else text(ANSWERS[answer.knows], answer=answer.text)
        )
        _print_evidence(answer, text)
    _print_source(interviewer, first.step, text)


def _print_ablation(condition: str, text: Text) -> None:
    """Print that answers use only part of the memories, if they do."""
    if condition != "full":
        print(
            text(
                "Memory ablation {condition}: the answers use only part of the residents' "
                "memories.",
                condition=condition,
            )
        )


def _print_evidence(answer: InterviewAnswer, text: Text) -> None:
    """Print the memories on which an answer rests."""
    print(text("Rests on these memories:" if answer.cited else "Rests on no memory."))
    for memory in answer.cited:
        known = {
            "id": memory.id,
            "type": type_name(memory.type, text.lang),
            "text": memory.text,
        }
        print(
            text(
                "  {id:>4} {type} known before ({file}, passage {number})  {text}",
                **known,
                file=source.file,
                number=source.number,
            )
            if (source := memory.source)
            else text(
                "  {id:>4} {type} {when}  {text}", **known, when=f"{memory.created:%m-%d %H:%M}"
            )
        )


def _print_verdicts(
    interviewer: Interviewer,
    judged: Sequence[Judged],
    step: int,
    asked: QuestionOptions,
    questionnaire: Questionnaire,
    text: Text,
) -> None:
    people = len({each.answer.who for each in judged})
    _print_ablation(asked.condition, text)
    print(getattr(questionnaire.title, text.lang))
    print(
        text(
            "{answers} of {people} after step {step}",
            answers=ngettext("{count} answer", "{count} answers", len(judged)),
            people=ngettext("{count} resident", "{count} residents", people),
            step=step,
        )
    )
    _print_categories(judged, text)
    _print_shares(judged, text)
    _print_doubted(judged, interviewer.founded.name_of, text)
    print_closed(judged, interviewer.founded.name_of, text)
    outcomes = _list_outcomes(questionnaire, judged)
    print_outcomes(outcomes, interviewer.founded.name_of, text)
    print_means(outcomes, text)
    _print_source(interviewer, step, text)


def _list_outcomes(questionnaire: Questionnaire, judged: Sequence[Judged]) -> list[GameOutcome]:
    """Return the outcomes of the questionnaire's game, if it has one."""
    game = questionnaire.game
    return [*find_outcomes(game, list_moves(list_closed(judged)))] if game else []


def _print_shares(judged: Sequence[Judged], text: Text) -> None:
    """Print the shares of invented and of missing answers."""
    invented, unanswered = count_invented(judged), fallbacks(judged)
    print(
        text(
            ngettext(
                "invented: {share} of {count} answer that claims to know",
                "invented: {share} of {count} answers that claim to know",
                invented.total,
                share=invented.count,
            )
        )
    )
    print(
        text(
            "without a usable answer: {count} of {total}",
            count=unanswered.count,
            total=unanswered.total,
        )
    )


def _print_doubted(judged: Sequence[Judged], name_of: Callable[[str], str], text: Text) -> None:
    """Print each answer with a doubtful verdict."""
    for each in judged:
        if each.judgement.verdict in DOUBTED:
            verdict = text(VERDICTS[each.judgement.verdict], count="").strip()
            print(
                text(
                    "{verdict}: {name} | {question} | {answer}",
                    verdict=verdict,
                    name=name_of(each.answer.who),
                    question=each.question.text,
                    answer=each.answer.text,
                )
            )


def _print_categories(judged: Sequence[Judged], text: Text) -> None:
    """Print the verdicts on each category of questions."""
    for category in CATEGORIES:
        counts = verdicts(each for each in judged if each.question.category == category)
        if counts:
            words = text(", ").join(
                text(VERDICTS[verdict], count=count) for verdict, count in counts.most_common()
            )
            print(
                text(
                    "{category}: {verdicts}",
                    category=text(CATEGORY_NAMES[category]),
                    verdicts=words,
                )
            )


def _print_source(interviewer: Interviewer, step: int, text: Text) -> None:
    """Print the model that answered, and the digest that shows that the run is unchanged."""
    model = (
        text("the scripted model (no language model)")
        if interviewer.model.name == "scripted"
        else public_name(interviewer.model.name)
    )
    print(
        "\n"
        + text(
            "Answered by {model}. The run was only read: step {step} has the digest {digest}.",
            model=model,
            step=step,
            digest=interviewer.run.digest(step),
        )
    )


def _json(content: object) -> str:
    return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()
