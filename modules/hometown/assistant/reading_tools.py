"""The tools that read runs, thin over `hometown.Run`. Each docstring is what an assistant reads.

Residents are given by id, name or part of a name, steps by number. Long results are cut to `limit`
entries, and say how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hometown.errors import BadInput, HometownError
from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.reading import Run, runs
from hometown.run_records import ConversationRecord, DecisionRecord, Resident
from hometown.storage.lock import is_held
from hometown.storage.run_names import run_folder

LIMIT = 20
"""Maximum number of entries in a result, by default."""


@frozen
class ReadingTools:
    """The tools that read the runs of a results folder; `worlds` holds the user's worlds."""

    results: Path
    worlds: Path

    def list_runs(self) -> Json:
        """List all runs (simulations) with their language, model and present game time. A run that
        is being simulated now has "running": true. A damaged one has its error.
        """
        return {"runs": [self._summarize(name) for name in runs(self.results)]}

    def describe_run(self, run: str) -> Json:
        """Describe a run: its residents, storylines, days, last step and game time. Begin here."""
        with self._open(run) as opened:
            residents = [
                {"id": each.id, "name": each.name, "occupation": each.occupation}
                for each in opened.residents()
            ]
            return self._describe(opened) | {
                "residents": residents,
                "storylines": opened.view("spread")["stories"],
                "pages": opened.views(),
            }

    def list_residents(self, run: str, step: int | None = None) -> Json:
        """Tell where each resident is and what they do after a step, by default the last one. A step
        ends `minutes_per_step` after the one before; step 0 is the start. "place" is "" out of town.
        """
        with self._open(run) as opened:
            found = opened.residents(step)
            at = opened.steps if step is None else step
            time = opened.time_of(at)
        residents = [{"name": each.name} | _describe_presence(each) for each in found]
        return {"step": at, "time": time, "residents": residents}

    def list_conversations(
        self,
        run: str,
        resident: str = "",
        text: str = "",
        first: int = 1,
        last: int | None = None,
        limit: int = LIMIT,
    ) -> Json:
        """List conversations with all their lines, in order of time: those of a resident, those
        that contain a text, or those that began in steps `first` to `last`. Speakers who joined
        later have not heard the lines before their own.
        """
        with self._open(run) as opened:
            name = opened.find_name(resident) if resident else ""
            found = [
                conversation
                for conversation in opened.conversations(first, last)
                if name in ("", *conversation.speakers) and _contains(conversation, text)
            ]
        return _cut("conversations", found, limit)

    def list_memories(
        self,
        run: str,
        resident: str,
        text: str = "",
        step: int | None = None,
        limit: int = LIMIT,
    ) -> Json:
        """List a resident's memories up to a step, the latest first: events, thoughts, chats and
        plans, with poignancy from 1 to 10; with `text`, those that contain it.
        """
        with self._open(run) as opened:
            memories = opened.memories(resident, step)
        found = [each for each in reversed(memories) if text.casefold() in each.text.casefold()]
        return _cut("memories", found, limit)

    def search_memories(
        self, run: str, resident: str, query: str, count: int = 10, step: int | None = None
    ) -> Json:
        """Search a resident's memories by meaning: those that would come to their mind, the best
        first, scored by recency, importance and relevance.
        """
        with self._open(run) as opened:
            return {"found": opened.retrieve(resident, query, count=count, step=step)}

    def explain_activity(self, run: str, resident: str, step: int | None = None) -> Json:
        """Explain why a resident does what they do after a step, by default the last one: the step
        in which they began it, and the rule or the model call behind it. A rule follows from
        earlier decisions, such as a plan ("rule:schedule") or an agreement ("rule:appointment"):
        look for these with `list_decisions` and `list_memories`.
        """
        with self._open(run) as opened:
            reason = opened.why(resident, step)
        content = {"activity": reason.activity, "since_step": reason.step, "cause": reason.cause}
        return content | {"decision": reason.decision and _describe_decision(reason.decision)}

    def list_decisions(
        self, run: str, resident: str, first: int = 1, last: int | None = None, limit: int = LIMIT
    ) -> Json:
        """List the model calls for a resident in steps `first` to `last`: prompt, reply, memories
        in the prompt, and what followed from it.
        """
        with self._open(run) as opened:
            found = opened.decisions(resident, first, last)
        return _cut("decisions", [_describe_decision(each) for each in found], limit)

    def trace_news(self, run: str, storyline: str = "") -> Json:
        """Trace who learned of a storyline (by id; all by default), when, from whom, by which
        channel (told, overheard, saw, read, …), with the facts that changed in the telling, and in
        which conversation, whose id starts with the step in which it began: a fork in which it is
        not held begins before that step; trace it there as well, since an earlier one may have told
        it. Each resident is listed once, with their first memory of it; `list_beliefs` has the
        first by each channel.
        "came" to its gathering are those who had heard of it before, for whatever reason they were
        there. Whoever heard that it is called off counts, too: read the texts.
        """
        with self._open(run) as opened:
            news = opened.spread()
            told = {each["id"]: each for each in news["storylines"] or []}
            if storyline and storyline not in told:
                raise BadInput(
                    "there is no storyline {storyline!r} in run {name!r}; it has: {ids}",
                    storyline=storyline,
                    name=run,
                    ids=list(told),
                )
            traced = {storyline: told[storyline]} if storyline else told
            for name, story in traced.items():
                shown = opened.view(f"spread/story/{name}")["learned"]
                story["learned"] = [
                    learned | {"channel": each["channel"], "changed": each["changed"]}
                    for learned, each in zip(story["learned"], shown, strict=True)
                ]
        return news | {"storylines": [*traced.values()]}

    def list_beliefs(self, run: str, claim: str = "", limit: int = 50) -> Json:
        """List which resident holds which claim, from whom, by which channel (told, overheard, saw,
        read, …), and whether the state of the town bears it out; with `claim`, of claims that
        contain this text.
        """
        with self._open(run) as opened:
            found = [each for each in opened.beliefs() if claim.casefold() in each.claim.casefold()]
        return _cut("beliefs", found, limit)

    def read_page(self, run: str, address: str) -> Any:
        """Read the data of a page at an address of `describe_run`'s "pages": a resident's diary, the
        newspaper, highlights, gatherings (occasions), wishes, networks. A tick is ten seconds of
        game time since the start.
        """
        with self._open(run) as opened:
            return opened.view(address)

    def compare_runs(self, run: str, other: str, step: int | None = None) -> Json:
        """Compare two runs, such as a run and its fork: the first difference with its cause, their
        figures side by side, and the residents who are elsewhere or do something else after a step,
        by default the last that both have. "place" is "" out of town.
        """
        with self._open(run) as first, self._open(other) as second:
            comparison = first.compare(second)
            at = comparison.difference.common if step is None else step
            pairs = pair_residents(first.residents(at), second.residents(at))
        return asdict(comparison) | {"residents": {"step": at, "different": pairs}}

    @property
    def all(self) -> Sequence[Callable[..., Any]]:
        """All tools, in the order in which an assistant lists them."""
        return (
            self.list_runs,
            self.describe_run,
            self.list_residents,
            self.list_conversations,
            self.list_memories,
            self.search_memories,
            self.explain_activity,
            self.list_decisions,
            self.trace_news,
            self.list_beliefs,
            self.read_page,
            self.compare_runs,
        )

    def _open(self, name: str) -> Run:
        return Run.open(name, results=self.results, worlds=self.worlds)

    def _summarize(self, name: str) -> Json:
        try:
            with self._open(name) as opened:
                return self._describe(opened)
        except HometownError as error:
            return {"name": name, "error": str(error)}

    def _describe(self, run: Run) -> Json:
        return {
            "name": run.name,
            "language": run.language,
            "model": run.model,
            "start": run.start,
            "minutes_per_step": run.stride,
            "last_step": run.steps,
            "planned_steps": run.planned_steps,
            "fork_of": run.parent,
            "now": run.now,
            "running": is_held(run_folder(self.results, run.name)),
        }


