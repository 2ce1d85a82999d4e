"""Worlds: made, joined, checked and imported (`start.py --new-world`, `--districts`,
`--check-world` and `--import-world`).
"""

from __future__ import annotations

from pathlib import Path

from hometown.cli.options import Options
from hometown.cli.suggest import suggest
from hometown.cli.text import Text
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.society.livelihood import analyse_livelihoods
from hometown.world.book.book import Book
from hometown.world.load import folder_of, inspect_world, list_worlds, load_world
from hometown.world.world import World


def new_world(options: Options, text: Text) -> int:
    """Makes a small world. Raises BadWorld, and has written nothing, where that is impossible."""
    from hometown.authoring.starter import make_world

    langs = options.langs or (text.lang,)
    _print_world(make_world(options.target, langs, options.worlds), langs[0], options, text)
    return 0


def import_world(options: Options, text: Text) -> int:
    """Makes a world from files of another system. Raises BadWorld, and has written nothing, where
    that is impossible.
    """
    from hometown.authoring.importing.importer import import_world
    from hometown.authoring.importing.report import FILE as REPORT

    langs = options.langs or (text.lang,)
    if len(langs) > 1:
        raise BadInput(
            "an imported world has one language, that of its source, not {langs}: write --lang en or --lang zh",
            langs=list(langs),
        )
    imported = import_world(Path(options.target), options.name or "", langs[0], options.worlds)
    print(*imported.report.summary(str(imported.folder / REPORT), text.lang), "", sep="\n")
    _print_world(imported.folder, langs[0], options, text)
    return 0


def join_districts(options: Options, text: Text) -> int:
    """Makes a large world of districts, each a copy of a small one. Raises BadInput, and has
    written nothing, where that is impossible.
    """
    from hometown.authoring.districts.making import make_districts

    langs = inspect_world(folder_of(options.target, options.worlds), text.lang)[2]
    folder = make_districts(options.target, options.count or 0, options.name or "", options.worlds)
    _print_world(folder, text.lang if text.lang in langs else langs[0], options, text)
    return 0


def check_world(options: Options, text: Text) -> int:
    """Prints each problem in a line and draws the overview; returns 2 if there are errors, else 0."""
    from hometown.authoring.lint import lint
    from hometown.authoring.overview import draw_overview

    which = options.target
    known = which in list_worlds(options.worlds) or not Path(which).is_dir()
    folder = (folder_of(which, options.worlds) if known else Path(which)).resolve()
    report = lint(folder)
    for number, problem in enumerate(report.problems, 1):
        print(text(f"problem_{problem.level}", number=number, line=problem.line))
    print(
        text(
            "checked",
            name=folder.name,
            errors=report.errors,
            warnings=len(report.problems) - report.errors,
        )
    )
    if report.world and report.world.book:
        _print_livelihood(report.world.book, text)
    if options.trial and not report.errors:
        lang = (
            report.world.lang if report.world and text.lang not in report.world.langs else text.lang
        )
        _print_trial(load_world(folder, lang), options.trial, text)
    if report.world:
        picture = options.out or options.results / "worlds" / f"{folder.name}.png"
        try:
            picture.parent.mkdir(parents=True, exist_ok=True)
            draw_overview(report.world, report.problems, picture)
        except (OSError, ValueError) as error:
            raise BadInput(
                "can't write {file} ({reason}); name a PNG file in a writable folder with --out",
                file=picture,
                reason=error,
            ) from None
        print(text("overview", file=picture))
    return 2 if report.errors else 0


def _print_livelihood(book: Book, text: Text) -> None:
    """Prints for each need of a society how it is met."""
    print(text("livelihood"))
    for proof in analyse_livelihoods(book):
        name = book.needs[proof.need].name.get(text.lang, proof.need)
        weakest = proof.weakest or text("livelihood_time")
        print(
            text(
                "livelihood_need",
                need=name,
                supplied=proof.supplied,
                used=proof.used,
                minutes=proof.minutes,
                days=proof.days,
                weakest=weakest,
            )
        )


def _print_trial(world: World, days: int, text: Text) -> None:
    """Lives some days of a society by its rules alone, and prints for each the lowest level of each
    need and the prices. Raises BadInput without a society.
    """
    from hometown.society.trial import run_trial

    if world.book is None:
        raise BadInput(
            "world {name!r} has no society to be tried: leave out --trial, or add one (docs/society.md)",
            name=world.id,
        )
    print(text("trial", days=days))
    for day in run_trial(world, days):
        needs = [
            f"{world.book.needs[need].name.get(text.lang, need)} {level} ({world.name_of(who)})"
            for need, (level, who) in day.lowest.items()
        ]
        prices = [
            f"{world.book.kinds[kind].name.get(text.lang, kind)} {price}"
            for kind, price in day.prices.items()
        ]
        print(text("trial_day", number=day.number, figures=[*needs, *prices]))


def _print_world(folder: Path, lang: Lang, options: Options, text: Text) -> None:
    """Prints what was created, and the next steps."""
    world = load_world(folder, lang)
    print(
        text(
            "made_world",
            name=folder.name,
            folder=folder,
            residents=len(world.personas),
            arenas=len(world.arenas),
            things=len(world.things),
        )
    )
    check = suggest(options, "check_world", world=folder.name)
    run = suggest(options, "run", name=f"{folder.name}-1", world=folder.name, lang=lang)
    print(text("next_steps", map=folder / "map.tmj", check=check, run=run))
