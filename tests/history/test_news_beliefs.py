"""The table of beliefs: who holds which claim, from whom, and whether the town bears it out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hometown.history.names import Names
from hometown.history.news_beliefs import NewsBelief, list_beliefs
from hometown.history.reader import RunReader
from hometown.storage.run import RunFile
from hometown.world.interventions import Intervention
from tests.support.town import begin_town, live, opened

NOON = datetime(2025, 2, 13, 12)
FIRE = "A fire breaks out"


def beliefs(folder: Path, last: int) -> list[NewsBelief]:
    with opened(folder) as run:
        reader = RunReader(run)
        return list(list_beliefs(reader, Names.of(reader), last))


def test_claims_about_a_gathering_are_judged_by_what_became_of_it(tmp_path: Path) -> None:
    begin_town(tmp_path, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        run.ask([Intervention("tell", "xiao_mei", "Call off the song night")])
    live(tmp_path, 2)
    for last, truths in ((1, {"true"}), (3, {"not held"})):
        held = [each for each in beliefs(tmp_path, last) if "song" in each.claim.text]
        assert {belief.claim.truth for belief in held} == truths
    assert {belief.claim.kind for belief in held} == {"storyline", "voice"}


def test_each_claim_has_its_holders_their_source_and_what_the_town_says_of_it(
    tmp_path: Path,
) -> None:
    begin_town(tmp_path, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        run.ask(
            [
                Intervention("event", "cafe/main", FIRE),
                Intervention(
                    "tell", "lin_yue", "Chen Siyuan buries silver spoons under the bridge"
                ),
            ]
        )
    live(tmp_path, 11)
    held = beliefs(tmp_path, 12)
    fire = [belief for belief in held if belief.claim.text == FIRE]
    assert {belief.channel for belief in fire} & {"saw", "overheard"}
    assert {belief.truth for belief in fire} <= {"over", "changed"}
    assert {
        each.claim.truth for each in beliefs(tmp_path, 2) if each.claim.kind == "happening"
    } == {"true"}
    whisper = [belief for belief in held if belief.claim.kind == "voice"]
    assert [(each.who, each.channel, each.truth) for each in whisper] == [
        ("lin_yue", "injected", "open")
    ], "retellings in other words are not counted"
    known = [(each.who, each.claim.text, each.channel) for each in held]
    sources = {(who, text) for who, text, channel in known if channel == "start"}
    assert sources
    assert not [each for each in known if each[:2] in sources and each[2] != "start"]
    for belief in held:
        assert (belief.channel == "told") <= bool(belief.teller)
        assert belief.teller != belief.who
