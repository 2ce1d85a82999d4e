"""`start.py --new-world`, `--check-world` and `--import-world`: worlds are made, looked over and brought from elsewhere."""

from __future__ import annotations

from pathlib import Path

from modules.cli.options import Options
from modules.cli.suggest import start_line
from modules.cli.text import Text
from modules.errors import BadInput
from modules.world.load import folder_of, list_worlds, load_world
from modules.world.world import Lang


def make_worlds(options: Options, text: Text) -> int:
    """Does what was asked and gives the exit code. Raises BadWorld, and has written nothing, for what cannot be made."""
    langs: tuple[Lang, ...] = options.langs or (text.lang,)
    if options.new_world is not None:
        from modules.worlds.starter import make_world

        _say_made(make_world(options.new_world, langs, options.worlds), langs[0], options, text)
        return 0
    if options.import_world is not None:
        return _import(options.import_world, langs, options, text)
    return _check(options.check_world or "", options, text)


def _import(source: Path, langs: tuple[Lang, ...], options: Options, text: Text) -> int:
    from modules.worlds.importing.bring import import_world

    if len(langs) > 1:
        raise BadInput("--import-world writes one language, that of the texts it reads, and not {langs}: write --lang en or --lang zh", langs=list(langs))
    brought = import_world(source, options.name or "", langs[0], options.worlds)
    _say_made(brought.folder, langs[0], options, text)
    if brought.assumed:
        print(text("assumptions"), *(text("assumed", line=line) for line in brought.assumed), sep="\n")
    return 0


def _say_made(folder: Path, lang: Lang, options: Options, text: Text) -> None:
    """What there is now, and what to do with it."""
    world = load_world(folder, lang)
    print(text("made_world", name=folder.name, folder=folder, residents=len(world.personas), arenas=len(world.arenas), things=len(world.things)))
    check = start_line(options, "--check-world", folder.name)
    run = start_line(options, "--name", f"{folder.name}-1", "--world", folder.name, "--lang", lang)
    print(text("next_steps", map=folder / "map.tmj", check=check, run=run))


def _check(which: str, options: Options, text: Text) -> int:
    """Prints each problem in a line and draws the overview; 2 if there are errors, 0 if not."""
    from modules.worlds.lint import lint
    from modules.worlds.overview import draw_overview

    known = which in list_worlds(options.worlds) or not Path(which).is_dir()
    folder = (folder_of(which, options.worlds) if known else Path(which)).resolve()
    report = lint(folder)
    for number, problem in enumerate(report.problems, 1):
        print(text(f"problem_{problem.level}", number=number, line=problem.line))
    print(text("checked", name=folder.name, errors=report.errors, warnings=len(report.problems) - report.errors))
    if report.world:
        picture = options.out or options.results / "worlds" / f"{folder.name}.png"
        try:
            picture.parent.mkdir(parents=True, exist_ok=True)
            draw_overview(report.world, report.problems, picture)
        except (OSError, ValueError) as error:
            raise BadInput(
                "{file} can't be written ({reason}); name a PNG file in a folder that may be written, with --out", file=picture, reason=error
            ) from None
        print(text("overview", file=picture))
    return 2 if report.errors else 0
