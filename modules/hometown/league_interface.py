"""The public interface to a league: models that live the same hours of a town, and one page that
compares them (docs/models.md).

league = hometown.League.prepare(["ollama:qwen3:4b", "ollama:qwen3:8b"], hours=4)
print(league.run().page)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hometown.config import combine
from hometown.defaults import DEFAULT_SEED, DEFAULT_STRIDE
from hometown.errors import HometownError, OutputLost
from hometown.forking import Config, permit_layers
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.permission import permit
from hometown.optional_parts import explain_missing_parts
from hometown.paths import RESULTS, USER_WORLDS
from hometown.settings import Settings
from hometown.worker import for_asyncio
from hometown.world.intervention_time import MOMENT

if TYPE_CHECKING:
    from hometown.study.league.card import Card
    from hometown.study.league.league_entries import LeagueEntry

WORLD, HOURS = "minitown", 4
"""The world and the hours that are lived where none are named."""

LeagueProgress = Callable[[str, Path | HometownError | None], None]
"""Called with each model: without more as it begins, then with the file of its card, or with the
error for which it has none.
"""


@frozen
class LeagueReport:
    """A league that has been held.

    Attributes:
        page: the page that compares all models.
        cards: the file of each model's card, with its figures as JSON.
        errors: why the others have no card. The same call continues them.
    """

    page: Path
    cards: dict[str, Path]
    errors: dict[str, HometownError]


class League:
    """Models that live the same hours of a town, among them the rule-based stand-in."""

    def __init__(
        self, entries: Sequence[LeagueEntry], shown: Sequence[Card], worlds: Path, here: Settings
    ) -> None:
        self._entries, self._shown = entries, shown
        self._worlds, self._here = worlds, here
        self.folder = entries[0].terms.folder
        """The folder of its runs, cards and page."""

    @property
    def page(self) -> Path:
        """The page that compares the models, once one has lived."""
        from hometown.study.league.league_page import PAGE

        return self.folder / PAGE

    @classmethod
    def prepare(
        cls,
        models: Sequence[str],
        *,
        world: str = WORLD,
        lang: Lang = "en",
        start: datetime | None = None,
        hours: int = HOURS,
        residents: Sequence[str] = (),
        seed: int = DEFAULT_SEED,
        embedding: str = "hash",
        farmstead_days: int = 0,
        cards: Sequence[str | Path] = (),
        runs: Sequence[str] = (),
        settings: Config | None = None,
        results: Path = RESULTS,
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Check a league of models, named as in `Town.create`, without living anything.
        `farmstead_days` are lived on the farmstead, too, without autopilot; `cards`, files of other
        leagues, and `runs` are shown beside the models. A league of the same hours is continued.

        Raises BadInput with a line for each fault, BadRun if there is no run of a name.
        """
        with explain_missing_parts():
            from hometown.study.experiment.spec import TownSpec
            from hometown.study.league.league_entries import LeagueTerms, enter, list_entrants
        permit([*models, embedding])
        here = combine(permit_layers(settings))
        shown = [*_read_cards(cards), *_measure_runs(runs, results)]
        town = TownSpec(
            world=world,
            lang=lang,
            residents=list(residents),
            start=f"{start:{MOMENT}}" if start else None,
            until=str(hours * 60 // DEFAULT_STRIDE),
        )
        lived = {name: part for name, part in (settings or {}).items() if name != "machine"}
        terms = LeagueTerms(town, seed, embedding, lived, farmstead_days, results)
        entries = [enter(terms, model, worlds) for model in list_entrants(models, here)]
        return cls(entries, shown, worlds, here)

    @property
    def models(self) -> list[str]:
        """The models that take part, the stand-in first, since it takes no time."""
        return [entry.model for entry in self._entries]

    def run(self, *, lang: Lang = "en", progress: LeagueProgress | None = None) -> LeagueReport:
        """Let each model live what it has not lived yet, and write its card, its picture and the
        page, in a language. One that fails does not keep the others from going on.

        Raises BadInput if another process holds the league, OutputLost if nothing can be written.
        """
        from hometown.study.experiment.running import alone
        from hometown.study.league.card import read_cards
        from hometown.study.league.league_page import write_page

        files: dict[str, Path] = {}
        errors: dict[str, HometownError] = {}
        notify = progress or (lambda model, result: None)
        with alone(self.folder):
            for entry in self._entries:
                notify(entry.model, None)
                try:
                    card, file = self._live(entry, lang)
                except OutputLost:
                    raise
                except HometownError as error:
                    errors[entry.model] = error
                    notify(entry.model, error)
                    continue
                others = [each for each in read_cards(self.folder) if each != card]
                write_page([card, *others, *self._shown], self.folder, lang)
                files[entry.model] = file
                notify(entry.model, file)
        return LeagueReport(self.page, files, errors)

    run_async = for_asyncio(run)

    def _live(self, entry: LeagueEntry, lang: Lang) -> tuple[Card, Path]:
        """Return the card of a model that has lived, and its file, written with its picture."""
        from hometown.study.experiment.work_pools import open_pool
        from hometown.study.league.card import write_card
        from hometown.study.league.card_picture import write_picture
        from hometown.study.league.league_entries import live_entry

        with open_pool(entry.parts[0][0], 1, self._here) as pool:
            card = live_entry(entry, self._worlds, self._here, pool)
        write_picture(card, self.folder, lang)
        return card, write_card(card, self.folder)


def _read_cards(files: Sequence[str | Path]) -> list[Card]:
    from hometown.study.league.card import read_card

    return [read_card(Path(file)) for file in files]


def _measure_runs(names: Sequence[str], results: Path) -> list[Card]:
    """Return the cards of runs."""
    from hometown.history.reader import RunReader
    from hometown.study.league.card_figures import measure_card

    cards = []
    for name in names:
        with RunReader.open(results, name) as run:
            cards.append(measure_card(run, "run"))
    return cards
