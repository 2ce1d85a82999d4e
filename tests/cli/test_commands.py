"""`hometown` as its users meet it: subcommands, help in both languages, completion, hints; and what
all command lines share.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hometown import __version__
from hometown.cli import compress, replay, start
from hometown.cli.command import Group
from hometown.cli.commands import build_command
from hometown.cli.main import run_hometown as hometown
from hometown.cli.options import INTERVENTIONS
from hometown.cli.run_commands import _INTERVENTION_EXAMPLES
from hometown.cli.texts import Text
from hometown.errors import BadInput
from hometown.language import LANGS, Lang
from hometown.paths import ROOT
from hometown.storage.inbox import Inbox
from hometown.storage.run import RunFile
from hometown.storage.run_names import free_name, run_names
from hometown.world.load import load_world
from hometown.world.resolve import parse_intervention
from tests.support.command_lines import PROGRAMS, command_of, parse

SCRIPTED = ["--lang", "en", "--llm", "scripted", "--embedding", "hash"]

VALUES = {
    "fork": "town@1",
    "step": "3",
    "until": "22:00",
    "max-calls": "9",
    "max-hours": "1.5",
    "pace": "0.5",
    "lang": "en",
    "start": "20250213-06:00",
    "stride": "5",
    "residents": "2",
    "clone": "3",
    "seed": "7",
    "verbose": "info",
    "tell": "a: b",
    "set": "a: b",
    "event": "a: b",
    "place": "a: b",
    "at": "3",
    "port": "80",
    "condition": "none",
    "count": "4",
    "shards": "4",
    "trial": "3",
}
"""A value for each option that does not take any word."""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the run `spring`, which has lived two steps."""
    folder = tmp_path_factory.mktemp("results")
    assert (
        hometown(
            [
                "run",
                "spring",
                "--world",
                "minitown",
                "--step",
                "2",
                *SCRIPTED,
                "--results",
                str(folder),
            ]
        )
        == 0
    )
    return folder


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and all below it, by the words that lead there."""
    yield path, command
    if isinstance(command, Group):
        for name, subcommand in command.subcommands().items():
            yield from commands(subcommand, (*path, name))


PATHS = [path for path, _ in commands(build_command(Text("en")))]


# help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_a_summary_and_an_example_in_both_languages(
    path: tuple[str, ...],
    lang: Lang,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8" if lang == "zh" else "C.UTF-8")
    assert hometown([*path, "--help"]) == 0
    shown = capsys.readouterr().out
    heading = "用法：" if lang == "zh" else "Usage: "
    assert shown.startswith(f"{heading}hometown {' '.join(path)}".rstrip())
    summary = shown.splitlines()[2]
    assert summary[:1] == " "
    assert any("\u4e00" <= letter <= "\u9fff" for letter in summary) == (lang == "zh")
    assert (
        "hometown " + (path[0] if path else "run")
        in shown.partition("示例：" if lang == "zh" else "Example:")[2]
    )


@pytest.mark.parametrize("lang", LANGS)
def test_the_examples_of_interventions_work_in_minitown(lang: Lang) -> None:
    world = load_world("minitown", lang)
    for kind, example in _INTERVENTION_EXAMPLES.items():
        said = shlex.split(Text(lang)(example))[3]
        assert parse_intervention(kind, said, world).kind == kind


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_and_version_of_every_program(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mains = {
        "start.py": start.main,
        "compress.py": compress.main,
        "replay.py": replay.main,
        "hometown": hometown,
    }
    for argv in (["--version"], ["--help"], ["-h"]):
        assert mains[program](argv) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"hometown {__version__}\nUsage: {program}")
    assert shown.count("show this help and exit") == 2


def test_without_a_subcommand_it_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown([]) == hometown(["world"]) == 0
    assert capsys.readouterr().out.count("Usage: ") == 2


def test_help_imports_nothing_heavy() -> None:
    """It answers in 0.15 s for that reason; a clock would measure what else the machine does."""
    code = "import sys; from hometown.cli.main import run_hometown; run_hometown(['run', '--help']); print(*sys.modules, file=sys.stderr)"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "modules")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    imported = {name.partition(".")[0] for name in done.stderr.split()}
    assert {"click", "orjson"} <= imported
    assert imported.isdisjoint(
        {"flask", "jinja2", "llama_index", "numpy", "httpx", "PIL", "pydantic", "tqdm", "torch"}
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(["completion", shell]) == 0
    assert "_HOMETOWN_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("hometown re", "resume"),
        ("hometown world ch", "check"),
        ("hometown run --max-c", "--max-calls"),
        ("hometown verify --results {results} s", "spring"),
    ],
)
def test_the_shell_completes(typed: str, completed: str, results: Path) -> None:
    words = typed.format(results=results)
    environment = {
        "PYTHONPATH": str(ROOT / "modules"),
        "_HOMETOWN_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = subprocess.run(
        [sys.executable, "-c", "from hometown.cli.main import run_hometown; run_hometown([])"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"plain,{completed}" in done.stdout.splitlines()


# options -------------------------------------------------------------------------------------


BESIDE: dict[str, list[str]] = {
    "--name": [],
    "--json": ["--doctor"],
    "--out": ["--check-world", "a"],
    "--trial": ["--check-world", "a"],
    "--at": ["--name", "x", "--tell", "a: b"],
    "--from": ["--import-world", "a", "--name", "x"],
    "--gguf": ["--get-model", "a"],
    "--condition": ["--name", "x", "--ask", "a: b"],
    "--count": ["--districts", "a", "--name", "x"],
    "--districts": ["--count", "3", "--name", "x"],
} | {
    mode.flag: []
    for mode in start.MODES
    if mode.declaration.words.startswith(
        ("model ", "world ", "doctor", "digest", "verify", "check")
    )
    and mode.option != "districts"
    and mode.option != "import-world"
}
"""The options that an option of `start.py` needs beside it; a run by default."""


SHOWN = [
    option
    for option in command_of("start.py").params
    if isinstance(option, click.Option)
    and not option.hidden
    and not {"--help", "--version"} & set(option.opts)
]


@pytest.mark.parametrize("option", SHOWN, ids=lambda option: option.opts[0])
def test_start_accepts_every_option_that_it_lists(option: click.Option) -> None:
    flag = option.opts[0]
    value = [] if option.is_flag else [VALUES.get(flag[2:], "town")]
    beside = BESIDE.get(flag, ["--name", "x"])
    given = parse("start.py", [flag, *value, *beside])
    try:
        default = parse("start.py", beside or ["--name", "x"])
    except (BadInput, click.UsageError):  # the option is needed
        return
    assert given != default


def test_start_lists_the_options_of_its_commands_and_no_others() -> None:
    """It once listed `--say`, `--force` and `--yes`, which did nothing there."""
    declared = frozenset().union(*(mode.flags for mode in start.MODES))
    assert {option.opts[0] for option in SHOWN} == declared


@pytest.mark.parametrize(
    "line", [["--name", "x"], ["--digest", "x"], ["--name", "x", "--ask", "a: b"]], ids=" ".join
)
def test_a_line_of_start_has_the_options_of_its_command_alone(line: list[str]) -> None:
    (mode, *_) = [each for each in start.MODES if each.option and each.flag in line] or start.MODES
    selecting = {each.flag for each in start.MODES}
    for option in SHOWN:
        flag = option.opts[0]
        if flag not in mode.flags | selecting:
            words = [flag] if option.is_flag else [flag, VALUES.get(flag[2:], "town")]
            with pytest.raises(BadInput, match="would be ignored here: leave it out"):
                parse("start.py", [*line, *words])


@pytest.mark.parametrize(
    ("argv", "takers"),
    [
        (["--name", "x", "--say", "Hello"], "hometown law, hometown move-in"),
        (["--name", "x", "--force"], "hometown law, hometown move-in"),
        (["--name", "x", "--yes"], "hometown start, hometown law, hometown move-in"),
        (["--name", "x", "--tables"], "hometown export"),
        (["--name", "x", "--port", "5000"], "hometown start, hometown replay, hometown mcp"),
        (["--name", "x", "--gguf"], "start.py --get-model"),
        (
            ["--name", "x", "--json"],
            "start.py --ask, start.py --compare, start.py --doctor, hometown wishes",
        ),
        (["--digest", "x", "--step", "5"], "start.py --name"),
        (["--verify", "x", "--max-hours", "2"], "start.py --name"),
        (["--check", "x", "--tell", "a: b"], "start.py --name"),
        (
            ["--name", "x", "--ask", "a: b", "--seed", "2"],
            "start.py --name, hometown league, hometown world people",
        ),
    ],
)
def test_an_option_that_would_be_ignored_is_refused_with_the_commands_that_take_it(
    argv: list[str], takers: str
) -> None:
    with pytest.raises(BadInput) as refused:
        parse("start.py", argv)
    option = next(word for word in reversed(argv) if word.startswith("--"))
    assert f"{option} is an option of {takers}, and would be ignored here: leave it out" in str(
        refused.value
    )


@pytest.mark.parametrize("line", [["--digest", "x"], ["--new-world", "x"], ["--list-models"]])
def test_a_name_is_refused_where_another_option_names_it(line: list[str]) -> None:
    with pytest.raises(BadInput, match=f"^{line[0]} takes no --name: leave it out"):
        parse("start.py", [*line, "--name", "y"])


def test_the_help_of_a_script_with_one_command_is_that_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for script in (replay, compress):
        assert script.main(["--help", "--lang", "en"]) == 0
        told = capsys.readouterr().out
        assert "a new world may have several" not in told
        assert "for questions that of the run" not in told


def test_older_names_of_commands_keep_working(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["spring", "mira.json", "--say", "Welcome", "--force", "--yes"]
    assert parse("hometown", ["settle", *words]) == parse("hometown", ["move-in", *words])
    assert hometown(["settle", "--help"]) == 0
    assert hometown(["--help"]) == 0
    assert "settle" not in capsys.readouterr().out.partition("Commands:")[2]


def test_an_option_that_several_commands_of_start_share_is_read_by_the_one_selected() -> None:
    assert parse("start.py", ["--new-world", "w", "--lang", "en,zh"])["langs"] == ("en", "zh")
    assert parse("start.py", ["--name", "x", "--lang", "zh"])["lang"] == "zh"
    with pytest.raises(BadInput, match="names several languages; write one"):
        parse("start.py", ["--name", "x", "--lang", "en,zh"])


def test_what_start_does_is_one_thing() -> None:
    with pytest.raises(BadInput, match="--digest, --verify exclude each other: choose one"):
        parse("start.py", ["--digest", "x", "--verify", "x"])


@pytest.mark.parametrize("beside", [["--questionnaire", "standard"], ["--residents", "ann"]])
def test_a_question_goes_to_the_one_it_names(
    beside: list[str], results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        hometown(["ask", "spring", "Lin Yue: How are you?", *beside, "--results", str(results)])
        == 2
    )
    assert "leave out" in capsys.readouterr().err


def test_interventions_keep_their_order() -> None:
    given = parse(
        "start.py",
        ["--name", "x", "--set", "a: 1", "--tell", "b: 2", "--set=c: 3", "--remove", "d"],
    )
    assert given["requests"] == (
        ("set", "a: 1"),
        ("tell", "b: 2"),
        ("set", "c: 3"),
        ("remove", "d"),
    )


@pytest.mark.parametrize("program", ["start.py", "hometown"])
def test_verbose_may_go_without_its_level(program: str) -> None:
    new = ["--name", "x"] if program == "start.py" else ["run"]
    assert parse(program, [*new, "--verbose", "--step", "2"])["verbose"] == "debug"
    assert parse(program, [*new, "--verbose", "warning"])["verbose"] == "warning"
    assert parse(program, new)["verbose"] is None


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["rum"], "unknown command 'rum', did you mean run? (see hometown --help)"),
        (
            ["world", "chekc"],
            "unknown command 'chekc', did you mean check? (see hometown world --help)",
        ),
        (
            ["fork", "x@1", "--nam", "y"],
            "unknown option '--nam', did you mean --name? (see hometown fork --help)",
        ),
        (
            ["fork", "x@1", "--name"],
            "argument --name: expected one argument (see hometown fork --help)",
        ),
        (
            ["fork", "x@1", "--name", "--step", "2"],
            "argument --name: expected one argument (see hometown fork --help)",
        ),
        (
            ["run", "--stride", "0"],
            "argument --stride: '0' is not a whole number from 1 to 240 (see hometown run --help)",
        ),
        (
            ["run", "--lang", "en,zh"],
            "argument --lang: 'en,zh' names several languages; write one, en or zh (see hometown run --help)",
        ),
        (["run", "--at", "3"], "--at is the time of an intervention"),
        (["resume"], "missing: NAME (see hometown resume --help)"),
        (["resume", "nothing"], "there is no run 'nothing'"),
        (
            ["fork", "spring"],
            "'spring' is not a step of a run; write for example spring@48 (see hometown fork --help)",
        ),
        (["fork", f"spring@{10**30}"], "is not a step of a run; write for example spring@48"),
        (["run", "--step", f"{10**20}"], f"'{10**20}' is not a whole number from 1 to 1000000"),
        (["world", "districts", "ville", "--count", "1001"], "a whole number from 2 to 1000"),
        (["tell", "spring"], 'missing: "WHO: TEXT" (see hometown tell --help)'),
        (["digest", "a", "b"], "unexpected argument 'b' (see hometown digest --help)"),
        (
            ["export", "x", "--html=yes"],
            "argument --html: takes no value (see hometown export --help)",
        ),
        (["world", "import", "x"], "missing: --name NAME (see hometown world import --help)"),
        (["completion", "ksh"], "no completion for shell 'ksh'; choose one of bash, zsh, fish"),
    ],
)
def test_bad_input_gets_one_line(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hometown(argv) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert error.count("\n") == 1
    assert out == ""


def test_bad_input_gets_one_line_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(["--lang", "zh", "rum"]) == 2
    assert capsys.readouterr().err == "没有子命令 'rum'，是不是 run？（见 hometown --help）\n"


# what they do --------------------------------------------------------------------------------


def test_a_run_without_a_name_gets_one(tmp_path: Path) -> None:
    for _ in range(2):
        assert (
            hometown(
                ["run", "--world", "minitown", "--step", "1", *SCRIPTED, "--results", str(tmp_path)]
            )
            == 0
        )
    assert run_names(tmp_path) == ["minitown-1", "minitown-2"]
    assert free_name(tmp_path, "../minitown") == "minitown-3"


def test_resume_fork_digest_verify_check_and_repair(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ["--results", str(results)]
    assert hometown(["resume", "spring", "--step", "1", *folder]) == 0
    assert hometown(["fork", "spring@2", "--step", "1", "--name", "autumn", *folder]) == 0
    assert hometown(["fork", "spring@1", "--step", "1", *folder]) == 0
    with RunFile.open(results, "spring-1") as fork:
        assert fork.manifest.parent == "spring@1"
    capsys.readouterr()
    assert hometown(["digest", "autumn", *folder]) == 0
    digests = capsys.readouterr().out
    assert hometown(["digest", "spring", *folder]) == 0
    assert capsys.readouterr().out == digests
    assert hometown(["verify", "autumn", *folder]) == 0
    assert hometown(["check", "autumn", *folder]) == 0
    assert hometown(["repair", "autumn", "--name", "mended", *folder]) == 0
    assert f"hometown resume mended --results {results}" in capsys.readouterr().out


def test_hints_name_what_can_be_typed(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ["resume", "spring", "--llm", "ollama:other", "--results", str(results)]
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/hometown"])
    assert hometown(refused) == 2
    assert "to change it, fork the run: hometown fork spring@" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["/somewhere/hometown/__main__.py"])
    assert hometown(refused) == 2
    assert "python -m hometown fork spring@" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "words", "target", "text"),
    [
        ("tell", ["Yue: sing at the café"], "lin_yue", "sing at the café"),
        ("tell", ["Lin", "Yue:", "sing"], "lin_yue", "sing"),  # without quotes
        ("set", ["cafe/main/counter: wet"], "cafe/main/counter", "wet"),
        ("event", ["cafe: a window breaks"], "cafe/main", "a window breaks"),
        ("place", ["cafe: a harp"], "cafe/main", "a harp"),
        ("remove", ["cafe/main/counter"], "cafe/main/counter", ""),
    ],
)
def test_interventions(
    kind: str,
    words: list[str],
    target: str,
    text: str,
    results: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert kind in INTERVENTIONS
    assert hometown([kind, "spring", *words, "--at", "9", "--results", str(results)]) == 0
    assert "in step 9" in capsys.readouterr().out
    last = Inbox(results / "checkpoints" / "spring").interventions()[-1]
    assert (last.kind, last.target, last.text, last.step) == (kind, target, text, 9)


def test_export(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(["export", "spring", "--results", str(results)]) == 0
    written = capsys.readouterr().out.splitlines()
    assert [Path(line).name for line in written] == [
        "movement.json",
        "simulation.md",
        "spread.json",
        "gazette.md",
        "gazette.html",
    ]
    assert all(Path(line).exists() for line in written)


def test_replay_says_where_it_can_listen(capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(["replay", "--host", "nowhere.invalid"]) == 2
    assert "cannot listen on nowhere.invalid:5000" in capsys.readouterr().err


def test_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hometown(
        ["doctor", "--json", "--world", "minitown", *SCRIPTED, "--results", str(tmp_path)]
    ) in (0, 1)
    assert json.loads(capsys.readouterr().out)["estimate"]["hours"] == 0


def test_worlds_are_made_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = ["--worlds", str(tmp_path / "worlds"), "--results", str(tmp_path)]
    assert hometown(["world", "new", "mytown", "--lang", "en,zh", *folders]) == 0
    shown = capsys.readouterr().out
    assert "hometown world check mytown --worlds" in shown
    assert "hometown run mytown-1 --world mytown --lang en --worlds" in shown
    assert hometown(["world", "check", "mytown", *folders]) == 0
    assert (tmp_path / "worlds" / "mytown.png").exists()


# without an environment ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [["start.py", "--help"], ["compress.py", "--help"], ["replay.py"], ["-m", "hometown", "run"]],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("locale", "words"), [("C.UTF-8", "activate the environment"), ("zh_CN.UTF-8", "请先激活环境")]
)
def test_a_python_without_the_packages_gives_one_line(
    argv: list[str], locale: str, words: str
) -> None:
    environment = {"PYTHONPATH": str(ROOT / "modules"), "LC_ALL": locale, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-S", *argv],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "'click'" in done.stderr or "'orjson'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_module_of_ours_that_is_missing_is_not_blamed_on_the_environment() -> None:
    from hometown.cli.main import launch

    with pytest.raises(ModuleNotFoundError):
        launch("hometown.nothing", [])
