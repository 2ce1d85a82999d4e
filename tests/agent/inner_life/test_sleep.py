"""Sleep: what repeats and what is trivial goes, what is weighty stays for good, nothing is lost,
and a run stays what its records say.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from hometown.agent.inner_life.sleep import (
    PINNED_POIGNANCY_MIN,
    SUMMARY_PREDICATE,
    TRIVIAL_POIGNANCY_MAX,
)
from hometown.cli.start import main
from hometown.history.reader import RunReader
from hometown.memory.store import MemoryStore
from hometown.storage.digest import state_hash
from hometown.world.effects import Kept, Recalled, Retired
from tests.support.days import set_out
from tests.support.once import made_once
from tests.support.town import live, minitown, opened

AFTERNOON = datetime(2025, 2, 13, 15)
PEOPLE = minitown().personas
SLEEP = {"faculties": {"consolidate": True}}
STEPS = 132
"""From three in the afternoon to one the next day."""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening, a night and a morning, after which everybody has slept."""
    return made_once(
        tmp_path_factory,
        "night",
        lambda folder: live(folder, STEPS, start=AFTERNOON, settings=SLEEP),
    )


def test_of_what_repeats_the_strongest_stays_and_one_memory_cites_the_rest(night: Path) -> None:
    with opened(night) as run:
        effects = [logged.effect for _, logged in run.effects()]
        last = run.restore()
        concepts = {
            who: {each.id: each for each in run.memories(who)} for who in run.manifest.residents
        }
    retired = [effect for effect in effects if isinstance(effect, Retired)]
    assert {effect.reason for effect in retired} == {"repeated", "trivial"}
    assert {effect.who for effect in retired} == set(concepts)
    for effect in retired:
        own, stream = concepts[effect.who], last.memory(effect.who)
        assert all(
            own[number].poignancy < PINNED_POIGNANCY_MIN
            and not PEOPLE[effect.who].began_with(number)
            for number in effect.ids
        )
        if effect.reason == "trivial":
            assert all(own[number].poignancy <= TRIVIAL_POIGNANCY_MAX for number in effect.ids)
        else:
            summary = next(
                each
                for each in own.values()
                if each.predicate == SUMMARY_PREDICATE and set(each.evidence) >= set(effect.ids)
            )
            assert summary.id in stream or summary.id in (stream.cold or ())
    for who, stream in last.memories.items():
        assert len(stream.concepts) + len(stream.cold or ()) == last.mind(who).memories
        evening = [
            each.id
            for each in concepts[who].values()
            if each.created.date() == AFTERNOON.date() and not PEOPLE[who].began_with(each.id)
        ]
        assert len([each for each in evening if each in stream.concepts]) < 0.7 * len(evening)


def test_what_is_weighty_is_kept(night: Path) -> None:
    with opened(night) as run:
        state = run.restore()
        kept = [effect for _, logged in run.effects() if isinstance(effect := logged.effect, Kept)]
        assert kept
        for effect in kept:
            for number in effect.ids:
                assert number in state.memory(effect.who)
                assert state.memory(effect.who).concept(number).poignancy >= PINNED_POIGNANCY_MIN
                assert number in state.pinned_memories(effect.who)


def test_a_run_with_sleep_is_thought_again_restored_and_goes_on(
    night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--verify", "town", "--results", str(night), "--lang", "en"]) == 0
    output = capsys.readouterr().out
    assert f"the effects of {STEPS} steps produce the recorded states" in output
    assert f"{STEPS} steps are thought as recorded" in output
    with opened(night) as run:
        assert any(isinstance(logged.effect, Recalled) for _, logged in run.effects()), (
            "nothing came back: the test shows less than it says"
        )
        digests = run.digests()
    set_out(night, tmp_path, STEPS - 10)
    assert live(tmp_path, 10) == digests
    with opened(tmp_path) as again, opened(night) as run:
        assert state_hash(again.restore()) == state_hash(run.restore())


def test_retired_memories_stay_in_the_store_and_are_marked(night: Path) -> None:
    with opened(night) as run:
        state, nodes = run.restore(), MemoryStore.from_run(run).get_nodes()
        assert len(nodes) == sum(state.mind(who).memories for who in state.memories)
        retired = {node.node_id for node in nodes if node.metadata["retired"]}
        assert retired == {
            f"{who}/{number}"
            for who, stream in state.memories.items()
            if stream.cold
            for number in stream.cold.concepts
        }
        used, gone = RunReader(run).memory_changes("lin_yue", 0, STEPS)
    last = {number: step for step, number, _ in used}
    assert {f"lin_yue/{number}" for step, number in gone if last.get(number, 0) <= step} == {
        node for node in retired if node.startswith("lin_yue/")
    }
