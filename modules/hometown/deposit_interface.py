"""The public interface to archives and citations of runs and experiments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hometown.defaults import DEFAULT_LICENCE
from hometown.language import Lang
from hometown.optional_parts import explain_missing_parts
from hometown.worker import for_asyncio

if TYPE_CHECKING:
    from hometown.study.deposit.subject import DepositSubject


class Depositable(ABC):
    """A run or an experiment, which can be archived and cited once nothing writes it."""

    _results: Path
    _worlds: Path

    @abstractmethod
    def _find_subject(self) -> DepositSubject:
        """Return the subject of a deposit or a citation. Raises BadInput while it is written, or for
        an experiment without a report.
        """

    def cite(self, *, authors: Sequence[str] = (), lang: Lang = "en") -> str:
        """Return a sentence that identifies this, and entries for BibTeX, with those of Hometown and
        of the paper. Authors are "NAME" or "NAME <ORCID>".

        Raises BadInput for a faulty ORCID, while a run is written, or for an experiment without a
        report.
        """
        with explain_missing_parts():
            from hometown.study.deposit.citation import cite_subject
        return cite_subject(self._find_subject(), authors, lang)

    def archive(
        self,
        file: Path | None = None,
        *,
        authors: Sequence[str] = (),
        licence: str = DEFAULT_LICENCE,
        lang: Lang = "en",
        progress: Callable[[str], object] | None = None,
    ) -> Path:
        """Write one ZIP file to be deposited in an archive (docs/science.md), by default NAME.zip
        below the results' folder "deposits", and return its path.

        `licence` is an SPDX id or an address; `progress` is called with the path of each part. The
        databases and the definition in it name models as they were typed, folders of files
        included, and tables have what real people answered or ranked, if they did. Raises BadInput
        as `cite` does, for a faulty licence, and if the file cannot be written.
        """
        with explain_missing_parts():
            from hometown.study.deposit.crate import make_terms
            from hometown.study.deposit.deposit import archive_subject
        terms, subject = make_terms(licence, authors), self._find_subject()
        return archive_subject(subject, terms, file, self._results, self._worlds, lang, progress)

    archive_async = for_asyncio(archive)
