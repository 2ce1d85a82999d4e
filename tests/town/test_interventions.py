"""What the user does to a town: told, set, placed, removed, caused; recorded, verified, forked, and
known to nobody else.
"""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hometown.cli.start import main
from hometown.errors import BadInput, BadRun
from hometown.game import Game
from hometown.storage import inbox
from hometown.storage.digest import state_hash
from hometown.storage.inbox import FILE, Inbox
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.effects import Arrived, Missed, Reconsidered, Refused, Rescheduled
from hometown.world.incidents import Answered, Intervened, ThingPlaced
from hometown.world.interventions import Intervention, Kind
from hometown.world.resolve import parse_intervention
from tests.support.days import lived_day, set_out
from tests.support.hang import HANG
from tests.support.laws import laws
from tests.support.once import made_once
from tests.support.town import live, minitown, opened, state_of
from tests.support.traces import traces

Begin = Callable[[int], None]


@pytest.fixture
def begin(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Begin:
    """Puts a town into the test's folder that has lived so many steps."""
    return lambda steps: set_out(lived_day(tmp_path_factory), tmp_path, steps)


def ask(results: Path, *interventions: Intervention) -> None:
    with opened(results) as run:
        run.ask(interventions)


def effects(results: Path, kind: type[Any]) -> list[tuple[int, Any]]:
    with opened(results) as run:
        return [
            (step, logged.effect)
            for step, logged in run.effects()
            if isinstance(logged.effect, kind)
        ]


def reconsidered(results: Path) -> list[tuple[int, str]]:
    """Return when residents have reconsidered their day after an inner voice, as (step, who)."""
    with opened(results) as run:
        return [
            (step, logged.who)
            for step, logged in run.effects()
            if isinstance(logged.effect, Reconsidered) and logged.cause == "rule:voice"
        ]


def verify(results: Path, name: str = "town") -> int:
    return main(["--verify", name, "--results", str(results), "--lang", "en"])


# the five ----------------------------------------------------------------------------------


def test_an_inner_voice_is_remembered_thought_over_and_acted_upon(
    tmp_path: Path, begin: Begin
) -> None:
    begin(30)
    ask(tmp_path, Intervention("tell", "lin_yue", "You should go for a walk in the park"))
    live(tmp_path, 2, after_each=laws)
    state = state_of(tmp_path)
    voice = next(
        one
        for one in state.memory("lin_yue").concepts.values()
        if one.text == "You should go for a walk in the park"
    )
    assert voice.type == "thought"
    assert [
        (step, one.reason)
        for step, one in effects(tmp_path, Rescheduled)
        if one.reason.startswith("voice:")
    ] == [(31, f"voice:{voice.id}")]
    assert "walk in the park" in state.action("lin_yue").activity
    assert state.voices("lin_yue") == ()


def test_a_sleeper_hears_its_voice_when_it_wakes(tmp_path: Path, begin: Begin) -> None:
    begin(1)
    sleeper = next(who for who in minitown().personas if state_of(tmp_path).is_asleep(who))
    ask(tmp_path, Intervention("tell", sleeper, "You dreamt of the sea"))
    live(tmp_path, 1)
    assert len(state_of(tmp_path).voices(sleeper)) == 1
    live(tmp_path, 20)
    assert state_of(tmp_path).voices(sleeper) == ()
    assert [who for _, who in reconsidered(tmp_path)] == [sleeper]


def test_in_the_middle_of_a_talk_it_waits_until_the_talk_is_over(tmp_path: Path) -> None:
    talking: list[str] = []

    def find(game: Game) -> None:
        if not talking:
            talking.extend(who for who in game.world.personas if game.state.talking(who))
            if talking:
                game.run.ask(  # type: ignore[attr-defined]
                    [Intervention("tell", who, "You left the stove on") for who in talking]
                )

    live(
        tmp_path,
        60,
        seed=3,
        stride=2,
        start=datetime(2025, 2, 13, 11),
        after_each=lambda game: (find(game), laws(game))[1],
    )
    assert talking
    told = {step for step, one in effects(tmp_path, Intervened) if one.kind == "tell"}
    assert {who for _, who in reconsidered(tmp_path)} == set(talking)
    assert all(step >= min(told) for step, _ in reconsidered(tmp_path))
    assert verify(tmp_path) == 0


def test_nobody_else_knows_what_an_inner_voice_said(tmp_path: Path, begin: Begin) -> None:
    begin(20)
    ask(tmp_path, Intervention("tell", "wang_fang", "There is a quokka in your drawer"))
    live(tmp_path, 1)
    with opened(tmp_path) as run:
        found = traces(run, "quokka")
    assert {who for who, _, _ in found} == {"wang_fang"}


def test_a_state_is_seen_by_those_in_sight_and_read_by_who_comes_to_use_it(
    tmp_path: Path, begin: Begin
) -> None:
    begin(20)
    things = [address for address, thing in minitown().things.items() if "sleep" not in thing.tags]
    ask(tmp_path, *(Intervention("set", one, "covered in paint") for one in things))
    live(tmp_path, 12, after_each=laws)
    refused = [one for _, one in effects(tmp_path, Refused) if "covered in paint" in one.reason]
    assert refused, "nobody came to use anything"
    with opened(tmp_path) as run:
        asked = [
            call
            for call in run.calls(21)
            if call.kind == "place"
            and any("covered in paint" in one.content for one in call.messages)
        ]
        seen = run.database.execute(
            "SELECT count(*) FROM memories WHERE text LIKE '%covered in paint%'"
        ).fetchone()[0]
    assert asked
    assert seen
    ask(tmp_path, *(Intervention("set", one, "") for one in things))
    live(tmp_path, 1)
    assert not {keys.CONDITION.of(one) for one in things} & state_of(tmp_path).rows.keys()


def test_an_event_is_perceived_by_those_in_sight_and_by_nobody_else(
    tmp_path: Path, begin: Begin
) -> None:
    begin(40)
    state, world = state_of(tmp_path), minitown()
    arena_of = {who: world.maze.arena_at(state.body(who).tile) for who in world.personas}
    arena = next(one for one in arena_of.values() if one)
    here = {who for who, where in arena_of.items() if where == arena and not state.is_asleep(who)}
    ask(tmp_path, Intervention("event", arena, "A quokka hops by"))
    live(tmp_path, 1)
    with opened(tmp_path) as run:
        assert {who for who, _, kind in traces(run, "quokka") if kind == "memory"} == here
    live(tmp_path, 4)
    assert state_of(tmp_path).happenings == ()


def test_a_placed_thing_is_found_and_used_and_a_removed_one_is_missed(
    tmp_path: Path, begin: Begin
) -> None:
    begin(3)
    ask(tmp_path, *(Intervention("place", arena, "a garden swing") for arena in minitown().arenas))
    live(tmp_path, 40, after_each=laws)
    placed = {one.address for _, one in effects(tmp_path, ThingPlaced)}
    assert len(placed) == len(minitown().arenas)
    known = {
        thing
        for key, row in state_of(tmp_path).rows.items()
        if key.startswith("known/")
        for thing, _ in row.things
    }
    assert known & placed
    used = {one.address for _, one in effects(tmp_path, Arrived) if one.thing}
    ask(
        tmp_path,
        *(
            Intervention("remove", address)
            for address in sorted(
                {*used, *placed} - {one.sleeps for one in minitown().personas.values()}
            )
        ),
    )
    live(tmp_path, 20, after_each=laws)
    assert any("is not there any more" in one.reason for _, one in effects(tmp_path, Refused))
    assert effects(tmp_path, Missed)
    assert verify(tmp_path) == 0


def test_a_bed_is_taken_away_from_under_its_sleeper(tmp_path: Path) -> None:
    live(tmp_path, 1, start=datetime(2025, 2, 13, 3), stride=30)
    assert all(state_of(tmp_path).is_asleep(who) for who in minitown().personas)
    ask(
        tmp_path,
        *(Intervention("remove", one.sleeps) for one in minitown().personas.values()),
        Intervention("remove", minitown().personas["lin_yue"].sleeps),
    )
    live(tmp_path, 48, after_each=laws)
    assert verify(tmp_path) == 0


# the inbox ---------------------------------------------------------------------------------


def test_interventions_take_place_once_in_order_and_when_they_are_due(
    tmp_path: Path, begin: Begin
) -> None:
    begin(2)
    late, soon = (
        Intervention("tell", "lin_yue", "one", 6),
        Intervention("tell", "lin_yue", "two", 4),
    )
    ask(tmp_path, late, soon, Intervention("tell", "lin_yue", "three"))
    live(tmp_path, 6)
    assert [(step, one.number, one.text) for step, one in effects(tmp_path, Intervened)] == [
        (3, 3, "three"),
        (4, 2, "two"),
        (6, 1, "one"),
    ]
    assert state_of(tmp_path).answered == Answered(3)


def test_a_crash_between_writing_and_the_step_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Intervention("tell", "lin_yue", "sing at the pub", 4)
    live(tmp_path / "whole", 2)
    ask(tmp_path / "whole", request)
    whole = live(tmp_path / "whole", 4)
    live(tmp_path / "broken", 2)
    ask(tmp_path / "broken", request)
    live(tmp_path / "broken", 1)
    commit = RunFile.commit
    monkeypatch.setattr(RunFile, "commit", _crash)
    with pytest.raises(KeyboardInterrupt):
        live(tmp_path / "broken", 1)
    monkeypatch.setattr(RunFile, "commit", commit)
    assert live(tmp_path / "broken", 3) == whole
    assert len(effects(tmp_path / "broken", Intervened)) == 1


def _crash(*_: object) -> str:
    raise KeyboardInterrupt


def test_a_line_that_was_not_written_to_its_end_is_none(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path)
    inbox.add([Intervention("tell", "ann", "one")], 0)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"kind":"tell","target":"bob","te')
    assert [one.target for one in Inbox(tmp_path).interventions()] == ["ann"]
    inbox.add([Intervention("tell", "cat", "two")], 0)
    assert [(one.target, one.number) for one in inbox.interventions()] == [("ann", 1), ("cat", 2)]


@pytest.mark.parametrize("line", [b"{}", b"[]", b'{"kind":"fly","target":"ann"}', b"\xff", b""])
def test_what_is_no_intervention_stops_the_run_and_says_where(tmp_path: Path, line: bytes) -> None:
    (tmp_path / FILE).write_bytes(
        b'{"kind":"tell","target":"ann","text":"hm","step":0,"number":1}\n' + line + b"\n"
    )
    with pytest.raises(BadRun, match="line 2"):
        Inbox(tmp_path).interventions()


def test_an_intervention_for_nobody_stops_the_run_before_anything_happens(
    tmp_path: Path, begin: Begin
) -> None:
    begin(1)
    ask(tmp_path, Intervention("tell", "nobody", "hello"))
    with pytest.raises(BadRun, match="nobody"):
        live(tmp_path, 1)
    with opened(tmp_path) as run:
        assert run.last.step == 1


def _write(folder: Path, who: str) -> None:
    inbox._WAIT = HANG  # of this process
    for number in range(20):
        Inbox(folder).add([Intervention("tell", who, str(number))], 0)


def test_two_may_write_at_once(tmp_path: Path) -> None:
    writers = [
        multiprocessing.get_context("spawn").Process(target=_write, args=(tmp_path, who))
        for who in ("ann", "bob")
    ]
    for one in writers:
        one.start()
    for one in writers:
        one.join(HANG)
    found = Inbox(tmp_path).interventions()
    assert [one.number for one in found] == list(range(1, 41))
    for who in ("ann", "bob"):
        assert [one.text for one in found if one.target == who] == [
            str(number) for number in range(20)
        ]


def test_numbers_go_on_where_an_inbox_was_lost(tmp_path: Path, begin: Begin) -> None:
    begin(1)
    ask(tmp_path, Intervention("tell", "lin_yue", "one"))
    live(tmp_path, 1)
    (tmp_path / "checkpoints" / "town" / FILE).unlink()
    ask(tmp_path, Intervention("tell", "lin_yue", "two"))
    live(tmp_path, 1)
    assert [(step, one.text) for step, one in effects(tmp_path, Intervened)] == [
        (2, "one"),
        (3, "two"),
    ]


# resume, verify, fork ----------------------------------------------------------------------


VISITED = 32


@pytest.fixture
def visited(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with every kind of intervention."""
    return Path(
        shutil.copytree(made_once(tmp_path_factory, "visited", _visit), tmp_path / "results")
    )


def _visit(folder: Path) -> None:
    live(folder, 6, seed=3)
    ask(
        folder,
        Intervention("tell", "lin_yue", "You want to sing at the café", 8),
        Intervention("place", "cafe/main", "an old harp", 9),
        Intervention("event", "cafe/main", "A window breaks", 12),
        Intervention("set", "cafe/main/counter", "wet", 14),
        Intervention("remove", "cafe/main/an_old_harp", step=18),
        Intervention("tell", "wang_fang", "It is a good day to call your daughter", 30),
    )
    live(folder, VISITED - 6, seed=3)


def test_it_is_verified_down_to_the_thoughts(
    visited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(visited) == 0
    assert f"{VISITED} steps are thought as recorded" in capsys.readouterr().out
    with opened(visited) as run:
        assert state_hash(run.restore()) == state_hash(state_of(visited))


@pytest.mark.parametrize("at", [8, 20])
def test_a_fork_meets_the_same_interventions_in_the_same_steps(visited: Path, at: int) -> None:
    assert (
        main(
            [
                "--fork",
                f"town@{at}",
                "--name",
                "again",
                "--results",
                str(visited),
                "--step",
                str(VISITED - at),
            ]
        )
        == 0
    )
    with opened(visited) as one, opened(visited, "again") as other:
        assert one.digests() == other.digests()
        assert sum(isinstance(logged.effect, Intervened) for _, logged in other.effects()) == 6
    assert verify(visited, "again") == 0


# as the user writes it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "target", "words"),
    [
        ("tell", "lin_yue: sing", "lin_yue", "sing"),
        ("tell", "Lin Yue: sing: loud", "lin_yue", "sing: loud"),
        ("tell", "林悦：去唱歌", "lin_yue", "去唱歌"),
        ("set", "cafe/main/counter: wet", "cafe/main/counter", "wet"),
        ("set", "Starlight Café: counter: wet", "cafe/main/counter", "wet"),
        ("set", "cafe/main/counter:", "cafe/main/counter", ""),
        ("event", "Starlight Café: a window\n breaks", "cafe/main", "a window breaks"),
        ("remove", "cafe/main/counter", "cafe/main/counter", ""),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_names_in_any_language(kind: Kind, text: str, target: str, words: str, lang: Any) -> None:
    assert replace(parse_intervention(kind, text, minitown(lang)), memory="") == Intervention(
        kind, target, words
    )


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("tell", "Lin Yeu: sing", "did you mean 'Lin Yue'"),
        ("tell", "lin_yue", "has no text"),
        ("tell", "lin_yue: ", "has no text"),
        ("tell", "lin_yue: " + "x" * 501, "501 characters"),
        ("tell", "lin_yue: a\x07b", "control characters"),
        ("set", "cafe/main/conter: wet", "did you mean"),
        ("set", "bed: wet", "could be"),
        ("place", "nowhere: a piano", "nowhere"),
        ("remove", "", "no object"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(kind: Kind, text: str, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        parse_intervention(kind, text, minitown())
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def start(results: Path, *arguments: str) -> int:
    return main(["--results", str(results), *arguments])


def test_from_the_command_line_on_a_new_a_waiting_a_resumed_and_a_forked_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = (
        "--lang",
        "en",
        "--llm",
        "scripted",
        "--world",
        "minitown",
        "--step",
        "4",
        "--tell",
        "Lin Yue: sing",
        "--place",
        "cafe: a harp",
        "--at",
        "2",
    )
    assert start(tmp_path, "--name", "town", *new) == 0
    assert "step 2" in capsys.readouterr().out
    assert (
        start(
            tmp_path,
            "--name",
            "town",
            "--lang",
            "en",
            "--set",
            "a harp: out of tune",
            "--at",
            "06:50",
        )
        == 0
    )
    assert (
        start(
            tmp_path,
            "--name",
            "town",
            "--lang",
            "en",
            "--remove",
            "a harp",
            "--at",
            "20250213-07:00",
        )
        == 0
    )
    assert (
        start(
            tmp_path,
            "--name",
            "town",
            "--resume",
            "--step",
            "6",
            "--event",
            "cafe: a window breaks",
        )
        == 0
    )
    assert [(step, one.kind) for step, one in effects(tmp_path, Intervened)] == [
        (2, "tell"),
        (2, "place"),
        (5, "event"),
        (6, "set"),
        (7, "remove"),
    ]
    assert (
        start(
            tmp_path,
            "--name",
            "other",
            "--fork",
            "town@5",
            "--step",
            "5",
            "--tell",
            "wang_fang: knit",
        )
        == 0
    )
    with opened(tmp_path, "other") as run:
        done = [
            (step, one.effect.kind)
            for step, one in run.effects(6)
            if isinstance(one.effect, Intervened)
        ]
    assert done == [(6, "set"), (6, "tell"), (7, "remove")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tell", "Bob: hi"), "Bob"),
        (("--tell", "lin_yue: hi", "--at", "1"), "step 1 is in the past"),
        (("--tell", "lin_yue: hi", "--at", "202502131430"), "after the year 9999"),
        (("--tell", "lin_yue: hi", "--at", "noon"), "noon"),
        (("--tell", "lin_yue: hi", "--at", "20250213-05:00"), "is in the past"),
        (("--at", "12:00"), "--tell"),
        (("--set", "cafe: wet"), "cafe"),
    ],
)
def test_what_cannot_be_asked_changes_nothing(
    tmp_path: Path,
    begin: Begin,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    begin(2)
    assert start(tmp_path, "--name", "town", "--lang", "en", *arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "checkpoints" / "town" / FILE).exists()


def test_nothing_is_created_for_an_intervention_that_cannot_be(tmp_path: Path) -> None:
    assert (
        start(
            tmp_path,
            "--name",
            "new",
            "--world",
            "minitown",
            "--llm",
            "scripted",
            "--tell",
            "Bob: hi",
        )
        == 2
    )
    assert not (tmp_path / "checkpoints" / "new").exists()


def test_while_the_run_lives_in_another_process(tmp_path: Path) -> None:
    asked: list[int] = []

    def ask_in_between(game: Game) -> None:
        if game.state.clock.step == 3:
            asked.append(start(tmp_path, "--name", "town", "--tell", "lin_yue: sing"))

    live(tmp_path, 6, after_each=ask_in_between)
    assert asked == [0]
    assert [step for step, _ in effects(tmp_path, Intervened)] == [4]
