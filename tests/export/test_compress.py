"""Reading runs, and what compress.py writes of them."""

from __future__ import annotations

import itertools
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.cli.compress import main
from hometown.clock import TICK_SECONDS
from hometown.export.write import export_run
from hometown.files import atomic_write
from hometown.history.call_counts import count_calls
from hometown.history.diary import Doing, Stay, awake, days_of, main_place, stays, steps_of
from hometown.history.frames import (
    FRAMES,
    Appearance,
    Film,
    end_of,
    find_action,
    find_tick,
    frame_after,
    label_activity,
    tile_after,
)
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.history.report_wording import REPORT_TEXTS
from hometown.markdown import literal
from hometown.paths import ROOT
from hometown.text import translate_all
from hometown.world import keys
from hometown.world.maze import Maze
from hometown.world.persona import Persona
from hometown.world.world import Arena, Gathering, Sector, Storyline, World
from tests.support.movement_player import MovementPlayer
from tests.support.synthetic_run import NEWS, START, make_run

STRIDES = (10, 15, 30, 60, 1440)


def reader(results: Path, **more: Any) -> RunReader:
    make_run(results, **more)
    return RunReader.open(results, "sample")


def little_world(lang: str = "en") -> World:
    """Names for the hand-written run: left of column 21 somebody's home, right of it the café."""
    index = np.zeros((12, 100), dtype=int)
    index[:, 21:] = 1
    names = {
        "en": ("Ana", "Bo", "Cy", "Café", "Main Street"),
        "zh": ("安娜", "阿伯", "小赛", "咖啡店", "主街"),
    }[lang]
    personas = {
        who: Persona(
            who,
            name,
            30,
            "baker",
            "kind",
            "learned",
            "early riser",
            "now",
            "bakes",
            360,
            1320,
            "home/ana",
            "home/ana/bed",
            relations={"bo": "friend"},
        )
        for who, name in zip(("ana", "bo", "cy"), names, strict=False)
    }
    arenas = {
        address: Arena(address, "", address.split("/")[0])
        for address in ("home/ana", "cafe/main", "park/park", "home/bo", "home/cy")
    }
    sectors = {
        "cafe": Sector("cafe", names[3]),
        "home": Sector("home", names[4]),
        "park": Sector("park", "Park"),
    }
    storylines = (Storyline("tasting", "The tasting", ("tasting",)),)
    maze = Maze(np.ones((12, 100), dtype=bool), ["home/ana", "cafe/main"], index)
    return World(
        "little",
        "Little",
        lang,  # type: ignore[arg-type]
        ("en", "zh"),
        Path(),
        START,
        maze,
        sectors,
        arenas,
        {},
        personas,
        (),
        storylines,
    )


# reading --------------------------------------------------------------------------------------


def test_rows_are_those_after_a_step(tmp_path: Path) -> None:
    with reader(tmp_path) as run:
        assert (run.last_step(), run.planned_end(), run.moment(3)) == (
            3,
            3,
            START + timedelta(minutes=30),
        )
        assert run.positions(1)["ana"] == (2, 2)
        assert run.positions(2)["ana"] == (22, 2)
        assert run.actions(1, 1)["cy"][0][1].activity == "sleeping"
        assert [(step, action.activity) for step, action in run.actions(1, 3)["bo"]] == [
            (1, "sleeping"),
            (2, "having breakfast"),
        ]
        assert set(run.things(1)) == {"home/bo/bed", "home/cy/bed", "cafe/main/counter"}
        schedule = run.schedule("ana", 3)
        assert schedule is not None
        assert schedule.date == date(2025, 2, 13)
        assert run.row(keys.TALKING.of("ana"), 2) is None
        assert run.row(keys.TALKING.of("ana"), 3) is not None


def test_what_happened_is_read_by_range(tmp_path: Path) -> None:
    with reader(tmp_path) as run:
        assert [len(path) for path in run.trajectories(2, 2)[2].values()] == [30, 60]
        assert run.conversations(1, 2) == []
        assert [talk.id for talk in run.conversations(3, 3)] == ["3-ana"]
        assert run.conversation("3-ana") == run.conversations(0, 9)[0]
        assert run.conversation("9-ana") is None
        assert [(one.who, one.concept.id) for one in run.memories(1, 3, ("thought",))] == [
            ("ana", 3),
            ("ana", 4),
        ]
        assert [one.concept.id for one in run.memories(0, 3, who="bo")] == [1, 2]
        assert [one.concept.id for one in run.recall("ana", (4, 99, 1))] == [4, 1]


