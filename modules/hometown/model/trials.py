"""Findings of trials, kept for the runs to come: of each model, language and kind of prompt, how
many replies there were, and how many of them were usable and without a fault.

They lie in `tried.json` in the folder of all trials. A new run takes from them for which kinds of
prompt its residents are left free, and for which they stay near habit (`llm.tried`), and for which
the model thinks before it replies (`llm.thinking`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from hometown.language import Lang
from hometown.model.learnt_file import read_learnt, write_learnt
from hometown.model.routing import model_names, public_name, usual_name
from hometown.paths import TRIALS
from hometown.settings import Settings
from hometown.shares import Share

FINDINGS = "tried.json"
"""The file of the findings of all trials, in their folder."""

Findings = dict[str, dict[str, dict[str, tuple[int, int]]]]
"""By model, language and kind of prompt: how many replies were without a fault, and of how many."""

_FINDINGS = TypeAdapter(Findings)

LEAST_REPLIES = 3
"""Replies to a kind of prompt without which a trial decides nothing about it."""

LEAST_FAULTLESS = 0.7
"""Share of replies without a fault from which a model is left free: a day asks each kind of prompt a
few times, so that with a lower share most days would hold a fault.
"""


LEAST_GAIN = 0.1
"""Difference of this share from which thinking pays, which takes several times as long."""

THINKING = " (thinking)"
"""End of the name of a model in findings of replies after thinking."""


def keep_findings(
    folder: Path, name: str, lang: Lang, found: Mapping[str, Share], *, thinks: bool = False
) -> None:
    """Keep how many replies of a model were without a fault, and of how many, by kind of prompt, in
    place of what earlier trials have found for these kinds.
    """
    kept = _read_findings(folder)
    by_kind = kept.setdefault(_key(name, thinks), {}).setdefault(lang, {})
    by_kind |= {kind: (share.count, share.total) for kind, share in found.items()}
    write_learnt(folder / FINDINGS, kept)


def _read_findings(folder: Path) -> Findings:
    """Return what all trials have found; nothing if the file is missing or damaged."""
    with suppress(ValueError):
        return _FINDINGS.validate_python(read_learnt(folder / FINDINGS))
    return {}


def _key(name: str, thinks: bool) -> str:
    """Return the name of a model in the file of findings."""
    return public_name(name) + THINKING * thinks


def _find_shares(folder: Path, name: str, lang: Lang, *, thinks: bool = False) -> dict[str, Share]:
    """Return the shares of replies without a fault by kind of prompt, as far as trials decide."""
    by_kind = _read_findings(folder).get(_key(name, thinks), {}).get(lang, {})
    shares = {kind: Share(*counts) for kind, counts in by_kind.items()}
    return {kind: share for kind, share in shares.items() if share.total >= LEAST_REPLIES}


def tried_freedom(folder: Path, name: str, lang: Lang) -> dict[str, Literal["habits", "free"]]:
    """Return the freedom of a model in its plans, by the kinds of prompt that its trials decide about."""
    return _rate_freedom(_find_shares(folder, name, lang))


def _rate_freedom(shares: Mapping[str, Share]) -> dict[str, Literal["habits", "free"]]:
    """Return the freedom of a model with these shares of replies without a fault."""
    return {
        kind: "free" if share.value >= LEAST_FAULTLESS else "habits"
        for kind, share in shares.items()
    }


def pays(plain: Share | None, after_thinking: Share | None) -> bool:
    """Return True if thinking makes so many more replies faultless that it is worth its time."""
    return (
        plain is not None
        and after_thinking is not None
        and min(plain.total, after_thinking.total) >= LEAST_REPLIES
        and round(after_thinking.value - plain.value, 9) >= LEAST_GAIN
    )


def add_findings(settings: Settings, results: Path, llm: str, lang: Lang) -> Settings:
    """Return settings in which `llm.tried` and `llm.thinking` name what trials have found, as far as
    the user has not set it: of all models of a run, and of its usual one.

    Args:
        results: The folder of the runs.
        llm: The name of the run's model, routed or not.
    """
    folder, usual = results / TRIALS, usual_name(llm)
    plain, thinking = (_find_shares(folder, usual, lang, thinks=thinks) for thinks in (False, True))
    given = settings.llm.thinking
    paying = [kind for kind, share in thinking.items() if pays(plain.get(kind), share)]
    kinds = paying if given == ["auto"] else [kind for kind in given if kind != "auto"]
    found = {public_name(name): tried_freedom(folder, name, lang) for name in model_names(llm)}
    found.setdefault(public_name(usual), {}).update(
        _rate_freedom({kind: share for kind, share in thinking.items() if kind in kinds})
    )
    tried = {
        name: by_kind | settings.llm.tried.get(name, {})
        for name, by_kind in found.items()
        if by_kind
    }
    update = {"tried": settings.llm.tried | tried, "thinking": sorted(kinds)}
    return settings.model_copy(update={"llm": settings.llm.model_copy(update=update)})
