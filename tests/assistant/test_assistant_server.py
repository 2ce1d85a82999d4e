"""An assistant reads runs over MCP by the SDK's own client, and changes them only where it may."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.support.golden import put_golden
from tools.make_golden import NAME

pytest.importorskip("mcp", reason="an assistant needs the package mcp")

import httpx2
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import hometown
from hometown.assistant.changing_tools import ChangingTools
from hometown.assistant.reading_tools import ReadingTools, pair_residents
from hometown.assistant.tool_server import build_server, require_token
from hometown.reading import Run
from hometown.run_records import Resident
from hometown.web.server import create_app


class Assistant:
    """An assistant in this process: `call` returns the result of a tool, or its error's text."""

    def __init__(self, results: Path, *, may_write: bool = False) -> None:
        worlds = results / "worlds"
        changing = ChangingTools(create_app(results, worlds)).all if may_write else ()
        self.server = build_server(ReadingTools(results, worlds).all, changing)

    def call(self, tool: str, **arguments: object) -> Any:
        return asyncio.run(self._call(tool, arguments))

    async def _call(self, tool: str, arguments: dict[str, object]) -> Any:
        async with Client(self.server) as client:
            return read(await client.call_tool(tool, arguments))

    def tools(self) -> dict[str, bool | None]:
        """Whether each tool only reads."""

        async def listed() -> dict[str, bool | None]:
            async with Client(self.server) as client:
                found = (await client.list_tools()).tools
                return {
                    each.name: each.annotations.read_only_hint if each.annotations else None
                    for each in found
                }

        return asyncio.run(listed())


def read(result: Any) -> Any:
    (content,) = result.content
    return content.text if result.is_error else orjson.loads(content.text)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    put_golden(tmp_path)
    return tmp_path


def test_an_assistant_may_only_read(results: Path) -> None:
    tools = Assistant(results).tools()
    assert set(tools.values()) == {True}
    assert "begin_run" not in tools
    changing = Assistant(results, may_write=True).tools()
    assert {name for name, reads in changing.items() if not reads} == set(changing) - set(tools)


def test_it_finds_who_is_where_who_said_what_and_why(results: Path) -> None:
    assistant = Assistant(results)
    (run,) = assistant.call("list_runs")["runs"]
    assert (run["name"], run["running"]) == (NAME, False)
    described = assistant.call("describe_run", run=NAME)
    assert [each["id"] for each in described["residents"]] == ["chen_siyuan", "lin_yue"]
    assert len(assistant.call("list_residents", run=NAME, step=2)["residents"]) == 2
    talks = assistant.call("list_conversations", run=NAME, resident="lin")
    assert talks["total"] == len(talks["conversations"]) > 0
    (speaker, line), *_ = talks["conversations"][0]["lines"]
    assert speaker in ("Lin Yue", "Chen Siyuan")
    assert assistant.call("list_conversations", run=NAME, text=line)["total"] > 0
    assert assistant.call("list_memories", run=NAME, resident="Lin Yue", limit=1)["total"] > 1
    found = assistant.call("search_memories", run=NAME, resident="Lin Yue", query=line, count=2)
    assert {each["memory"]["resident"] for each in found["found"]} == {"Lin Yue"}
    decisions = assistant.call("list_decisions", run=NAME, resident="Lin Yue")["decisions"]
    assert {"schedule_daily", "utterance"} <= {each["prompt"] for each in decisions}
    assert any(each["memories"] for each in decisions)
    assert assistant.call("explain_activity", run=NAME, resident="Lin Yue")["cause"]
    (story,) = assistant.call("trace_news", run=NAME, storyline="layoffs")["storylines"]
    assert (story["learned"][0]["channel"], story["learned"][0]["changed"]) == ("start", [])
    for page in described["pages"]:
        assert not isinstance(assistant.call("read_page", run=NAME, address=page), str), page


def test_an_error_tells_what_would_be_right(results: Path) -> None:
    assistant = Assistant(results)
    assert NAME in assistant.call("describe_run", run="other")
    assert "Lin Yue" in assistant.call("list_memories", run=NAME, resident="Nobody")
    assert "nothing" in assistant.call("read_page", run=NAME, address="nothing")
    assert "layoffs" in assistant.call("trace_news", run=NAME, storyline="lay-offs")


