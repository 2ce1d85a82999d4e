"""Questions to residents from the page: what is answered, what is refused, and that the run stays
as it was.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hometown.model.llm import LanguageModel
from hometown.paths import DATA
from hometown.session import same_model
from hometown.settings import Settings
from hometown.study.desk import InterviewDesk
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.support.interviews import STEPS, contents, interviewed
from tests.web.asking import OUR_PAGE, signed_in

ADDRESS = "/api/v1/runs/town/questions"
QUESTION = {
    "who": "wang_fang",
    "question": "Do you know about the reading circle?",
    "step": 60,
    "lines": [],
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


def post(
    client: FlaskClient,
    *,
    address: str = ADDRESS,
    headers: dict[str, str] = OUR_PAGE,
    **changes: Any,
) -> Any:
    return client.post(
        address,
        data=json.dumps(QUESTION | changes),
        content_type="application/json",
        headers=headers,
    )


def test_a_question_is_answered_with_its_memories(client: FlaskClient) -> None:
    answer = post(client).json
    assert (answer["who"], answer["name"], answer["step"], answer["knows"], answer["scripted"]) == (
        "wang_fang",
        "Wang Fang",
        60,
        "yes",
        True,
    )
    assert "reading circle" in answer["answer"]
    assert answer["cited"]
    assert set(answer["cited"]) <= {memory["id"] for memory in answer["retrieved"]}
    assert all(
        memory["step"] <= 60 and len(memory["scores"]) == 4 for memory in answer["retrieved"]
    )
    assert [memory["scores"][0] for memory in answer["retrieved"]] == sorted(
        (memory["scores"][0] for memory in answer["retrieved"]), reverse=True
    )


def test_a_conversation_goes_on(client: FlaskClient) -> None:
    first = post(client).json
    assert (
        "reading circle"
        in post(
            client, question="When is it?", lines=[[QUESTION["question"], first["answer"]]]
        ).json["answer"]
    )
    assert post(client, question="When is it?").json["knows"] == "no"


def test_questions_leave_the_run_as_it_was(results: Path, client: FlaskClient) -> None:
    before = contents(results)
    for step in (0, 30, STEPS):
        assert post(client, step=step).status_code == 200
    assert contents(results) == before


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"who": "nobody"}, 404, "No resident has the id “nobody”."),
        ({"step": STEPS + 1}, 404, "has no step 85"),
        ({"step": -1}, 400, "A question has a resident"),
        ({"step": True}, 400, "A question has a resident"),
        ({"step": 2**70}, 400, "A question has a resident"),
        ({"question": " "}, 400, "has no text after the name"),
        ({"question": "a" * 501}, 400, "at most 500 are allowed"),
        ({"question": 3}, 400, "A question has a resident"),
        ({"lines": [["only one"]]}, 400, "A question has a resident"),
        ({"lines": [["a", "b"]] * 9}, 400, "A question has a resident"),
        ({"lines": [["a", "b" * 1001]]}, 400, "A question has a resident"),
    ],
)
def test_a_wrong_question_is_refused(
    changes: dict[str, Any], status: int, reason: str, client: FlaskClient
) -> None:
    refused = post(client, **changes)
    assert refused.status_code == status
    assert reason in refused.json["error"]


def test_a_run_that_is_not_there(client: FlaskClient) -> None:
    assert post(client, address="/api/v1/runs/nothing/questions").status_code == 404


def test_it_has_the_rules_of_a_change(client: FlaskClient) -> None:
    assert post(client, headers=OUR_PAGE | {"Origin": "http://evil.example"}).status_code == 403
    assert client.post(ADDRESS, data=json.dumps(QUESTION), headers=OUR_PAGE).status_code == 415
    assert client.get(ADDRESS).status_code == 404
    assert post(client, headers=OUR_PAGE | {"Authorization": ""}).status_code == 401


def test_one_question_at_a_time(results: Path) -> None:
    desk = InterviewDesk(Settings())
    client = signed_in(
        create_app(results, DATA / "worlds", access=Access(token="a token"), desk=desk)
    )
    with desk._busy:
        assert post(client).status_code == 409
    assert post(client).status_code == 200


def test_a_model_that_cannot_be_had_is_named(results: Path) -> None:
    client = create_app(
        results,
        DATA / "worlds",
        access=Access(token="a token"),
        desk=InterviewDesk(Settings(), "what:ever"),
    ).test_client()
    refused = post(client)
    assert refused.status_code == 400
    assert "unknown language model 'what:ever'" in refused.json["error"]


def test_models_stay_loaded(results: Path) -> None:
    desk = InterviewDesk(Settings())
    client = signed_in(
        create_app(results, DATA / "worlds", access=Access(token="a token"), desk=desk)
    )
    post(client)
    (model,) = desk._models.values()
    post(client)
    assert list(desk._models.values()) == [model]


def test_a_model_is_let_go_before_another_is_loaded(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = InterviewDesk(Settings())
    held: list[int] = []

    async def load(*given: Any) -> LanguageModel:
        held.append(len(desk._models))
        return await same_model(*given)

    monkeypatch.setattr("hometown.study.desk.same_model", load)
    client = signed_in(
        create_app(results, DATA / "worlds", access=Access(token="a token"), desk=desk)
    )
    post(client)
    desk._models = {("other", ""): desk._models.popitem()[1]}
    post(client)
    assert held == [0, 0]
