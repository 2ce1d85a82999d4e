"""The load of each of several model servers in a step, from the records of its calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hometown.model.stats import Sums
from hometown.records import Call

Span = tuple[float, float]
"""Start and end, in seconds since 1970."""


@dataclass(slots=True)
class ServerLoad(Sums):
    """The load of one server: its replies, those to residents of another server, requests that it
    failed, tokens, milliseconds of all replies together, and the spans of its calls.
    """

    calls: int = 0
    moved: int = 0
    failed: int = 0
    tokens: int = 0
    ms: float = 0.0
    spans: list[Span] = field(default_factory=list)


class ServerLoads:
    """The load of each server, by its number, from 1; empty if there is one server only."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self.of: dict[int, ServerLoad] = defaultdict(ServerLoad)
        for served in (attempt.served for call in calls for attempt in call.attempts):
            if served:
                end = served.began + served.ms / 1000
                self.of[served.server].add(
                    ServerLoad(
                        1, int(served.moved), 0, served.tokens, served.ms, [(served.began, end)]
                    )
                )
                for server in served.failed:
                    self.of[server].failed += 1

    def add(self, other: ServerLoads) -> None:
        for server, load in other.of.items():
            self.of[server].add(load)

    def snapshot(self) -> dict[str, Any]:
        """Return entries for the statistics of a step: `servers` by their numbers, each with the
        milliseconds in which it was busy, and `asked_ms`, those in which any was; none if no server
        was asked.
        """
        if not self.of:
            return {}
        servers = {
            str(server): {
                "calls": load.calls,
                "moved": load.moved,
                "failed": load.failed,
                "tokens": load.tokens,
                "ms": load.ms,
                "busy_ms": covered_ms(load.spans),
            }
            for server, load in sorted(self.of.items())
        }
        return {
            "servers": servers,
            "asked_ms": covered_ms(span for load in self.of.values() for span in load.spans),
        }


def covered_ms(spans: Iterable[Span]) -> float:
    """Return the milliseconds that lie within any of the spans.

    >>> covered_ms([(0.0, 1.0), (3.0, 3.5), (0.5, 2.0)])
    2500.0
    """
    total, end = 0.0, float("-inf")
    for since, until in sorted(spans):
        total += max(0.0, until - max(since, end))
        end = max(end, until)
    return total * 1000


def by_server(steps: Iterable[Mapping[str, Any]]) -> list[dict[str, float]]:
    """Return the totals of each server over the statistics of steps, ordered by number.

    `busy` is the server's share of the time in which any server was asked, 0 to 1, and `seconds` is
    its mean time for a reply.
    """
    asked, total = 0.0, dict[int, dict[str, float]]()
    for step in steps:
        asked += step.get("asked_ms", 0.0)
        for server, load in step.get("servers", {}).items():
            sums = total.setdefault(int(server), dict.fromkeys(load, 0.0))
            total[int(server)] = {name: sums[name] + value for name, value in load.items()}
    return [
        {"server": server}
        | {name: sums[name] for name in ("calls", "moved", "failed", "tokens")}
        | {
            "busy": sums["busy_ms"] / asked if asked else 0.0,
            "seconds": sums["ms"] / 1000 / max(1, sums["calls"]),
        }
        for server, sums in sorted(total.items())
    ]
