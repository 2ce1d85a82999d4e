"""`hometown picture`: a moment of a run as a PNG file."""

from __future__ import annotations

from hometown.cli.options import Options
from hometown.cli.text import Text
from hometown.errors import BadInput, reason_of
from hometown.history.moment import moment
from hometown.history.names import Names
from hometown.history.picture import png
from hometown.history.reader import RunReader
from hometown.world.when import step_before


def picture(options: Options, text: Text) -> int:
    """Writes the picture and prints where it is."""
    with RunReader.open(options.results, options.name or "") as run:
        names, start = Names.of(run.run, options.worlds), run.manifest.start
        step = step_before(options.at, start, run.manifest.stride, run.last_step())
        if names.world is None:
            raise BadInput(
                "the world of {name} cannot be read, so there is no map to draw",
                name=run.manifest.name,
            )
        file = (
            options.out
            or options.results
            / "pictures"
            / f"{run.manifest.name}-{run.moment(step):%Y%m%d-%H%M}.png"
        )
        try:
            drawn = png(moment(run, names.world, step))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(drawn)
        except OSError as error:
            raise BadInput(
                "can't write {file} ({reason}); name a PNG file in a writable folder with --out",
                file=file,
                reason=reason_of(error),
            ) from None
    print(text("picture", file=file))
    return 0
