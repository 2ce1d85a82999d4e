"""The public interface to interventions: changes that users make in a town from outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import orjson

from hometown.defaults import DEFAULT_TRIAL_DAYS
from hometown.errors import BadInput
from hometown.history.present_residents import refuse_vain_travel
from hometown.optional_parts import explain_missing_parts
from hometown.session import same_cast
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_of
from hometown.world.furnish import furnish_world
from hometown.world.intervention_time import When, step_at
from hometown.world.interventions import Intervention, Kind
from hometown.world.moving_in import SECTION
from hometown.world.resolve import parse_intervention
from hometown.world.world import World

T = TypeVar("T")


def resolve_step(run: RunFile, at: When | None) -> int:
    """Return the step of a run in which an intervention at a moment takes effect, 0 for the next
    one. Raises BadInput for a time in the past.
    """
    return step_at(at, run.manifest.start, run.manifest.stride, run.last.step)


def furnish_present(run: RunFile, worlds: Path) -> World:
    """Return the world of a run with its cast, and with the objects that it has now. Raises BadRun
    if a resident's file is missing.
    """
    people = same_cast(world_of(run, worlds), run.manifest)
    return furnish_world(people, run.furniture(run.last.step))


def enter_requests(
    run: RunFile, town: World, requests: Iterable[tuple[Kind, str]], at: When | None
) -> list[Intervention]:
    """Enter interventions, by kind and words, in the inbox of a run, whose `town` is as it is now,
    and return them with their numbers. Raises BadInput if one of them is not possible.
    """
    step = resolve_step(run, at)
    parsed = [replace(parse_intervention(kind, words, town), step=step) for kind, words in requests]
    refuse_vain_travel(run, town, parsed)
    return run.ask(parsed)


class Intervenable(ABC):
    """A town in which users intervene, which may be simulated now, later, or by another process.

    Each intervention waits in the run's inbox for its step. Those of one line return their numbers,
    by which `withdraw` takes them back.
    """

    @abstractmethod
    def _use_run(self, work: Callable[[RunFile], T]) -> T:
        """Return the result of some work on the run."""

    @abstractmethod
    def _town_now(self, run: RunFile) -> World:
        """Return the town with the objects that it has now."""

    @abstractmethod
    def _founded(self, run: RunFile) -> World:
        """Return the town as it was founded, with those who have moved in."""

    def tell(self, resident: str, text: str, *, at: When | None = None) -> int:
        """Speak to a resident as their inner voice. `at` is a step, a time of day or a moment; by
        default the next step.

        Raises BadInput, as all interventions do, for an unknown or ambiguous name, an empty text,
        and a time in the past.
        """
        return self._intervene("tell", f"{resident}: {text}", at)

    def set(self, thing: str, state: str, *, at: When | None = None) -> int:
        """Set an object's state; "" clears it."""
        return self._intervene("set", f"{thing}: {state}", at)

    def event(self, place: str, text: str, *, at: When | None = None) -> int:
        """Make an event happen in a room or at an object; all residents in sight of it perceive it."""
        return self._intervene("event", f"{place}: {text}", at)

    def place(self, room: str, thing: str, *, at: When | None = None) -> int:
        """Put a new object into a room."""
        return self._intervene("place", f"{room}: {thing}", at)

    def remove(self, thing: str, *, at: When | None = None) -> int:
        """Remove an object."""
        return self._intervene("remove", thing, at)

    def leave(self, resident: str, *, at: When | None = None) -> int:
        """Make a resident leave town."""
        return self._intervene("leave", resident, at)

    def arrive(self, resident: str, *, at: When | None = None) -> int:
        """Bring back a resident who has left town."""
        return self._intervene("arrive", resident, at)

    def learn(self, resident: str, *files: str | Path, at: When | None = None) -> int:
        """Let a resident know what is in files, which they remember as known before, and return the
        number of passages that are new to them.

        Raises BadInput as `tell` does, and for a file that can't be read.
        """
        with explain_missing_parts():
            from hometown.study.learning.lessons import prepare_lessons

        def enter(run: RunFile) -> int:
            lessons = prepare_lessons(run, self._town_now(run), resident, [*map(Path, files)])
            step = resolve_step(run, at)
            run.ask([lesson.intervention(step) for lesson in lessons if lesson.passages])
            return sum(len(lesson.passages) for lesson in lessons)

        return self._use_run(enter)

    def law(
        self,
        patch: Mapping[str, Any],
        *,
        at: When | None = None,
        say: str = "",
        trial: int = DEFAULT_TRIAL_DAYS,
        force: bool = False,
    ) -> int:
        """Change entries of the town's rules, in the form of the society's files; None deletes an
        entry.

        A copy of the town is simulated under the new rules for `trial` days first. Raises BadInput
        for invalid rules and, without `force`, for rules that would harm the town.
        """
        with explain_missing_parts():
            from hometown.study.laws.proposal import propose_law

        def enter(run: RunFile) -> int:
            proposal = propose_law(run, self._founded(run), orjson.dumps(patch).decode())
            broken = list(proposal.faults) or (
                [] if force or not trial else proposal.find_breaches(trial)
            )
            if broken:
                raise BadInput(broken)
            return run.ask([proposal.intervention(resolve_step(run, at), say)])[0].number

        return self._use_run(enter)

    def settle(
        self,
        who: str,
        person: Mapping[str, Any],
        *,
        at: When | None = None,
        say: str = "",
        trial: int = DEFAULT_TRIAL_DAYS,
        force: bool = False,
    ) -> int:
        """Add a resident to the town, in the form of a resident's file of a world; texts are needed
        in the run's language only. Raises BadInput as `law` does.
        """
        return self.law({SECTION: {who: person}}, at=at, say=say, trial=trial, force=force)

    def waiting(self) -> list[Intervention]:
        """Return the interventions that no step has carried out yet, in the order of their entry."""
        return self._use_run(RunFile.waiting)

    def withdraw(self, number: int) -> None:
        """Take an intervention back. Raises BadInput if none of this number waits."""
        numbers = [each.number for each in self.waiting()]
        if number not in numbers:
            raise BadInput(
                "there is no intervention {number} that still waits; these do: {numbers}",
                number=number,
                numbers=numbers or "–",
            )
        self._use_run(lambda run: run.inbox.withdraw(number))

    def _intervene(self, kind: Kind, text: str, at: When | None) -> int:
        def enter(run: RunFile) -> int:
            return enter_requests(run, self._town_now(run), [(kind, text)], at)[0].number

        return self._use_run(enter)
