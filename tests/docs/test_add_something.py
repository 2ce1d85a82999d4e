"""CONTRIBUTING's table "Add something": each row is performed on a copy of the project and touches at
most three files, of which the two languages of a text are one; all else follows from it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown.language import LANGS
from hometown.paths import ROOT
from tests.support.golden import VERSIONS, put_golden
from tools.make_golden import NAME

MAX_FILES = 3
PACKAGE = "modules/hometown"
CATALOGUE = "data/locale/zh/LC_MESSAGES/hometown.po"
HELP = "print the last N steps only"

AGES = '''"""The ages of a run's residents."""

from __future__ import annotations

from typing import TypedDict

from hometown.history.names import Names
from hometown.history.reader import RunReader


class Ages(TypedDict):
    years: dict[str, int]


def ages(run: RunReader, names: Names) -> Ages:
    """Return the age of each resident whose persona is known."""
    known = ((who, names.persona(who)) for who in run.residents)
    return {"years": {who: persona.age for who, persona in known if persona}}
'''

Change = tuple[str, str, str]
"""A file, the text after which something is added or that is replaced, and the text in its place."""

ROWS: dict[str, list[Change]] = {
    "an option of a command": [
        (
            f"{PACKAGE}/cli/record_commands.py",
            "def digest(run: ExistingRun, *, folders: Folders) -> int:",
            """def digest(
    run: ExistingRun,
    *,
    last: Annotated[
        int | None, Option("N", values.integer(1), help=N_("print the last N steps only"))
    ] = None,
    folders: Folders,
) -> int:""",
        ),
        (
            f"{PACKAGE}/cli/record_commands.py",
            "for step, each in enumerate(opened.digests()):",
            "for step, each in [*enumerate(opened.digests())][-(last or 0) :]:",
        ),
        (
            f"{PACKAGE}/cli/record_commands.py",
            "from hometown.cli.declare import",
            "from hometown.cli import values\nfrom hometown.cli.declare import",
        ),
        (
            CATALOGUE,
            f'msgid "{HELP}"\nmsgstr ""',
            f'msgid "{HELP}"\nmsgstr "只打印最后 N 步的摘要"',
        ),
    ],
    "a memory type": [
        (f"{PACKAGE}/memory/concept.py", '"plan"]', '"plan", "dream"]'),
        ("data/text/en/memories.json", "{\n", '{\n  "dream": "dream|dreams",\n'),
        ("data/text/zh/memories.json", "{\n", '{\n  "dream": "梦",\n'),
    ],
    "a verb of an errand": [
        (
            f"{PACKAGE}/world/labour.py",
            '    READ = "read"\n',
            '    READ = "read"\n    WAVE = "wave"\n',
        ),
        (
            f"{PACKAGE}/society/verb_rules.py",
            '    Verb.READ: VerbRule("📌", "read_that", poignancy=2),\n',
            '    Verb.READ: VerbRule("📌", "read_that", poignancy=2),\n'
            '    Verb.WAVE: VerbRule("👋", "waved", lambda society, who, errand: None),\n',
        ),
        (
            "data/text/en/work.json",
            "{\n",
            '{\n  "wave": "waving to {other}",\n  "waved": "waved to {other}",\n  "waved_by": "{name} waved to {other}",\n',
        ),
        (
            "data/text/zh/work.json",
            "{\n",
            '{\n  "wave": "向{other}挥手",\n  "waved": "向{other}挥了手",\n  "waved_by": "{name}向{other}挥了手",\n',
        ),
    ],
    "an effect": [
        (
            f"{PACKAGE}/world/labour.py",
            "LabourEffect = (\n",
            '@frozen\nclass Rested:\n    """A resident\'s work ends at once."""\n\n    who: str\n\n\nLabourEffect = (\n    Rested |\n',
        ),
        (
            f"{PACKAGE}/world/labouring.py",
            "        case labour.WorkEnded(who):\n",
            "        case labour.Rested(who):\n            state.put(keys.DEED.of(who), None)\n        case labour.WorkEnded(who):\n",
        ),
    ],
    "a view": [
        (f"{PACKAGE}/history/ages.py", "", AGES),
        (
            f"{PACKAGE}/history/blocks.py",
            "VIEWS = (\n",
            'VIEWS = (\n    View("ages", ages, Ages),\n',
        ),
        (
            f"{PACKAGE}/history/blocks.py",
            "from hometown.history.beliefs import",
            "from hometown.history.ages import Ages, ages\nfrom hometown.history.beliefs import",
        ),
    ],
    "a setting": [
        (
            f"{PACKAGE}/settings.py",
            "class Percept(Section):\n",
            'class Percept(Section):\n    nearest: int = Field(1, ge=1, description="Tiles within which all is seen.")\n',
        ),
    ],
}
"""The rows of the table that are performed, with their changes."""

CHECKS = """
import sys
from pathlib import Path

from hometown.config import check_layer, combine
from hometown.errors import BadSettings
from hometown.export.embedded import packs
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.memory.concept import MEMORY_TYPES
from hometown.memory.filters import filter_by
from hometown.memory.partition import TYPE_CODES
from hometown.page.templates import page_words
from hometown.paths import WORLDS
from hometown.society.verb_rules import VERB_RULES
from hometown.society.work_phrasing import WorkPhrases
from hometown.storage.codec import EFFECTS
from hometown.storage.run import Run
from hometown.web.server import create_app
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.labour import Errand, Outcome, Rested, Verb
from hometown.world.load import load_world
from tools import write_docs
from tools.write_types import declarations

results, name = Path(sys.argv[1]), sys.argv[2]

assert MEMORY_TYPES[-1] == "dream" and TYPE_CODES["dream"] == len(MEMORY_TYPES) - 1
assert "dream" in str(filter_by("ann", ("dream",)))
assert page_words("zh")["memory_type_dream"] == "梦"
assert '"dream"' in declarations()

for lang, says in (("en", ("waving to Kate", "Jo waved to Kate")), ("zh", None)):
    world = load_world("farmstead", lang)
    errand = Errand(Verb("wave"), "kate", "")
    phrases = WorkPhrases(world)
    told = phrases.doing(errand), phrases.outcome(Outcome(errand))[1].format(name="Jo")
    other = world.name_of("kate")
    assert told == (says and tuple(text.replace("Kate", other) for text in says) or (f"向{other}挥手", f"Jo向{other}挥了手"))
assert phrases.emoji(errand) == VERB_RULES[errand.verb].emoji == "👋"

with Run.open(results, name) as run:
    state = run.restore()
    apply(Rested(who := run.manifest.residents[0]), state)
    assert state.row(keys.DEED.of(who)) is None and EFFECTS["Rested"] is Rested
    embedded = {}
    for pack in packs(RunReader(run), Names.of(run, WORLDS), ""):
        embedded |= pack
served = create_app(results, WORLDS).test_client().get(f"/api/v1/runs/{name}/ages").json
assert served == embedded["ages"] and served["years"].keys() == set(run.manifest.residents)
assert "export interface Ages" in declarations() and '"ages": Ages' in declarations()

assert combine([{"percept": {"nearest": 2}}]).percept.nearest == 2
try:
    check_layer({"percept": {"nearest": 0}}, "settings")
    raise AssertionError("0 tiles are accepted")
except BadSettings:
    pass
assert "| `percept.nearest` | `1` |" in write_docs.configuration()
for lang, about in (("en", "print the last N steps only"), ("zh", "只打印最后 N 步的摘要")):
    assert f"| `--last N` | {about} |" in write_docs.commands_page(lang)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project's code and texts, with all rows performed."""
    folder = tmp_path_factory.mktemp("project")
    for name in (PACKAGE, "tools", "data/text", "data/locale"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*")
        )  # takes compiled modules along, but none half-written
    for each in (ROOT / "data").iterdir():
        if each.name not in ("text", "locale"):
            (folder / "data" / each.name).symlink_to(each)
    for name in ("docs", "frontend"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "start.py", folder)
    for changes in ROWS.values():
        for file, old, new in changes:
            if file == CATALOGUE:
                assert run(folder, "-m", "tools.messages") == f"zh: not translated: {HELP}\n"
            change(folder / file, old, new)
    assert run(folder, "-m", "tools.messages") == ""
    yield folder
    shutil.rmtree(folder)


def change(file: Path, old: str, new: str) -> None:
    """Put a text in the place of another, or create the file with it."""
    text = file.read_text("utf-8") if old else ""
    assert old in text, f"{file} lacks {old!r}"
    file.write_text(text.replace(old, new, 1), "utf-8")


def run(project: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env=os.environ | {"PYTHONPATH": f"{project / 'modules'}{os.pathsep}{project}"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("row", ROWS)
def test_a_row_touches_at_most_three_files(row: str) -> None:
    languages = re.compile(rf"data/text/({'|'.join(LANGS)})/")
    assert len({languages.sub("", file) for file, *_ in ROWS[row]}) <= MAX_FILES


def test_the_table_has_a_row_for_each() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add something")[2]
    for row, changes in ROWS.items():
        [line] = [line for line in table.splitlines() if line.startswith(f"| {row} |")]
        for file, old, _ in changes:
            name = file.removeprefix(f"{PACKAGE}/").rpartition("/")[2]
            named = re.sub(r"(?<=data/text/)\w+", "*", file) if name.endswith(".json") else name
            is_new = not old
            assert is_new or name in line or named in line or "_commands.py" in line, (row, file)


def test_all_else_follows_from_it(project: Path, tmp_path: Path) -> None:
    put_golden(tmp_path, VERSIONS[-1], NAME)
    run(project, "-c", CHECKS, str(tmp_path), NAME)


def test_the_command_has_the_option_and_so_has_start_beside_that_command_alone(
    project: Path, tmp_path: Path
) -> None:
    put_golden(tmp_path, VERSIONS[0], NAME)
    folders = ["--results", str(tmp_path), "--lang", "en"]
    every = run(project, "-m", "hometown", "digest", NAME, *folders).splitlines()
    assert len(every) > 2
    last = run(project, "-m", "hometown", "digest", NAME, "--last", "2", *folders)
    assert last.splitlines() == every[-2:]
    assert run(project, "start.py", "--digest", NAME, "--last", "2", *folders) == last
    refused = run(project, "start.py", "--name", "x", "--last", "2", *folders, code=2)
    assert "--last is an option of start.py --digest, and would be ignored here" in refused
    misspelt = run(project, "-m", "hometown", "digest", NAME, "--las", "2", *folders, code=2)
    assert "did you mean --last?" in misspelt
    faulty = run(project, "-m", "hometown", "digest", NAME, "--last", "0", *folders, code=2)
    assert "'0' is not a whole number of at least 1" in faulty
