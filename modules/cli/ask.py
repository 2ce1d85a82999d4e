"""`start.py --tell` and its like, on a run that lives in another process or waits to be resumed: only its inbox is written."""

from __future__ import annotations

from modules.cli.options import Options
from modules.cli.session import same_people
from modules.cli.text import Text
from modules.cli.wishes import noted, wishes
from modules.storage.run import Run
from modules.world.furnish import furnished
from modules.world.load import load_world


def ask(options: Options, text: Text) -> int:
    """Leaves in a run's inbox what the options ask for, and says so. Raises BadInput for what cannot be."""
    with Run.open(options.results, options.name or "") as run:
        manifest, last = run.manifest, run.last.step
        people = same_people(load_world(manifest.world, manifest.lang, options.worlds), manifest)
        world = furnished(people, run.furniture(last))
        for wish in run.ask(wishes(options, world, manifest.start, manifest.stride, last)):
            print(noted(wish, world, last, text))
    return 0
