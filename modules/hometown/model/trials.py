"""Findings of trials, kept for the runs to come: of each model, language and kind of prompt, how
many replies there were, and how many of them were usable and without a fault.

They lie in `tried.json` in the folder of all trials. A new run takes from them for which kinds of
prompt its residents are left free, and for which they stay near habit (`llm.tried`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from hometown.language import Lang
from hometown.model.learnt_file import read_learnt, write_learnt
from hometown.model.routing import model_names, public_name
from hometown.paths import TRIALS
from hometown.settings import Settings
from hometown.shares import Share

FINDINGS = "tried.json"
"""The file of the findings of all trials, in their folder."""

LEAST_REPLIES = 3
"""Replies to a kind of prompt without which a trial decides nothing about it."""

LEAST_FAULTLESS = 0.7
"""Share of replies without a fault from which a model is left free: a day asks each kind of prompt a
few times, so that with a lower share most days would hold a fault.
"""


def keep_findings(folder: Path, name: str, lang: Lang, found: Mapping[str, Share]) -> None:
    """Keep how many replies of a model were without a fault, and of how many, by kind of prompt, in
    place of what earlier trials have found for these kinds.
    """
    kept = read_learnt(folder / FINDINGS)
    by_kind = kept.setdefault(public_name(name), {}).setdefault(lang, {})
    by_kind |= {kind: [share.count, share.total] for kind, share in found.items()}
    write_learnt(folder / FINDINGS, kept)


def tried_freedom(folder: Path, name: str, lang: Lang) -> dict[str, Literal["habits", "free"]]:
    """Return the freedom of a model in its plans, by the kinds of prompt that its trials decide about."""
    by_kind = read_learnt(folder / FINDINGS).get(public_name(name), {}).get(lang, {})
    shares = {kind: Share(*counts) for kind, counts in by_kind.items()}
    return {
        kind: "free" if share.value >= LEAST_FAULTLESS else "habits"
        for kind, share in shares.items()
        if share.total >= LEAST_REPLIES
    }


def add_findings(settings: Settings, results: Path, llm: str, lang: Lang) -> Settings:
    """Return settings in which `llm.tried` names what trials have found of all models of a run, as
    far as the user has not set it.

    Args:
        results: The folder of the runs.
        llm: The name of the run's model, routed or not.
    """
    found = {
        public_name(name): tried_freedom(results / TRIALS, name, lang) for name in model_names(llm)
    }
    tried = {
        name: by_kind | settings.llm.tried.get(name, {})
        for name, by_kind in found.items()
        if by_kind
    }
    llm_settings = settings.llm.model_copy(update={"tried": settings.llm.tried | tried})
    return settings.model_copy(update={"llm": llm_settings})
