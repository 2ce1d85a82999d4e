"""The words of a league's page and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from hometown.language import Lang
from hometown.study.league.card import Card, Farmstead
from hometown.study.league.limits import LIMIT_TEXTS
from hometown.text import N_, ngettext, pgettext, translate, translate_all

T = TypeVar("T")

LEAGUE_TEXTS = {
    **LIMIT_TEXTS,
    "league_title": N_("A league of models"),
    "league_about": N_(
        "Each model has lived the same hours of the same town: {hours}. Living towns, which meet "
        "every limit of acceptance, come first; among them, and among the others, those with the "
        "fewest faulty replies. Figures in brackets are intervals of 95 %."
    ),
    "league_one_run": N_(
        "This is one run of each model, and another seed would give other figures. Read what they "
        "say before you choose."
    ),
    "league_place": N_("{place}. {name}: {verdict}"),
    "league_runs": N_(
        "Beside the models stand runs whose replies were not asked for here; those of a recorded "
        "town were written by no model on this machine: {names}"
    ),
    "league_other_hours": N_("Not comparable, since other hours were lived: {names}"),
    "league_figure": pgettext("column", "figure"),
    "league_verdict": N_("verdict"),
    "league_alive": N_("a living town"),
    "league_not_alive": N_("not a living town"),
    "league_stand_in": N_("stand-in (rules, no language model)"),
    "league_missed": N_("limits of acceptance missed"),
    "league_decisions": N_("decisions, per resident and day"),
    "league_departures": N_("of these, against what was planned"),
    "league_conversations": N_("conversations, per resident and day"),
    "league_faults": N_("replies with a fault"),
    "league_faulty_lines": N_("spoken lines with a fault"),
    "league_repetition": N_("replies that repeat themselves, at least"),
    "league_echo": N_("replies that recite their prompt, at least"),
    "league_interviews": N_("answers in interviews that hold, of those that rules can check"),
    "league_farmstead": N_("still standing on the farmstead, without autopilot"),
    "league_hungry": N_("time spent urgently hungry there"),
    "league_read": N_("tokens read, per resident and day"),
    "league_written": N_("tokens written, per resident and day"),
    "league_seconds": N_("seconds, per resident and day"),
    "league_memory": N_("memory of this machine, GB"),
    "league_hours": N_(
        "{world}, {residents}, {lang}, {hours:g} h from {start}, seed {seed}, embedding {embedding}"
    ),
    "league_said": N_("What they say"),
    "league_met": N_("Every limit of acceptance is met."),
    "league_silent": N_("Nobody has spoken."),
    "league_unmeasured": N_("not measured"),
    "league_made": N_("Hometown {version} · hometown league"),
}


def load_league_words(lang: Lang) -> dict[str, str]:
    """Return the words of the page in a language."""
    return translate_all(LEAGUE_TEXTS, lang)


def name_of(card: Card, words: dict[str, str]) -> str:
    """Return the name by which a page calls a model."""
    return words["league_stand_in"] if card.source == "stand-in" else card.model


def describe_hours(card: Card, words: dict[str, str], lang: Lang) -> str:
    """Return the hours that a card is about, in words."""
    hours = card.hours
    return words["league_hours"].format(
        world=hours.world,
        residents=translate(
            ngettext("{count} resident", "{count} residents", hours.residents), lang
        ),
        lang=hours.lang,
        hours=hours.minutes / 60,
        start=hours.start.partition("-")[2],
        seed=hours.seed,
        embedding=hours.embedding,
    )


def describe_misses(card: Card, words: dict[str, str]) -> str:
    """Return the limits of acceptance that a card missed, in words."""
    return "; ".join(limit.in_words(words) for limit in card.missed) or words["league_met"]


def list_card_figures(card: Card, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the figures of a card by the key of their name."""
    days = card.resident_days
    yield "league_verdict", words["league_alive" if card.is_alive else "league_not_alive"]
    yield "league_missed", str(len(card.missed))
    yield "league_decisions", f"{card.decisions.total / days:.1f}"
    yield "league_departures", str(card.decisions)
    yield "league_conversations", f"{card.conversations / days:.1f}"
    yield "league_faults", str(card.faults)
    yield "league_faulty_lines", str(card.faulty_lines)
    yield "league_repetition", str(card.repetition)
    yield "league_echo", str(card.echo)
    fared, unmeasured = card.farmstead, words["league_unmeasured"]
    yield "league_interviews", _or(card.interviews, str, unmeasured)
    yield "league_farmstead", _or(fared, _count_standing, unmeasured)
    yield "league_hungry", _or(fared, lambda fared: f"{100 * fared.hungry.value:.0f} %", unmeasured)
    yield "league_read", f"{(card.prompt_tokens - card.cached_tokens) / days:,.0f}"
    yield "league_written", f"{card.reply_tokens / days:,.0f}"
    yield "league_seconds", _or(card.seconds, lambda value: f"{value / days:,.0f}", unmeasured)
    yield "league_memory", _or(card.memory, lambda value: f"{value / 1e9:.1f}", unmeasured)


def _count_standing(fared: Farmstead) -> str:
    return f"{fared.standing.count} / {fared.standing.total}"


def _or(value: T | None, write: Callable[[T], str], otherwise: str) -> str:
    """Return a value in words, or what stands for none."""
    return otherwise if value is None else write(value)
