"""`spread.json`: who learnt of what from whom, and who came."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from modules.cli.compress import compress
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.spread import density, knowers, visits
from modules.world.world import Gathering, Storyline
from tests.town import MORNING as START
from tests.town import live, minitown


def test_each_link_of_the_chain_is_a_talk_with_somebody_who_knew(tmp_path: Path) -> None:
    live(tmp_path, 96, world=minitown("en"), start=START, stride=10, seed=2)
    compress(tmp_path, "town")
    told = json.loads((tmp_path / "compressed" / "town" / "spread.json").read_text("utf-8"))
    assert [story["id"] for story in told["storylines"]] == ["reading_circle", "layoffs", "song_night"]
    links = 0
    for story in told["storylines"]:
        known: set[str] = set()
        for one in story["learned"]:
            if one["step"]:
                assert one["from"] in known
                assert any(word.casefold() in one["text"].casefold() for word in story["keywords"])
                links += 1
            known.add(one["who"])
        assert story["share"] == {"start": round(1 / 6, 3), "end": round(len(known) / 6, 3)}
    assert links >= 3
    assert 0 < told["network"]["start"] <= told["network"]["end"] <= 1


def test_who_was_at_a_gathering_and_for_how_long(tmp_path: Path) -> None:
    live(tmp_path, 30, world=minitown("en"), start=START, stride=30, seed=1)
    with RunReader.open(tmp_path, "town") as run:
        at_home = Gathering("chen_home/bedroom", START, START + timedelta(minutes=30))
        assert [(one.who, one.minutes) for one in visits(run, at_home, 30)] == [("chen_siyuan", 30)]
        assert visits(run, replace(at_home, start=START + timedelta(days=3), end=START + timedelta(days=3, hours=1)), 30) == []
        nobody_knows = Storyline("none", "None", ("a word that nobody says",))
        assert knowers(run, nobody_knows, 30) == []
        assert Names.of(run.manifest).world is not None


def test_density_counts_pairs() -> None:
    assert density(0, 1) == 0.0
    assert density(3, 3) == 1.0
    assert round(density(50, 25), 3) == 0.167
