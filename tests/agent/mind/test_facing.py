"""What comes to mind before the one whom a resident faces."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hometown.agent.mind import NewMemory
from hometown.agent.mind.facing import find_concerning, recall_facing, recall_for_line
from hometown.language import LANGS, Lang
from hometown.memory.concept import INTENTION_PREDICATE, NEVER, PLAN_PREDICATE, Concept, MemoryType
from hometown.memory.scoring import Scored
from hometown.memory.stream import MemoryStream
from hometown.storage.run import RunFile
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"
NOON = datetime(2025, 2, 13, 12)


def stream_of(*told: tuple[MemoryType, str, dict[str, object]]) -> MemoryStream:
    """Return a stream of memories as (type, text, other fields), oldest first."""
    memories = MemoryStream()
    for number, (kind, text, fields) in enumerate(told, 1):
        given: dict[str, object] = {
            "subject": "lin",
            "predicate": "",
            "object": "",
            "address": "",
            "poignancy": 3,
        }
        memories.add(
            Concept(
                id=number,
                type=kind,
                text=text,
                created=NOON + timedelta(minutes=number),
                expires=NEVER,
                **(given | fields),  # type: ignore[arg-type]
            ),
            None,
        )
    return memories


def test_the_last_talk_facts_and_intentions_come_first() -> None:
    """A fact about the other counts whoever told it; a sight of them does not."""
    memories = stream_of(
        ("chat", "Lin and Chen talked about tea.", {"about": ("chen",)}),
        ("chat", "Lin and Chen talked about the poster.", {"about": ("chen",)}),
        ("chat", "Lin and Wang talked.", {"about": ("wang",)}),
        (
            "event",
            "Wang says Chen looks like a ghost.",
            {"talk": "3-wang", "about": ("wang",), "poignancy": 6},
        ),
        ("event", "Chen is sitting on the square.", {"about": ("chen",)}),
        ("thought", "Chen is worried about his work.", {"poignancy": 7}),
        ("thought", "Chenille is soft.", {}),
        ("plan", "Lin's plan: tea with Chen.", {"predicate": PLAN_PREDICATE}),
        ("plan", "Lin has agreed with Chen to meet at 14:00.", {"about": ("chen",)}),
        ("plan", "Lin has agreed with Wang to meet.", {"about": ("wang",)}),
    )
    assert [each.id for each in find_concerning(memories, "chen", "Chen")] == [
        2,
        6,
        4,
        9,
    ]


def test_nothing_comes_first_before_a_stranger() -> None:
    memories = stream_of(("thought", "Chen is worried.", {}))
    assert list(find_concerning(memories, "zhao", "Zhao")) == []


def test_a_line_that_names_somebody_evokes_what_was_learnt_about_them_once(tmp_path: Path) -> None:
    quarrel = "Chen Siyuan has quarrelled with Wang Fang over the bowl"
    begin_town(tmp_path)
    with RunFile.open(tmp_path, "town", write=True) as run:
        (mind,) = minds_of(game_on(run), ["lin_yue"]).values()
        new = [
            NewMemory("thought", f"{quarrel}{end}", "lin_yue", "think", about=("wang_fang",))
            for end in (".", "!")
        ]
        made = asyncio.run(mind.remember(new, [9, 9], "rule:test"))

        def recall(known: list[Scored]) -> list[str]:
            found = asyncio.run(
                recall_for_line(
                    mind, ["zhao_gang"], ["chen_siyuan"], "And where is Siyuan?", known, 2
                )
            )
            return [each.concept.text for each in found]

        first = recall([])
        assert len(first) == 2
        assert sum(quarrel in text for text in first) == 1
        assert quarrel in first[0]
        again = recall([Scored(made[0], 1.0, 1.0, 1.0, 1.0)])
        assert not any(quarrel in text for text in again)


@pytest.mark.parametrize("lang", LANGS)
def test_what_weighs_on_a_resident_comes_to_mind_at_a_meeting(tmp_path: Path, lang: Lang) -> None:
    """Also if promises fill all places of what concerns the one whom they meet."""
    begin_town(tmp_path, lang)
    with RunFile.open(tmp_path, "town", write=True) as run:
        (mind,) = minds_of(game_on(run, minitown(lang)), [CHEN]).values()
        promises = [
            NewMemory("thought", f"{mind.words.name(LIN)}: {what}", CHEN, INTENTION_PREDICATE)
            for what in ("the radio talk", "a blanket", "meteors at nine", "tea", "a good sentence")
        ]
        asyncio.run(mind.remember(promises, [9] * len(promises), "rule:test"))

        def recall(at_meeting: bool) -> str:
            found = recall_facing(mind, [LIN], [promises[0].text], 4, at_meeting=at_meeting)
            return " ".join(each.concept.text for each in asyncio.run(found))

        secret = {"en": "Lanqiao", "zh": "裁员"}[lang]
        assert secret in recall(True)
        assert secret not in recall(False)
