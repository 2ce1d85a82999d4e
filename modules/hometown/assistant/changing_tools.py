"""The tools that begin, continue, fork and change runs: requests to the page's API in this process,
whose checks and limits apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal
from urllib.parse import quote

from flask import Flask

from hometown.errors import BadInput
from hometown.json_object import Json
from hometown.language import Lang
from hometown.storage.run_names import check_name
from hometown.text import Phrase
from hometown.web.answers import API


class ChangingTools:
    """The tools that change runs, over the app of the page."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def list_worlds(self) -> Json:
        """List the worlds in which a run can begin, with their residents, and the models that are
        available. "scripted" needs no model: its residents follow written habits and phrases.
        """
        return self._request("GET", "offers")

    def begin_run(
        self,
        name: str,
        world: str,
        llm: str,
        hours: int = 24,
        language: Lang = "en",
        residents: Sequence[str] = (),
    ) -> Json:
        """Begin a run of a world, which is simulated in the background for some hours of game time;
        `residents` are ids, all by default. Follow it with `list_runs`.
        """
        town = {"name": name, "world": world, "lang": language, "llm": llm, "hours": hours}
        return self._request("POST", "runs", town | {"residents": list(residents)})

    def continue_run(self, run: str, hours: int = 24) -> Json:
        """Continue a run in the background for some hours of game time."""
        return self._request_of(run, "POST", "go", {"hours": hours})

    def pause_run(self, run: str) -> Json:
        """Pause a run that is being simulated. It can be continued."""
        return self._request_of(run, "POST", "pause", {})

    def fork_run(self, run: str, step: int, name: str) -> Json:
        """Create a fork of a run after a step, under a new name. Change it with `intervene`, then
        simulate it with `continue_run`, and compare both with `compare_runs`.
        """
        return self._request_of(run, "POST", "branch", {"step": step, "name": name})

    def intervene(
        self,
        run: str,
        kind: Literal["tell", "set", "event", "place", "remove", "leave", "arrive"],
        text: str,
        at: str = "",
    ) -> Json:
        """Change a run from its next step (step 0 in the result), or from `at` (such as "14:00") on.
        A voice is a wish, which a resident may follow, forget or tell: a host can call their
        gathering off ("Lin Yue: Call off the party") or move it, for all who know of it, and a
        guest take it over. Where the host leaves town, it falls through, unless another takes it
        over. The kinds, with an example of a text: tell, an inner voice ("Lin Yue: stay at home"); set, a thing's state
        ("cafe/main/oven: broken"); event ("cafe: the lights go out"); place, a new thing
        ("park: a piano"); remove ("piano"); leave town ("Maria"); arrive ("Maria").
        """
        change = {"kind": kind, "text": text, "at": at}
        return self._request_of(run, "POST", "interventions", change)

    def ask_resident(self, run: str, resident: str, question: str, step: int) -> Json:
        """Ask a resident (by id) a question, as of a step. The run's model answers; the run stays
        as it is. Without a model, the answer is the memory that fits best.
        """
        asked = {"who": resident, "question": question, "step": step, "lines": []}
        return self._request_of(run, "POST", "questions", asked)

    def list_interventions(self, run: str) -> Json:
        """List the changes of a run: those that wait, then the latest of the others."""
        return self._request_of(run, "GET", "interventions")

    def withdraw_intervention(self, run: str, number: int) -> Json:
        """Withdraw a change that waits."""
        return self._request_of(run, "DELETE", f"interventions/{number}", {})

    @property
    def all(self) -> Sequence[Callable[..., Any]]:
        """All tools, in the order in which an assistant lists them."""
        return (
            self.list_worlds,
            self.begin_run,
            self.continue_run,
            self.pause_run,
            self.fork_run,
            self.intervene,
            self.list_interventions,
            self.withdraw_intervention,
            self.ask_resident,
        )

    def _request_of(self, run: str, method: str, part: str, body: Json | None = None) -> Json:
        """Return the answer to a request to a part of a run. Raises BadRun if the run's name can't
        be one, BadInput with the reason if the request is refused.
        """
        return self._request(method, f"runs/{quote(check_name(run))}/{part}", body)

    def _request(self, method: str, address: str, body: Json | None = None) -> Json:
        """Return the answer of the page's API as JSON. Raises BadInput with its reason if the
        request is refused.
        """
        response = self._app.test_client().open(f"{API}/{address}", method=method, json=body)
        answer: Json = response.get_json()
        if response.status_code >= 400:
            raise BadInput([Phrase(answer.get("error", response.status))])
        return answer
