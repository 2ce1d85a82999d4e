"""What residents have begun and will fetch on another day, and those who leave for good."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hometown.agent.mind import Mind
from hometown.agent.mind.due import find_due
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.game import Game
from hometown.memory.schedule import Entry
from hometown.society.knowledge import view_as
from hometown.society.minds.errand_steps import plan_steps
from hometown.society.minds.helping import leave_for_good
from hometown.society.minds.later_work import remember_to_return, settle_returns
from hometown.society.work_step import society_of
from hometown.world.labour import (
    Ailed,
    Ailment,
    Errand,
    FixtureSight,
    Inspected,
    Outcome,
    Process,
    ProcessBegun,
    Verb,
)
from tests.society.minds.test_autopilot import Listener
from tests.support.society import societal
from tests.support.town import live

BED = "flower_shop/garden/herb_bed"


def found(folder: Path, who: str) -> tuple[Mind, Listener]:
    """A resident who decides everything, after a step."""
    games, model = list[Game](), Listener()
    live(
        folder,
        1,
        world=societal(folder),
        settings={"faculties": {"autopilot": "none"}},
        model=model,
        after_each=games.append,
    )
    return Mind(who, games[0].look(games[0].context.moment), Counter()), model


def test_what_is_sown_is_fetched_on_its_day(tmp_path: Path) -> None:
    mind, model = found(tmp_path, "wang_fang")
    process = Process("plant", mind.now + timedelta(days=3, hours=1, minutes=42))
    sown = Outcome(Errand(Verb.DO, BED, "plant"))
    asyncio.run(remember_to_return(mind, sown))
    assert not list_open_intentions(mind), "nothing grows there yet"
    mind.do(ProcessBegun(BED, process), "test")
    sight = FixtureSight((), (), process, mind.now)
    mind.do(Inspected(mind.who, BED, sight), "test")
    asyncio.run(remember_to_return(mind, sown))
    (meant,) = list_open_intentions(mind)
    assert "20 × herbs" in meant.text
    assert re.search(r"at \d\d:00\b", meant.text)
    memories = mind.state.memory(mind.who)
    assert meant not in find_due(memories, "en", mind.now + timedelta(days=2), whole_day=True)
    assert meant in find_due(memories, "en", process.due, whole_day=True)
    asyncio.run(plan_steps(mind, Entry(600, 720, "gardening", "activity"), (), 10))
    assert [due for _, due in model.asked[-1].under_way] == [process.due]
    assert list_open_intentions(mind) == [meant]
    mind.do(Inspected(mind.who, BED, FixtureSight((), (), None, mind.now)), "test")
    settle_returns(mind, view_as(society_of(mind), mind.who, mind.arena))
    assert not list_open_intentions(mind), "the bed is empty"


def test_who_lies_helpless_for_days_leaves(tmp_path: Path) -> None:
    mind, _ = found(tmp_path, "wang_fang")
    for days, leaves in ((1, False), (2, True)):
        since = mind.now - timedelta(days=days)
        mind.do(Ailed(mind.who, Ailment("health", True, since, "hunger")), "test")
        intent = leave_for_good(mind)
        assert (intent is not None) == leaves
    assert intent is not None
    assert intent.action is not None
    assert intent.action.kind == "away"
