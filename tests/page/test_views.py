"""What the page derives from a run's blocks: the same with a server and from `replay.html`, and
what the run itself would have found.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import numpy as np
import orjson
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from hometown.agent.mind.emotions import EVEN_MOOD_MAX, Emotions
from hometown.export.write import export_run
from hometown.history import playback
from hometown.memory.arithmetic import quantise
from hometown.memory.store import MemoryStore
from hometown.memory.stream import MemoryStream
from hometown.model.hashing import hash_vector
from hometown.settings import Machine, RetrievalSettings
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.page.browsing import beside
from tests.support.days import frightful_day, set_out, thoughtful_day
from tests.support.examples import examples
from tests.support.page_views import PageViews, Request, page_views, served
from tests.support.town import minitown

STEPS = 40
NUMBERS = count()
UNSHRUNK = (
    Phase.explicit,
    Phase.reuse,
    Phase.generate,
)  # an example takes a second: to shrink one would take minutes
TEXTS = st.text(st.sampled_from("aeinst coffeemayor'!,。市长要选举品酒会的了 01_é\n"), max_size=60)
NEAR = 1e-6
"""Of the terms of a score: a browser's `pow` gives the root of the decay, whose last bit may
differ, and scaling to 0–1 enlarges that.
"""

STEP = 1.1e-5
"""Of a score, which is rounded to five decimals; where one lies between two, the last bit may tip
the balance.
"""

RETRIEVAL = st.builds(
    RetrievalSettings,
    recency_decay=st.sampled_from([0.5, 0.99, 0.995, 1.0]),
    recency_basis=st.sampled_from(["rank", "access", "creation"]),
    recency_weight=st.sampled_from([0.0, 0.5, 1.0]),
    importance_weight=st.sampled_from([0.0, 1.0, 2.0]),
    relevance_weight=st.sampled_from([0.0, 1.0, 3.0]),
    normalise=st.sampled_from(["minmax", "none"]),
)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with `lived`: minitown's morning, with conversations and reflections."""
    folder = tmp_path_factory.mktemp("lived")
    set_out(beside(thoughtful_day, tmp_path_factory), folder, STEPS, "lived")
    return folder


@pytest.fixture(scope="module")
def answering(lived: Path) -> Iterator[PageViews]:
    """The page's views of these runs, with a server."""
    with page_views("server", served(lived)) as page:
        yield page


@contextmanager
def changed(lived: Path, chance: random.Random, retrieval: RetrievalSettings) -> Iterator[str]:
    """A copy of the run with other settings of retrieval, other weights and times of its memories,
    and fewer steps: its name.
    """
    name = f"run-{next(NUMBERS)}"  # a new one each time: the page keeps what it knows of a run
    file = file_of(lived, name)
    file.parent.mkdir()
    shutil.copy(file_of(lived, "lived"), file)
    last = chance.randint(1, STEPS)
    with sqlite3.connect(file) as database:
        manifest = orjson.loads(
            database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()[0]
        )
        manifest["settings"]["associate"] |= retrieval.model_dump()
        database.execute(
            "UPDATE meta SET value = ? WHERE key = 'manifest'", (orjson.dumps(manifest),)
        )
        for who, number in database.execute("SELECT resident, id FROM memories").fetchall():
            database.execute(
                "UPDATE memories SET poignancy = ? WHERE resident = ? AND id = ?",
                (chance.randint(1, 10), who, number),
            )
        for step, who, used in database.execute(
            "SELECT step, resident, accessed FROM memory_changes"
        ).fetchall():
            retired = orjson.dumps(
                [int(number) for number in orjson.loads(used) if chance.random() < 0.1]
            )
            database.execute(
                "UPDATE memory_changes SET retired = ? WHERE step = ? AND resident = ?",
                (retired, step, who),
            )
        for table in (
            "steps",
            "state",
            "memories",
            "memory_changes",
            "conversations",
            "trajectories",
            "calls",
            "prompts",
            "effects",
        ):
            database.execute(f"DELETE FROM {table} WHERE step > ?", (last,))
    yield name
    shutil.rmtree(file.parent)


