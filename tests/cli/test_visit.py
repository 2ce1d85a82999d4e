"""`hometown visit`: what a visitor types, and that nobody who is interrupted stays in town."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from hometown.cli.texts import Text
from hometown.cli.visit import Terminal
from hometown.visit_interface import VisitHost


class Host:
    """A town of one, who answers every greeting; `asked` is what the visitor has done."""

    partner, addressed = "", None

    def __init__(self, interrupted: bool = False) -> None:
        self.interrupted, self.asked = interrupted, list[tuple[str, ...]]()
        world = SimpleNamespace(name_of=str, place_name=str)
        self.visit = SimpleNamespace(
            knows=lambda name: name == "林悦",
            resolve_resident=lambda name: {"林悦": "lin_yue"}[name],
            leave=lambda: self.asked.append(("leave",)),
            world=world,
        )

    async def enter(self) -> None:
        if self.interrupted:
            raise KeyboardInterrupt

    async def say(self, other: str, words: str) -> str:
        self.asked.append(("say", other, words))
        self.partner = other
        return "……"

    async def give(self, other: str, thing: str) -> None:
        self.asked.append(("give", other, thing))

    async def leave(self) -> None:
        self.visit.leave()


def visiting(host: Host, monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[tuple[str, ...]]:
    """What a visitor has asked for who types lines."""
    monkeypatch.setattr("hometown.cli.visit._read_lines", lambda: iter(lines))
    monkeypatch.setattr(Terminal, "_show", lambda self, seen: None)
    Terminal(cast(VisitHost, host), Text("zh")).live()
    return host.asked


@pytest.mark.parametrize("colon", [":", "：", "： "])
def test_a_name_may_end_with_a_colon_of_either_width(
    colon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"林悦{colon}你好", "时间：三点", f"give 林悦{colon}一本书"
    assert visiting(Host(), monkeypatch, *lines) == [
        ("say", "lin_yue", "你好"),
        ("say", "lin_yue", "时间：三点"),
        ("give", "林悦", "一本书"),
        ("leave",),
    ]


def test_a_visitor_who_is_interrupted_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(interrupted=True)
    with pytest.raises(KeyboardInterrupt):
        visiting(host, monkeypatch)
    assert host.asked == [("leave",)]
