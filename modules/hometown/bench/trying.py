"""A trial of a model from beginning to end: its prompts are chosen and put to it, and its shares of
usable replies are kept for later runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from hometown.backends import choose_model
from hometown.bench.items import BenchItem
from hometown.bench.model_bench import (
    BRIEF_KINDS,
    DAILY_KINDS,
    THINKING_KINDS,
    Trial,
    Verdict,
    prompt_version,
    select_items,
)
from hometown.bench.score_tables import table_of_kinds, table_of_thinking
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.model.routing import public_name
from hometown.model.trials import keep_findings
from hometown.prompt.render import PROMPT_FOLDER
from hometown.settings import Settings
from hometown.shares import Share, share_of

BRIEF_PROMPTS = 15
"""Prompts of a brief trial."""


@frozen
class PromptChoice:
    """The prompts of a trial.

    Attributes:
        count: number of prompts, 0 for all.
        is_brief: True if only the most frequent kinds are asked, in one language.
        with_sealed: True if sealed prompts are asked, too.
        lang: language of the prompts; None for both.
        with_thinking: True if only the kinds are asked before which a model may think, without and
            with it.
    """

    count: int
    is_brief: bool = False
    with_sealed: bool = False
    lang: Lang | None = None
    with_thinking: bool = False

    def select(self) -> list[BenchItem]:
        """Return the chosen prompts."""
        langs = (self.lang,) if self.lang else LANGS[:1] if self.is_brief else LANGS
        count = BRIEF_PROMPTS if self.is_brief else self.count
        return select_items(count, self._kinds, langs, with_sealed=self.with_sealed)

    @property
    def _kinds(self) -> Sequence[str]:
        """The kinds of prompt that are asked, () for all."""
        if self.with_thinking:
            return THINKING_KINDS
        return BRIEF_KINDS if self.is_brief else DAILY_KINDS if self.count else ()


@frozen
class TriedModel:
    """The result of a model's trial. A notebook shows it as a table by kind of prompt.

    Attributes:
        model: the model, without a key or password.
        prompts: version of the prompts, a hash of their texts.
        verdicts: the replies with the verdicts of the rules.
        after_thinking: the same of replies to the same prompts after thinking, if they were tried.
    """

    model: str
    prompts: str
    verdicts: tuple[Verdict, ...]
    after_thinking: tuple[Verdict, ...] = ()

    @property
    def unmended(self) -> Share:
        """Return the share of replies that a town can use without mending them."""
        return share_of(self.verdicts, lambda each: each.is_unmended)

    @property
    def mended(self) -> Share:
        """Return the share of replies that a town mends."""
        return share_of(self.verdicts, lambda each: bool(each.mended))

    @property
    def faultless(self) -> Share:
        """Return the share of usable replies in which no rule finds a fault."""
        return share_of(self.verdicts, lambda each: each.is_alive)

    @property
    def faults(self) -> dict[str, int]:
        """Return the number of replies by the rule that finds a fault in them, most frequent first."""
        return dict(Counter(name for each in self.verdicts for name in each.faults).most_common())

    def _repr_markdown_(self) -> str:
        """Show the scores in a notebook."""
        tables = [*table_of_kinds(self.verdicts, str)]
        if self.after_thinking:
            tables += ["", *table_of_thinking(self.verdicts, self.after_thinking, str)]
        return "\n".join(tables)


async def try_items(
    spec: str,
    items: Sequence[BenchItem],
    settings: Settings,
    folder: Path,
    prompts: Path = PROMPT_FOLDER,
    notify: Callable[[Verdict], object] = lambda _: None,
    lang: Lang = "en",
    *,
    with_thinking: bool = False,
) -> TriedModel:
    """Put items to a model, and keep its replies and its shares of faultless ones in a folder;
    `notify` receives each verdict, and `lang` is that of notices. Raises BadInput for an unknown
    model, ModelUnavailable if it does not answer.
    """
    model, _ = await choose_model(spec, settings, lang)
    verdicts = await Trial(model, folder, prompts).ask(items, notify)
    keep_trial(folder, spec, verdicts)
    thoughtful: list[Verdict] = []
    if with_thinking:
        thoughtful = await Trial(model, folder, prompts, thinks=True).ask(items, notify)
        keep_trial(folder, spec, thoughtful, thinks=True)
    return TriedModel(
        public_name(spec), prompt_version(prompts), tuple(verdicts), tuple(thoughtful)
    )


def keep_trial(
    folder: Path, spec: str, verdicts: Sequence[Verdict], *, thinks: bool = False
) -> None:
    """Keep the share of replies without a fault, by language and kind of prompt."""
    for lang in LANGS:
        kinds = dict.fromkeys(each.item.kind for each in verdicts if each.item.lang == lang)
        found = {
            kind: share_of(
                [each for each in verdicts if (each.item.lang, each.item.kind) == (lang, kind)],
                lambda each: each.is_alive,
            )
            for kind in kinds
        }
        if found:
            keep_findings(folder, spec, lang, found, thinks=thinks)
