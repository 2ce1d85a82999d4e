"""What a town from a stranger cannot do: name a server, send the key elsewhere, open a file. What
its user may.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown.cli.contacts import Contact, contacts
from hometown.config import check_town, combine, keys, user_layer
from hometown.errors import BadInput, BadSettings
from hometown.model import permission
from hometown.model.address import key_for
from hometown.model.llama.gguf_files import find_file
from hometown.model.permission import needs_permission, permit
from hometown.settings import Machine, Settings, TownSettings
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from tests.support.fake_openai import FakeOpenAI
from tests.support.stranger import (
    KEY,
    MODEL,
    PEOPLE,
    RUN_COMMANDS,
    WORLD_COMMANDS,
    Household,
    Stranger,
    places,
)

PLACES = ("openai", "ollama", "by kind", "others", "embedding", "ray")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    with Stranger() as stranger, FakeOpenAI(key=KEY) as server:
        made = Household(tmp_path_factory.mktemp("home"), stranger, server)
        made.found()
        yield made


# what a town may carry ---------------------------------------------------------------------


def test_a_town_has_no_field_for_what_only_the_user_may_set() -> None:
    """A new setting has to be put on one side or the other."""
    own = {name for name, _ in keys()} - {name for name, _ in keys(TownSettings)}
    assert own == {
        *(name for name, _ in keys() if name.startswith("machine.")),
        *(
            f"llm.{name}"
            for name in (
                "default",
                "model",
                "by_kind",
                "num_ctx",
                "keep_alive",
                "give_up_after",
                "min_tokens_per_second",
            )
        ),
        *("detail.cast", "detail.others", "embedding.default"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "machine",
        "machine.gguf",
        "machine.synchronous",
        "llm.default",
        "llm.num_ctx",
        "detail.others",
        "embedding.default",
    ],
)
def test_what_is_the_users_is_refused_in_one_line_that_says_where_it_belongs(name: str) -> None:
    section, _, key = name.partition(".")
    with pytest.raises(BadSettings) as refused:
        check_town({section: {key: "x"} if key else {"ray": "auto", "slots": 2}}, "gift/world.json")
    (line,) = str(refused.value).splitlines()
    assert "gift/world.json" in line
    assert repr("machine" if section == "machine" else name) in line
    assert "data/config.json" in line


def test_a_misspelt_key_is_still_a_misspelt_key() -> None:
    with pytest.raises(BadSettings, match=r"'llm\.retrys'; did you mean 'llm\.retries'"):
        check_town({"llm": {"retrys": 2}}, "gift/world.json")


def test_what_is_the_users_overrides_all_that_a_town_says() -> None:
    own = combine(
        [{"llm": {"by_kind": {"place": "scripted"}, "retries": 3}, "machine": {"slots": 2}}]
    )
    layer = user_layer(own)
    assert combine([layer]).llm == own.llm.model_copy(update={"retries": 1})
    assert combine([layer]).machine == Machine(slots=2)


def test_a_manifest_keeps_no_machine_even_if_it_is_given_one(home: Household) -> None:
    with RunFile.open(home.results, "mine") as run:
        content = run.manifest.model_dump(mode="json")
    content["settings"]["machine"] = {"openai_base_url": "http://elsewhere", "unheard_of": 1}
    assert "machine" not in Manifest.model_validate(content).model_dump()["settings"]


# nobody is reached whom the user has not named ----------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_each_way_to_a_server_is_refused(home: Household, place: str) -> None:
    with pytest.raises(BadSettings, match="only the user of this computer can set"):
        check_town(places(home.stranger)[place], "gift/world.json")


def test_a_world_that_names_a_server_is_refused_by_every_command(home: Household) -> None:
    home.receive_world(places(home.stranger)["others"])
    for command, do in WORLD_COMMANDS.items():
        done = do(home)
        assert done.heard == [], command
        assert done.code == (400 if command == "page" else 2), (command, done.printed)
        assert "only the user of this computer can set" in done.printed, command
        assert "Traceback" not in done.printed


def test_a_run_that_names_servers_reaches_the_users_alone(home: Household) -> None:
    for place, settings in places(home.stranger).items():
        named = (
            {"llm": MODEL}
            if place == "openai"
            else {"embedding": MODEL}
            if place == "embedding"
            else {}
        )
        home.receive_run(settings, **named)
        for command in (
            ("resume", "retrieve", "ask") if place in ("embedding", "others") else ("resume",)
        ):
            done = RUN_COMMANDS[command](home)
            assert done.heard == [], (place, command)
            assert "Traceback" not in done.printed


@pytest.mark.parametrize("of", ["all", "one"])
def test_an_experiment_that_names_a_server_is_refused(home: Household, of: str) -> None:
    settings = places(home.stranger)["openai"]
    changes = {"conditions": {"one": {"settings": settings}}} if of == "one" else {}
    done = home.call(
        "experiment", str(home.receive_experiment({} if changes else settings, **changes))
    )
    assert (done.code, done.heard) == (2, [])
    assert "only the user of this computer can set" in done.printed


def test_a_run_with_a_world_that_once_named_a_server_still_opens(
    home: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copy of the world lies in the run; the run has settings of its own."""
    home.receive_world(places(home.stranger)["openai"])
    monkeypatch.setattr("hometown.world.load.check_town", lambda *_: None)
    assert (
        home.call(
            "run",
            "old",
            "--world",
            "gift",
            "--residents",
            "lin_yue",
            "--step",
            "1",
            "--llm",
            "scripted",
        ).code
        == 0
    )
    monkeypatch.undo()
    done = home.call("resume", "old", "--step", "1")
    assert (done.code, done.heard) == (0, []), done.printed


