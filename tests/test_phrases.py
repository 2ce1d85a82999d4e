"""What the modules say to the user is said in Chinese, too: every phrase is found in their sources, and in the catalogue."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from modules import errors
from modules.text import catalogue

MODULES = Path(errors.__file__).parent

CLASSES = {"Phrase", "Unanswered", *(name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, errors.HometownError))}

NO_FIELDS = {"retry_after", "waited"}

BORROWED = re.compile(r"(Input|List|String|Field|\{field_type\}) |expected |the following arguments are required")
"""How the phrases of pydantic and of argparse begin that reach the user."""


class Site:
    """A call in which something is said: its line, the English it may say, and the values that it hands over."""

    def __init__(self, file: Path, call: ast.Call, said: ast.expr, scope: ast.AST) -> None:
        self.where = f"{file.relative_to(MODULES)}:{call.lineno}"
        self.values = {one.arg for one in call.keywords if one.arg} - NO_FIELDS
        self.unpacks = any(one.arg is None for one in call.keywords)
        self.made = isinstance(said, ast.JoinedStr | ast.BinOp) or (
            isinstance(said, ast.Call) and isinstance(said.func, ast.Attribute) and said.func.attr in ("format", "join")
        )
        self.templates = set(constants(said, scope))


def constants(node: ast.expr, scope: ast.AST) -> Iterator[str]:
    """The texts that an expression can be, as far as they are written out."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*constants(one, scope), *constants(other, scope))
        case ast.Tuple(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from constants(part, scope)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            for found in ast.walk(scope):
                targets = found.targets if isinstance(found, ast.Assign) else [found.target] if isinstance(found, ast.AnnAssign) else []
                if any(isinstance(one, ast.Name) and one.id == name for one in targets) and isinstance(found, ast.Assign | ast.AnnAssign) and found.value:
                    yield from constants(found.value, scope)


def sites(file: Path) -> Iterator[Site]:
    tree = ast.parse(file.read_text("utf-8"))
    scopes = {id(call): tree for call in ast.walk(tree)} | {
        id(call): function for function in ast.walk(tree) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) for call in ast.walk(function)
    }
    raised = {id(one.exc) for one in ast.walk(tree) if isinstance(one, ast.Raise)}
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        owner, name = (ast.unparse(call.func.value), call.func.attr) if isinstance(call.func, ast.Attribute) else ("", ast.unparse(call.func))
        noted = (name == "add" and owner.endswith("faults")) or (name in ("error", "warn") and owner == "problems") or name == "note"
        if noted:
            yield Site(file, call, call.args[2], scopes[id(call)])
        elif name in CLASSES or (id(call) in raised and name.islower()):
            upper = isinstance(call.args[0], ast.Subscript)  # tables stand at the top of a module
            yield Site(file, call, call.args[0], tree if upper else scopes[id(call)])


ALL = [site for file in sorted(MODULES.rglob("*.py")) for site in sites(file)]

TEMPLATES = {template for site in ALL for template in site.templates if template}


def fields(template: str) -> set[tuple[str, str, str]]:
    return {(name, conversion or "", form or "") for _, name, form, conversion in Formatter().parse(template) if name is not None}


def test_there_is_something_to_look_at() -> None:
    assert len(TEMPLATES) > 200


def test_no_phrase_is_put_together_before_it_is_handed_over() -> None:
    assert [site.where for site in ALL if site.made] == []


def test_each_phrase_is_given_the_values_that_it_names() -> None:
    wrong = {
        site.where: template
        for site in ALL
        for template in site.templates
        if not site.unpacks and ({name for name, _, _ in fields(template)} if site.values else set(re.findall(r"\{(\w+)", template))) != site.values
    }
    assert wrong == {}


def test_every_phrase_is_in_the_chinese_catalogue_and_nothing_else_is() -> None:
    chinese = {one for one in catalogue("zh", "phrases") if not BORROWED.match(one)}
    assert sorted(TEMPLATES - chinese - {one for one in TEMPLATES if BORROWED.match(one)}) == []
    assert sorted(chinese - TEMPLATES) == []


@pytest.mark.parametrize("english", sorted(catalogue("zh", "phrases")), ids=lambda text: text[:40])
def test_both_languages_name_the_same_values(english: str) -> None:
    chinese = catalogue("zh", "phrases")[english]
    if BORROWED.match(english):
        assert fields(chinese) <= fields(english)
    elif any(english in site.templates and (site.values or site.unpacks) for site in ALL):
        assert fields(chinese) == fields(english)
    else:  # nothing is filled in
        assert re.findall(r"\{\w", chinese) == []
