"""Completions of names in the shell: those of runs, worlds, models and recorded towns."""

from __future__ import annotations

from collections.abc import Callable

import click

from hometown.paths import RESULTS, USER_WORLDS


def _completing(names: Callable[[click.Context], list[str]]) -> Callable[..., list[str]]:
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in names(ctx) if name.startswith(incomplete)]

    return complete


def _runs(ctx: click.Context) -> list[str]:
    from hometown.storage.run_names import run_names

    return run_names(ctx.params.get("results") or RESULTS)


def _worlds(ctx: click.Context) -> list[str]:
    from hometown.world.load import list_worlds

    return list(list_worlds(ctx.params.get("worlds") or USER_WORLDS))


def _models(_: click.Context) -> list[str]:
    from hometown.model.recommended import recommended

    return list(recommended())


def _recordings(_: click.Context) -> list[str]:
    from hometown.storage.recordings import list_recordings

    return [recording.name for recording in list_recordings("en")]


complete_run, complete_world, complete_model, complete_recording = map(
    _completing, (_runs, _worlds, _models, _recordings)
)