def resident_at(place: str) -> list[Resident]:
    return [Resident("ana", "Ana", "", "", "reading", place, (0, 0), asleep=False)]


def test_it_forks_intervenes_and_asks_where_it_may(results: Path) -> None:
    assistant = Assistant(results, may_write=True)
    assert assistant.call("fork_run", run=NAME, step=3, name="other") == {"name": "other"}
    told = assistant.call("intervene", run="other", kind="tell", text="Lin Yue: stay at home")
    assert told["target"] == "lin_yue"
    compared = assistant.call("compare_runs", run=NAME, other="other")
    assert compared["difference"]["common"] == 3
    assert compared["residents"] == {"step": 3, "different": []}
    elsewhere = pair_residents(*(resident_at(place) for place in ("cafe", "library")))
    assert elsewhere[0]["second"] == {"activity": "reading", "place": "library"}
    answer = assistant.call("ask_resident", run=NAME, resident="lin_yue", question="Who?", step=3)
    assert answer["answer"]
    assert "1440" in assistant.call("continue_run", run="other", hours=0)


@pytest.mark.parametrize("part", ["?", "#", "/name?", "/end?", "/..", "%3F"])
def test_a_name_of_a_run_is_no_address(results: Path, part: str) -> None:
    assistant, run = Assistant(results, may_write=True), f"{NAME}{part}"
    for refused in (
        assistant.call("withdraw_intervention", run=run, number=1),
        assistant.call("fork_run", run=run, step=3, name="other"),
        assistant.call("pause_run", run=run),
        assistant.call("list_interventions", run=run),
    ):
        assert f"{run!r} can't be the name of a run" in refused
    assert [each["name"] for each in assistant.call("list_runs")["runs"]] == [NAME]


def test_a_run_may_have_a_chinese_name_and_must_have_one(results: Path) -> None:
    assistant = Assistant(results, may_write=True)
    assert assistant.call("fork_run", run=NAME, step=3, name="春天") == {"name": "春天"}
    assert assistant.call("intervene", run="春天", kind="tell", text="Lin Yue: stay at home")
    assert "0 characters" in assistant.call("continue_run", run="")


def test_a_person_asks_and_explains_from_python(results: Path) -> None:
    with Run.open(NAME, results=results) as run:
        assert run.ask("Lin Yue", "What did you do today?").resident == "Lin Yue"
        talked = [each for each in run.decisions("lin_yue") if each.prompt == "utterance"]
        assert talked[0].memories[0].memory.resident == "Lin Yue"
        assert run.why("lin_yue", 1).activity
        assert run._repr_png_().startswith(b"\x89PNG")


def test_the_command_speaks_over_standard_input(results: Path) -> None:
    command = ["-m", "hometown", "mcp", f"--results={results}"]
    server = StdioServerParameters(command=sys.executable, args=command, env={**os.environ})

    async def ask() -> Any:
        async with Client(server) as client:
            return read(await client.call_tool("list_runs", {}))

    assert asyncio.run(ask())["runs"][0]["name"] == NAME


def test_http_needs_the_token(results: Path) -> None:
    app = require_token(Assistant(results).server.streamable_http_app(), "right")
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()

    async def ask() -> Any:
        async with httpx2.AsyncClient(headers={"Authorization": "Bearer wrong"}) as stranger:
            assert (await stranger.post(address, json={})).status_code == 401
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer right"}) as user,
            Client(streamable_http_client(address, http_client=user)) as client,
        ):
            return read(await client.call_tool("list_runs", {}))

    try:
        assert asyncio.run(ask())["runs"][0]["name"] == NAME
    finally:
        server.should_exit = True
        thread.join()


def test_a_recorded_town_is_opened_from_python(tmp_path: Path) -> None:
    town = hometown.recorded_towns("zh")[0]
    with Run.open_recorded(town.name, results=tmp_path) as run:
        assert (town.lang, run.language, run.start) == ("zh", "zh", town.start)
    with pytest.raises(hometown.BadInput, match=town.name):
        Run.open_recorded("nowhere", results=tmp_path)
