"""A deposit: one ZIP file with all that is needed to read, check and continue a study or a run
without this program: databases, tables and their codebook, scripts that compute the figures anew,
prompts, replays, the environment, checksums and metadata.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache
from importlib.metadata import distributions
from pathlib import Path
from platform import machine, python_version, system
from tempfile import gettempdir
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hometown.errors import explain_write_errors
from hometown.export.html import write_html
from hometown.export.write import export_run
from hometown.files import atomic_write, temporary_folder
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.prompt.render import PROMPT_FOLDER
from hometown.study.deposit.citation import describe_subject
from hometown.study.deposit.crate import METADATA, Part, Terms, describe_crate
from hometown.study.deposit.subject import DepositSubject
from hometown.study.experiment.origins import KEPT_PROMPTS
from hometown.study.experiment.people_pages import PEOPLE
from hometown.text import N_, Phrase
from hometown.version import __version__

CHECKSUMS = "checksums.sha256"
PRIVATE = f"{PEOPLE}/secret"
"""The secret by which pages for people hide the names of conditions."""

OF_STUDY = {
    "report.html": N_("the report"),
    "tables": N_("all observations, one in each row; codebook.csv says what each column means"),
    "recompute.py, recompute.R": N_(
        "compute all figures of results.csv anew from the tables, with pandas and SciPy, or with R "
        "alone; they need nothing else"
    ),
    "experiment.json": N_("the definition of the experiment"),
    "replays": N_("each run as one HTML file, which any browser opens offline"),
}
"""The files of a study, in its README."""

OF_RUN = {
    "export": N_("diary, newspaper, movements, tables, and the run as one HTML file: replay.html"),
}

OF_STUDY_WITH_PROMPTS = {
    KEPT_PROMPTS: N_("the templates of all prompts, by the hash in tables/provenance.csv"),
}

OF_BOTH = {
    "checkpoints": N_("the runs, one SQLite database each, with all prompts and replies"),
    KEPT_PROMPTS: N_("the templates of all prompts of Hometown {version}, by language"),
    "environment.txt": N_("the versions of Python and of all packages"),
    CHECKSUMS: N_("the SHA-256 of each file, for sha256sum -c"),
    METADATA: N_("this description for programs: an RO-Crate"),
}

Notify = Callable[[str], object]
"""Receives the path of each file before it is written."""


@explain_write_errors()
def archive_subject(
    subject: DepositSubject,
    terms: Terms,
    file: Path | None,
    results: Path,
    worlds: Path,
    lang: Lang,
    notify: Notify | None = None,
) -> Path:
    """Write the deposit of a subject, by default below `results`, and return the path of its file.
    Raises BadInput if it cannot be written.
    """
    file = file or results / "deposits" / f"{subject.name}.zip"
    write_deposit(subject, terms, worlds, file, lang, notify or (lambda _: None))
    return file


def write_deposit(
    subject: DepositSubject, terms: Terms, worlds: Path, file: Path, lang: Lang, notify: Notify
) -> None:
    """Write the deposit of a subject to a file, which appears once it is complete.

    Args:
        worlds: The folder with the worlds of runs without a copy.
        lang: The language of its README.
        notify: Receives the path of each file before it is written.

    Raises:
        BadInput: The licence is neither an SPDX id nor an address.
    """
    summary = describe_subject(subject, lang)
    with ExitStack() as opened:
        drawn = opened.enter_context(temporary_folder(Path(gettempdir()), "hometown-deposit"))
        written = opened.enter_context(atomic_write(file))
        packed = opened.enter_context(ZipFile(written, "w", ZIP_DEFLATED))

        def add(path: str, content: bytes) -> Part:
            notify(path)
            named = ZipInfo(
                path, (terms.published.year, terms.published.month, terms.published.day, 0, 0, 0)
            )
            named.compress_type, named.external_attr = ZIP_DEFLATED, 0o644 << 16
            packed.writestr(named, content)
            return Part(path, len(content), hashlib.sha256(content).hexdigest())

        parts = [add(path, source.read_bytes()) for path, source in _files(subject, worlds, drawn)]
        parts += [
            add(path, content.encode())
            for path, content in (
                ("README.md", _readme(subject, terms, summary, lang)),
                ("CITATION.cff", _citation(subject, terms)),
                ("environment.txt", _environment()),
            )
        ]
        parts.append(add(METADATA, describe_crate(subject, terms, parts, summary)))
        lines = (f"{part.sha256}  {part.path}\n" for part in parts)
        add(CHECKSUMS, "".join(lines).encode())


def _files(subject: DepositSubject, worlds: Path, drawn: Path) -> Iterator[tuple[str, Path]]:
    """Yield the path of each file in the deposit, and the file: those of the subject in order, the
    prompts, and the replays of an experiment, which are written to the folder `drawn`, or the
    exports of a run.
    """
    if not _has_prompts(subject):
        yield from _below(PROMPT_FOLDER, f"{KEPT_PROMPTS}/")
    if not subject.definition:
        yield from _below(subject.folder, f"checkpoints/{subject.name}/")
        first = export_run(subject.results, subject.name, worlds, tables=True, html=True)[0]
        yield from _below(first.parent, "export/")
        return
    yield from _below(subject.folder, "", without=PRIVATE)
    for run in subject.runs:
        replay = drawn / run.name / "replay.html"
        with RunReader.open(subject.results, run.name) as opened:
            write_html(opened, Names.of(opened, worlds), replay)
        yield f"replays/{run.name}.html", replay


def _has_prompts(subject: DepositSubject) -> bool:
    """Return True if the prompts with which a study was simulated lie in its folder."""
    return bool(subject.definition) and (subject.folder / KEPT_PROMPTS).is_dir()


def _below(folder: Path, prefix: str, without: str = "") -> Iterable[tuple[str, Path]]:
    """Return the files below a folder in the order of their paths, without hidden ones, locks and
    the file `without`.
    """
    found = {
        each.relative_to(folder).as_posix(): each for each in folder.rglob("*") if each.is_file()
    }
    return [
        (prefix + path, found[path])
        for path in sorted(found)
        if path != without
        and not path.endswith(".lock")
        and not any(name.startswith(".") for name in path.split("/"))
    ]


@lru_cache(maxsize=1)
def _environment() -> str:
    """Return the versions of Python, the system and all installed packages, as pip reads them."""
    packages = {each.name: each.version for each in distributions()}
    lines = [f"# Python {python_version()}, {system()} {machine()}, Hometown {__version__}"]
    lines += [f"{name}=={packages[name]}" for name in sorted(packages, key=str.lower)]
    return "\n".join(lines) + "\n"


def _citation(subject: DepositSubject, terms: Terms) -> str:
    """Return the citation of a deposit in the Citation File Format 1.2.0."""
    import yaml  # of the extra study

    authors: list[Mapping[str, str]] = [
        {"name": each.name, **({"orcid": each.orcid} if each.orcid else {})}
        for each in terms.authors
    ]
    is_address = terms.licence.startswith("http")
    content: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them.",
        "type": "dataset",
        "title": subject.title,
        "authors": authors or [{"name": "Anonymous"}],
        "date-released": terms.published,
        ("license-url" if is_address else "license"): terms.licence,
        "references": [
            {
                "type": "software",
                "title": "Hometown",
                "version": version,
                "authors": [{"name": "The Hometown contributors"}],
            }
            for version in subject.versions
        ],
    }
    written: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    return written


def _readme(subject: DepositSubject, terms: Terms, summary: str, lang: Lang) -> str:
    """Return the description of a deposit in Markdown."""

    def say(message: str, **values: str) -> str:
        return Phrase(message, **values).localize(lang)

    described = {**(OF_STUDY if subject.definition else OF_RUN), **OF_BOTH}
    if _has_prompts(subject):
        described |= OF_STUDY_WITH_PROMPTS
    rows = [
        f"| `{path}` | {say(meaning, version=__version__)} |" for path, meaning in described.items()
    ]
    lines = (
        f"# {subject.title}",
        "",
        summary,
        "",
        say(N_("Licence: {licence}"), licence=terms.licence),
        "",
        f"| {say(N_('file'))} | {say(N_('content'))} |",
        "|---|---|",
        *rows,
        "",
        say(
            N_("To look at the runs with Hometown, unpack this file into a folder, and type there:")
        ),
        "",
        "    hometown replay --results .",
    )
    return "\n".join(lines) + "\n"