# files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "gguf:/etc/passwd",
        "gguf:m.gguf",
        "huggingface:/models/theirs",
        "huggingface:Their/Model",
        "theirs:anything",
    ],
)
@pytest.mark.parametrize("place", ["llm", "embedding", "by kind"])
def test_a_run_opens_no_file_that_its_user_has_not_named(
    home: Household, spec: str, place: str
) -> None:
    home.receive_run(
        {"llm": {"by_kind": {"poignancy": spec}}} if place == "by kind" else {},
        **({place: spec} if place != "by kind" else {}),
    )
    for command in ("resume", "fork", "ask"):
        done = RUN_COMMANDS[command](home)
        assert done.code == 2, command
        (line,) = [line for line in done.printed.splitlines() if "names" in line]
        assert f"run 'gift' names '{spec}'" in line
        assert "hometown doctor" in line


@pytest.mark.parametrize("field", ["llm", "judge", "embedding"])
def test_nor_does_an_experiment(home: Household, field: str) -> None:
    asked = [{"questionnaire": "believability", "access": ["full", "no-plan", "none"]}]
    done = home.call(
        "experiment",
        str(home.receive_experiment({}, interviews=asked, **{field: "huggingface:/models/theirs"})),
    )
    assert done.code == 2
    assert "experiment 'gift' names 'huggingface:/models/theirs'" in done.printed