def test_ranges_use_keys_and_not_scans(tmp_path: Path) -> None:
    with reader(tmp_path) as run:
        asked: list[str] = []
        run.database.set_trace_callback(asked.append)
        (
            run.actions(1, 3),
            run.positions(2),
            run.things(2),
            run.trajectories(1, 2),
            run.conversations(1, 2),
            run.memories(1, 2, ("event",)),
            count_calls(run.database, 1, 2),
        )
        (
            run.recall("ana", (1, 2)),
            run.conversation("3-ana"),
            run.schedule("ana", 1),
            run.last_step(),
        )
        run.database.set_trace_callback(None)
        plans = {
            detail
            for query in set(asked)
            for *_, detail in run.database.execute(f"EXPLAIN QUERY PLAN {query}")
        }
    assert [
        plan
        for plan in plans
        if plan.startswith("SCAN") and plan not in ("SCAN steps", "SCAN CONSTANT ROW")
    ] == []


# frames ---------------------------------------------------------------------------------------


@given(st.integers(1, 1440), st.data())
def test_the_frame_after_some_ticks_is_the_first_that_shows_them(
    stride: int, data: st.DataObject
) -> None:
    ticks = data.draw(st.integers(0, stride * 6))
    frame = frame_after(ticks, stride)
    assert 1 <= frame <= FRAMES
    assert find_tick(frame, stride) >= ticks
    assert frame == 1 or find_tick(frame - 1, stride) < ticks


@pytest.mark.parametrize("stride", STRIDES)
def test_frames_equal_the_obvious_way_to_make_them(tmp_path: Path, stride: int) -> None:
    with reader(tmp_path, stride=stride) as run:
        film = Film(run, Names(little_world()))
        shown = film.opening()
        for frame, changes in film.frames(1, 3):
            assert all(shown[who] != change for who, change in changes.items())
            shown |= changes
            assert shown == obvious(run, film, frame)
        assert frame == 3 * FRAMES
        assert {who: one.tile for who, one in shown.items()} == run.positions(4)


def obvious(run: RunReader, film: Film, number: int) -> dict[str, Appearance]:
    """Everybody at one frame, from the run's rows alone."""
    step, frame = (number - 1) // FRAMES + 1, (number - 1) % FRAMES + 1
    ticks = find_tick(frame, run.manifest.stride)
    now = run.moment(step - 1) + timedelta(seconds=TICK_SECONDS * ticks)
    shown_by_resident = {}
    for who, tile in run.positions(step).items():
        here = tile_after(ticks, run.trajectories(step, step).get(step, {}).get(who, []), tile)
        action = find_action(run.actions(0, step)[who], step)
        talk = next(
            (
                one
                for one in run.conversations(0, step)
                if who in one.people and one.started <= now < end_of(one)
            ),
            None,
        )
        if talk:
            text = f"💬 talking with {film.names.people(talk.others(who))}"
        elif action.started is None or action.started > now:
            text = f"🚶 on the way to {film.names.place(action.address)}"
        else:
            text = label_activity(action)
        shown_by_resident[who] = Appearance(here, film.names.place_at(here, action.address), text)
    return shown_by_resident


def test_frames_from_a_later_step_show_everybody_first(tmp_path: Path) -> None:
    with reader(tmp_path) as run:
        film = Film(run, Names(None))
        shown = film.opening()
        for _, changes in film.frames(1, 2):
            shown |= changes
        later = list(film.frames(2, 3))
        assert set(later[0][1]) == {"ana", "bo", "cy"}
        assert later[0][0] == 61
        again: dict[str, Appearance] = {}
        for _, changes in later[:60]:
            again |= changes
        assert again == shown


# movement.json --------------------------------------------------------------------------------


def movement(results: Path) -> dict[str, Any]:
    export_run(results, "sample")
    movement_file: dict[str, Any] = orjson.loads(
        (results / "compressed" / "sample" / "movement.json").read_bytes()
    )
    return movement_file


