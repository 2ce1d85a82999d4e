"""The interviews of an experiment as logs for the viewer of Inspect (https://inspect.aisi.org.uk),
without Inspect.

The format is Inspect's JSON, version 2, with the schema that `inspect log schema` prints. There is
a log for each condition, questionnaire, moment and kind of access. A sample is a question to a
resident of one town; towns of other seeds are further samples and no epochs, since they are
replicates and no repeats. Scores are verdicts, by rule and by the judge, and ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import orjson

from hometown.files import atomic_write
from hometown.storage.run import RunFile
from hometown.study.experiment.analysis import Results
from hometown.study.experiment.asking import AnswerKey
from hometown.study.experiment.interview_ledgers import open_ledgers
from hometown.study.experiment.run_plans import RunPlan
from hometown.study.experiment.tables import read_table
from hometown.study.grounding import VERDICTS
from hometown.version import __version__

INSPECT_FOLDER = "inspect"
"""The folder of the logs, for `inspect view --log-dir`."""

VERSION = 2
"""Version of Inspect's format."""

RanksByJudge = dict[tuple[str, ...], dict[str, float]]
"""Ranks by judge, of the answer with this (condition, seed, resident, question, access)."""


class LogTask(NamedTuple):
    """The subject of one log."""

    condition: str
    questionnaire: str
    moment: str
    access: str

    @property
    def name(self) -> str:
        return "-".join(self).replace("_", "-")  # Inspect parts the names of files at underscores


def write_logs(results: Results, plans: Sequence[RunPlan], folder: Path) -> Path:
    """Write the logs of an experiment that has been run and analysed, and return their folder."""
    with RunFile.open(folder, plans[0].name) as run:
        created = run.manifest.created.astimezone(UTC)
    samples: dict[LogTask, list[dict[str, Any]]] = {}
    ranks = _ranks(folder)
    models = {(row["condition"], row["seed"]): row["model"] for row in read_table(folder, "runs")}
    for plan in plans:
        has = open_ledgers(folder, plan.name)
        for key, entry in has.answers.entries.items():
            asked = AnswerKey(*key)
            task = LogTask(plan.condition, asked.questionnaire, asked.moment, asked.access)
            model = "people" if asked.access == "human" else models[plan.condition, str(plan.seed)]
            samples.setdefault(task, []).append(
                _sample(asked, entry, has.verdicts.entries.get(key), plan, model, ranks)
            )
    for task, answered in samples.items():
        log = _log(task, answered, results, created)
        with atomic_write(
            folder
            / INSPECT_FOLDER
            / f"{created:%Y-%m-%dT%H-%M-%S}+00-00_{task.name}_{log['eval']['task_id']}.json"
        ) as file:
            file.write(orjson.dumps(log))
    return folder / INSPECT_FOLDER


def _log(
    task: LogTask, samples: Sequence[dict[str, Any]], results: Results, created: datetime
) -> dict[str, Any]:
    """Return a log as JSON, with the fields in the order in which Inspect reads them: the task, the
    scores and the samples.
    """
    experiment, ids = results.experiment, [sample["id"] for sample in samples]
    name = blake2b("/".join((experiment.name, *task)).encode(), digest_size=11).hexdigest()
    spec = {
        "eval_id": name,
        "run_id": name,
        "created": created.isoformat(),
        "task": task.name,
        "task_id": name,
        "task_args": task._asdict(),
        "dataset": {
            "name": task.questionnaire,
            "samples": len(ids),
            "sample_ids": ids,
            "shuffled": False,
        },
        "model": samples[0]["output"]["model"],
        "config": {},
        "packages": {"hometown": __version__},
        "tags": ["no language model: pipeline check"] if not results.has_model else [],
        "metadata": {
            "experiment": experiment.name,
            "question": experiment.question,
            "seeds": experiment.seeds,
            "world": experiment.town.world,
        },
    }
    return {
        "version": VERSION,
        "status": "success",
        "eval": spec,
        **_describe_results(task, samples, results, created.isoformat()),
        "samples": samples,
    }


