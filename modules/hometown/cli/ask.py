"""`hometown ask`: questions to a resident, or a questionnaire to many, after any step of a run."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import orjson

from hometown.cli.options import Options
from hometown.cli.servers import contacts_of, print_servers
from hometown.cli.signals import run_stoppable
from hometown.cli.text import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput
from hometown.model.routing import public_name
from hometown.progress_bar import progress
from hometown.session import choose_cast, same_model
from hometown.storage.run import Run
from hometown.study.interview import Answer, Interviewer, parse_questions, world_of_interview
from hometown.study.questionnaire import CATEGORIES, questions_for, title
from hometown.study.reporting import answer_json, judged_json, totals_json
from hometown.study.tally import Judged, fallbacks, interview, invented, verdicts
from hometown.text import catalogue
from hometown.world.when import step_before

DOUBTED = ("invented", "contradicted", "embellished", "missed")
"""Verdicts whose answers are printed one by one."""


def ask(options: Options, layers: Sequence[Layer], text: Text) -> int:
    """Print the answers, and that the run was only read. Raises BadInput where a question and a
    questionnaire are mixed up.
    """
    if options.ask and options.questionnaire:
        raise BadInput(
            "a questionnaire has questions of its own: leave out {question!r}, or --questionnaire",
            question=options.ask[0],
        )
    if options.ask and options.residents:
        raise BadInput(
            "--residents says who answers a questionnaire, and a question names the one who is to answer: leave out --residents"
        )
    logging.getLogger("hometown").addHandler(
        logging.NullHandler()
    )  # what a model is waited for is told once, without its log
    with Run.open(options.results, options.name or "") as run:
        at = step_before(options.at, run.manifest.start, run.manifest.stride, run.last.step)
        return run_stoppable(_ask(run, at, options, layers, text))


async def _ask(run: Run, at: int, options: Options, layers: Sequence[Layer], text: Text) -> int:
    settings, world = combine(layers), world_of_interview(run, options.worlds)
    print_servers(contacts_of(run.manifest, settings, options.llm or ""), text, aside=options.json)
    interviewer = Interviewer.on(
        run, world, await same_model(run.manifest, settings, options.llm or ""), settings
    )
    if options.questionnaire:
        judged = await _questionnaire(interviewer, at, options, text)
        _print_judged(interviewer, judged, at, options, text)
    else:
        answers = await _conversation(interviewer, at, options)
        _print_answers(interviewer, answers, options, text)
    return 0


async def _conversation(interviewer: Interviewer, at: int, options: Options) -> list[Answer]:
    """The answers to the questions, each of which knows those before it."""
    who, questions = parse_questions(options.ask, interviewer.world(at))
    answers: list[Answer] = []
    for question in questions:
        lines = tuple((answer.question, answer.text) for answer in answers)
        answers.append(await interviewer.ask(who, question, at, lines, options.condition))
    return answers


async def _questionnaire(
    interviewer: Interviewer, at: int, options: Options, text: Text
) -> list[Judged]:
    world, now, seed = (
        interviewer.world(at),
        interviewer.state(at).clock.now,
        interviewer.run.manifest.seed,
    )
    everybody = choose_cast(world, options.residents or ())
    questions = {
        who: questions_for(options.questionnaire, world, who, now, seed) for who in everybody
    }
    judged: list[Judged] = []
    for who in progress(everybody, text("ask_progress"), text("ask_unit"), len(everybody)):
        judged += await interview(interviewer, questions[who], who, at, options.condition)
    return judged


# printing ----------------------------------------------------------------------------------


def _print_answers(
    interviewer: Interviewer, answers: Sequence[Answer], options: Options, text: Text
) -> None:
    if options.json:
        told = [answer_json(answer, interviewer.founded.name_of(answer.who)) for answer in answers]
        print(_json({"run": options.name, "condition": options.condition, "answers": told}))
        return
    first, types = answers[0], catalogue(text.lang, "replay")
    if options.condition != "full":
        print(text("ask_condition", condition=options.condition))
    print(
        text(
            "ask_moment",
            name=interviewer.founded.name_of(first.who),
            now=f"{first.now:%Y-%m-%d %H:%M}",
            step=first.step,
        )
    )
    for answer in answers:
        print(f"\n{text('ask_question', question=answer.question)}")
        print(
            text("ask_fallback")
            if answer.outcome == "fallback"
            else text(f"ask_answer_{answer.knows}", answer=answer.text)
        )
        print(text("ask_cites" if answer.cited else "ask_cites_none"))
        for memory in answer.cited:
            known = {"id": memory.id, "type": types[f"type_{memory.type}"], "text": memory.text}
            print(
                text("ask_passage", **known, file=source.file, number=source.number)
                if (source := memory.source)
                else text("ask_memory", **known, when=f"{memory.created:%m-%d %H:%M}")
            )
    _print_source(interviewer, first.step, text)


def _print_judged(
    interviewer: Interviewer, judged: Sequence[Judged], at: int, options: Options, text: Text
) -> None:
    name_of = interviewer.founded.name_of
    if options.json:
        answers = [judged_json(each, name_of(each.answer.who)) for each in judged]
        asked = {
            "run": options.name,
            "step": at,
            "questionnaire": options.questionnaire,
            "condition": options.condition,
        }
        print(_json(asked | totals_json(judged) | {"answers": answers}))
        return
    people = len({each.answer.who for each in judged})
    if options.condition != "full":
        print(text("ask_condition", condition=options.condition))
    print(
        text(
            "ask_title",
            title=title(options.questionnaire, text.lang),
            answers=len(judged),
            people=people,
            step=at,
        )
    )
    for category in CATEGORIES:
        counts = verdicts(each for each in judged if each.question.category == category)
        if counts:
            words = text("and").join(
                text(f"verdict_{verdict}", count=count) for verdict, count in counts.most_common()
            )
            print(text("ask_category", category=text(f"category_{category}"), verdicts=words))
    for key, share in (("ask_invented", invented(judged)), ("ask_unanswered", fallbacks(judged))):
        low, high = share.interval
        print(text(key, count=share.count, total=share.total, low=f"{low:.1%}", high=f"{high:.1%}"))
    for each in judged:
        if each.judgement.verdict in DOUBTED:
            verdict = text(f"verdict_{each.judgement.verdict}", count="").strip()
            print(
                text(
                    "ask_doubted",
                    verdict=verdict,
                    name=name_of(each.answer.who),
                    question=each.question.text,
                    answer=each.answer.text,
                )
            )
    _print_source(interviewer, at, text)


def _print_source(interviewer: Interviewer, at: int, text: Text) -> None:
    """Which model answered, and that the run is as it was."""
    model = (
        text("ask_scripted")
        if interviewer.model.name == "scripted"
        else public_name(interviewer.model.name)
    )
    print(f"\n{text('ask_source', model=model, step=at, digest=interviewer.run.digest(at))}")


def _json(content: object) -> str:
    return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()
