"""The public interface to a town that is being simulated.

with hometown.Town.create("spring", world="minitown", llm="scripted") as town:
    for step in town.live(hours=6):
        print(step.time, [resident.activity for resident in town.residents()])
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import orjson
from tqdm.auto import tqdm

from hometown import session
from hometown.clock import DAY
from hometown.config import combine
from hometown.defaults import DEFAULT_SEED, DEFAULT_STRIDE, DEFAULT_TRIAL_DAYS, DEFAULT_WORLD
from hometown.errors import BadInput
from hometown.forking import Config, fork_by_name, permit_layers
from hometown.frozen import frozen
from hometown.game import Game
from hometown.game_opening import open_game
from hometown.history.names import Names
from hometown.history.present_residents import residents_in
from hometown.language import Lang
from hometown.model.llm import LanguageModel
from hometown.optional_parts import explain_missing_parts
from hometown.paths import RESULTS, USER_WORLDS
from hometown.reading import Run
from hometown.run_records import Resident
from hometown.session import Session, same_cast
from hometown.storage.run import RunFile as RunFile
from hometown.storage.world_copy import world_of
from hometown.worker import Worker
from hometown.world.cast_choice import choose_cast
from hometown.world.clones import populate
from hometown.world.intervention_time import When, step_at
from hometown.world.interventions import Kind
from hometown.world.load import load_world
from hometown.world.moving_in import SECTION
from hometown.world.resolve import parse_intervention

if TYPE_CHECKING:
    from hometown.study.laws.world_editor import WorldEditor


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


class Town:
    """A town that is being simulated; each step is saved. Close it, or use it as a context manager,
    so that other processes can continue it.
    """

    def __init__(self, begin: Coroutine[Any, Any, Session]) -> None:
        self._worker = Worker()
        try:
            self._session = self._worker.run(begin)
            self._open = AsyncExitStack()
            self._game: Game = self._worker.run(
                self._open.enter_async_context(open_game(self._session))
            )
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
        than one is given.
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
        if sum(map(bool, (steps, hours, until))) > 1:
            raise BadInput("steps, hours and until all set the end: give one of them")
        stride = self._session.run.manifest.stride
        end = until or self.now + (
            timedelta(minutes=steps * stride)
            if steps
            else timedelta(hours=hours)
            if hours
            else timedelta(minutes=DAY)
        )
        return math.ceil((end - self.now) / timedelta(minutes=stride))

    # intervening --------------------------------------------------------------------------

    def tell(self, resident: str, text: str, *, at: When | None = None) -> None:
        """Speak to a resident as their inner voice. `at` is a step, a time of day or a moment; by
        default the next step.

        Raises BadInput, as all interventions do, for an unknown or ambiguous name, an empty text,
        and a time in the past.
        """
        self._intervene("tell", f"{resident}: {text}", at)

    def set(self, thing: str, state: str, *, at: When | None = None) -> None:
        """Set an object's state; "" clears it."""
        self._intervene("set", f"{thing}: {state}", at)

    def event(self, place: str, text: str, *, at: When | None = None) -> None:
        """Make an event happen in a room or at an object; all residents in sight of it perceive it."""
        self._intervene("event", f"{place}: {text}", at)

    def place(self, room: str, thing: str, *, at: When | None = None) -> None:
        """Put a new object into a room."""
        self._intervene("place", f"{room}: {thing}", at)

    def remove(self, thing: str, *, at: When | None = None) -> None:
        """Remove an object."""
        self._intervene("remove", thing, at)

    def leave(self, resident: str, *, at: When | None = None) -> None:
        """Make a resident leave town."""
        self._intervene("leave", resident, at)

    def arrive(self, resident: str, *, at: When | None = None) -> None:
        """Bring back a resident who has left town."""
        self._intervene("arrive", resident, at)

    def learn(self, resident: str, *files: str | Path, at: When | None = None) -> int:
        """Let a resident know what is in files, which they remember as known before, and return the
        number of passages that are new to them.

        Raises BadInput as `tell` does, and for a file that can't be read.
        """
        with explain_missing_parts():
            from hometown.study.learning.lessons import prepare_lessons
        run = self._session.run

        def ask() -> int:
            step = step_at(at, run.manifest.start, run.manifest.stride, run.last.step)
            lessons = prepare_lessons(run, self._game.world, resident, [*map(Path, files)])
            run.ask([lesson.intervention(step) for lesson in lessons if lesson.passages])
            return sum(len(lesson.passages) for lesson in lessons)

        return self._worker.call(ask)

    def law(
        self,
        patch: Mapping[str, Any],
        *,
        at: When | None = None,
        say: str = "",
        trial: int = DEFAULT_TRIAL_DAYS,
        force: bool = False,
    ) -> None:
        """Change entries of the town's rules, in the form of the society's files; None deletes an
        entry.

        A copy of the town is simulated under the new rules for `trial` days first. Raises BadInput
        for invalid rules and, without `force`, for rules that would harm the town.
        """
        with explain_missing_parts():
            from hometown.study.laws.proposal import propose_law
        run = self._session.run

        def ask() -> None:
            proposal = propose_law(run, self._game.founded, orjson.dumps(patch).decode())
            broken = list(proposal.faults) or (
                [] if force or not trial else proposal.find_breaches(trial)
            )
            if broken:
                raise BadInput(broken)
            run.ask(
                [
                    proposal.intervention(
                        step_at(at, run.manifest.start, run.manifest.stride, run.last.step), say
                    )
                ]
            )

        self._worker.call(ask)

    def settle(
        self,
        who: str,
        person: Mapping[str, Any],
        *,
        at: When | None = None,
        say: str = "",
        trial: int = DEFAULT_TRIAL_DAYS,
        force: bool = False,
    ) -> None:
        """Add a resident to the town, in the form of a resident's file of a world; texts are needed
        in the run's language only. Raises BadInput as `law` does.
        """
        self.law({SECTION: {who: person}}, at=at, say=say, trial=trial, force=force)

    def _intervene(self, kind: Kind, text: str, at: When | None) -> None:
        run = self._session.run

        def ask() -> None:
            step = step_at(at, run.manifest.start, run.manifest.stride, run.last.step)
            run.ask([replace(parse_intervention(kind, text, self._game.world), step=step)])

        self._worker.call(ask)

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

    def _repr_png_(self) -> bytes:
        """Show the town in a notebook, by a picture of its last step."""
        with self.read() as run:
            return run.picture()

    def close(self) -> None:
        """Close the run, so that another process can continue it."""
        self._worker.run(self._open.aclose())
        self._worker.call(self._session.run.close)
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