def _describe_presence(resident: Resident) -> Json:
    """Return where a resident is and what they do."""
    return {"activity": resident.activity, "place": resident.place}


def pair_residents(first: Sequence[Resident], second: Sequence[Resident]) -> list[Json]:
    """Return the residents of two runs whose activities or places differ, None in a run without
    them.
    """
    ours, theirs = (
        {each.name: _describe_presence(each) for each in residents} for residents in (first, second)
    )
    return [
        {"name": name, "first": ours.get(name), "second": theirs.get(name)}
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name) != theirs.get(name)
    ]


def _describe_decision(decision: DecisionRecord) -> Json:
    """Return a model call as JSON, with the texts alone of its memories."""
    return {
        "step": decision.step,
        "prompt": decision.prompt,
        "model": decision.model,
        "outcome": decision.outcome,
        "reply": decision.reply,
        "memories": [found.memory.text for found in decision.memories],
        "results": decision.results,
    }


def _contains(conversation: ConversationRecord, text: str) -> bool:
    """Return True if a conversation's summary or one of its lines contains a text."""
    texts = (conversation.summary, *(line for _, line in conversation.lines))
    return any(text.casefold() in each.casefold() for each in texts)


def _cut(key: str, found: Sequence[Any], limit: int) -> Json:
    """Return the first entries, as many as `limit`, and the number of all."""
    return {"total": len(found), key: found[: max(limit, 0)]}