def every_view(run: RunFile, chance: random.Random, query: str) -> list[Request]:
    """All that the page asks for, at moments taken by chance."""
    name, last = run.file.parent.name, run.last.step
    step = chance.randint(0, last)
    views: list[tuple[str, dict[str, Any]]] = [
        ("marks", {}),
        ("threads", {}),
        *((f"gazette/{lang}/2025-02-13", {}) for lang in ("en", "zh")),
        *((f"insight/{plot}", {}) for plot in ("network", "places", "minds", "calls", "loops")),
    ]
    for who in run.manifest.residents:
        memories = [
            row[0]
            for row in run.database.execute("SELECT id FROM memories WHERE resident = ?", (who,))
        ]
        memory = chance.choice(memories)
        at = f"residents/{who}"
        views += [
            (at, {"step": step}),
            (f"{at}/trail", {"from": chance.randint(1, max(1, step)), "to": max(1, step)}),
            (f"{at}/diary", {"day": "2025-02-13"}),
        ]
        views += [
            (
                f"{at}/memories",
                {"step": step, "query": query, "limit": 200, "min": chance.randint(1, 3)},
            ),
            (f"{at}/memories", {"step": step, "text": query}),
        ]
        views += [
            (f"{at}/eye", {"step": step}),
            (f"{at}/memories/{memory}/evidence", {}),
            (f"{at}/marks", {}),
            ("why", {"resident": who, "memory": memory}),
        ]
        views += [
            ("why", {"resident": who, "step": step, "prompt": 1}),
            ("why", {"resident": who, "step": 1, "kind": "wake_up", "ordinal": 0}),
        ]
        views += [("conversations", {"who": who, "offset": 0, "limit": 3})]
    for talk, lines in run.database.execute(
        "SELECT id, json_array_length(lines) FROM conversations"
    ):
        views += [
            ("why", {"conversation": talk}),
            ("why", {"conversation": talk, "line": chance.randrange(lines)}),
        ]
    views += [
        ("conversations", {"at": chance.randint(0, last * 60), "limit": chance.randint(1, 9)}),
        ("conversations", {"text": query[:2]}),
    ]
    views += [("rumour", {"story": "song_night"}), ("rumour", {"text": query[:3]})]
    views += [
        ("spread", {}),
        ("spread", {"text": query[:3]}),
        ("why", {"conversation": "nothing"}),
        ("why", {"resident": "nobody"}),
    ]
    return [(name, view, given) for view, given in views]


@settings(max_examples=examples(5), deadline=None, phases=UNSHRUNK)
@given(
    seed=st.integers(0, 2**32),
    retrieval=RETRIEVAL,
    query=TEXTS,
    chunk=st.integers(2, 24),
    wide=st.integers(1, 4),
)
def test_the_file_answers_what_the_server_answers(
    lived: Path,
    answering: PageViews,
    seed: int,
    retrieval: RetrievalSettings,
    query: str,
    chunk: int,
    wide: int,
) -> None:
    chance = random.Random(seed)
    widths = patch.multiple(playback, CHUNK_STEPS=chunk, CHUNKS_PER_WIDE_BLOCK=wide)
    with widths, changed(lived, chance, retrieval) as name:
        file = export_run(lived, name, html=True)[-1]
        with RunFile.open(lived, name) as run:
            requests = every_view(run, chance, query)
        expected = answering.ask(requests)
        with page_views("file", str(file)) as page:
            answers = page.ask(requests)
    for request, answer, other in zip(requests, answers, expected, strict=True):
        if "error" in answer and "error" in other:
            continue  # each in its own words
        assert answer == other, (request[1], urlencode(request[2]))


@settings(max_examples=examples(5), deadline=None, phases=UNSHRUNK)
@given(seed=st.integers(0, 2**32), retrieval=RETRIEVAL, query=TEXTS.filter(str.strip))
def test_memories_are_ranked_as_the_run_would_rank_them(
    lived: Path, answering: PageViews, seed: int, retrieval: RetrievalSettings, query: str
) -> None:
    chance = random.Random(seed)
    with changed(lived, chance, retrieval) as name, RunFile.open(lived, name) as run:
        step = chance.randint(0, run.last.step)
        now = run.manifest.start + timedelta(minutes=run.manifest.stride * step)
        for who in run.manifest.residents:
            answer = answering.get(
                name, f"residents/{who}/memories", step=step, query=query, limit=1000
            )
            expected = {
                scored.concept.id: scored
                for scored in MemoryStore.over({who: stream_of(run, who, step)}).recall(
                    who, vector(query, run), now, retrieval, count=1000
                )
            }
            assert {memory["id"] for memory in answer["items"]} == set(expected)
            assert answer["weights"] == [
                retrieval.recency_weight,
                retrieval.importance_weight,
                retrieval.relevance_weight,
            ]
            for memory in answer["items"]:
                scored = expected[memory["id"]]
                total, *terms = memory["scores"]
                assert total == pytest.approx(
                    scored.score, abs=STEP + sum(answer["weights"]) * NEAR
                )
                assert terms == pytest.approx(
                    [scored.recency, scored.importance, scored.relevance], abs=NEAR
                )
            sums = [memory["scores"][0] for memory in answer["items"]]
            assert sums == sorted(sums, reverse=True)