def test_movement_has_the_format_that_players_read(tmp_path: Path) -> None:
    make_run(tmp_path)
    content = movement(tmp_path)
    frames = content.pop("all_movement")
    assert content == {
        "start_datetime": "2025-02-13T06:00:00",
        "stride": 10,
        "sec_per_step": 10,
        "persona_init_pos": {"ana": [2, 2], "bo": [2, 6], "cy": [2, 10]},
    }
    assert list(frames) == [*map(str, range(181)), "description", "conversation"]
    assert frames["0"]["ana"] == {
        "location": "home/ana",
        "movement": [2, 2],
        "description": "💤 sleeping",
    }
    assert frames["20"] == {
        "ana": {"location": "cafe/main", "movement": [22, 2], "action": "☕ opening the café"}
    }
    assert frames["21"] == {}
    assert frames["121"]["bo"]["action"] == "💬 talking with ana"
    assert list(frames["conversation"]) == ["20250213-06:00", "20250213-06:10", "20250213-06:20"]
    assert frames["conversation"]["20250213-06:10"] == ""
    assert (
        "bo: The smell of coffee got me. *What* is new?" in frames["conversation"]["20250213-06:20"]
    )


@pytest.mark.parametrize("stride", STRIDES)
def test_the_player_of_generative_agents_cn_starts_at_any_step_and_plays_to_the_end(
    tmp_path: Path, stride: int
) -> None:
    make_run(tmp_path, stride=stride)
    movement(tmp_path)
    player = MovementPlayer(tmp_path / "compressed" / "sample" / "movement.json")
    with RunReader.open(tmp_path, "sample") as run:
        film = Film(run, Names(None))
        expected = [film.opening()]
        for _, changes in film.frames(1, 3):
            expected.append(expected[-1] | changes)
        for step in range(4):
            begin = (max(step, 1) - 1) * FRAMES
            assert player.places_at(step) == {
                who: list(one.tile)
                for who, one in (expected[begin + 1] if step > 1 else expected[0]).items()
            }
            played = list(player.play(step))
            assert [
                {
                    who: (tuple(one["movement"]), one["location"], one["action"])
                    for who, one in figures.items()
                }
                for _, figures, _ in played
            ] == [
                {who: (one.tile, one.location, one.action) for who, one in frame.items()}
                for frame in expected[begin + 1 :]
            ]
            assert played[0][0] == START + timedelta(minutes=stride * (max(step, 1) - 1))
            assert "The smell of coffee got me" in played[-1][2]


@pytest.mark.parametrize("stride", STRIDES)
def test_movement_has_sixty_frames_a_step_at_every_stride(tmp_path: Path, stride: int) -> None:
    make_run(tmp_path, stride=stride)
    frames = movement(tmp_path)["all_movement"]
    assert len(frames) == 1 + 180 + 2
    assert len(frames["conversation"]) == 3


@pytest.mark.parametrize(
    ("lang", "who", "place"), [("en", "Ana", "Café"), ("zh", "安娜", "咖啡店")]
)
def test_names_and_words_are_in_the_language_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, who: str, place: str
) -> None:
    make_run(tmp_path, lang=lang)
    monkeypatch.setattr(
        Names, "of", classmethod(lambda cls, run, worlds: cls(little_world(run.manifest.lang)))
    )
    content = movement(tmp_path)
    frames = content["all_movement"]
    assert who in content["persona_init_pos"]
    assert frames["20"][who]["location"] == place
    assert frames["description"][who]["scratch"]["lifestyle"] == "early riser"
    assert frames["121"][who]["action"] == "💬 " + translate_all(REPORT_TEXTS, lang)[
        "talking"
    ].format(name={"en": "Bo", "zh": "阿伯"}[lang])


def test_a_run_of_no_steps_can_be_compressed(tmp_path: Path) -> None:
    file = make_run(tmp_path)
    database = sqlite3.connect(file)
    for table in ("steps", "state", "memories", "conversations", "trajectories"):
        database.execute(f"DELETE FROM {table} WHERE step > 0")
    database.commit()
    database.close()
    assert list(movement(tmp_path)["all_movement"]) == ["0", "description", "conversation"]


# simulation.md ----------------------------------------------------------------------------------


