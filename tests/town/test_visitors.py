"""Visitors: a person enters a town that lives, is talked with, overheard and remembered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.errors import BadInput
from hometown.history.blocks import Blocks
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.hosting import sort_acts
from hometown.memory.action import Action
from hometown.memory.concept import OVERHEARD_PREDICATE
from hometown.storage.run import RunFile
from hometown.storage.step_record import StepRecord
from hometown.world.furnish import furnish_world
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.visitors import request_visit
from hometown.world.world import arena_of
from tests.support.company import talks_of
from tests.support.once import made_once
from tests.support.town import begin_town, live, minitown, opened

NOOR, NAME = "visitor_noor_haddad", "Noor Haddad"
HELLO = "Good morning, Xiao Mei! I play the cello and am looking for a room to practise."
MORNING, LAST = datetime(2025, 2, 13, 9, 0), 144
SEED = 11
"""Days on both of which one who has met the visitor talks with others of the news."""

ADDRESSED_SEED = 12
"""A morning on which a resident addresses the visitor."""

MIDNIGHT = 90
"""The step with which the first day ends."""

SAYS = (
    Intervention("walk", NOOR, "cafe/main", step=2),
    Intervention("say", NOOR, HELLO, step=4, memory="xiao_mei"),
    Intervention("say", NOOR, "The library has been kind to me.", step=4, memory="xiao_mei"),
    Intervention("say", NOOR, "", step=4, memory="xiao_mei"),
    Intervention("give", NOOR, "a postcard from Haifa", step=5, memory="chen_siyuan"),
    Intervention("say", NOOR, "Is anybody in?", step=6, memory="zhao_gang"),
    Intervention("leave", NOOR, step=8),
)


def visit(folder: Path) -> None:
    with opened(folder) as run:
        run.ask([request_visit(minitown(), NAME), *SAYS])


def visited(folder: Path) -> None:
    """Live a town that a visitor enters, talks in and leaves."""
    begin_town(folder, start=MORNING, seed=SEED)
    visit(folder)
    live(folder, LAST - 1)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "visited-by-noor", visited)


def names_them(run: RunFile, who: str) -> list[str]:
    """The memories of a resident that name the visitor."""
    memories = run.restore().memory(who).concepts.values()
    return [each.text for each in memories if NAME in each.text]


def test_the_one_addressed_answers_at_once_and_remembers(town: Path) -> None:
    with opened(town) as run:
        (talk,) = (each for each in talks_of(run) if each.opener == NOOR)
        state, calls = run.restore(), [call for call in run.calls() if call.who == NOOR]
        met = names_them(run, "xiao_mei")
    assert (talk.step, talk.people, talk.address) == (4, (NOOR, "xiao_mei"), "cafe/main")
    assert [line.speaker for line in talk.lines] == [NOOR, "xiao_mei"] * 2
    assert talk.lines[0].text == HELLO
    remembered = state.memory(NOOR).concepts.values()
    (chat,) = (each for each in remembered if (each.type, each.talk) == ("chat", talk.id))
    assert chat.text in met
    assert f"Xiao Mei met {NAME}, who is visiting the town" in met
    assert not calls, "a person thinks for them"
    assert state.is_away(NOOR)


def test_a_resident_who_addresses_them_says_a_line_and_does_not_wait(tmp_path: Path) -> None:
    begin_town(tmp_path, start=MORNING, seed=ADDRESSED_SEED)
    visit(tmp_path)
    live(tmp_path, 7)
    with opened(tmp_path) as run:
        addressed = [talk for talk in talks_of(run) if talk.partner == NOOR]
    assert addressed
    assert {(len(talk.lines), talk.ended_by) for talk in addressed} == {(1, "silence")}


def test_others_overhear_and_are_given_things(town: Path) -> None:
    with opened(town) as run:
        (talk,) = (each for each in talks_of(run) if each.opener == NOOR)
        heard = [
            each.text
            for each in run.restore().memory("chen_siyuan").concepts.values()
            if each.predicate == OVERHEARD_PREDICATE and each.talk == talk.id
        ]
        known = names_them(run, "chen_siyuan")
        (refused,) = {run.restore(step).body(NOOR).refused for step in (6, 7)} - {""}
    assert len(heard) == 1
    assert heard[0].partition("“")[2].rstrip("”") in {line.text for line in talk.lines}
    assert f"{NAME} gave Chen Siyuan this: a postcard from Haifa" in known
    assert refused == "Zhao Gang is not within reach."


@pytest.mark.parametrize("day", [range(MIDNIGHT), range(MIDNIGHT, LAST + 1)])
def test_on_both_days_those_who_met_them_and_no_others_speak_of_them(
    town: Path, day: range
) -> None:
    with opened(town) as run:
        named = [
            (talk, talk.lines[at].speaker)
            for talk in talks_of(run)
            if NOOR not in talk.people and talk.step in day
            for at in range(len(talk.lines))
            if "Noor" in talk.lines[at].text
            and not any("Noor" in line.text for line in talk.lines[:at])
        ]
        strangers = {who for who in minitown().personas if not names_them(run, who)}
    assert "xiao_mei" in {speaker for _, speaker in named}, "of their own accord, to a third"
    assert strangers
    assert not {speaker for _, speaker in named} & strangers


def test_a_visit_is_verified_and_forked(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--verify", "town", "--results", str(town), "--lang", "en"]) == 0
    assert f"{LAST} steps are thought as recorded" in capsys.readouterr().out
    forked = ["--fork", "town@5", "--name", "again", "--step", "4", "--results", str(town)]
    assert main(forked) == 0
    with opened(town) as run, opened(town, "again") as fork:
        assert fork.digests() == run.digests()[:10]


def test_what_is_read_while_a_visitor_enters_is_of_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_town(tmp_path, start=MORNING)
    visit(tmp_path)
    actions = RunReader.actions

    def enter_after(reader: RunReader, first: int, last: int) -> dict[str, Versions[Action]]:
        read = actions(reader, first, last)
        live(tmp_path, 1)
        return read

    with monkeypatch.context() as meanwhile, RunReader.open(tmp_path, "town") as run:
        meanwhile.setattr(RunReader, "actions", enter_after)
        tracks = Blocks(run, Names.of(run)).range("frames", 1, 1)["residents"]
        assert NOOR not in tracks
        assert NOOR in run.residents


def test_a_town_that_is_killed_amid_a_visit_is_the_same(
    town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_town(tmp_path, start=MORNING, seed=SEED)
    visit(tmp_path)
    live(tmp_path, 2)

    def die(self: RunFile, record: StepRecord) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(RunFile, "commit", die)
        with pytest.raises(KeyboardInterrupt):
            live(tmp_path, 1)
    live(tmp_path, 3)
    with opened(town) as run, opened(tmp_path) as other:
        assert other.digests() == run.digests()[:7]


def test_who_has_been_there_comes_back_and_no_other_takes_a_name(town: Path) -> None:
    with opened(town) as run:
        world = furnish_world(minitown(), run.furniture(LAST))
    assert request_visit(world, "Noor Haddad") == Intervention("visit", NOOR)
    with pytest.raises(BadInput, match="the name of a resident"):
        request_visit(world, "Xiao Mei")


def test_acts_are_sorted_by_who_takes_part(town: Path) -> None:
    ben, eve = "visitor_ben_okri", "visitor_eve_lund"
    hello, leaves = Intervention("say", NOOR, HELLO, memory="xiao_mei"), Intervention("leave", eve)
    gift = Intervention("give", ben, "a postcard", memory="chen_siyuan")
    later = [
        Intervention("say", NOOR, "And you?", memory="xiao_mei"),
        Intervention("walk", ben, "cafe/main"),
        Intervention("say", "visitor_cy", "May I?", memory="xiao_mei"),
    ]
    with opened(town) as run:
        sorted_acts = sort_acts([hello, *later[:1], gift, *later[1:], leaves], run.restore())
    assert sorted_acts == ([leaves], [hello, gift])


def test_two_visitors_talk_in_one_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ben = "visitor_ben_okri"
    begin_town(tmp_path, start=MORNING, seed=SEED)
    with opened(tmp_path) as run:
        run.ask([request_visit(minitown(), name) for name in (NAME, "Ben Okri")])
        for who, other in ((NOOR, "xiao_mei"), (ben, "chen_siyuan")):
            run.ask([Intervention("walk", who, "cafe/main", step=2)])
            run.ask([Intervention("say", who, text, step=4, memory=other) for text in (HELLO, "")])
    live(tmp_path, 4)
    with opened(tmp_path) as run:
        talks = [talk for talk in talks_of(run) if talk.opener in (NOOR, ben)]
        state = run.restore()
    assert [(talk.step, len(talk.lines)) for talk in talks] == [(4, 2), (4, 2)]
    assert not any(
        each.predicate == OVERHEARD_PREDICATE and {NOOR, ben} & set(each.about)
        for who in ("xiao_mei", "chen_siyuan")
        for each in state.memory(who).concepts.values()
    ), "those who talk overhear nobody"
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0
    assert "5 steps are thought as recorded" in capsys.readouterr().out


def test_nobody_waits_for_the_answer_of_another_visitor(tmp_path: Path) -> None:
    ben = "visitor_ben_okri"
    begin_town(tmp_path, start=MORNING)
    with opened(tmp_path) as run:
        run.ask([request_visit(minitown(), name) for name in (NAME, "Ben Okri")])
        run.ask([Intervention("say", NOOR, "Hello!", step=3, memory=ben)])
        run.ask([Intervention("say", ben, "Hello to you!", step=3, memory=NOOR)])
    live(tmp_path, 3)
    with opened(tmp_path) as run:
        talks = [talk for talk in talks_of(run) if set(talk.people) == {NOOR, ben}]
    assert [[line.speaker for line in talk.lines] for talk in talks] == [[NOOR], [ben]]


def test_a_town_with_a_society_receives_them_as_a_guest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    farm = load_world("farmstead", "en")
    live(tmp_path, 1, world=farm, start=datetime(2025, 4, 1, 9, 0))
    with opened(tmp_path) as run:
        run.ask([request_visit(farm, NAME)])
        field = arena_of(run.restore().action("ada").address)
        run.ask([Intervention("walk", NOOR, field, step=3)])
        for words in ("Can I buy some bread?", ""):
            run.ask([Intervention("say", NOOR, words, step=6, memory="ada")])
        run.ask([Intervention("give", NOOR, "a postcard from Haifa", step=7, memory="ada")])
        run.ask([Intervention("leave", NOOR, step=8)])
    live(tmp_path, 8, world=farm)
    with opened(tmp_path) as run:
        (talk,) = (each for each in talks_of(run) if each.opener == NOOR)
        known, state = names_them(run, "ada"), run.restore()
    assert [line.speaker for line in talk.lines[:2]] == [NOOR, "ada"]
    assert "Ada" in talk.lines[1].text, "where all know each other, a stranger is told one's name"
    assert f"{NAME} gave Ada Thorne this: a postcard from Haifa" in known
    assert state.is_away(NOOR)
    assert not {f"needs/{NOOR}", f"stock/{NOOR}"} & set(map(str, state.rows))
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0
    assert "9 steps are thought as recorded" in capsys.readouterr().out
