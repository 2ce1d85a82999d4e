"""The work of `hometown archive`: a study or a run becomes one file for an archive."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from tqdm import tqdm

from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.errors import BadInput, reason_of
from hometown.study.deposit.crate import Terms, address_of_licence, parse_author
from hometown.study.deposit.deposit import write_deposit
from hometown.study.deposit.subject import find_subject


def deposit(
    name: str,
    authors: Sequence[str],
    licence: str,
    out: Path | None,
    folders: Folders,
    text: Text,
) -> int:
    """Write the deposit of an experiment or a run, print its path, and return 0.

    Raises:
        BadInput: There is no such subject, an author or the licence cannot be read, or the file
            cannot be written.
    """
    address_of_licence(licence)
    terms = Terms(licence, tuple(map(parse_author, authors)), date.today())
    subject = find_subject(folders.results, name)
    for model in subject.exposed_models:
        print(
            text(
                "the databases name the model as it was typed, with its folder: {model}",
                model=model,
            )
        )
    file = out or folders.results / "deposits" / f"{name}.zip"
    try:
        with tqdm(desc=name, unit="file", disable=None) as bar:
            write_deposit(subject, terms, folders.worlds, file, text.lang, lambda _: bar.update())
    except OSError as error:
        raise BadInput(
            "can't write {file}: {reason}; check the free space and the permissions of its folder",
            file=error.filename,
            reason=reason_of(error),
        ) from None
    print(text("{file}, under the licence {licence}", file=file, licence=licence))
    return 0
