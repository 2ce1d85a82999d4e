"""The first hour on the page: offered where there is no run, and opened once it has begun."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from hometown.doctor import first_hour
from hometown.doctor.first_hour import Offer
from hometown.errors import ModelUnavailable
from hometown.model import ollama_hosts
from hometown.paths import WORLDS
from hometown.settings import Settings
from hometown.storage.lock import is_held
from hometown.storage.run_names import run_folder
from hometown.web.processes import Processes
from tests.page.browsing import (
    expect,
    on_desktop,
    on_phone,
)
from tests.support.fake_ollama import FakeOllama
from tests.support.hang import HANG, waited_for
from tests.support.page_views import served


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find no server and no GPU of this machine."""
    for name in ("OPENAI_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "")  # so that it is put back
    for module in (ollama_hosts, first_hour):
        monkeypatch.setattr(module, "LOCAL", "http://127.0.0.1:9")
    monkeypatch.setattr(first_hour, "LOCAL_PORTS", {})
    monkeypatch.setattr(first_hour, "gpu_bytes", lambda: 8 * 10**9)
    monkeypatch.setattr(first_hour, "is_installed", lambda package: False)


@on_phone
def test_an_hour_is_offered_and_opened(
    watched: Any, tmp_path: Path, size: dict[str, int], lang: str
) -> None:
    address = served(tmp_path)
    page = watched(f"{address}/?lang={lang}", size, allowed=address)
    expect(page.locator("#first-hour .problem")).to_contain_text("https://ollama.com/download")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#first-hour .primary")
    page.wait_for_url("**name=first-hour-1**")
    waited_for(lambda: not is_held(run_folder(tmp_path, "first-hour-1")))


def test_a_fetch_shows_its_progress_and_why_it_failed(
    watched: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_seen = Event()

    async def fetch(offer: Offer, settings: Settings, progress: Callable[[int, int], None]) -> None:
        progress(2_000_000_000, 5_000_000_000)
        await asyncio.to_thread(is_seen.wait)
        raise ModelUnavailable("the disk is full")

    monkeypatch.setattr(Offer, "fetch", fetch)
    with FakeOllama("nomic-embed-text") as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        address = served(tmp_path)
        page = watched(f"{address}/?lang=en", allowed=address)
        page.click("#first-hour .primary")
        expect(page.locator("#first-hour .acts")).to_contain_text("2.00 of 5.00 GB")
        page.reload()
        expect(page.locator("#first-hour progress")).to_have_attribute("value", "2000000000")
        is_seen.set()
        expect(page.locator("#first-hour .problem")).to_contain_text("the disk is full")
        page.click("#first-hour .primary")
        expect(page.locator("#first-hour .primary")).to_contain_text("Fetch it")


@on_desktop
def test_a_fetch_can_be_cancelled(
    watched: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: dict[str, int], lang: str
) -> None:
    async def fetch(offer: Offer, settings: Settings, progress: Callable[[int, int], None]) -> None:
        progress(2_000_000_000, 5_000_000_000)
        await asyncio.sleep(HANG)

    monkeypatch.setattr(Offer, "fetch", fetch)
    cancel, kept = {"en": ("Cancel", "is kept"), "zh": ("取消", "已保留")}[lang]
    with FakeOllama("nomic-embed-text") as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        address = served(tmp_path)
        page = watched(f"{address}/?lang={lang}", size, allowed=address)
        page.click("#first-hour .primary")
        page.get_by_role("button", name=cancel).click()
        expect(page.locator("#first-hour [role=status]")).to_contain_text(kept)
        expect(page.locator("#first-hour .primary")).to_contain_text("GB")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@on_desktop
def test_a_recorded_town_comes_first_is_marked_and_lives_on_with_a_model(
    watched: Any, tmp_path: Path, size: dict[str, int], lang: str
) -> None:
    address = served(tmp_path)
    page = watched(f"{address}/?lang={lang}", size, allowed=address)
    sections = page.locator("main > section").evaluate_all("all => all.map(({ id }) => id)")
    assert sections[:2] == ["recorded", "first-hour"]
    page.locator("[data-act=watch]").first.click()
    page.wait_for_url("**name=recorded-zh**")
    expect(page.locator(".title h1")).to_have_text("火灭以后 实录")
    expect(page).to_have_title("火灭以后 · 故里")
    page.goto(f"{address}/?name=recorded-zh&step=2&paused=1&tab=speak&lang={lang}")
    page.click(".run-bar > .acts .primary")
    page.select_option(".branch select", "scripted")
    page.fill(".branch input", "mine")
    page.check(".run-bar [type=checkbox]")
    page.click(".branch .primary")
    page.wait_for_url("**name=mine**")
    expect(page.locator("#recording")).to_have_text(re.compile("之前为实录"))
    Processes(tmp_path, WORLDS).pause("mine")
