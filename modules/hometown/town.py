"""The public interface to a town that is being simulated.

with hometown.Town.create("spring", world="minitown", llm="scripted") as town:
    for step in town.live(hours=6):
        print(step.time, [resident.activity for resident in town.residents()])
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tqdm import tqdm

from hometown import session
from hometown.clock import DAY
from hometown.config import combine
from hometown.defaults import DEFAULT_SEED, DEFAULT_STRIDE, DEFAULT_WORLD
from hometown.errors import BadInput
from hometown.forking import Config, fork_by_name, permit_layers
from hometown.frozen import frozen
from hometown.game import Game
from hometown.game_opening import open_game
from hometown.history.names import Names
from hometown.history.present_residents import residents_in
from hometown.intervention_interface import Intervenable
from hometown.language import Lang
from hometown.model.llm import LanguageModel
from hometown.paths import RESULTS, USER_WORLDS
from hometown.reading import Run
from hometown.run_records import Resident
from hometown.session import Session, same_cast
from hometown.storage.live_speech import LiveSpeech
from hometown.storage.run import RunFile as RunFile
from hometown.storage.world_copy import world_of
from hometown.worker import Worker
from hometown.world.cast_choice import choose_cast
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.world import World

if TYPE_CHECKING:
    from hometown.study.laws.world_editor import WorldEditor

T = TypeVar("T")


@frozen
class Step:
    """A saved step: its number, game time at its end, its digest in hex, and the number of
    conversations that began in it.
    """

    number: int
    time: datetime
    digest: str
    conversations: int


def open_editor(session: Session, model: LanguageModel) -> WorldEditor | None:
    """Return the world editor of a session on a model; None if the run has none, or the world no
    society.
    """
    is_off = session.run.manifest.settings.world_editor == "off"
    if is_off or session.world.book is None:
        return None
    from hometown.study.laws.world_editor import WorldEditor

    return WorldEditor(session, model)


class Town(Intervenable):
    """A town that is being simulated; each step is saved. Close it, or use it as a context manager,
    so that other processes can continue it.
    """

    def __init__(self, begin: Coroutine[Any, Any, Session]) -> None:
        self._worker = Worker()
        try:
            self._session = self._worker.run(begin)
            self._open = AsyncExitStack()
            self._game: Game = self._worker.run(
                self._open.enter_async_context(open_game(self._session, listens=True))
            )
            self._game.caller.listener = self._speaking = LiveSpeech(self._session.run.file.parent)
            self._editor = open_editor(self._session, self._session.model)
        except BaseException:
            self._worker.close()
            raise

    @classmethod
    def create(
        cls,
        name: str,
        *,
        world: str = DEFAULT_WORLD,
        lang: Lang = "en",
        residents: Sequence[str] = (),
        clones: int = 0,
        start: datetime | None = None,
        stride: int = DEFAULT_STRIDE,
        seed: int = DEFAULT_SEED,
        llm: str | None = None,
        embedding: str | None = None,
        settings: Config | None = None,
        results: Path = RESULTS,
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Create a run and its town. `stride` is in minutes of game time; `residents` are names or
        ids, all by default.

        Raises BadRun if the name is taken, BadInput for invalid arguments, ModelUnavailable if the
        model does not answer.
        """

        async def begin() -> Session:
            session.check_new(results, name)
            town = load_world(world, lang, worlds)
            town = populate(town, choose_cast(town, residents, clones))
            return await session.create_session(
                results,
                town,
                combine(permit_layers(settings), town.settings),
                name=name,
                start=start or town.start,
                stride=stride,
                seed=seed,
                llm=llm,
                embedding=embedding,
            )

        return cls(begin())

    @classmethod
    def resume(
        cls,
        name: str,
        *,
        settings: Config | None = None,
        results: Path = RESULTS,
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Open a run to continue it after its last step. Of `settings`, only those of this machine
        and its model server take effect.
        """

        async def begin() -> Session:
            with RunFile.open(results, name) as run:
                manifest, world = run.manifest, world_of(run, worlds)
            return await session.resume_session(
                results, manifest, same_cast(world, manifest), combine(permit_layers(settings))
            )

        return cls(begin())

    @classmethod
    def fork(
        cls,
        parent: str,
        step: int,
        name: str,
        *,
        seed: int | None = None,
        llm: str | None = None,
        embedding: str | None = None,
        settings: Config | None = None,
        results: Path = RESULTS,
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Create a run that branches off after a step of another one, with the given changes. The
        parent is only read.
        """

        return cls(
            fork_by_name(
                parent,
                step,
                name,
                seed=seed,
                llm=llm,
                embedding=embedding,
                settings=settings,
                results=results,
                worlds=worlds,
            )
        )

    # living -------------------------------------------------------------------------------

    def step(self) -> Step:
        """Simulate one step, beyond the planned end if need be. Raises ModelUnavailable if the
        model is lost; the town can be resumed after the last saved step.
        """
        return self._worker.run(self._step())

    async def step_async(self) -> Step:
        """Do what `step` does, without blocking the event loop."""
        return await asyncio.wrap_future(self._worker.submit(self._step()))

    async def _step(self) -> Step:
        run, following = self._session.run, self._session.run.last.step + 1
        if run.planned_end < following:
            run.set_planned_end(following)
        report = await self._game.step()
        if self._editor:
            await self._editor.edit(report.now)
        self._speaking.clear()
        return Step(report.step, report.now, report.digest, report.conversations)

    def live(
        self,
        *,
        steps: int = 0,
        hours: float = 0,
        until: datetime | None = None,
        progress: bool = False,
    ) -> Iterator[Step]:
        """Simulate a number of steps, hours of game time, or until a moment; a day if none is
        given. Yield each step once it is saved, with `progress` as a bar. Raises BadInput if more
        than one is given, or an end that is not ahead.
        """
        count = self._count_steps(steps, hours, until)
        for _ in tqdm(range(count), desc=self.name, unit="step", disable=not progress):
            yield self.step()

    async def live_async(
        self, *, steps: int = 0, hours: float = 0, until: datetime | None = None
    ) -> AsyncIterator[Step]:
        """Do what `live` does, without blocking the event loop."""
        for _ in range(self._count_steps(steps, hours, until)):
            yield await self.step_async()

    def _count_steps(self, steps: int, hours: float, until: datetime | None) -> int:
        """Return the number of steps until an end that is given in one of three ways."""
        ends = {"steps": steps, "hours": hours, "until": until}
        given = {name: value for name, value in ends.items() if value}
        if len(given) > 1:
            raise BadInput("steps, hours and until all set the end: give one of them")
        stride = self._session.run.manifest.stride
        minutes = steps * stride or hours * 60 or DAY
        try:
            ahead = (until or self.now + timedelta(minutes=minutes)) - self.now
        except (OverflowError, TypeError, ValueError):
            ahead = timedelta(-1)
        if ahead < timedelta():
            ((name, value),) = given.items()
            raise BadInput(
                "{name}={value} leads to no moment after {now}, the time in the town: give steps or "
                "hours above 0, or as until a later moment without a time zone",
                name=name,
                value=value,
                now=self.now,
            )
        return math.ceil(ahead / timedelta(minutes=stride))

    # reading ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._session.run.manifest.name

    @property
    def now(self) -> datetime:
        """Game time at the end of the last step."""
        return self._game.state.clock.now

    def residents(self) -> list[Resident]:
        """Return all residents as they are now; `read` gives the rest."""
        return residents_in(self._game.state, Names(self._game.world))

    def read(self) -> Run:
        """Open the run of this town for reading; it grows with the town. Close it, or use it as a
        context manager.
        """
        return Run.open(self.name, results=self._session.run.file.parents[2])

    def _use_run(self, work: Callable[[RunFile], T]) -> T:
        return self._worker.call(lambda: work(self._session.run))

    def _town_now(self, run: RunFile) -> World:
        return self._game.world

    def _founded(self, run: RunFile) -> World:
        return self._game.founded

    def _repr_png_(self) -> bytes:
        """Show the town in a notebook, by a picture of its last step."""
        with self.read() as run:
            return run.picture()

    def close(self) -> None:
        """Close the run, so that another process can continue it."""
        self._worker.run(self._open.aclose())
        self._speaking.clear()
        self._worker.call(self._session.run.close)
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
