"""The API's routes to the laws of a town: the entries of its rules, a draft from words, a trial,
and the enactment of a law after its trial.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import orjson
from flask import Flask, Response, request

from hometown.defaults import DEFAULT_TRIAL_DAYS
from hometown.language import Lang
from hometown.storage.run import RunFile
from hometown.study.desk import InterviewDesk
from hometown.study.laws.drafting import draft_law, entries_of
from hometown.study.laws.proposal import (
    MAX_PATCH_CHARACTERS,
    Proposal,
    propose_law,
    read_present_town,
    require_rules,
)
from hometown.study.laws.settlers import draft_settler
from hometown.study.laws.trial_figures import figures
from hometown.text import localize
from hometown.web.answers import API, Wrong, body_of_request, respond_json
from hometown.web.library import Library
from hometown.web.routes_interventions import refuse_full, step_of
from hometown.web.study_errors import translate_errors
from hometown.world.intervention_time import MOMENT
from hometown.world.moving_in import SECTION
from hometown.world.resolve import LONGEST as LONGEST_WORDS
from hometown.world.world import World

MOST_TRIED = 200
"""Maximum number of laws for which the result of the trial is kept."""


def law_routes(app: Flask, library: Library, desk: InterviewDesk) -> None:
    """Add the routes to the app that list a town's laws, and draft, try and enact one."""
    tried: dict[tuple[str, str], bool] = {}  # whether a law is harmless, by run and patch
    _add_trial_routes(app, library, tried)

    @app.get(f"{API}/runs/<name>/laws")
    def laws(name: str) -> Response:
        with library.open(name) as run:
            world = translate_errors(lambda: _read_present_town(run.run, library.world(run, name)))
        entries = entries_of(world, " ".join(persona.name for persona in world.personas.values()))
        return respond_json(
            [
                {"path": entry.path, "name": entry.names[0], "entry": orjson.loads(entry.text)}
                for entry in entries
            ]
        )

    @app.post(f"{API}/runs/<name>/laws/draft")
    def law_draft(name: str) -> Response:
        words = _text("words", LONGEST_WORDS)
        drafting = draft_settler if body_of_request().get("about") == SECTION else draft_law
        with library.open(name) as run:
            world = library.world(run, name)
            found = translate_errors(
                lambda: desk.consult(
                    lambda: RunFile.open(library.results, name),
                    world,
                    lambda interviewer: drafting(interviewer, words),
                )
            )
        return respond_json(
            {
                "at": f"{found.begins:{MOMENT}}" if found.begins else "",
                **_shape(found.proposal, _lang()),
            }
        )


def _add_trial_routes(app: Flask, library: Library, tried: dict[tuple[str, str], bool]) -> None:
    """Add the routes that try a law, and enact one that has been tried."""

    @app.post(f"{API}/runs/<name>/laws/trial")
    def law_trial(name: str) -> Response:
        """Send a line of JSON with the changes, one for each day, and one with the result."""
        patch, lang = _text("patch", MAX_PATCH_CHARACTERS), _lang()
        with library.open(name) as run:
            proposal = translate_errors(
                lambda: propose_law(run.run, library.world(run, name), patch)
            )
            law = (run.run.id, proposal.patch)
        return Response(
            _record_trial(_trial(proposal, lang), tried, law),
            mimetype="application/x-ndjson",
        )

    @app.post(f"{API}/runs/<name>/laws")
    def enact(name: str) -> Response:
        """Enact a law that has been tried on the town as it is now, from the time `at` on, with the
        words `say` for residents; a harmful one only with `force`.
        """
        patch = _text("patch", MAX_PATCH_CHARACTERS)
        said = _text("say", LONGEST_WORDS)
        at = _text("at", LONGEST_WORDS)
        with library.open(name) as run:
            proposal = translate_errors(
                lambda: propose_law(run.run, library.world(run, name), patch)
            )
            if proposal.faults:
                raise Wrong(400, "That is not possible: {reason}.", reason=list(proposal.faults))
            harmless = tried.get((run.run.id, proposal.patch))
            if harmless is None:
                raise Wrong(
                    409, "This law has not been tried on the town as it is now: try it first."
                )
            if not harmless and body_of_request().get("force") is not True:
                raise Wrong(409, "The town would not bear this law: change it, or insist.")
            refuse_full(run)
            law = translate_errors(lambda: proposal.intervention(step_of(run, at), said))
            answer = respond_json(asdict(run.run.ask([law])[0]))
        answer.status_code = 201
        return answer


def _read_present_town(run: RunFile, founded: World) -> World:
    """Return the world of a run after its last step: `founded`, the world at its start, with the
    changes since, and with the laws and residents that wait for the next step.

    Raises:
        BadInput: The town has no society.
    """
    world, _ = read_present_town(run, founded)
    require_rules(world)
    return world


def _record_trial(
    trial: Iterator[dict[str, Any]], tried: dict[tuple[str, str], bool], law: tuple[str, str]
) -> Iterator[bytes]:
    """Yield the lines of a trial, and store its result among those of the latest `MOST_TRIED` laws."""
    for line in trial:
        if "harmless" in line:
            tried.pop(law, None)  # so that it is the latest
            tried[law] = line["harmless"]
            for oldest in [*tried][:-MOST_TRIED]:
                tried.pop(oldest)
        yield orjson.dumps(line) + b"\n"


def _trial(proposal: Proposal, lang: Lang) -> Iterator[dict[str, Any]]:
    """Yield the law, then the number of each simulated day, and at last the harms and figures. No
    trial takes place for a law with faults, or in a town without a society.
    """
    yield _shape(proposal, lang)
    if proposal.faults:
        return
    if proposal.world.book is None:
        yield {"harmless": True, "breaches": []}
        return
    for day, tried in enumerate(proposal.trial(DEFAULT_TRIAL_DAYS), start=1):
        outlook = tried
        yield {"day": day, "days": DEFAULT_TRIAL_DAYS}
    verdict = proposal.judge(outlook)
    yield {
        "harmless": verdict.harmless,
        "breaches": proposal.verdict_lines(outlook, verdict, lang),
        **figures(outlook, lang),
    }


def _shape(proposal: Proposal, lang: Lang) -> dict[str, Any]:
    """Return a law in the page's format: its patch, the changes, the faults, and the announcement
    to residents.
    """
    faults = [str(localize(fault, lang)) for fault in proposal.faults]
    said = "" if faults else proposal.write_announcement()
    return {"patch": proposal.patch, "changes": proposal.changes(), "faults": faults, "says": said}


def _text(key: str, most: int) -> str:
    """Return a text of the request's body, "" if it is missing.

    Raises:
        Wrong: 400, for another type, and for a text that is too long.
    """
    text = body_of_request().get(key, "")
    if not isinstance(text, str) or len(text) > most:
        raise Wrong(
            400,
            "A law is a patch in JSON (patch) of up to {most} characters, or words "
            "(words); a trial is of up to 60 days.",
            most=MAX_PATCH_CHARACTERS,
        )
    return text


def _lang() -> Lang:
    """Return the language that the request names; English for any other."""
    return "zh" if request.args.get("lang") == "zh" else "en"