@pytest.mark.parametrize("way", ["command line", "settings"])
def test_once_named_a_file_is_permitted(
    home: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(permission, "FILE", tmp_path / "new" / "permitted.txt")
    monkeypatch.setattr(permission, "_in_process", set())
    spec = f"gguf:{tmp_path}/{way[0]}.gguf"
    home.receive_run({}, llm=spec)
    asking = ("ask", "gift", "Lin Yue: Who are you?")
    assert "names" in home.call(*asking).printed
    if way == "settings":
        monkeypatch.setattr(home, "config", tmp_path / "mine.json")
        home.config.write_text(json.dumps({"llm": {"by_kind": {"place": spec}}}))
        told = home.call(*asking).printed
    else:
        told = home.call(*asking, "--llm", spec).printed
    assert "there is no such file" in told
    monkeypatch.setattr(permission, "_in_process", set())  # another process
    assert permission.FILE.read_text() == f"{spec}\n"
    assert "there is no such file" in home.call(*asking).printed


def test_where_nothing_can_be_written_a_permission_holds_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(permission, "FILE", tmp_path / "file" / "permitted.txt")
    permit(["gguf:/for-the-process.gguf", "scripted"])
    assert "gguf:/for-the-process.gguf" in permission.permitted_models()
    assert "scripted" not in permission.permitted_models()


def test_models_of_the_list_and_of_servers_need_no_permission() -> None:
    assert not any(
        map(
            needs_permission,
            (
                "",
                "hash",
                "e5",
                "auto",
                "scripted",
                "ollama:any",
                "openai:any/thing",
                "gguf:smollm2-135m",
            ),
        )
    )
    assert all(
        map(
            needs_permission,
            ("gguf:./smollm2-135m", "gguf:qwen.gguf", "huggingface:a/b", "plugin:x"),
        )
    )


def test_the_name_of_a_recommended_model_is_no_file_of_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run may name it without permission, from whichever folder its user resumes it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qwen3-4b").touch()
    for module in ("llama.gguf_files", "recommended"):
        monkeypatch.setattr(f"hometown.model.{module}.MODELS", tmp_path / "models")
    with pytest.raises(BadInput, match="there is no such file"):
        find_file("qwen3-4b", Settings())


# the key -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "address", "sent"),
    [
        ("", "http://mine:8000/v1", True),
        ("https://api.example/v1", "https://api.example/v1", True),
        ("https://api.example/v1", "https://api.example:443/other", True),
        ("https://api.example/v1", "http://mine:8000/v1", False),
        ("https://api.example/v1", "http://api.example/v1", False),
        ("https://api.example/v1", "https://api.example.evil/v1", False),
        ("https://api.example/v1", "https://api.example@evil/v1", False),
        ("http://one:8000/v1, http://two:8000/v1", "http://two:8000/v1", True),
    ],
)
def test_a_key_is_sent_to_the_servers_that_it_was_given_for(
    monkeypatch: pytest.MonkeyPatch, environment: str, address: str, sent: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", environment)
    assert key_for(address) == (KEY if sent else "")


def test_a_server_that_gets_no_key_says_why(
    home: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment has another server's key, and the settings name one that asks for its own."""
    monkeypatch.setattr(home, "config", tmp_path / "mine.json")
    with FakeOpenAI(key="sk-another") as other:
        home.config.write_text(json.dumps({"machine": {"openai_base_url": other.url}}))
        done = home.call("ask", "mine", "Lin Yue: Who are you?", "--llm", MODEL)
    assert done.code == 3
    assert "OPENAI_API_KEY is only sent to the servers of OPENAI_BASE_URL" in done.printed


def test_a_key_is_never_stored(home: Household) -> None:
    before = len(home.server.bodies)
    done = home.call(
        "run",
        "keyed",
        "--world",
        "minitown",
        "--residents",
        PEOPLE[0],
        "--step",
        "1",
        "--start",
        "20250213-08:00",
        "--llm",
        MODEL,
        "--log",
        str(home.results / "log"),
    )
    assert len(home.server.bodies) > before, done.printed
    assert KEY not in done.printed
    written = [file for file in home.results.rglob("*") if file.is_file()]
    assert not [file for file in written if KEY.encode() in file.read_bytes()]


# what is said beforehand -------------------------------------------------------------------------


def test_all_servers_are_named_before_they_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometown.backends._registered", {"mine": None})
    monkeypatch.setenv(
        "OPENAI_BASE_URL", "http://me:secret@one:8000/v1?key=secret, http://two:8000/v1"
    )
    monkeypatch.setenv("OLLAMA_HOST", "10.0.0.2")
    settings = Settings(machine=Machine(ray="head:6379", shards=2))
    assert contacts(["auto", "openai:a", "mine:x", "scripted", ""], "openai:v", settings) == [
        Contact("http://10.0.0.2:11434", ("ollama:qwen3:8b",)),
        Contact("http://one:8000/v1", ("openai:a", "openai:v")),
        Contact("http://two:8000/v1", ("openai:a",)),
        Contact("", ("mine:x",)),
        Contact("head:6379", ("Ray",)),
    ]
    assert (
        contacts(
            ["scripted", "gguf:m", "unknown:m"], "hash", Settings(machine=Machine(ray="head:6379"))
        )
        == []
    )


@pytest.mark.parametrize(("lang", "word"), [("en", "servers: "), ("zh", "要连接的服务端：")])
def test_a_command_prints_its_servers_first(home: Household, lang: str, word: str) -> None:
    own = ("--llm", MODEL, "--world", "minitown", "--residents", "lin_yue", "--lang", lang)
    for command in (("run", f"told-{lang}", "--step", "1"), ("doctor",)):
        first = home.call(*command, *own).printed.splitlines()[0]
        assert first.startswith(word)
        assert home.server.url in first
        assert MODEL in first


def test_nothing_is_printed_where_no_server_is_used(home: Household) -> None:
    assert (
        "servers:"
        not in home.call(
            "run",
            "quiet",
            "--world",
            "minitown",
            "--residents",
            "lin_yue",
            "--step",
            "1",
            "--llm",
            "scripted",
        ).printed
    )
