"""The public interface to a recorded run: its residents, conversations and memories.

with hometown.Run.open("spring") as run:
    for conversation in run.conversations():
        print(conversation.time, " and ".join(conversation.speakers), "–", conversation.summary)
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

from hometown.errors import BadInput
from hometown.export.table_export import read_run_table
from hometown.export.write import export_run
from hometown.forking import Config, fork_by_name
from hometown.history.blocks import Blocks
from hometown.history.causes import Log, causes
from hometown.history.moment import describe_moment
from hometown.history.names import Names
from hometown.history.news_beliefs import list_beliefs
from hometown.history.present_residents import residents_in
from hometown.history.reader import RunReader
from hometown.history.spread import describe_diffusion
from hometown.language import Lang
from hometown.made_records import RecordMaker
from hometown.memory import tiers
from hometown.memory.concept import MEMORY_TYPES, MemoryType
from hometown.model.text_vectors import embed_texts
from hometown.optional_parts import explain_missing_packages, explain_missing_parts
from hometown.paths import RESULTS, USER_WORLDS
from hometown.run_records import (
    AnswerRecord,
    BeliefRecord,
    ConversationRecord,
    DecisionRecord,
    JudgedAnswerRecord,
    Memory,
    ReasonRecord,
    Resident,
    Retrieved,
)
from hometown.session import same_embedder
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_names
from hometown.worker import Worker
from hometown.world.resolve import NameIndex

if TYPE_CHECKING:
    import pyarrow

    from hometown.memory.store import MemoryStore
    from hometown.notebook.player import Player
    from hometown.notebook.vega_plots import VegaPlot
    from hometown.study.comparison import Comparison
    from hometown.study.run_interviews import RunInterview


class Run:
    """A run, finished or in progress, open for reading. Names are in the run's language; a resident
    is given by id, name or part of a name.
    """

    def __init__(self, file: RunFile, names: Names, results: Path, worlds: Path) -> None:
        self._file, self._names, self._results, self._worlds = file, names, results, worlds
        self._reader = RunReader(file)
        self._records = RecordMaker(self._reader, names)

    @classmethod
    def open(cls, name: str, *, results: Path = RESULTS, worlds: Path = USER_WORLDS) -> Self:
        """Open the run `name` in a folder of results. Raises BadRun if there is none or it cannot
        be read.

        `worlds` holds the world of a run from before version 2, which carries no copy of it.
        """
        file = RunFile.open(results, name)
        try:
            return cls(file, Names.of(file, worlds), results, worlds)
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._file.__exit__(kind, error, trace)

    @property
    def name(self) -> str:
        return self._file.manifest.name

    @property
    def model(self) -> str:
        """The language model of the run, as `--llm` names it."""
        return self._file.manifest.llm

    @property
    def language(self) -> Lang:
        """The language in which the residents speak."""
        return self._file.manifest.lang

    @property
    def start(self) -> datetime:
        """Game time at the start."""
        return self._file.manifest.start

    @property
    def stride(self) -> int:
        """Minutes of game time in a step."""
        return self._file.manifest.stride

    @property
    def steps(self) -> int:
        """The number of the last step that exists; it grows while the run is in progress."""
        return self._file.last.step

    @property
    def planned_steps(self) -> int:
        """The number of the last step that is planned."""
        return self._file.planned_end

    @property
    def parent(self) -> str:
        """The run and step that a fork began after, as "spring@48"; "" for no fork."""
        return self._file.manifest.parent or ""

    @property
    def now(self) -> datetime:
        """Game time at the end of the last step."""
        return self._file.last.time

    def time_of(self, step: int) -> datetime:
        """Return game time at the end of a step."""
        return self._reader.moment(step)

    def digests(self) -> list[str]:
        """Return the digest of every step, from step 0 on, in hex."""
        return self._file.digests()

    def find_name(self, resident: str) -> str:
        """Return the full name of a resident. Raises BadInput for an unknown or ambiguous one."""
        return self._names.person(self._resident(resident))

    def residents(self, step: int | None = None) -> list[Resident]:
        """Return all residents after a step, by default the last one. Raises BadRun for a step that
        does not exist.
        """
        return residents_in(self._file.restore(step), self._names)

    def conversations(self, first: int = 1, last: int | None = None) -> list[ConversationRecord]:
        """Return the conversations that began in steps `first` to `last`, in order of time."""
        return [
            self._records.make_conversation(held)
            for held in self._reader.conversations(first, self.steps if last is None else last)
        ]

    def memories(
        self, resident: str, step: int | None = None, types: Iterable[MemoryType] = MEMORY_TYPES
    ) -> list[Memory]:
        """Return all memories of a resident up to a step, oldest first, including those retired
        since.
        """
        who, wanted = self._resident(resident), set(types)
        memories = self._reader.memories(0, self.steps if step is None else step, who=who)
        return [
            self._records.make_memory(who, memory.concept)
            for memory in memories
            if memory.concept.type in wanted
        ]

    def retrieve(
        self,
        resident: str,
        query: str,
        *,
        count: int = 10,
        step: int | None = None,
        types: Sequence[MemoryType] | None = None,
    ) -> list[Retrieved]:
        """Return the memories that would come to a resident's mind after a step, by default the
        last one, live ones first and the best of these first, by the run's own embedding and
        settings.

        Servers are those of the environment. Raises ModelUnavailable if the embedding's server does
        not answer, BadInput if the embedding is a file that the user has not named before.
        """
        manifest, state, who = (
            self._file.manifest,
            self._file.restore(step),
            self._resident(resident),
        )
        embedder = same_embedder(manifest, Settings())
        with Worker() as worker:
            vector = worker.run(embed_texts(embedder, [query]))[query]
        found = tiers.retrieve(
            state.store, who, [vector], state.clock.now, manifest.settings.associate, count, types
        )
        scored = (*found.live, *found.retired)
        return [
            Retrieved(
                self._records.make_memory(who, each.concept),
                each.score,
                each.recency,
                each.importance,
                each.relevance,
            )
            for each in scored
        ]

    def why(self, resident: str, step: int | None = None) -> ReasonRecord:
        """Return the reason for a resident's activity after a step, by default the last one. Raises
        BadRun for a step that does not exist.
        """
        who, at = self._resident(resident), self.steps if step is None else step
        activity = self._file.restore(at).action(who).activity
        log = Log(self._reader)
        begun, cause = log.find_beginning(who, at)
        decided = self._records.make_decisions(
            who, causes(self._reader, self._names, log, who, begun, begun)
        )
        return ReasonRecord(activity, begun, cause, decided.get(f"{begun} {cause}"))

    def decisions(
        self, resident: str, first: int = 1, last: int | None = None
    ) -> list[DecisionRecord]:
        """Return the model calls for a resident in steps `first` to `last`, in order of time."""
        who, end = self._resident(resident), self.steps if last is None else last
        block = causes(self._reader, self._names, Log(self._reader), who, first, end)
        return list(self._records.make_decisions(who, block).values())

    def spread(self) -> dict[str, Any]:
        """Return the diffusion of the world's storylines, as in `spread.json` (docs/formats.md):
        who learned of them, when and from whom, and who came to their gatherings.
        """
        return describe_diffusion(self._reader, self._names, self.steps)

    def beliefs(self) -> list[BeliefRecord]:
        """Return who holds which claim after the last step: storylines, happenings, and the words
        of inner voices and notes, by claim, the earliest first.
        """
        person = self._names.person
        return [
            BeliefRecord(
                held.claim.text,
                person(held.who),
                held.channel,
                person(held.teller) if held.teller else "",
                held.step,
                held.memory.text,
                held.truth,
            )
            for held in list_beliefs(self._reader, self._names, self.steps)
        ]

    def view(self, address: str) -> Any:
        """Return what the page shows at an address below the run's, such as
        "residents/lin_yue/diary/2025-02-13" or "gazette/en/2025-02-13", as JSON. Raises BadInput for
        an unknown address.
        """
        return Blocks(self._reader, self._names).of_run(address)

    def views(self) -> list[str]:
        """Return the addresses of `view`, except `spread/memory/WHO/MEMORY`."""
        return Blocks(self._reader, self._names).addresses()

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

    def ask(
        self, resident: str, question: str, *, step: int | None = None, llm: str = ""
    ) -> AnswerRecord:
        """Ask a resident a question, as of a step, by default the last one. The run stays as it is.

        `llm` is the model that answers, by default that of the run. Raises BadInput for an empty or
        long question, BadRun for a step that does not exist, ModelUnavailable if the model does not
        answer.
        """
        asking = self._interview(step, llm).ask(self._resident(resident), question)
        with Worker() as worker:
            return self._records.make_answer(worker.run(asking))

    async def ask_async(
        self, resident: str, question: str, *, step: int | None = None, llm: str = ""
    ) -> AnswerRecord:
        """Do what `ask` does, without blocking the event loop."""
        asking = self._interview(step, llm).ask(self._resident(resident), question)
        with Worker() as worker:
            return self._records.make_answer(await asyncio.wrap_future(worker.submit(asking)))

    def question(
        self,
        questionnaire: str,
        *,
        residents: Sequence[str] = (),
        step: int | None = None,
        llm: str = "",
    ) -> list[JudgedAnswerRecord]:
        """Give residents, by default all, a questionnaire, by its name, such as "believability", or
        the path of a file, as of a step, by default the last one, and return their answers with
        verdicts (docs/science.md). The run stays as it is. Raises as `ask` does, and BadInput for a
        faulty file.
        """
        giving = self._interview(step, llm).give(questionnaire, residents)
        with Worker() as worker:
            judged = worker.run(giving)
        return [*map(self._records.make_judged_answer, judged)]

    def _interview(self, step: int | None, llm: str) -> RunInterview:
        with explain_missing_parts():
            from hometown.study.run_interviews import RunInterview
        return RunInterview(self._results, self._worlds, self.name, step, llm)

    def vector_store(self) -> MemoryStore:
        """Return the memories after the last step as a LlamaIndex vector store; see
        docs/extending.md.
        """
        from hometown.memory.store import MemoryStore  # takes a while to import

        return MemoryStore.from_run(self._file)

    def picture(self, step: int | None = None) -> bytes:
        """Return a PNG picture of the town after a step, by default the last one: the map with all
        residents, and beside it their activities and moods. Raises BadInput if the run's world
        cannot be read, so that there is no map.
        """
        with explain_missing_parts():
            from hometown.history.picture import png
        if self._names.world is None:
            raise BadInput(
                "the world of {name} cannot be read, so there is no map to draw", name=self.name
            )
        at = self.steps if step is None else step
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
        follows a resident if one is named. `height` is in pixels. Raises BadInput if the packages
        for it are not installed.
        """
        from hometown.export.html import render_replay

        with explain_missing_packages("notebook"):
            from hometown.notebook.player import Player
        query = {"step": step} | ({"resident": self._resident(resident)} if resident else {})
        page = render_replay(self._reader, self._names, self.name)
        return Player(page=page, query=f"?{urlencode(query)}", height=height)

    def table(self, name: str) -> pyarrow.Table:
        """Return a table of the run, as `export` writes it (docs/formats.md): "memories",
        "conversations", "actions", "calls", "trajectories", "director" or "beliefs". pandas,
        Polars and others read it by the dataframe interchange. Raises BadInput for another name,
        or if the packages for it are not installed.
        """
        with explain_missing_packages("tables"):
            return read_run_table(self._reader, name, self.steps)

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
        if packages or fonts for a book are not installed.
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

    def _resident(self, name: str) -> str:
        """Return the id of a resident."""
        if name in self._reader.residents or self._names.world is None:
            return name
        return NameIndex("tell", self._names.world).resolve(name)


def runs(results: Path = RESULTS) -> list[str]:
    """Return the names of the runs in a folder of results."""
    return run_names(results)
