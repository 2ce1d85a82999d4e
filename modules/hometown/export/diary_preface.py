"""The preface of the diary: the origin of the run, its facts, the contents and the residents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hometown.export.diary_wording import Wording
from hometown.history.call_counts import count_calls, count_mendings
from hometown.history.habitual import Planner, planner_of
from hometown.history.names import Names, model_name, recording_note
from hometown.history.report_wording import REPORT_TEXTS
from hometown.markdown import Markdown, anchor, heading, link, literal, quote
from hometown.storage.manifest import Manifest
from hometown.text import ngettext, translate_all

HABITUAL = "↻"
"""The mark of activities that are written in advance."""


class Preface(Wording):
    """The part of the diary before its days, as lines of Markdown."""

    def lines(self) -> Iterator[Markdown]:
        """Yield title, contents and residents."""
        yield from self.title()
        yield from self.contents()
        yield from self.residents()

    def title(self) -> Iterator[Markdown]:
        """Yield the heading, the origin of the run, its facts, and a note if its world is missing."""
        manifest = self.run.manifest
        yield heading(1, self.say("title", world=self.names.world_name(manifest)))
        yield Markdown()
        key, sources = origin_of(manifest, self.names, self.run.residents)
        yield self.say(
            key,
            mark=HABITUAL,
            sources=sources,
            run=manifest.name,
            start=self.format_date_and_time(manifest.start),
            end=self.format_date_and_time(self.run.moment(self.last)),
        )
        yield Markdown()
        if note := recording_note(manifest):
            yield from (quote(1, note), Markdown())
        yield from (Markdown("- **{}** {}").format(name, value) for name, value in self._facts())
        yield Markdown()
        if self.names.missing:
            yield quote(1, self.say("no_world", reason=self.names.missing))
            yield Markdown()

    def _facts(self) -> Iterator[tuple[Markdown, str]]:
        """Yield the name and the value of each fact: model, steps, seed, model calls, and, before the
        planned end, that the run is in progress.
        """
        manifest = self.run.manifest
        calls = count_calls(self.run.database, 0, self.last)
        outcomes = {
            name: sum(count.calls for count in calls if count.outcome == name)
            for name in ("retried", "fallback")
        }
        mended = sum(mending.count for mending in count_mendings(self.run.database, 0, self.last))
        yield self.say("fact_model"), model_name(manifest)
        yield (
            self.say("fact_time"),
            self.say(
                "steps_of",
                steps=self.say_phrase(ngettext("{count} step", "{count} steps", self.last)),
                stride=self.say_phrase(
                    ngettext("{count} minute", "{count} minutes", manifest.stride)
                ),
            ),
        )
        yield self.say("fact_seed"), str(manifest.seed)
        yield (
            self.say("fact_calls"),
            self.say(
                "calls",
                calls=sum(count.calls for count in calls),
                retried=outcomes["retried"],
                fallbacks=outcomes["fallback"],
                mended=mended,
            ),
        )
        if self.last < self.run.planned_end():
            planned = ngettext(
                "in progress; {count} step is planned",
                "in progress; {count} steps are planned",
                self.run.planned_end(),
            )
            yield self.say("fact_state"), self.say_phrase(planned)

    def contents(self) -> Iterator[Markdown]:
        """Yield a list of links to the residents, each day and the news."""
        yield heading(2, self.say("contents"))
        yield Markdown()
        days = [link(self.date(day), anchor("day", day.isoformat())) for day in self.days]
        chapters = [link(self.say("residents"), "residents"), *days, link(self.say("news"), "news")]
        yield from (Markdown("- {}").format(chapter) for chapter in chapters)
        yield Markdown()

    def residents(self) -> Iterator[Markdown]:
        """Yield the chapter of the residents, each under a heading."""
        yield heading(2, self.say("residents"), "residents")
        yield Markdown()
        for who in self.run.residents:
            yield heading(3, self.names.person(who))
            yield Markdown()
            yield from self.resident(who)

    def resident(self, who: str) -> Iterator[Markdown]:
        """Yield a resident's age and occupation, what they are up to at the start, their character
        and their relations; without a persona, only what they are up to.
        """
        persona = self.names.persona(who)
        if persona:
            yield Markdown("*{}*").format(
                self.say("age_and_work", age=persona.age, occupation=persona.occupation)
            )
            yield Markdown()
        if currently := self.run.currently(who, 0):
            yield literal(currently)
            yield Markdown()
        if not persona:
            return
        for field in ("innate", "learned", "lifestyle", "daily_plan"):
            if text := getattr(persona, field):
                yield Markdown("- **{}** {}").format(self.say(field), text)
        known = {
            other: relation
            for other, relation in (persona.relations or {}).items()
            if other in self.run.residents
        }
        if known:
            items = (
                self.say("item", name=self.names.person(other), text=relation)
                for other, relation in known.items()
            )
            yield Markdown("- **{}** {}").format(self.say("relations"), self.join_names(items))
        yield Markdown()


def origin_of(manifest: Manifest, names: Names, residents: Sequence[str]) -> tuple[str, str]:
    """Return the key of the sentence that tells whether models, habits or rules plan the residents'
    days, and, if these differ between residents, a list of who is planned by which; "" if not.
    """
    by_planner: dict[Planner, list[str]] = {"model": [], "habits": [], "rules": []}
    for who in residents:
        by_planner[planner_of(manifest, names.world, who)].append(who)
    planners = [planner for planner, people in by_planner.items() if people]
    if len(planners) == 1:
        return f"what_this_is_{planners[0]}", ""
    words = translate_all(REPORT_TEXTS, manifest.lang)
    sources = (
        words[f"source_{planner}"].format(names=names.people(by_planner[planner]))
        for planner in planners
    )
    return "what_this_is_mixed", words["source_separator"].join(sources)