def report(results: Path) -> str:
    export_run(results, "sample")
    return (results / "compressed" / "sample" / "simulation.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("lang", "model"),
    [("en", "scripted (no language model)"), ("zh", "scripted（无语言模型），按规则应答")],
)
def test_the_report_names_the_model_as_what_it_is(tmp_path: Path, lang: str, model: str) -> None:
    make_run(tmp_path, lang=lang)
    assert model in report(tmp_path)


def test_the_report_tells_stays_talks_thoughts_and_news(tmp_path: Path) -> None:
    make_run(tmp_path)
    text = report(tmp_path)
    assert (
        "- **06:03–06:30, cafe/main** — ☕ opening the café · *06:20* 💬 [conversation with bo](#conversation-3-ana)"
        in text
    )
    assert "> **ana:** I'll hold a tasting on Friday at six. &lt;Do&gt; come!" in text
    assert (
        f"**06:23 · ana**\n\n- Ana looks forward to Friday\n  - *06:00, thought*: {NEWS}\n  - [06:20, conversation with bo](#conversation-3-ana)\n"
        in text
    )
    assert (
        f"- Ana likes to bring people together\n  - *06:23, thought*: Ana looks forward to Friday\n    - *06:00, thought*: {NEWS}"
        in text
    )
    assert f"**bo** learnt from **ana**: {NEWS}" in text


def test_every_link_of_the_report_leads_somewhere(tmp_path: Path) -> None:
    make_run(tmp_path, residents=("安娜", "bo", "c'y"))
    text = report(tmp_path)
    links = set(re.findall(r"\]\(#([^)]*)\)", text))
    assert len(links) == 4
    assert links == set(re.findall(r'<a id="([^"]*)">', text))


def test_news_is_told_by_storyline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(tmp_path)
    monkeypatch.setattr(Names, "of", classmethod(lambda cls, run, worlds: cls(little_world())))
    assert (
        f"### The tasting\n\n- [06:23](#conversation-3-ana) · **Bo** learnt from **Ana**: {NEWS}"
        in report(tmp_path)
    )


def test_a_gathering_is_told_with_who_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(tmp_path)
    world = little_world()
    tasting = replace(
        world.storylines[0], gathering=Gathering("cafe/main", START, START + timedelta(minutes=20))
    )
    monkeypatch.setattr(
        Names,
        "of",
        classmethod(lambda cls, run, worlds: cls(replace(world, storylines=(tasting,)))),
    )
    text = report(tmp_path)
    assert (
        "**The gathering:** Café, 06:00–06:20\n\n- **Hosted by:** nobody\n- **Came:** Ana (17 min)\n- **Also there:** Bo (5 min)\n"
        in text
    )
    assert "- **Knew and stayed away:** nobody\n" in text


def test_a_memory_type_of_the_runs_own_is_told_by_its_name(tmp_path: Path) -> None:
    file = make_run(tmp_path)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE memories SET type = 'dream' WHERE resident = 'ana' AND id = 1")
    assert f"- *06:00, dream*: {NEWS}" in report(tmp_path)


@given(st.text())
def test_plain_text_holds_no_markup(text: str) -> None:
    made = literal(text)
    assert "\n" not in made
    assert "<" not in made
    assert ">" not in made
    within_words = re.sub(r"(?<=[^\W_])_(?=[^\W_])", "", made)  # an underscore there is no markup
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]#|~$]", within_words)


# days -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stride", STRIDES)
def test_days_are_told_once_and_in_order(tmp_path: Path, stride: int) -> None:
    with reader(tmp_path, stride=stride) as run:
        days = days_of(run, 3)
        assert days[0] == START.date()
        assert days[-1] == (run.moment(3) - timedelta(seconds=1)).date()
        for who in run.residents:
            spans = [(stay.start, stay.end) for day in days for stay in stays(run, who, day, 3, [])]
            assert all(start <= end for start, end in spans)
            assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


def test_steps_of_a_day_overlap_where_a_step_crosses_midnight(tmp_path: Path) -> None:
    with reader(tmp_path, stride=1440) as run:
        assert [steps_of(run, day, 3) for day in days_of(run, 3)] == [
            (1, 1),
            (1, 2),
            (2, 3),
            (3, 3),
        ]


