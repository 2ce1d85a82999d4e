"""Update the message catalogues (`data/locale`) from the code: `make text`, or
`python -m tools.messages`.

A message is written in English where it is used, and its translation in the catalogue of the
language, `data/locale/<lang>/LC_MESSAGES/hometown.po`, which any gettext editor opens. The
compiled catalogue beside it (`.mo`) is the one that the program reads; the page reads its messages
from `data/locale/<lang>/page.json`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import orjson
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as CatalogMessage
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from hometown import errors
from hometown.language import LANGS
from hometown.paths import ROOT
from hometown.text import DOMAIN, LOCALE

SOURCES = (
    *sorted((ROOT / "modules" / "hometown").rglob("*.py")),
    ROOT / "tools" / "accept.py",
    ROOT / "tools" / "acceptance_report.py",
    ROOT / "tools" / "borrowed_messages.py",
)
"""The files whose messages are extracted."""

COLUMNS = 100
"""The width at which lines of a catalogue are broken."""

ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.HometownError)
}

FIRST_OF = {"Phrase", "N_", "text", "self._text", "Unanswered", *ERRORS}
"""Functions whose first argument is a message."""

SECOND_OF = {"Wrong"}
"""Functions whose second argument is a message."""

THIRD_OF = {"add", "error", "warn", "note"}
"""Methods of a list of faults or notes, whose third argument is a message."""


class Message(NamedTuple):
    """A message as the code has it.

    Attributes:
        plural: Its plural in English; empty for a message that does not count.
        context: A word that tells it from another message of the same English.
        file: The file, relative to the project's folder.
    """

    text: str
    plural: str
    context: str
    file: str

    @property
    def id(self) -> str | tuple[str, str]:
        """Return its key in a catalogue of Babel."""
        return (self.text, self.plural) if self.plural else self.text


PAGES = (
    *sorted((ROOT / "frontend" / "js").rglob("*.js")),
    *sorted((ROOT / "frontend").glob("*.html")),
)
"""The files whose messages the page shows."""

_PAGE_MESSAGE = re.compile(
    r"""\b(?P<function>N_|n?t|P_)\(\s*(?P<first>{text})(?:,\s*(?P<second>{text}))?""".format(
        text=r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    )
)


def extract() -> Iterator[Message]:
    """Yield the messages of all sources and pages, file by file."""
    yield from _extract_from(SOURCES, extract_python)
    yield from _extract_from(PAGES, extract_page)


def _extract_from(
    files: Iterable[Path], extract_file: Callable[[str], Iterable[tuple[str, str, str]]]
) -> Iterator[Message]:
    for file in files:
        for found in extract_file(file.read_text("utf-8")):
            yield Message(*found, file.relative_to(ROOT).as_posix())


def extract_page(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the text, plural and context of each message of a script or a template.

    >>> list(extract_page('t("Sign in"); nt("{count} step", "{count} steps", n); t(P_("person", "Name"))'))
    [('Sign in', '', ''), ('{count} step', '{count} steps', ''), ('Name', '', 'person')]
    """
    for found in _PAGE_MESSAGE.finditer(source):
        first = ast.literal_eval(found["first"])
        second = ast.literal_eval(found["second"]) if found["second"] else ""
        match found["function"]:
            case "nt":
                yield first, second, ""
            case "P_":
                yield second, "", first
            case _:
                yield first, "", ""


def extract_python(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the text, plural and context of each message of a module.

    >>> list(extract_python('raise BadRun("no run" if new else "no step {n}", n=count(runs))'))
    [('no run', '', ''), ('no step {n}', '', '')]
    >>> list(extract_python('ngettext("{count} step", "{count} steps", n); pgettext("of a shop", "open")'))
    [('{count} step', '{count} steps', ''), ('open', '', 'of a shop')]
    """
    for call, arguments in message_calls(ast.parse(source)):
        texts = [list(_constants(each)) for each in arguments]
        name = name_of(call)
        for found in zip(*texts, strict=True):
            match name, found:
                case "ngettext", (singular, plural):
                    yield singular, plural, ""
                case "pgettext", (context, text):
                    yield text, "", context
                case "npgettext", (context, singular, plural):
                    yield singular, plural, context
                case _:
                    yield found[0], "", ""


def message_calls(tree: ast.AST) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Yield the calls that take messages, with the arguments that hold them."""
    nodes = list(ast.walk(tree))
    raised = {id(each.exc) for each in nodes if isinstance(each, ast.Raise)}
    for call in nodes:
        if not isinstance(call, ast.Call):
            continue
        name = name_of(call)
        if name in ("ngettext", "pgettext"):
            yield call, call.args[:2]
        elif name == "npgettext":
            yield call, call.args[:3]
        elif name in FIRST_OF or (id(call) in raised and name.islower()):
            if call.args:
                yield call, call.args[:1]
        elif name in SECOND_OF and len(call.args) > 1:
            yield call, call.args[1:2]
        elif name in THIRD_OF and len(call.args) > 2:
            yield call, call.args[2:3]


def name_of(call: ast.Call) -> str:
    """Return the name of a called function, for a method without its object."""
    match call.func:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name("self"), "_text"):
            return "self._text"
        case ast.Attribute(_, name):
            return name
        case function:
            return ast.unparse(function).rpartition(".")[2]


def _constants(argument: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be: a constant, or either side of a conditional
    expression.
    """
    if isinstance(argument, ast.IfExp):
        yield from _constants(argument.body)
        yield from _constants(argument.orelse)
    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str) and argument.value:
        yield argument.value


def template(messages: Iterable[Message]) -> Catalog:
    """Return a catalogue of messages without translations."""
    catalog = Catalog()
    for message in messages:
        catalog.add(message.id, locations=[(message.file, 0)], context=message.context or None)
    return catalog


def file_of(lang: str) -> Path:
    """Return the file of a language's catalogue; English is the language of the code."""
    return LOCALE / lang / "LC_MESSAGES" / f"{DOMAIN}.po"


def page_file_of(lang: str) -> Path:
    """Return the file of a language's messages of the page."""
    return LOCALE / lang / "page.json"


def read(file: Path) -> Catalog:
    """Return a catalogue."""
    with file.open("rb") as opened:
        return read_po(opened)


def update(catalog: Catalog, messages: Catalog) -> None:
    """Add new messages to a catalogue, without translations, and remove those no longer used."""
    catalog.update(messages, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()


def encode(catalog: Catalog) -> bytes:
    """Return the content of a catalogue's file."""
    file = BytesIO()
    write_po(
        file, catalog, width=COLUMNS, sort_output=True, omit_header=False, include_lineno=False
    )
    return file.getvalue()


def compile_catalog(catalog: Catalog) -> bytes:
    """Return the compiled form of a catalogue."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def encode_page(catalog: Catalog) -> bytes:
    """Return the messages of the page as JSON."""
    return orjson.dumps(page_messages(catalog), option=orjson.OPT_INDENT_2) + b"\n"


def page_messages(catalog: Catalog) -> dict[str, str | list[str]]:
    """Return the messages of the page as its scripts read them: by their English, after their
    context if they have one, and with all plural forms.
    """
    pages = {(each.id, each.context) for each in _extract_from(PAGES, extract_page)}
    return {
        _page_key(message): forms_of(message) if message.pluralizable else forms_of(message)[0]
        for message in catalog
        if message.string and (message.id, message.context or "") in pages
    }


def _page_key(message: CatalogMessage) -> str:
    singular = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}\x04{singular}" if message.context else singular


def untranslated(catalog: Catalog) -> list[str]:
    """Return the messages of a catalogue that lack a translation, or one of its plural forms."""
    return [
        str(message.id)
        for message in catalog
        if message.id and not (message.string and all(message.string))
    ]


def forms_of(message: CatalogMessage) -> list[str]:
    """Return the translation of a message, in all its plural forms."""
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def main() -> None:
    """Update and compile all catalogues, and print the messages without a translation."""
    messages = template(extract())
    for lang in LANGS[1:]:
        catalog = read(file := file_of(lang))
        update(catalog, messages)
        file.write_bytes(encode(catalog))
        file.with_suffix(".mo").write_bytes(compile_catalog(catalog))
        page_file_of(lang).write_bytes(encode_page(catalog))
        for message in untranslated(catalog):
            print(f"{lang}: not translated: {message}")


if __name__ == "__main__":
    main()
