"""The part of a run's summary that is about a society."""

from __future__ import annotations

from hometown.cli.texts import Text
from hometown.history.hardship import hardship
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.book.book import Book
from hometown.world.world import World


def describe_society(
    run: RunReader, names: Names, world: World, book: Book, text: Text
) -> list[str]:
    """Return the lines about the needs of a society's residents and about their errands; `world` is
    the town after the last step, and `book` its rules.
    """
    last = run.last_step()
    fared, work = hardship(run, book, last), spoken_work(run, book, last)
    fallen, missed = (
        text(", ").join(map(names.person, fared.collapsed)),
        text(", ").join(work.in_words(WorkPhrases(world))),
    )
    return [
        text(
            "needs          lowest {lows}; {collapsed}",
            lows=text(", ").join(fared.in_words(book, world.lang)),
            collapsed=text("{names} collapsed", names=fallen)
            if fallen
            else text("nobody collapsed"),
        ),
        text(
            "errands        {count}; {share} of the steps that speak of work became none{missed}",
            count=work.errands,
            share=f"{work.share:.1%}",
            missed=text(": {kinds}", kinds=missed) if missed else "",
        ),
    ]
