"""What the command lines do, an action each. What an action needs is imported when it is called:
help and mistyped options answer at once.
"""

from __future__ import annotations

from hometown.cli.given import read_settings
from hometown.cli.options import Options
from hometown.cli.text import Text


def live(options: Options, text: Text) -> int:
    """Begins, resumes or forks a run and lives it."""
    layers = read_settings(options)
    from hometown.cli.live import live_session

    return live_session(options, layers, text)


def intervene(options: Options, text: Text) -> int:
    """Leaves interventions for a run that lives in another process, or is stopped."""
    read_settings(options)
    from hometown.cli.interventions import send

    return send(options, text)


def give_law(options: Options, text: Text) -> int:
    """Gives a town a law."""
    layers = read_settings(options)
    from hometown.cli.law import give_law

    return give_law(options, layers, text)


def settle(options: Options, text: Text) -> int:
    """Lets somebody move into a town."""
    layers = read_settings(options)
    from hometown.cli.law import settle

    return settle(options, layers, text)


def learn(options: Options, text: Text) -> int:
    """Let a resident learn files."""
    layers = read_settings(options)
    from hometown.cli.learn import learn

    return learn(options, layers, text)


def ask(options: Options, text: Text) -> int:
    """Asks residents, after any step of a run."""
    layers = read_settings(options)
    from hometown.cli.ask import ask

    return ask(options, layers, text)


def compare(options: Options, text: Text) -> int:
    """Compares two runs."""
    read_settings(options)
    from hometown.cli.compare import compare

    return compare(options, text)


def experiment(options: Options, text: Text) -> int:
    """Lives, asks and measures what an experiment's file says."""
    layers = read_settings(options)
    from hometown.cli.experiment import experiment

    return experiment(options, layers, text)


def digest(options: Options, text: Text) -> int:
    """Prints the digest of every step."""
    read_settings(options)
    from hometown.cli.summary import print_digests

    return print_digests(options.target, options.results)


def verify(options: Options, text: Text) -> int:
    """Verifies a run against its own records."""
    read_settings(options)
    from hometown.cli.verify import verify

    return verify(options.target, options.results, options.worlds, text)


def check(options: Options, text: Text) -> int:
    """Prints which part of a run is sound."""
    read_settings(options)
    from hometown.cli.check import check

    return check(options, text)


def repair(options: Options, text: Text) -> int:
    """Makes a new run of what is sound in a damaged one."""
    layers = read_settings(options)
    from hometown.cli.check import repair

    return repair(options, layers, text)


def doctor(options: Options, text: Text) -> int:
    """Examines the machine and the model."""
    layers = read_settings(options)
    from hometown.cli.doctor import doctor

    return doctor(options, layers, text.lang)


def list_models(options: Options, text: Text) -> int:
    """Prints the recommended models."""
    layers = read_settings(options)
    from hometown.cli.models import list_models

    return list_models(layers, text)


def get_model(options: Options, text: Text) -> int:
    """Fetches a recommended model."""
    layers = read_settings(options)
    from hometown.cli.models import get_model

    return get_model(options, layers, text)


def new_world(options: Options, text: Text) -> int:
    """Makes a small world to edit."""
    from hometown.cli.worlds import new_world

    return new_world(options, text)


def join_districts(options: Options, text: Text) -> int:
    """Makes a large world of copies of a small one."""
    from hometown.cli.worlds import join_districts

    return join_districts(options, text)


def check_world(options: Options, text: Text) -> int:
    """Checks a world and draws it."""
    from hometown.cli.worlds import check_world

    return check_world(options, text)


def import_world(options: Options, text: Text) -> int:
    """Makes a world from files of another system."""
    from hometown.cli.worlds import import_world

    return import_world(options, text)


def export(options: Options, text: Text) -> int:
    """Writes a run as files for others to read."""
    from hometown.cli.compress import export

    return export(options, text)


def picture(options: Options, text: Text) -> int:
    """Draws a moment of a run."""
    read_settings(options)
    from hometown.cli.picture import picture

    return picture(options, text)


def replay(options: Options, text: Text) -> int:
    """Serves the page."""
    from hometown.cli.replay import serve

    return serve(options, text)
