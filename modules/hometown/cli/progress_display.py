"""The progress of a run: a bar on a terminal, else a line for each step."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Protocol, TextIO

from hometown.cli.texts import Text
from hometown.frozen import frozen
from hometown.model.stats import Counts
from hometown.text import npgettext


@frozen
class Progress:
    """The state of a run after a step, with its calls and conversations so far."""

    step: int
    now: datetime
    counts: Counts
    conversations: int


class Display(Protocol):
    """A display of a run's progress."""

    def show(self, progress: Progress) -> None:
        """Show the progress after a step."""

    def show_calls(self, counts: Counts) -> None:
        """Show the calls of the run so far, during a step that may take minutes."""

    def close(self) -> None: ...


class Lines:
    """A display with a line for each step."""

    def __init__(self, text: Text, end: int, out: TextIO) -> None:
        self._text, self._end, self._out = text, end, out

    def show(self, progress: Progress) -> None:
        counts = progress.counts
        fallbacks = f"{counts.fallback} ({counts.fallback_share:.1%})"
        line = self._text(
            "step {step}/{end}  {now}  {calls}  {tokens}  {fallbacks}  {conversations}",
            step=progress.step,
            end=self._end,
            now=f"{progress.now:%Y-%m-%d %H:%M}",
            calls=npgettext("progress", "{count} call", "{count} calls", counts.calls),
            tokens=npgettext(
                "progress",
                "{count} token",
                "{count} tokens",
                counts.prompt_tokens + counts.reply_tokens,
            ),
            fallbacks=npgettext(
                "progress",
                "{count} fallback",
                "{count} fallbacks",
                counts.fallback,
                count=fallbacks,
            ),
            conversations=npgettext(
                "progress", "{count} conversation", "{count} conversations", progress.conversations
            ),
        )
        print(line, file=self._out, flush=True)

    def show_calls(self, counts: Counts) -> None:
        """Show nothing: the line follows at the end of the step."""

    def close(self) -> None:
        """Do nothing."""


class Bar:
    """A display as a bar of tqdm, with the estimated time left."""

    def __init__(self, text: Text, begin: int, end: int, out: TextIO) -> None:
        from tqdm import tqdm

        self._text = text
        self._bar = tqdm(total=end, initial=begin, unit=text("step"), dynamic_ncols=True, file=out)

    def show(self, progress: Progress) -> None:
        self._bar.set_description(f"{progress.now:%m-%d %H:%M}", refresh=False)
        self._bar.set_postfix_str(self._figures(progress.counts), refresh=False)
        self._bar.update(progress.step - self._bar.n)

    def show_calls(self, counts: Counts) -> None:
        self._bar.set_postfix_str(self._figures(counts))

    def _figures(self, counts: Counts) -> str:
        return self._text(
            "calls {calls}, tokens {tokens}, fallbacks {fallbacks}",
            calls=counts.calls,
            tokens=counts.prompt_tokens + counts.reply_tokens,
            fallbacks=f"{counts.fallback_share:.1%}",
        )

    def close(self) -> None:
        self._bar.close()


def make_display(text: Text, begin: int, end: int, *, plain: bool) -> Display:
    """Return a bar on a terminal that nothing else writes to, else lines."""
    if plain or not (sys.stdout.isatty() and sys.stderr.isatty()):
        return Lines(text, end, sys.stdout)
    return Bar(text, begin, end, sys.stderr)
