"""A run as `movement.json`, in the format that the players of GenerativeAgentsCN read; see
docs/formats.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from hometown.files import atomic_write
from hometown.history.frames import FRAMES, Appearance, Film
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.progress_bar import progress
from hometown.world.conversation import Conversation

STEP_FORMAT = "%Y%m%d-%H:%M"


def write_movement(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Write steps 1 to `last`, frame by frame, so that memory does not grow with the run."""
    film = Film(run, names)
    opening = film.opening()
    head = {
        "start_datetime": run.manifest.start.isoformat(),
        "stride": run.manifest.stride,
        "sec_per_step": run.manifest.stride,
        "persona_init_pos": {names.person(who): list(shown.tile) for who, shown in opening.items()},
    }
    if recorded := run.manifest.recorded:
        head["recorded"] = recorded
    with atomic_write(path) as file:
        file.write(_json(head)[:-1] + b',"all_movement":{')
        for key, value in _all_movement(run, names, film, opening, last):
            file.write(b"" if key == "0" else b",\n")
            file.write(_json(key) + b":" + _json(value))
        file.write(b"}}\n")


def _all_movement(
    run: RunReader, names: Names, film: Film, opening: dict[str, Appearance], last: int
) -> Iterator[tuple[str, Any]]:
    """Yield keys and values in order: frame 0, each frame of steps 1 to `last`, the descriptions of
    the residents, and the conversations. The first frame of a step shows all residents, since
    players start there; the others only show changes.
    """
    yield "0", {names.person(who): _entry(shown, "description") for who, shown in opening.items()}
    frames = film.frames(1, last) if last else iter(())
    current = dict(opening)
    for frame, changes in progress(frames, "movement.json", "frame", last * FRAMES):
        current |= changes
        visible = current if frame % FRAMES == 1 else changes
        yield (
            str(frame),
            {names.person(who): _entry(shown, "action") for who, shown in visible.items()},
        )
    yield "description", {names.person(who): description(run, names, who) for who in run.residents}
    yield "conversation", dict(_conversations(run, film, last))


def _entry(shown: Appearance, action_key: str) -> Json:
    """Return a resident's place (`location`), tile (`movement`) and activity (`action_key`)."""
    return {"location": shown.location, "movement": list(shown.tile), action_key: shown.action}


def description(run: RunReader, names: Names, who: str) -> Json:
    """Return a resident's description, and their current concerns at the start; the scratch is
    empty where their world is missing.
    """
    persona = names.persona(who)
    fields = ("age", "innate", "learned", "lifestyle", "daily_plan")
    return {
        "currently": run.currently(who, 0),
        "scratch": {field: getattr(persona, field) for field in fields} if persona else {},
    }


def _conversations(run: RunReader, film: Film, last: int) -> Iterator[tuple[str, str]]:
    """Yield for each step the time at which it begins and its conversations, "" if there are
    none.
    """
    for first, end in blocks(1, last, 200):
        transcripts: dict[int, list[str]] = {}
        for conversation in run.conversations(first, end):
            transcripts.setdefault(conversation.step, []).append(
                _transcript(conversation, film.names, film.words)
            )
        for step in range(first, end + 1):
            yield run.moment(step - 1).strftime(STEP_FORMAT), "\n\n".join(transcripts.get(step, []))


def _transcript(conversation: Conversation, names: Names, words: Mapping[str, str]) -> str:
    """Return a line with the place of a conversation, and a line for each thing said in it."""
    return "\n".join(
        (
            words["at_place"].format(place=names.place(conversation.address)),
            *(
                words["says"].format(name=names.person(line.speaker), text=line.text)
                for line in conversation.lines
            ),
        )
    )


def _json(value: Any) -> bytes:
    return orjson.dumps(value)
