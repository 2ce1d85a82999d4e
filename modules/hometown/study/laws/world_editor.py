"""The world editor: once a game day a model drafts one change of a town's rules, which is tried on
paired copies of the town. It is entered if the user has allowed that beforehand and nobody fares
worse by it; else it is left to the user as a proposal with its evidence.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import datetime, timedelta
from statistics import fmean

import orjson

from hometown.agent.mind import Mind
from hometown.model.llm import LanguageModel
from hometown.prompt.world_edits import WORLD_EDIT, GoodsFigure, WorldEditVars
from hometown.session import Session
from hometown.society.forecast import Forecast, Scenario
from hometown.society.work_step import view_society
from hometown.storage.world_edit_log import EditPair, WorldEdit, add_edit, read_edits
from hometown.study.interview import Interviewer
from hometown.study.laws.drafting import build_patch, entries_of, repeat_drafting
from hometown.study.laws.proposal import Proposal, read_present_town, require_rules
from hometown.world.book.book import COIN
from hometown.world.book.parts import FULL
from hometown.world.state import State
from hometown.world.world import World

TRIAL_DAYS, PAIRS = 7, 3
"""The days of a trial, and the number of pairs of trials, each with a seed of its own."""

TOLERANCE = 10
"""Points by which the lowest level of a vital need may fall in a change that is entered."""

MOST_EARLIER = 5
"""Maximum number of earlier proposals in the prompt."""


class WorldEditor:
    """The world editor of a session. Its calls leave no trace in the run; a law that it enters is
    an intervention like a user's.
    """

    def __init__(self, session: Session, model: LanguageModel) -> None:
        run = session.run
        settings = run.manifest.settings.add_machine(session.machine)
        self.session, self.allows = session, settings.world_editor == "enter"
        self.interviewer = Interviewer(run, session.world, model, session.embedder, settings)

    async def edit(self, now: datetime) -> WorldEdit | None:
        """Draft, try and record a change after the first step of a day, and enter it if that is
        allowed; None after any other step. `now` is the time at the end of the last step.
        """
        run = self.session.run
        stride = timedelta(minutes=run.manifest.stride)
        if (now - stride).date() == now.date() or run.last.step < 1:
            return None
        before = read_edits(run.file.parent)
        if any(edit.step == run.last.step for edit in before):
            return None
        edit = await self._propose(now, before)
        add_edit(run.file.parent, edit)
        return edit

    async def _propose(self, now: datetime, before: list[WorldEdit]) -> WorldEdit:
        """Return a new proposal with its evidence, entered if that is allowed."""
        run = self.session.run
        world, state = read_present_town(run, self.session.world)
        why = ""

        async def ask(mind: Mind, faults: str) -> tuple[str, int] | None:
            nonlocal why
            variables = replace(read_figures(mind, world, state, before), faults=faults)
            reply, _ = await mind.ask(WORLD_EDIT, variables)
            why = reply.why
            patch = orjson.dumps(build_patch(reply.changes)).decode()
            return (patch, 0) if reply.changes else None

        drafts = await repeat_drafting(self.interviewer, self.session.world, ask)
        edit = WorldEdit(now, run.last.step, why, "")
        if not drafts:
            return edit
        proposal, _ = drafts[-1]
        if proposal.faults:
            faults = tuple(str(fault) for fault in proposal.faults)
            return replace(edit, patch=proposal.patch, harms=faults)
        harms, pairs = try_in_pairs(proposal)
        edit = replace(
            edit,
            patch=proposal.patch,
            changes=tuple(proposal.changes()),
            harms=tuple(harms),
            pairs=tuple(pairs),
        )
        if self.allows and may_be_entered(edit):
            (law,) = run.ask([proposal.intervention(run.last.step + 1)])
            edit = replace(edit, entered=law.number)
        return edit


def may_be_entered(edit: WorldEdit) -> bool:
    """Return True if a change did no harm in its trials, and vital needs fell no lower on average."""
    return (
        bool(edit.pairs)
        and not edit.harms
        and fmean(pair.changed - pair.unchanged for pair in edit.pairs) >= -TOLERANCE
    )


def try_in_pairs(proposal: Proposal) -> tuple[list[str], list[EditPair]]:
    """Return the harms of a change, a line each, and its `PAIRS` trials with and without it."""
    harms: dict[str, None] = {}
    pairs: list[EditPair] = []
    for seed in range(proposal.seed, proposal.seed + PAIRS):
        paired = replace(proposal, seed=seed)
        (outlook,) = deque(paired.trial(TRIAL_DAYS), maxlen=1)
        verdict = paired.judge(outlook)
        if not verdict.harmless:
            lines = paired.verdict_lines(outlook, verdict, proposal.world.lang)
            harms |= dict.fromkeys(lines)
        lowest = (_lowest_vital(outlook, each) for each in (outlook.changed, outlook.unchanged))
        pairs.append(EditPair(seed, *lowest))
    return list(harms), pairs


def _lowest_vital(outlook: Forecast, course: Scenario) -> int:
    """Return the mean of the days' lowest levels of any vital need, in points; the full level where
    there is none.
    """
    needs = outlook.before.needs
    drained = {other for part in needs.values() for other in part.at_zero}
    vital = [need for need, part in needs.items() if part.at_zero or need in drained]
    lowest = (
        min((day[need] for need in vital if need in day), default=FULL) for day in course.lowest
    )
    return round(fmean(lowest))


def read_figures(mind: Mind, world: World, state: State, before: list[WorldEdit]) -> WorldEditVars:
    """Return the variables of the prompt: the present figures of a town, and earlier proposals."""
    book, lang, society = require_rules(world), world.lang, view_society(world, state)
    levels = [society.levels(who) for who in book.start.people if not state.is_away(who)]
    shops = {at: shop for at in book.shops if (shop := state.shop(at))}
    sold = {
        kind: price
        for fixture in book.fixtures.values()
        if fixture.shop
        for kind, price in fixture.shop.sells.items()
    }
    return WorldEditVars(
        mind.situation,
        tuple(
            (part.name[lang], min(felt[need] for felt in levels))
            for need, part in book.needs.items()
            if levels
        ),
        tuple(
            GoodsFigure(
                kind,
                book.kinds[kind].name[lang],
                sum(state.stock(at).count(kind) for at in shops),
                max((dict(shop.prices).get(kind, 0) for shop in shops.values()), default=usual),
                usual,
            )
            for kind, usual in sorted(sold.items())
        ),
        tuple(
            (world.place_name(part.home), society.state.stock(f"house:{house}").count(COIN))
            for house, part in book.start.houses.items()
        ),
        tuple(entries_of(world, "")),
        tuple(f"{edit.patch} {'; '.join(edit.harms)}" for edit in before[-MOST_EARLIER:]),
    )
