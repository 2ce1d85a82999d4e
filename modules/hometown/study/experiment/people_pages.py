"""People in place of a judge, or in place of residents: pages for them, and their results.

A page is one file. Its ids are hashes with a secret that stays in the experiment's folder, so that
it contains no name of a condition, a seed or a run.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import orjson

from hometown.errors import BadInput, reason_of
from hometown.files import atomic_write
from hometown.language import Lang
from hometown.paths import FRONTEND
from hometown.storage.run import RunFile
from hometown.study.experiment.asking import AnswerKey, sheets_of
from hometown.study.experiment.interview_ledgers import Ledger, open_ledgers
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.spec import Experiment
from hometown.study.interview import world_of_interview
from hometown.study.judging.readings import Sheet
from hometown.text import N_, translate_all

PageKind = Literal["rank", "write"]

RunRankings = dict[tuple[str, str], list[tuple[str, dict[str, int]]]]
"""Rankings as (rater, places by the name of an answer), by resident and question."""

FORMAT = "hometown-people-1"

MAX_MEMORIES = 80
"""Maximum number of a resident's memories on a page: the most poignant."""

PEOPLE = "people"
"""The folder of the returned files, and of the secret."""

PEOPLE_TEXTS = {
    "title_rank": N_("Which answer is most believable?"),
    "title_write": N_("What would this person answer?"),
    "memories": N_("What this person remembers"),
    "done": N_("{count} done"),
    "rank": N_("No. {rank}"),
    "answer": N_("Your answer"),
    "back": N_("← back"),
    "next": N_("next (Enter)"),
    "save": N_("save my file"),
    "rank_help": N_(
        "Rank the answers by how believable it is that this person gave them at that "
        "moment, with this life and these memories. Press the number of the best "
        "answer, then of the next best, and so on; Backspace takes the last one back, "
        "Enter goes on, the arrows leaf through. You can close the page at any time "
        "and go on later in the same browser. At the end, save your file and send it "
        "back."
    ),
    "write_help": N_(
        "Answer the question as this person would, in the first person, with nothing "
        "but what stands here. Ctrl+Enter goes on. You can close the page at any time "
        "and go on later in the same browser. At the end, save your file and send it "
        "back."
    ),
}


class Case(NamedTuple):
    """A block for people to rank: the run, the step and the sheet."""

    plan: RunPlan
    step: int
    sheet: Sheet


def cases(experiment: Experiment, plans: Sequence[RunPlan], folder: Path) -> Iterator[Case]:
    """Yield all blocks with at least two different answers to rank."""
    for plan in plans:
        for _, step, sheet in sheets_of(experiment, plan, open_ledgers(folder, plan.name).answers):
            if len(set(sheet.names.values())) > 1:
                yield Case(plan, step, sheet)


def write_pages(experiment: Experiment, plans: Sequence[RunPlan], folder: Path, lang: Lang) -> None:
    """Write `rank.html`, on which people rank answers, and `write.html`, on which they write some,
    below `folder`; nothing if there are no answers to rank.
    """
    found = list(cases(experiment, plans, folder))
    if not found:
        return
    ids, residents = Ids(folder), _residents(found, folder)
    for kind in get_args(PageKind):
        blocks = [_block(case, ids, kind) for case in found]
        words = translate_all(PEOPLE_TEXTS, lang)
        data = {
            "study": ids.of("study"),
            "kind": kind,
            "words": words,
            "residents": residents,
            "blocks": blocks,
        }
        with atomic_write(folder / f"{kind}.html") as file:
            file.write(_build_form(data, words[f"title_{kind}"], lang).encode())


def collect(file: Path, experiment: Experiment, plans: Sequence[RunPlan], folder: Path) -> int:
    """Store the rankings or answers of a file that a participant has sent back, except those that
    are known already, and return the number of blocks in it.

    Raises:
        BadInput: The file isn't of this experiment.
    """
    content, ids = _read(file), Ids(folder)
    if content["study"] != ids.of("study"):
        raise BadInput(
            "{file}: belongs to another experiment; this one is {name}",
            file=file,
            name=experiment.name,
        )
    known = {ids.block(case): case for case in cases(experiment, plans, folder)}
    strange = [block for block in content["done"] if block not in known]
    if strange:
        raise BadInput(
            "{file}: has an answer to {block!r}, which was not asked",
            file=file,
            block=strange[0][:40],
        )
    given = [(known[block], done) for block, done in content["done"].items()]
    if content["kind"] == "rank":
        _take_rankings(given, content["rater"], ids, folder, file)
    else:
        _take_answers(given, folder, file)
    return len(given)


class Ids:
    """Opaque ids, always the same in one experiment: hashes with its secret, which is written on
    first use.
    """

    def __init__(self, folder: Path) -> None:
        file = folder / PEOPLE / "secret"
        if not file.exists():
            with atomic_write(file) as written:
                written.write(secrets.token_hex(16).encode())
        self._secret = file.read_bytes()

    def of(self, *parts: object) -> str:
        return blake2b(
            "\x1f".join(map(str, parts)).encode(), key=self._secret, digest_size=8
        ).hexdigest()

    def block(self, case: Case) -> str:
        return self.of("block", case.plan.name, case.sheet.who, case.sheet.question)

    def answer(self, case: Case, name: str) -> str:
        return self.of("answer", case.plan.name, case.sheet.who, case.sheet.question, name)