def test_the_basis_of_recency_is_the_runs_own(lived: Path, answering: PageViews) -> None:
    """By rank, the five of which the newest was made an hour ago differ as much as any five; by
    hours they hardly do.
    """
    chance = random.Random(1)
    for basis in ("rank", "creation"):
        retrieval = RetrievalSettings(recency_basis=basis, normalise="none", recency_decay=0.5)
        with changed(lived, chance, retrieval) as name, RunFile.open(lived, name) as run:
            items = answering.get(
                name, f"residents/{run.manifest.residents[0]}/memories", query="coffee", limit=1000
            )["items"]
        recency = sorted((memory["scores"][1] for memory in items), reverse=True)
        if basis == "rank":
            assert recency == [0.5**place for place in range(1, len(recency) + 1)]
        else:
            assert len(set(recency)) < len(recency)


@settings(max_examples=60, deadline=None)
@given(
    text=st.one_of(
        TEXTS, st.text(max_size=40).filter(lambda text: text.casefold() == text.lower())
    ),
    dimension=st.sampled_from([16, 384, 1000, 4096]),
)
@example(text="", dimension=384)
@example(text="Straße, 市长 Åse", dimension=384)
def test_the_page_hashes_texts_as_the_run_does(
    answering: PageViews, text: str, dimension: int
) -> None:
    vector = np.array(answering.get("lived", "hash", text=text, dimension=dimension))
    assert np.abs(vector - hash_vector(text, dimension)).max() < 1e-6


def stream_of(run: RunFile, who: str, step: int) -> MemoryStream:
    """A resident's live memories after a step."""
    used: dict[int, datetime] = {}
    retired: set[int] = set()
    rows = run.database.execute(
        "SELECT accessed, retired FROM memory_changes WHERE resident = ? AND step <= ? ORDER BY step",
        (who, step),
    )
    for times, gone in rows:
        accessed = {
            int(number): datetime.fromisoformat(when)
            for number, when in orjson.loads(times).items()
        }
        used |= accessed
        retired = retired - accessed.keys() | set(
            orjson.loads(gone)
        )  # what is used once it has been retired was recalled
    made = {
        row[0]
        for row in run.database.execute(
            "SELECT id FROM memories WHERE resident = ? AND step <= ?", (who, step)
        )
    }
    stream = MemoryStream()
    for concept in run.memories(who):
        if concept.id in made - retired:
            stream.add(concept, vector(concept.text, run), used.get(concept.id))
    return stream


def vector(text: str, run: RunFile) -> Any:
    return quantise(hash_vector(text.strip(), run.manifest.dimension))


def test_the_page_knows_what_is_felt_at_any_moment(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = beside(frightful_day, tmp_path_factory)
    chance, world = random.Random(1), minitown()
    with RunFile.open(folder, "town") as run, page_views("server", served(folder)) as page:
        for step in sorted(chance.sample(range(40, run.last.step), 6)):
            state = run.restore(step)
            for who in world.personas:
                shown, heart = (
                    page.get("town", f"residents/{who}", step=step)["feel"],
                    Emotions(world, state, who, run.manifest.settings.add_machine(Machine())),
                )
                if state.feel(who) is None:
                    assert shown is None
                    continue
                assert (shown["pleasure"], shown["arousal"], shown["dominance"]) == heart.mood
                assert [
                    (each["towards"], each["memory"], each["strength"])
                    for each in shown["feelings"]
                ] == [
                    (feeling.towards, feeling.memory, strength) for feeling, strength in heart.felt
                ]
                assert max(
                    abs(points) for points in heart.mood[:2]
                ) < EVEN_MOOD_MAX or heart.describe().startswith(shown["mood"])
