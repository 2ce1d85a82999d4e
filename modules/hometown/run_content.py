"""The content of a recorded run: residents, conversations, memories, decisions and news."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from hometown.export.table_export import read_run_table
from hometown.history.blocks import Blocks
from hometown.history.causes import Log, causes
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
from hometown.optional_parts import explain_missing_packages
from hometown.paths import RESULTS, USER_WORLDS
from hometown.run_records import (
    BeliefRecord,
    ConversationRecord,
    DecisionRecord,
    Memory,
    ReasonRecord,
    Resident,
    Retrieved,
)
from hometown.session import same_embedder
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.worker import run_in_thread
from hometown.world.resolve import NameIndex

if TYPE_CHECKING:
    import pyarrow

    from hometown.memory.store import MemoryStore


class RunContent:
    """The content of a run: residents, conversations, memories, decisions and news."""

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
        """Return game time at the end of a step. Raises BadRun for one that does not exist."""
        return self._reader.moment(self._file.find_step(step))

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
        """Return the conversations that began in steps `first` to `last`, in order of time. Raises
        BadRun for a `last` step that does not exist.
        """
        return [
            self._records.make_conversation(held)
            for held in self._reader.conversations(*self._span(first, last))
        ]

    def memories(
        self, resident: str, step: int | None = None, types: Iterable[MemoryType] = MEMORY_TYPES
    ) -> list[Memory]:
        """Return all memories of a resident up to a step, oldest first, including those retired
        since. Raises BadRun for a step that does not exist.
        """
        who, wanted = self._resident(resident), set(types)
        memories = self._reader.memories(0, self._file.find_step(step), who=who)
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
        vector = run_in_thread(embed_texts(embedder, [query]))[query]
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
        who, at = self._resident(resident), self._file.find_step(step)
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
        """Return the model calls for a resident in steps `first` to `last`, in order of time. Raises
        BadRun for a `last` step that does not exist.
        """
        who, span = self._resident(resident), self._span(first, last)
        block = causes(self._reader, self._names, Log(self._reader), who, *span)
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

    def vector_store(self) -> MemoryStore:
        """Return the memories after the last step as a LlamaIndex vector store; see
        docs/extending.md.
        """
        from hometown.memory.store import MemoryStore  # takes a while to import

        return MemoryStore.from_run(self._file)

    def table(self, name: str) -> pyarrow.Table:
        """Return a table of the run, as `export` writes it (docs/formats.md): "memories",
        "conversations", "actions", "calls", "trajectories", "director", "beliefs" or "processes".
        pandas, Polars and others read it by the dataframe interchange. Raises BadInput for another name,
        or if the packages for it are not installed.
        """
        with explain_missing_packages("tables"):
            return read_run_table(self._reader, name, self.steps)

    def _span(self, first: int, last: int | None) -> tuple[int, int]:
        """Return the first and the last step of a span, which holds none if it begins later than the
        run ends.
        """
        end = self._file.find_step(last)
        return min(max(first, 0), end + 1), end

    def _resident(self, name: str) -> str:
        """Return the id of a resident."""
        if name in self._reader.residents or self._names.world is None:
            return name
        return NameIndex("tell", self._names.world).resolve(name)
