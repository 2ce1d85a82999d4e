"""The blocks of `replay.html`, by their addresses, in packs that the page unpacks together.

They are the server's (`modules/hometown/history/blocks.py`), read straight from the database;
pictures are data: URIs.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import orjson

from hometown.export.diary_report import DiaryReport
from hometown.export.newspaper import Papers
from hometown.history.blocks import RANGES, Blocks, describe_run, widths
from hometown.history.causes import prompts_size
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.language import LANGS
from hometown.page.assets import charts
from hometown.page.lesson_sheets import lessons
from hometown.page.templates import page_words
from hometown.progress_bar import progress
from hometown.world.faults import Faults
from hometown.world.tiled import map_file, page_map, read_map

PROMPTS_AT_MOST = 10_000_000
"""Maximum size in bytes of prompts to include; of a run with more, for example two days of 25
residents, the page says that they need the server.
"""

FOLLOWED = 12
"""Number of memories, the most poignant first, for each of which a block lists the residents who
learned of it: as many as the plot lists (`frontend/js/plots/poignancy.js`).
"""

Pack = Json


def packs(run: RunReader, names: Names, base: str) -> Iterator[Pack]:
    """Yield all blocks of a run; those that are shown together are in one pack: the data for the
    first frame, the town's blocks, those of residents, of the whole run, the charts' script, the
    diary and the newspaper. `base` is the run's address in the API, with a slash at the end.
    """
    source = Blocks(run, names)
    last = max(1, run.last_step())
    steps = widths(run)
    yield _start(run, names, base) | {"arenas": source.of_run("arenas")}
    for is_wide in (False, True):
        kinds = _kinds(of_resident=False, is_wide=is_wide)
        for first, end in blocks(1, last, steps[kinds[0]]):
            yield {f"{kind}/{first}": source.range(kind, first, end) for kind in kinds}
    yield from _residents(source, last, steps)
    yield _summaries(source)
    yield {"charts.js": charts().decode()}
    yield {
        "report.md": "".join(
            f"{line}\n" for line in DiaryReport(run, names, run.last_step()).lines()
        )
    }
    yield {"gazette.md": "".join(f"{line}\n" for line in Papers(run, names).lines())}


def _kinds(*, of_resident: bool, is_wide: bool) -> list[str]:
    """Return the kinds of ranges of residents or of the town, which all have the same width."""
    return [
        kind
        for kind, view in RANGES.items()
        if (view.is_of_resident, view.is_wide) == (of_resident, is_wide)
    ]


def _residents(source: Blocks, last: int, steps: dict[str, int]) -> Iterator[Pack]:
    """Yield the blocks of residents, a pack for each and for as many steps as its widest block has;
    prompts are in packs of their own, as they are long, and left out above PROMPTS_AT_MOST.
    """
    wide = _kinds(of_resident=True, is_wide=True)
    narrow = _kinds(of_resident=True, is_wide=False)
    if prompts_size(source.run) > PROMPTS_AT_MOST:
        narrow.remove("prompts")
    people = source.run.residents
    chunks = list(blocks(1, last, steps[wide[0]]))
    for first, end in progress(chunks, "replay.html", "block", len(chunks)):
        known: dict[str, Pack] = {
            who: {
                f"{RANGES[kind].fill([who])}/{first}": source.range(kind, first, end, who)
                for kind in wide
            }
            for who in people
        }
        asked: dict[str, Pack] = {who: {} for who in people}
        for begin, stop in blocks(first, end, steps[narrow[0]]):
            for who in people:
                for kind in narrow:
                    block = orjson.Fragment(orjson.dumps(source.range(kind, begin, stop, who)))
                    pack = asked if kind == "prompts" else known
                    pack[who][f"{RANGES[kind].fill([who])}/{begin}"] = block
        yield from known.values()
        yield from (pack for pack in asked.values() if pack)


def _summaries(source: Blocks) -> Pack:
    """Return the blocks of the whole run, and for each of its FOLLOWED most poignant memories the
    block `spread/memory/…`, on the residents who learned of it.
    """
    pack = {address: source.of_run(address) for address in source.addresses()}
    for memory in pack["insight/minds"]["poignant"][:FOLLOWED]:
        address = f"spread/memory/{memory['who']}/{memory['memory']}"
        pack[address] = source.of_run(address)
    return pack


def _start(run: RunReader, names: Names, base: str) -> Pack:
    """Return the data for the first frame: the run, the map, and the page's words; portraits,
    sprites and tilesets are data: URIs. Without the run's world there is no map.
    """
    head = describe_run(run, names, base)
    words: Pack = {f"frontend/lang/{lang}.json": page_words(lang) for lang in LANGS}
    words |= {f"frontend/lessons/{lang}.json": lessons(lang) for lang in LANGS}
    if names.world is None:
        return {"": head} | words
    folder = names.world.folder
    for resident in head["residents"]:
        persona = names.world.personas[resident["id"]]
        if persona.portrait:
            resident["portrait"] = _picture(folder / persona.portrait)
        if persona.sprite:
            resident["sprite"] = _picture(folder / persona.sprite)
    drawn = read_map(map_file(folder), Faults(folder.name))
    shown = page_map(drawn) if drawn else {"tilesets": []}
    for tileset in shown["tilesets"]:
        tileset["image"] = _picture(folder / tileset["image"])
    return {"": head, "map": shown} | words


def _picture(file: Path) -> str:
    return "data:image/png;base64," + b64encode(file.read_bytes()).decode()
