"""The public interface to a recorded run: its residents, conversations and memories, and what is
made of them.

with hometown.Run.open("spring") as run:
    for conversation in run.conversations():
        print(conversation.time, " and ".join(conversation.speakers), "–", conversation.summary)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlencode

from hometown.deposit_interface import Depositable
from hometown.errors import BadInput
from hometown.export.write import export_run
from hometown.forking import Config, fork_by_name
from hometown.history.moment import describe_moment
from hometown.intervention_interface import Intervenable, furnish_present
from hometown.language import Lang
from hometown.optional_parts import explain_missing_packages, explain_missing_parts
from hometown.paths import RESULTS
from hometown.run_content import RunContent
from hometown.run_records import AnswerRecord, JudgedAnswerRecord
from hometown.storage.recordings import Recording, find_recording, list_recordings, open_recording
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_names
from hometown.text import N_, translate
from hometown.upkeep_interface import Verification, verify_by_name
from hometown.visit_interface import Visit, VisitHost
from hometown.worker import Worker, for_asyncio, run_in_thread
from hometown.world.world import World

if TYPE_CHECKING:
    from hometown.notebook.player import Player
    from hometown.notebook.vega_plots import VegaPlot
    from hometown.study.access_conditions import AccessCondition
    from hometown.study.comparison import Comparison
    from hometown.study.deposit.subject import DepositSubject
    from hometown.study.run_interviews import DraftKind, RunInterview

T = TypeVar("T")

UNTRUSTED = N_("The player appears once you trust this notebook, so that its scripts may run.")
"""The text that a notebook shows in place of the player while it runs no scripts."""


class Run(RunContent, Depositable, Intervenable):
    """A run, finished or in progress, open for reading. Names are in the run's language; a resident
    is given by id, name or part of a name. Interventions wait in its inbox for whoever simulates
    it.
    """

    @classmethod
    def open_recorded(cls, name: str, *, results: Path = RESULTS) -> Self:
        """Put a recorded town among the runs of a folder, where it stays as it is, and open it.
        Raises BadInput if there is none of that name.
        """
        return cls.open(open_recording(results, find_recording(name)), results=results)

    def compare(self, other: Run) -> Comparison:
        """Compare this run with another one: the first difference with its cause, and figures."""
        with explain_missing_parts():
            from hometown.study.comparison import compare_runs
        return compare_runs(self._file, other._file, self._worlds)

    def fork(
        self,
        step: int,
        name: str,
        *,
        seed: int | None = None,
        llm: str | None = None,
        embedding: str | None = None,
        settings: Config | None = None,
    ) -> None:
        """Create a run that branches off after a step of this one, with the given changes;
        `Town.resume` simulates it. Raises BadRun for a step that does not exist or a name that is
        taken, BadInput for a model that cannot be had.
        """
        forking = fork_by_name(
            self.name,
            step,
            name,
            seed=seed,
            llm=llm,
            embedding=embedding,
            settings=settings,
            results=self._results,
            worlds=self._worlds,
        )
        with Worker() as worker:
            worker.call(worker.run(forking).run.close)

    fork_async = for_asyncio(fork)

    def ask(
        self,
        resident: str,
        question: str,
        *,
        earlier: Sequence[tuple[str, str]] = (),
        step: int | None = None,
        condition: AccessCondition = "full",
        llm: str = "",
    ) -> AnswerRecord:
        """Ask a resident a question, as of a step, by default the last one. The run stays as it is.

        `earlier` are the questions before it in the same conversation, with their answers;
        `condition` leaves out part of the resident's memories: "no-reflection", "no-plan" or "none"
        (docs/science.md). `llm` is the model that answers, by default that of the run. Raises
        BadInput for an empty or long question, BadRun for a step that does not exist,
        ModelUnavailable if the model does not answer.
        """
        asking = self._interview(step, condition, llm).ask(resident, question, earlier)
        return self._records.make_answer(run_in_thread(asking))

    ask_async = for_asyncio(ask)

    def question(
        self,
        questionnaire: str,
        *,
        residents: Sequence[str] = (),
        step: int | None = None,
        condition: AccessCondition = "full",
        llm: str = "",
    ) -> list[JudgedAnswerRecord]:
        """Give residents, by default all, a questionnaire, by its name, such as "believability", or
        the path of a file, as of a step, by default the last one, and return their answers with
        verdicts (docs/science.md). The run stays as it is. Raises as `ask` does, and BadInput for a
        faulty file.
        """
        judged = run_in_thread(self._interview(step, condition, llm).give(questionnaire, residents))
        return [*map(self._records.make_judged_answer, judged)]

    question_async = for_asyncio(question)

    def draft(self, kind: DraftKind, words: str, *, llm: str = "") -> dict[str, Any]:
        """Draft a "law", a change of the town's rules, or a "resident" who moves in, from words, and
        return a patch for `law`. Raises BadInput if the model sees nothing of that kind in them,
        ModelUnavailable if it does not answer.
        """
        return run_in_thread(self._interview(None, "full", llm).draft(kind, words))

    draft_async = for_asyncio(draft)

    def _interview(self, step: int | None, condition: AccessCondition, llm: str) -> RunInterview:
        with explain_missing_parts():
            from hometown.study.run_interviews import RunInterview
        return RunInterview(self._results, self._worlds, self.name, step, condition, llm)

    def visit(self, visitor: str) -> Visit:
        """Open the visit of a person under a name, to a run that is being simulated; residents know
        them again by it. Use it in a `with` statement, which lets them enter and leave. Raises
        BadInput for the name of a resident and in a town with a society, BadRun if nothing simulates
        the run.
        """
        return Visit(lambda: VisitHost(self.name, visitor, self._results, self._worlds))

    def verify(self) -> Verification:
        """Compare the run with its own records, without a model: its effects have to produce its
        states, and its residents, who think again with the recorded replies, these effects.
        """
        return run_in_thread(verify_by_name(self.name, self._results, self._worlds))

    verify_async = for_asyncio(verify)

    def picture(self, step: int | None = None) -> bytes:
        """Return a PNG picture of the town after a step, by default the last one: the map with all
        residents, and beside it their activities and moods. Raises BadRun for a step that does
        not exist, BadInput if the run's world cannot be read, so that there is no map.
        """
        with explain_missing_parts():
            from hometown.history.picture import png
        if self._names.world is None:
            raise BadInput(
                "the world of {name} cannot be read, so there is no map to draw", name=self.name
            )
        at = self._file.find_step(step)
        return png(describe_moment(self._reader, self._names.world, at))

    def _repr_png_(self) -> bytes:
        """Show the run in a notebook, by a picture of its last step."""
        return self.picture()

    def plot(self, name: str) -> VegaPlot:
        """Return a plot that a notebook shows, in Vega-Lite: "network", "places", "minds" or
        "calls". Raises BadInput for another name.
        """
        from hometown.notebook.vega_plots import draw_plot

        return draw_plot(name, self._reader, self._names)

    def player(self, step: int = 1, *, resident: str = "", height: int = 640) -> Player:
        """Return the page of this run as a widget of a notebook, which plays from a step on and
        follows a resident if one is named; exported notebooks hold it, too. `height` is in pixels.
        Raises BadInput if the packages for it are not installed.
        """
        from hometown.export.html import render_replay

        with explain_missing_packages("notebook"):
            from hometown.notebook.player import Player
        query = {"step": step} | ({"resident": self._resident(resident)} if resident else {})
        page = render_replay(self._reader, self._names, self.name)
        note = translate(UNTRUSTED, self.language)
        return Player(page=page, query=f"?{urlencode(query)}", height=height, note=note)

    def export(
        self,
        *,
        html: bool = False,
        tables: bool = False,
        notes: bool = False,
        epub: bool = False,
        pdf: bool = False,
    ) -> list[Path]:
        """Write movement.json, simulation.md, spread.json and the newspaper, and on request the
        page as one HTML file, tables, linked notes and books; return their paths. Raises BadInput
        if packages or fonts for a book are not installed, or a file cannot be written.
        """
        return export_run(
            self._results,
            self.name,
            self._worlds,
            html=html,
            tables=tables,
            notes=notes,
            epub=epub,
            pdf=pdf,
        )

    export_async = for_asyncio(export)

    def _use_run(self, work: Callable[[RunFile], T]) -> T:
        return work(self._file)

    def _town_now(self, run: RunFile) -> World:
        return furnish_present(run, self._worlds)

    def _founded(self, run: RunFile) -> World:
        from hometown.study.interview import world_of_interview

        return world_of_interview(run, self._worlds)

    def _find_subject(self) -> DepositSubject:
        from hometown.study.deposit.subject import find_run

        return find_run(self._results, self.name)


def runs(results: Path = RESULTS) -> list[str]:
    """Return the names of the runs in a folder of results."""
    return run_names(results)


def recorded_towns(lang: Lang = "en") -> list[Recording]:
    """Return the recorded towns that come with Hometown, those in a language first."""
    return list_recordings(lang)
