"""Judge whole days by the limits of acceptance: `python -m benchmarks.days RUN…`, each the file of a
run; or `python -m benchmarks.days`, for the days of which an extract is kept.

For each day, and for copies of it whose replies a program has spoilt, a line tells the shares of
lines and replies with a fault by rule, and the limits that they miss. `--extract FILE` keeps the
spoken lines and some other replies of the days (`data/bench/days.jsonl.xz`), without names of
models.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import orjson

from hometown.bench.items import BENCH
from hometown.bench.replies import ScoredReply
from hometown.frozen import frozen
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import UTTERANCE
from hometown.prompt.prompt import Reply
from hometown.prompt.schema import plain_schema
from hometown.records import Message
from hometown.study.league.limits import (
    FAULTY_LINES,
    FAULTY_REPLIES,
    LEAST_LINES,
    has_fault,
    list_judged,
)

DAYS = BENCH / "days.jsonl.xz"

KEPT_EACH = 3
"""Of the replies that are no spoken lines, an extract keeps one in so many."""

SHORTEST_SPOILT = 8
"""Characters of the shortest text that is spoilt."""


@frozen
class DayReply:
    """A reply of a day, with its prompt."""

    day: str
    lang: Lang
    kind: str
    messages: tuple[Message, ...]
    text: str

    def has_fault(self) -> bool:
        """Return True if a rule of the bench finds a fault in it."""
        reply: type[Reply] = PROMPTS[self.kind].reply
        schema = plain_schema(reply)
        return has_fault(ScoredReply(self.messages, schema, self.text, self.lang, self.kind))


@frozen
class DayFigures:
    """Replies with a fault among the spoken lines, and among all replies."""

    lines: int
    faulty_lines: int
    replies: int
    faulty_replies: int

    def missed(self) -> Iterator[str]:
        """Yield the names of the limits that the day does not meet."""
        if self.lines < LEAST_LINES:
            yield "lines_judged"
        if self.faulty_lines > FAULTY_LINES * self.lines:
            yield "faulty_lines"
        if self.faulty_replies > FAULTY_REPLIES * self.replies:
            yield "faulty_replies"


Spoiler = Callable[[str, DayReply, Random], str]


def cut_off(text: str, reply: DayReply, random: Random) -> str:
    """Return the first two thirds of a text."""
    return text[: len(text) * 2 // 3].rstrip(".,!?…，。！？ ")


def copy_prompt(text: str, reply: DayReply, random: Random) -> str:
    """Return a part of the prompt of at least the same length."""
    shown = " ".join(reply.messages[-1].content.split())
    length = max(len(text), 70 if reply.lang == "en" else 30)
    at = random.randrange(max(1, len(shown) - length))
    return shown[at : at + length]


def shuffle_words(text: str, reply: DayReply, random: Random) -> str:
    """Return an English text with its words in another order, or a Chinese one with its characters."""
    parts = text.split() if reply.lang == "en" else list(text)
    random.shuffle(parts)
    return (" " if reply.lang == "en" else "").join(parts)


def loop(text: str, reply: DayReply, random: Random) -> str:
    """Return the beginning of a text, four times."""
    return (text[: max(8, len(text) // 3)].rstrip() + (" " if reply.lang == "en" else "")) * 4


def change_language(text: str, reply: DayReply, random: Random) -> str:
    """Return a text in the other language."""
    return {
        "en": "今天天气不错，我们去公园走走，晚上再聊。",
        "zh": "The weather is fine today, so let us walk in the park and talk tonight.",
    }[reply.lang]


SPOILERS: Mapping[str, tuple[float, Spoiler]] = {
    "30 % cut off": (0.3, cut_off),
    "25 % copied from their prompts": (0.25, copy_prompt),
    "25 % shuffled": (0.25, shuffle_words),
    "20 % caught in a loop": (0.2, loop),
    "20 % in the other language": (0.2, change_language),
}
"""How replies are spoilt: the share of them, and the change of each text."""


def spoil(replies: Sequence[DayReply], share: float, spoiler: Spoiler) -> list[DayReply]:
    """Return a day with a share of its replies spoilt; the same each time."""
    random = Random(1)
    spoilt = set(random.sample(range(len(replies)), round(share * len(replies))))
    return [
        _spoil_reply(reply, spoiler, random) if number in spoilt else reply
        for number, reply in enumerate(replies)
    ]


def exchange(replies: Sequence[DayReply]) -> list[DayReply]:
    """Return a day in which the replies to each kind of prompt are exchanged among each other."""
    random, texts = Random(1), dict[str, list[str]]()
    for reply in replies:
        texts.setdefault(reply.kind, []).append(reply.text)
    for each in texts.values():
        random.shuffle(each)
    return [_with_text(reply, texts[reply.kind].pop()) for reply in replies]


def _spoil_reply(reply: DayReply, spoiler: Spoiler, random: Random) -> DayReply:
    def change(value: Any, name: str) -> Any:
        if isinstance(value, dict):
            return {key: change(part, key) for key, part in value.items()}
        if isinstance(value, list):
            return [change(part, name) for part in value]
        is_text = isinstance(value, str) and len(value) >= SHORTEST_SPOILT and name != "decision"
        return spoiler(value, reply, random) if is_text else value

    return _with_text(reply, orjson.dumps(change(json.loads(reply.text), "")).decode())


def _with_text(reply: DayReply, text: str) -> DayReply:
    return DayReply(reply.day, reply.lang, reply.kind, reply.messages, text)


def figures_of(replies: Sequence[DayReply]) -> DayFigures:
    """Return how many lines and replies have a fault."""
    faulty = [(reply.kind == UTTERANCE.kind, reply.has_fault()) for reply in replies]
    lines = [is_faulty for is_line, is_faulty in faulty if is_line]
    return DayFigures(
        len(lines), sum(lines), len(faulty), sum(is_faulty for _, is_faulty in faulty)
    )


def judge(replies: Sequence[DayReply]) -> Iterator[tuple[str, DayFigures]]:
    """Yield the figures of a day as it was lived, and of its spoilt copies."""
    yield "as lived", figures_of(replies)
    for name, (share, spoiler) in SPOILERS.items():
        yield name, figures_of(spoil(replies, share, spoiler))
    yield "replies of each kind exchanged", figures_of(exchange(replies))


def read_run(file: Path) -> list[DayReply]:
    """Return the replies of a run whose prompts were recorded."""
    with RunReader.open(file.parent.parent.parent, file.parent.name) as run:
        lang = run.manifest.lang
        return [
            DayReply(file.parent.name, lang, call.kind, call.messages, call.attempts[-1].text)
            for call in list_judged(list(run.run.calls()))
        ]


def extract(replies: Sequence[DayReply]) -> list[DayReply]:
    """Return the spoken lines of a day, and one in `KEPT_EACH` of its other replies."""
    others = [reply for reply in replies if reply.kind != UTTERANCE.kind]
    kept = {id(reply) for reply in others[::KEPT_EACH]}
    return [reply for reply in replies if reply.kind == UTTERANCE.kind or id(reply) in kept]


def read_days(file: Path = DAYS) -> dict[str, list[DayReply]]:
    """Return the replies of the kept days, by day."""
    days: dict[str, list[DayReply]] = {}
    for row in map(orjson.loads, lzma.decompress(file.read_bytes()).splitlines()):
        messages = tuple(Message(**message) for message in row["messages"])
        reply = DayReply(row["day"], row["lang"], row["kind"], messages, row["reply"])
        days.setdefault(reply.day, []).append(reply)
    return days


def write_days(days: Sequence[Sequence[DayReply]], file: Path) -> None:
    """Write extracts of days, with numbers in place of names of runs."""
    counts = dict.fromkeys(LANGS, 0)
    rows = []
    for replies in days:
        lang = replies[0].lang
        counts[lang] += 1
        rows += [
            orjson.dumps(
                {
                    "day": f"{lang}-{counts[lang]}",
                    "lang": lang,
                    "kind": reply.kind,
                    "messages": [
                        {"role": message.role, "content": message.content}
                        for message in reply.messages
                    ],
                    "reply": reply.text,
                }
            )
            for reply in extract(replies)
        ]
    file.write_bytes(lzma.compress(b"\n".join(rows), preset=9))


def main(argv: Sequence[str]) -> int:
    """Print the figures of days, or keep extracts of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.days", description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="file of a run")
    parser.add_argument("--extract", type=Path, metavar="FILE", help="keep extracts of the runs")
    given = parser.parse_args(argv)
    days = [read_run(file) for file in given.runs] or list(read_days().values())
    if given.extract:
        write_days(days, given.extract)
        return 0
    for replies in days:
        for name, found in judge(replies):
            print(
                f"{replies[0].day}, {name}: lines {found.faulty_lines} of {found.lines}, replies"
                f" {found.faulty_replies} of {found.replies}: {', '.join(found.missed()) or 'met'}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