def test_waking_time_leaves_out_sleep_within_a_stay() -> None:
    def at(hour: int) -> datetime:
        return datetime(2025, 2, 13, hour)

    bedroom = (
        Doing(at(0), at(0), "home/room/bed", "💤", asleep=True),
        Doing(at(7), at(7), "home/room/desk", "✏️"),
    )
    cafe = (Doing(at(8), at(9), "cafe/main/seat", "☕"),)
    late = (
        Doing(at(20), at(20), "home/room/desk", "✏️"),
        Doing(at(23), at(23), "home/room/bed", "💤", asleep=True),
    )
    life = [
        Stay(at(0), at(8), "home/room", bedroom),
        Stay(at(9), at(20), "cafe/main", cafe),
        Stay(at(20), at(23), "home/room", late),
    ]
    assert awake(life) == [(at(7), at(23))]
    assert main_place(life) == "cafe/main"
    assert life[0].waking() == timedelta(hours=1)
    assert (awake([]), main_place([])) == ([], "")


def test_hours_out_of_town_are_neither_awake_nor_at_home() -> None:
    def at(hour: int) -> datetime:
        return datetime(2025, 2, 13, hour)

    cafe = Doing(at(8), at(8), "cafe/main/seat", "☕")
    away = Doing(at(10), at(10), "home/room", "🧳 out of town", is_away=True)
    back = Doing(at(18), at(19), "home/room", "🧳")
    life = [
        Stay(at(8), at(10), "cafe/main", (cafe,)),
        Stay(at(10), at(18), "home/room", (away,)),
        Stay(at(19), at(20), "home/room", (back,)),
    ]
    assert awake(life) == [(at(8), at(10)), (at(18), at(20))]
    assert main_place(life) == "cafe/main"


# the command ------------------------------------------------------------------------------------


def test_a_run_under_way_can_be_compressed(tmp_path: Path) -> None:
    file = make_run(tmp_path)
    writer = sqlite3.connect(file)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute(
        "INSERT INTO steps VALUES (4, ?, '', '{}')", (datetime(2025, 2, 13, 6, 40).isoformat(),)
    )
    assert len(movement(tmp_path)["all_movement"]) == 183
    writer.rollback()
    writer.close()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--name", "nobody"], "no run 'nobody'"),
        (["--name", "../sample"], "'/'"),
        (["--name", "sample", "--nam"], "did you mean --name?"),
        ([], "--name"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    make_run(tmp_path)
    assert main([*argv, "--results", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_damaged_run_is_bad_input_and_leaves_the_files_of_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = make_run(tmp_path)
    before = report(tmp_path)
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    capsys.readouterr()
    assert main(["--name", "sample", "--results", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "compressed" / "sample" / "simulation.md").read_text("utf-8") == before


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "made" / "file"
    with atomic_write(path) as file:
        file.write(b"first")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_bytes() == b"first"
    assert list(path.parent.iterdir()) == [path]


def _interrupted(path: Path) -> None:
    with atomic_write(path) as file:
        file.write(b"second")
        raise KeyboardInterrupt


def test_compress_loads_nothing_heavy(tmp_path: Path) -> None:
    make_run(tmp_path)
    code = (
        "import sys; from hometown.cli.compress import main; code = main(sys.argv[1:]);"
        "assert not {'llama_index', 'torch', 'flask', 'ollama', 'openai'} & set(sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--name", "sample", "--results", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == [
        "there is no world 'nowhere'; it should be one of cloudvale, farmstead, minitown, ville"
    ]
    assert [Path(line).name for line in done.stdout.splitlines()] == [
        "movement.json",
        "simulation.md",
        "spread.json",
        "gazette.md",
        "gazette.html",
    ]


def test_blocks_cover_a_range_once() -> None:
    assert [step for first, last in blocks(3, 11, 4) for step in range(first, last + 1)] == list(
        range(3, 12)
    )


def test_the_formats_page_names_every_key(tmp_path: Path) -> None:
    make_run(tmp_path)
    content = movement(tmp_path)
    page = (
        (ROOT / "docs" / "formats.md")
        .read_text("utf-8")
        .split("## movement.json")[1]
        .split("\n## ")[0]
    )
    keys = {
        *content,
        *content["all_movement"]["0"]["ana"],
        *content["all_movement"]["20"]["ana"],
        *content["all_movement"]["description"]["ana"],
    }
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", page)] == []