def rankings_of_people(folder: Path) -> Ledger:
    """Open the returned rankings, by (rater, run, resident, question), each as places by the name
    of an answer.
    """
    return Ledger(folder / PEOPLE / "rankings.jsonl")


def group_rankings(rankings: Ledger, run: str) -> RunRankings:
    """Return the returned rankings of a run by resident and question."""
    found: RunRankings = {}
    for (rater, name, who, question), entry in rankings.entries.items():
        if name == run:
            found.setdefault((who, question), []).append((rater, entry["places"]))
    return found


def _block(case: Case, ids: Ids, kind: PageKind) -> dict[str, Any]:
    names = dict.fromkeys(case.sheet.names.values()) if kind == "rank" else {}
    answers = [{"id": ids.answer(case, name), "text": case.sheet.answers[name]} for name in names]
    resident = ids.of("resident", case.plan.name, case.sheet.who)
    return {
        "id": ids.block(case),
        "resident": resident,
        "question": case.sheet.text,
        "answers": sorted(answers, key=lambda answer: answer["id"]),
    }


def _residents(found: Sequence[Case], folder: Path) -> dict[str, dict[str, Any]]:
    """Return the facts about each resident of each run that participants see, by opaque id: name,
    description, and the `MAX_MEMORIES` most poignant memories in the order of their making.
    """
    ids, told = Ids(folder), dict[str, dict[str, Any]]()
    for plan in dict.fromkeys(case.plan for case in found):
        with RunFile.open(folder, plan.name) as run:
            world, state = world_of_interview(run), run.restore(plan.end)
            for who in dict.fromkeys(case.sheet.who for case in found if case.plan == plan):
                me = world.personas[who]
                memories = sorted(
                    state.memory(who).concepts.values(),
                    key=lambda memory: (-memory.poignancy, -memory.id),
                )[:MAX_MEMORIES]
                about = " · ".join(
                    (str(me.age), me.occupation, me.innate, me.learned, state.mind(who).currently)
                )
                texts = [
                    f"{memory.created:%d. %H:%M} {memory.text}"
                    for memory in sorted(memories, key=lambda memory: memory.id)
                ]
                told[ids.of("resident", plan.name, who)] = {
                    "name": me.name,
                    "about": about,
                    "memories": texts,
                }
    return told


def _build_form(data: Mapping[str, Any], title: str, lang: Lang) -> str:
    """Return the page on which people rank or write answers, as one HTML file; no text in it can
    end its script element.
    """
    parts = {
        "lang": lang,
        "title": escape(title),
        "data": orjson.dumps(data).decode().replace("<", "\\u003c"),
        "script": (FRONTEND / "study" / "people.js").read_text("utf-8"),
    }
    template = (FRONTEND / "study" / "people.html").read_text("utf-8")
    return re.sub(r"@(lang|title|data|script)@", lambda found: parts[found[1]], template)


def _read(file: Path) -> dict[str, Any]:
    try:
        content = orjson.loads(file.read_bytes())
    except OSError as error:
        raise BadInput(
            "{file}: cannot be read ({reason})", file=file, reason=reason_of(error)
        ) from None
    except orjson.JSONDecodeError:
        content = None
    if (
        not isinstance(content, dict)
        or content.get("format") != FORMAT
        or content.get("kind") not in get_args(PageKind)
        or not _plausible(content)
    ):
        raise BadInput("{file}: is not a file that rank.html or write.html has saved", file=file)
    return content


def _plausible(content: Mapping[str, Any]) -> bool:
    done = content.get("done")
    return (
        isinstance(done, dict)
        and isinstance(content.get("study"), str)
        and re.fullmatch(r"[0-9-]{3,24}", str(content.get("rater"))) is not None
    )


def _take_rankings(
    given: Sequence[tuple[Case, Any]], rater: str, ids: Ids, folder: Path, file: Path
) -> None:
    """Store rankings by a person; the first of a block is kept."""
    ranked = rankings_of_people(folder)
    for case, done in given:
        sheet = case.sheet
        names = {ids.answer(case, name): name for name in sheet.names.values()}
        if not isinstance(done, list) or sorted(map(str, done)) != sorted(names):
            raise BadInput(
                "{file}: has a ranking that isn't one of the answers that were shown", file=file
            )
        key = (rater, case.plan.name, sheet.who, sheet.question)
        if key not in ranked.entries:
            places = {names[answer]: place for place, answer in enumerate(done, 1)}
            ranked.put(key, {"places": places})


def _take_answers(given: Sequence[tuple[Case, Any]], folder: Path, file: Path) -> None:
    """Store answers by a person as one more kind of access; the first that comes back for a block
    is kept.
    """
    open_answers = cache(lambda run: open_ledgers(folder, run).answers)
    for case, done in given:
        if not isinstance(done, str) or not done.strip():
            raise BadInput("{file}: has an answer that is no text", file=file)
        answers = open_answers(case.plan.name)
        questionnaire, question, *about = case.sheet.question.split("/")
        key = AnswerKey(
            questionnaire, "end", case.step, "human", case.sheet.who, question, "/".join(about)
        )
        if key not in answers.entries:
            like = answers.entries[key._replace(access=next(iter(case.sheet.answers)))]
            answers.put(
                key,
                like
                | {
                    "answer": done.strip(),
                    "knows": "unsure",
                    "outcome": "ok",
                    "verdict": "unchecked",
                    "cited": 0,
                },
            )
