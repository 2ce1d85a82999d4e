"""The metadata of a deposit, as an RO-Crate (https://w3id.org/ro/crate/1.1): JSON-LD that archives
and search engines read.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

import orjson

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.study.deposit.subject import DepositSubject

METADATA = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1"
METHOD = "https://doi.org/10.1145/3586183.3606763"

MEDIA_TYPES = {
    ".sqlite": "application/vnd.sqlite3",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".graphml": "application/graphml+xml",
    ".R": "text/x-r-source",
    ".cff": "application/yaml",
}
"""Media types that Python does not know on every system."""

_ORCID = re.compile(r"(.*?)\s*<(?:https://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])>")
_LICENCE = re.compile(r"[A-Za-z0-9.+-]+")


@frozen
class Author:
    """An author of a deposit; `orcid` is an address, or "" without one."""

    name: str
    orcid: str = ""


@frozen
class Terms:
    """The terms of a deposit: an SPDX id or the address of a licence, its authors, and its date."""

    licence: str
    authors: tuple[Author, ...]
    published: date


def make_terms(licence: str, authors: Sequence[str]) -> Terms:
    """Return the terms of a deposit that is published today. Raises BadInput if the licence or an
    author cannot be read.
    """
    address_of_licence(licence)
    return Terms(licence, tuple(map(parse_author, authors)), date.today())


@frozen
class Part:
    """A file of a deposit: its path with slashes, its size in bytes, and its SHA-256 in hexadecimal."""

    path: str
    size: int
    sha256: str


def parse_author(typed: str) -> Author:
    """Return the author of NAME or NAME <ORCID>.

    Raises:
        BadInput: The part in angle brackets is no ORCID.

    >>> parse_author("Josiah Carberry <0000-0002-1825-0097>").orcid
    'https://orcid.org/0000-0002-1825-0097'
    """
    if found := _ORCID.fullmatch(typed.strip()):
        return Author(found[1], f"https://orcid.org/{found[2]}")
    if "<" in typed or not typed.strip():
        raise BadInput(
            "the author {typed!r} should be a name, or a name and an ORCID: "
            "'Josiah Carberry <0000-0002-1825-0097>'",
            typed=typed,
        )
    return Author(typed.strip())


def address_of_licence(licence: str) -> str:
    """Return the address of a licence, given as such or as an SPDX id.

    Raises:
        BadInput: It is neither.

    >>> address_of_licence("CC-BY-4.0")
    'https://spdx.org/licenses/CC-BY-4.0'
    """
    if licence.startswith(("https://", "http://")):
        return licence
    if not _LICENCE.fullmatch(licence):
        raise BadInput(
            "the licence {licence!r} should be an id of https://spdx.org/licenses, such as "
            "CC-BY-4.0 or CC0-1.0, or an address",
            licence=licence,
        )
    return f"https://spdx.org/licenses/{licence}"


def describe_crate(
    subject: DepositSubject, terms: Terms, parts: Sequence[Part], summary: str
) -> bytes:
    """Return the metadata of a deposit as indented JSON-LD."""
    authors = [_person(each) for each in terms.authors]
    licence = {
        "@id": address_of_licence(terms.licence),
        "@type": "CreativeWork",
        "name": terms.licence,
    }
    software = [_software(version) for version in subject.versions]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": subject.title,
        "description": summary,
        "identifier": subject.definition or subject.runs[0].digest,
        "datePublished": terms.published.isoformat(),
        "license": _refer(licence),
        **({"author": list(map(_refer, authors))} if authors else {}),
        "hasPart": [{"@id": quote(part.path)} for part in parts],
        "citation": {"@id": METHOD},
    }
    graph = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": CONTEXT},
        },
        root,
        licence,
        *authors,
        *software,
        *_actions(subject, parts),
        {
            "@id": METHOD,
            "@type": "ScholarlyArticle",
            "name": "Generative Agents: Interactive Simulacra of Human Behavior",
        },
        *(_file(part) for part in parts),
    ]
    content = {"@context": f"{CONTEXT}/context", "@graph": graph}
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _person(author: Author) -> dict[str, Any]:
    return {
        "@id": author.orcid or f"#{quote(author.name)}",
        "@type": "Person",
        "name": author.name,
    }


def _software(version: str) -> dict[str, Any]:
    return {
        "@id": f"#hometown-{version}",
        "@type": "SoftwareApplication",
        "name": "Hometown",
        "version": version,
    }


def _actions(subject: DepositSubject, parts: Iterable[Part]) -> Iterable[dict[str, Any]]:
    """Yield the simulation of each run, with its database as the result."""
    databases = {
        part.path.split("/")[-2]: part.path for part in parts if part.path.endswith("/run.sqlite")
    }
    for run in subject.runs:
        yield {
            "@id": f"#run-{quote(run.name)}",
            "@type": "CreateAction",
            "name": run.name,
            "instrument": _refer(_software(run.version)),
            "startTime": run.created.isoformat(),
            "result": {"@id": quote(databases[run.name])},
        }


def _file(part: Part) -> dict[str, Any]:
    ending = "." + part.path.rpartition(".")[2]
    guessed = MEDIA_TYPES.get(ending) or mimetypes.guess_type(part.path)[0]
    return {
        "@id": quote(part.path),
        "@type": "File",
        "contentSize": str(part.size),
        "sha256": part.sha256,
        **({"encodingFormat": guessed} if guessed else {}),
    }


def _refer(entity: Mapping[str, Any]) -> dict[str, Any]:
    return {"@id": entity["@id"]}
