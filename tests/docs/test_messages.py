"""What the modules say to the user is said in Chinese, too: every phrase is found in their sources,
and in the catalogue.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from hometown import errors
from hometown.cli import start
from hometown.config import check_layer
from hometown.errors import BadRun, ModelBusy, reason_of
from hometown.language import LANGS
from hometown.text import Phrase
from hometown.world.authored import Band
from hometown.world.faults import Faults
from hometown.world.faults import validate_model as check_part
from tools import messages

MODULES = Path(errors.__file__).parent

COUNTS_ALL = "in a newspaper"
"""The context of a message in which English counts the others and Chinese counts all."""

NO_FIELDS = {"retry_after", "waited", "overloaded", "has_responded"}


class Site:
    """A call that takes a message: its line, the English it may say, and the values that it
    hands over.
    """

    def __init__(self, file: Path, call: ast.Call, said: ast.expr, scope: ast.AST) -> None:
        self.where = f"{file.relative_to(MODULES)}:{call.lineno}"
        self.values = {one.arg for one in call.keywords if one.arg} - NO_FIELDS
        if messages.name_of(call) in ("ngettext", "npgettext"):
            self.values.add("count")
        self.unpacks = any(one.arg is None for one in call.keywords)
        self.made = isinstance(said, ast.JoinedStr | ast.BinOp) or (
            isinstance(said, ast.Call)
            and isinstance(said.func, ast.Attribute)
            and said.func.attr in ("format", "join")
        )
        self.templates = set(constants(said, scope))


def constants(node: ast.expr, scope: ast.AST, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The texts that an expression can be, as far as they are written out."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Call(func=ast.Name(id="N_"), args=[marked]):
            yield from constants(marked, scope, seen)
        case ast.IfExp(body=one, orelse=other):
            yield from (*constants(one, scope, seen), *constants(other, scope, seen))
        case ast.Tuple(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from constants(part, scope, seen)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name not in seen:
            for found in ast.walk(scope):
                targets = (
                    found.targets
                    if isinstance(found, ast.Assign)
                    else [found.target]
                    if isinstance(found, ast.AnnAssign)
                    else []
                )
                if (
                    any(isinstance(one, ast.Name) and one.id == name for one in targets)
                    and isinstance(found, ast.Assign | ast.AnnAssign)
                    and found.value
                ):
                    yield from constants(found.value, scope, seen | {name})


def sites(file: Path) -> Iterator[Site]:
    tree = ast.parse(file.read_text("utf-8"))
    scopes = {
        id(call): function
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(function)
    }
    for call, said in messages.message_calls(tree):
        name = messages.name_of(call)
        if name == "N_" or (name == "pgettext" and not call.keywords):
            continue
        if name in ("pgettext", "npgettext"):
            said = said[1:]
        tables = isinstance(said[0], ast.Subscript)  # tables stand at the top of a module
        for each in said:
            yield Site(file, call, each, tree if tables else scopes.get(id(call), tree))


@cache
def all_sites() -> list[Site]:
    return [site for file in sorted(MODULES.rglob("*.py")) for site in sites(file)]


@cache
def extracted() -> list[messages.Message]:
    return list(messages.extract())


def fields(template: str) -> set[tuple[str, str, str]]:
    return {
        (name, conversion or "", form or "")
        for _, name, form, conversion in Formatter().parse(template)
        if name is not None
    }


def names(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def test_no_phrase_is_put_together_before_it_is_handed_over() -> None:
    assert [site.where for site in all_sites() if site.made] == []


def test_each_phrase_is_given_the_values_that_it_names() -> None:
    wrong = {
        site.where: template
        for site in all_sites()
        for template in site.templates
        if not site.unpacks
        and (
            {name for name, _, _ in fields(template)}
            if site.values
            else set(re.findall(r"\{(\w+)", template))
        )
        - site.values
    }
    assert wrong == {}


def test_a_message_that_is_filled_is_extracted() -> None:
    texts = {text for message in extracted() for text in (message.text, message.plural)}
    assert len(texts) > 500
    assert {text for site in all_sites() for text in site.templates if text} <= texts


@pytest.mark.parametrize("lang", LANGS[1:])
def test_catalogues_are_current(lang: str) -> None:
    """`make text` updates them."""
    current = messages.read(file := messages.file_of(lang))
    messages.update(current, messages.template(extracted()))
    assert messages.encode(current) == file.read_bytes()
    assert messages.compile_catalog(current) == file.with_suffix(".mo").read_bytes()


@pytest.mark.parametrize("lang", LANGS[1:])
def test_every_message_is_translated(lang: str) -> None:
    assert messages.untranslated(messages.read(messages.file_of(lang))) == []


@pytest.mark.parametrize("lang", LANGS[1:])
def test_translations_name_the_same_values(lang: str) -> None:
    filled = {
        template
        for site in all_sites()
        if site.values or site.unpacks
        for template in site.templates
    }
    for message in messages.read(messages.file_of(lang)):
        singular, plural = (message.id,) * 2 if isinstance(message.id, str) else message.id
        for translated in messages.forms_of(message):
            if singular in filled and message.context != COUNTS_ALL:
                assert fields(translated) == fields(plural), plural
            elif singular and message.context != COUNTS_ALL:
                assert names(translated) <= names(singular), singular


@pytest.mark.parametrize(
    ("phrase", "english", "chinese"),
    [
        (Phrase("it has {near}", near=["a", "b"]), "it has a, b", "其中有 a、b"),
        (
            Phrase(
                "is {size!r}; it should be [rows, columns], each from 1 to {most}",
                size=["a"],
                most=9,
            ),
            "is ['a']; it",
            "是 ['a']；",
        ),
        (
            Phrase(
                "no {kind} is called {name!r}{hint}", name="x", kind=Phrase("resident"), hint=""
            ),
            "no resident is called 'x'",
            "没有叫 'x' 的居民",
        ),
        (
            Phrase(
                "run {name!r} can't be created in {folder}: {reason}",
                name="a\nb",
                folder="f",
                reason="x\ny",
            ),
            "run 'a\\nb' can't be created in f: x y",
            "无法在 f 里建立模拟 'a\\nb'：x y",
        ),
        (
            Phrase("{file}: {fault}", file="f", fault=BadRun("another process")),
            "f: another process",
            "f：另一个进程",
        ),
        (
            Phrase("a server's own words, {with} braces"),
            "a server's own words, {with} braces",
            "a server's own words, {with} braces",
        ),
    ],
)
def test_a_phrase_is_said_in_both_languages(phrase: Phrase, english: str, chinese: str) -> None:
    assert phrase.startswith(english)
    assert phrase.localize("en") == str(phrase)
    assert phrase.localize("zh").startswith(chinese)


def test_an_error_is_said_line_by_line() -> None:
    error = BadRun(
        [
            Phrase("there is no such step"),
            Phrase(
                "{file} can't be read: {reason}",
                file="f",
                reason=reason_of(OSError(28, "No space left on device")),
            ),
        ]
    )
    assert str(error) == "there is no such step\nf can't be read: No space left on device"
    assert error.localize("zh") == "没有这一步\n无法读取 f：磁盘已满"
    assert (
        ModelBusy(
            "{name}: no response from {at} within the time limit (machine.timeout_seconds)",
            name="m",
            at="h",
            waited=2,
        ).waited
        == 2
    )


REFUSED = [
    ([], "模拟需要一个名称：请加上 --name NAME（见 start.py --help）"),
    (["--nmae", "a"], "没有选项 '--nmae'，是不是 --name？（见 start.py --help）"),
    (["--name", "a", "--step"], "选项 --step：后面要写一个值（见 start.py --help）"),
    (
        ["--name", "a", "--stride", "0"],
        "选项 --stride：'0' 不对，应为从 1 到 240 的整数（见 start.py --help）",
    ),
    (
        ["--name", "a", "--at", "soon"],
        "选项 --at：'soon' 不是时间；请写第几步（48）、钟点（14:30）或时刻（20250213-14:30）（见 start.py --help）",
    ),
    (
        ["--name", "a b"],
        "'a b' 不能作为模拟的名称，因为其中有 ' '：名称由文字、数字、'-'、'_' 或 '.' 组成，以文字或数字开头",
    ),
    (["--name", "a", "--world", "vile"], "没有世界 'vile'；是不是 'ville'？"),
    (
        ["--name", "a", "--world", "minitown", "--residents", "9"],
        "居民人数不能是 9：minitown 可有 1 到 6 位",
    ),
    (["--name", "a", "--config", "none.json"], "none.json：没有这个设置文件"),
    (
        ["--verify", "a"],
        "results/checkpoints 里没有名为 'a' 的模拟：里面还没有模拟，可用 hometown run（或 start.py）新建一个",
    ),
]


@pytest.mark.parametrize(("argv", "chinese"), REFUSED, ids=[chinese for _, chinese in REFUSED])
def test_the_command_line_refuses_in_chinese(
    argv: list[str],
    chinese: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.chdir(tmp_path)
    assert start.main([*argv, "--results", "results"]) == 2
    assert capsys.readouterr().err == chinese + "\n"


def test_faults_of_settings_and_worlds_are_told_in_chinese() -> None:
    with pytest.raises(errors.BadSettings) as caught:
        check_layer({"percept": {"vision_r": 0}, "turn_order": 1, "zzz": 3}, "f")
    assert caught.value.localize("zh").splitlines() == [
        "f：turn_order 是 1，应为 simultaneous、sequential 之一",
        "f：percept.vision_r 是 0，应为整数，1 到 64",
        "f：没有设置 'zzz'；全部设置见 docs/configuration.md",
    ]
    faults = Faults("town")
    check_part(Band, {"poignancy": 11, "deserves": {"en": 1}, "x": 2}, "world.json", faults)
    assert [line.localize("zh") for line in faults.lines] == [
        "town/world.json：poignancy：应不大于 10，而不是 11",
        "town/world.json：deserves.en：应为文字，而不是 1",
        "town/world.json：x：没有键 'x'；应为其中之一：deserves、poignancy",
    ]