def _describe_results(
    task: LogTask, samples: Sequence[dict[str, Any]], results: Results, moment: str
) -> dict[str, Any]:
    """Return the plan, the scores and the times of a log."""
    return {
        "plan": {
            "name": "interview",
            "steps": [{"solver": "interview", "params": {"access": task.access}}],
        },
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": list(_scores(samples, results)),
        },
        "stats": {"started_at": moment, "completed_at": moment},
    }


def _sample(
    asked: AnswerKey,
    entry: dict[str, Any],
    judged: dict[str, Any] | None,
    plan: RunPlan,
    model: str,
    ranks: RanksByJudge,
) -> dict[str, Any]:
    question = "/".join((asked.questionnaire, asked.question, asked.about)).rstrip("/")
    said = {"role": "assistant", "content": entry["answer"], "source": "generate"}
    place = (plan.condition, str(plan.seed), asked.who, question, asked.access)
    return {
        "id": f"{plan.seed}/{asked.who}/{question.partition('/')[2]}",
        "epoch": 1,
        "input": entry["text"],
        "target": "",
        "messages": [{"role": "user", "content": entry["text"], "source": "input"}, said],
        "output": {
            "model": model,
            "choices": [
                {
                    "message": said,
                    "stop_reason": "unknown" if entry["outcome"] == "fallback" else "stop",
                }
            ],
        },
        "scores": _score_answer(entry, judged, ranks.get(place, {})),
        "metadata": {
            "who": asked.who,
            "seed": plan.seed,
            "step": asked.step,
            "category": entry["category"],
            "about": asked.about,
            "outcome": entry["outcome"],
            "cited": entry["cited"],
            "run": plan.name,
        },
    }


def _score_answer(
    entry: dict[str, Any], judged: dict[str, Any] | None, ranks: Mapping[str, float]
) -> dict[str, Any]:
    """Return the scores of an answer: the verdicts by rule and by model, and its rank by each
    judge.
    """
    scores: dict[str, Any] = {
        "verdict": {
            "value": entry["verdict"],
            "answer": entry["answer"],
            "explanation": f"knows: {entry['knows']}",
        }
    }
    if judged:
        scores["verdict_model"] = {
            "value": judged["verdict"],
            "answer": entry["answer"],
            "explanation": judged["reason"],
        }
    for judge, rank in ranks.items():
        scores[f"rank_{judge}"] = {
            "value": rank,
            "explanation": "1 is the most believable of the answers to this question with each kind of access",
        }
    return scores


def _scores(samples: Sequence[dict[str, Any]], results: Results) -> Iterator[dict[str, Any]]:
    """Yield the share of each verdict, and mean ranks with the admission of their judge."""
    for name in ("verdict", "verdict_model"):
        verdicts = Counter(
            sample["scores"][name]["value"] for sample in samples if name in sample["scores"]
        )
        if verdicts:
            yield _score(
                name, {verdict: verdicts[verdict] / verdicts.total() for verdict in VERDICTS}, {}
            )
    for name in ("rank_model", "rank_people"):
        ranks = [sample["scores"][name]["value"] for sample in samples if name in sample["scores"]]
        if ranks:
            yield _score(
                name,
                {"mean": fmean(ranks)},
                {"admitted": results.is_admitted} if name == "rank_model" else {},
            )


def _score(name: str, metrics: dict[str, float], metadata: dict[str, Any]) -> dict[str, Any]:
    values = {metric: {"name": metric, "value": value} for metric, value in metrics.items()}
    return {"name": name, "scorer": name, "metrics": values, "metadata": metadata}


def _ranks(folder: Path) -> RanksByJudge:
    ranks: RanksByJudge = {}
    for row in read_table(folder, "rankings"):
        ranks.setdefault(
            (row["condition"], row["seed"], row["who"], row["question"], row["access"]), {}
        )[row["judge"]] = float(row["rank"])
    return ranks
