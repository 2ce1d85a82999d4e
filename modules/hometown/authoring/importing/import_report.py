"""The report of an import: facts from the source, guesses, and omissions."""

from __future__ import annotations

from dataclasses import dataclass, field

from hometown.language import Lang
from hometown.markdown import Markdown, heading, literal
from hometown.text import Phrase

FILE = "import-report.md"

SHOWN = 6
"""Lines of each part on the screen; the file has all."""


@dataclass
class ImportReport:
    """Lines in the order in which they arose: `came` from the source, `guessed` for the user to
    check, `left` out of the new world.
    """

    came: list[Phrase] = field(default_factory=list)
    guessed: list[Phrase] = field(default_factory=list)
    left: list[Phrase] = field(default_factory=list)

    def parts(self) -> list[tuple[Phrase, list[Phrase]]]:
        """Return (heading, lines) of each part."""
        return [
            (Phrase("What came from the source"), self.came),
            (Phrase("What was guessed; change it where it is wrong"), self.guessed),
            (Phrase("What was left out"), self.left),
        ]

    def markdown(self, world: str, source: str, lang: Lang) -> str:
        """Return the whole report, for a file in the world's folder."""
        lines: list[str] = [
            heading(1, world),
            "",
            literal(Phrase("Imported from {source}.", source=source).localize(lang)),
        ]
        for title, items in self.parts():
            lines += ["", heading(2, title.localize(lang)), ""]
            lines += [
                Markdown("- {}").format(item.localize(lang))
                for item in items or [Phrase("Nothing.")]
            ]
        return "\n".join(lines) + "\n"

    def summary(self, file: str, lang: Lang) -> list[str]:
        """Return a few lines of each part for the screen; `file` is where the rest is."""
        lines: list[str] = []
        for title, items in self.parts():
            lines += [f"{title.localize(lang)}:"] * bool(items) + [
                f"  – {item.localize(lang)}" for item in items[:SHOWN]
            ]
            if len(items) > SHOWN:
                lines.append(
                    f"  – {Phrase('{count} more, in {file}', count=len(items) - SHOWN, file=file).localize(lang)}"
                )
        return lines
