"""What comes to mind before the one whom a resident faces."""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.agent.mind.facing import find_concerning
from hometown.memory.concept import NEVER, PLAN_PREDICATE, Concept, MemoryType
from hometown.memory.stream import MemoryStream

NOON = datetime(2025, 2, 13, 12)


def stream_of(*told: tuple[MemoryType, str, dict[str, object]]) -> MemoryStream:
    """Return a stream of memories as (type, text, other fields), oldest first."""
    memories = MemoryStream()
    for number, (kind, text, fields) in enumerate(told, 1):
        given: dict[str, object] = {
            "subject": "lin", "predicate": "", "object": "", "address": "", "poignancy": 3
        }  # fmt: skip
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
        ("event", "Wang says Chen looks like a ghost.", {"talk": "3-wang", "about": ("wang",), "poignancy": 6}),
        ("event", "Chen is sitting on the square.", {"about": ("chen",)}),
        ("thought", "Chen is worried about his work.", {"poignancy": 7}),
        ("thought", "Chenille is soft.", {}),
        ("plan", "Lin's plan: tea with Chen.", {"predicate": PLAN_PREDICATE}),
        ("plan", "Lin has agreed with Chen to meet at 14:00.", {"about": ("chen",)}),
        ("plan", "Lin has agreed with Wang to meet.", {"about": ("wang",)}),
    )  # fmt: skip
    assert [each.id for each in find_concerning(memories, "chen", "Chen")] == [
        2, 6, 4, 9,
    ]  # fmt: skip


def test_nothing_comes_first_before_a_stranger() -> None:
    memories = stream_of(("thought", "Chen is worried.", {}))
    assert list(find_concerning(memories, "zhao", "Zhao")) == []
