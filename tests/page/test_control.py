"""Towns are run from the page, and all of it by the keyboard: begun, paused, continued, stepped
into, branched, compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hometown.language import Lang
from hometown.paths import DATA
from hometown.storage.fork import fork_run
from hometown.storage.inbox import Inbox
from hometown.storage.lock import is_held
from hometown.storage.run_names import run_folder, run_names
from hometown.storage.world_copy import world_files
from hometown.web.processes import Processes
from hometown.world.interventions import Intervention
from tests.page.browsing import (
    beside,
    expect,
    on_desktop,
    on_phone,
)
from tests.page.conftest import Visit
from tests.page.looking import look
from tests.support.days import lived_day, set_out
from tests.support.page_texts import PageTexts
from tests.support.town import live, minitown, opened


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A results folder; whatever still runs in it is ended."""
    folder = tmp_path_factory.mktemp("control")
    yield folder
    for name in run_names(folder):
        if is_held(run_folder(folder, name)):
            Processes(folder, DATA / "worlds").pause(name)


def steps(results: Path, name: str) -> int:
    with opened(results, name) as run:
        return run.last.step


@on_desktop
def test_a_town_is_begun_paused_and_continued(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    words, name = PageTexts(lang), f"begun-{lang}"
    page = visit(f"/?lang={lang}", size)
    page.get_by_role("button", name=words["New town"]).press("Enter")
    form = page.locator("#new-town")
    form.locator("[name=world][value=minitown]").check()
    expect(form.locator("[name=who]")).to_have_count(6)
    form.locator("[name=name]").fill(name)
    form.locator("[name=who]").first.press("Space")
    form.locator("[name=llm]").select_option("scripted")
    expect(form.locator(".cost")).to_have_text(words["free; a game day takes about a minute"])
    assert look(page, "new town") == []
    form.locator("[name=hours]").select_option("162")
    form.locator("[name=name]").press("Enter")
    expect(page).to_have_url(re.compile(f"name={name}"))
    with opened(results, name) as run:
        assert (len(run.manifest.residents), run.manifest.lang, run.planned_end) == (5, lang, 972)
    page.goto(page.url.split("/?")[0] + f"/?lang={lang}")
    card = page.locator(f"[data-run={name}]")
    expect(card.locator(".state")).to_have_class(re.compile("running"))
    card.locator("[data-act=pause]").press("Enter")
    expect(card.locator(".state")).to_have_class(re.compile("stopped"))
    rested = steps(results, name)
    assert rested < 972
    assert not is_held(run_folder(results, name))
    card.locator("[data-act=go]").press("Enter")
    expect(card.locator("[data-act=pause]")).to_be_enabled()
    card.locator("[data-act=pause]").press("Enter")
    expect(card.locator(".state")).to_have_class(re.compile("stopped"))


def test_a_town_is_begun_only_when_all_choices_are_there(visit: Visit) -> None:
    page = visit("/?lang=en")
    held: list[Any] = []
    page.route("**/api/v1/offers*", lambda route: held.append(route))
    with page.expect_request("**/api/v1/offers*"):
        page.click("[data-act=new-town]")
    form = page.locator("#new-town")
    expect(form.locator("button.primary")).to_be_disabled()
    high = form.locator(".people").bounding_box()["height"]
    held[0].continue_()
    expect(form.locator("button.primary")).to_be_enabled()
    assert high >= 100


def test_a_town_of_nobody_is_not_begun(visit: Visit, results: Path) -> None:
    page = visit("/?lang=en")
    page.click("[data-act=new-town]")
    form = page.locator("#new-town")
    form.locator("[name=world][value=minitown]").check()
    expect(form.locator("[name=who]")).to_have_count(6)
    form.locator("[name=name]").fill("empty")
    for box in form.locator("[name=who]").all():
        box.uncheck()
    form.locator("button.primary").click()
    expect(form.locator(".failure")).to_have_text("Choose somebody.")
    assert not run_folder(results, "empty").exists()


@on_phone
def test_who_steps_in_after_the_end_lets_the_town_go_on(
    visit: Visit,
    results: Path,
    tmp_path_factory: pytest.TempPathFactory,
    size: dict[str, int],
    lang: Lang,
) -> None:
    words, name = PageTexts(lang), f"over-{lang}"
    over(results, tmp_path_factory, name)
    page = visit(
        f"/?name={name}&lang={lang}&step=6&minute=10&paused=1&tab=speak",
        size,
        reduced_motion="reduce",
    )
    expect(page.locator(".run-state")).to_contain_text("07:00")
    if size["width"] < 700:
        page.press("#panel-toggle", "Enter")
    page.locator(".speak-form select").first.select_option("tell")
    page.locator(".speak-form input").first.fill("You want to sing" if lang == "en" else "唱歌")
    page.locator(".speak-form button").press("Enter")
    expect(page.locator(".speak-status")).to_have_text(
        words["Added. The run rests: let it go on, so that it happens."]
    )
    page.locator(".run-bar select").first.select_option("1")
    assert look(page, "step in") == []
    page.get_by_role("button", name=words["Go on"], exact=True).press("Enter")
    expect(page.locator(".speak-list .moment")).to_contain_text("07:00")
    page.locator(".speak-list .moment").press("Enter")
    expect(page.locator("#hour")).to_have_text("07:00")
    assert steps(results, name) > 6


def over(results: Path, factory: pytest.TempPathFactory, name: str) -> None:
    """A run that has reached its end at 07:00."""
    set_out(beside(lived_day, factory), results, 6, name)


def test_a_branch_is_made_at_the_moment_shown(
    visit: Visit, results: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    over(results, tmp_path_factory, "trunk")
    page = visit("/?name=trunk&lang=en&step=4&minute=0&paused=1&tab=speak", reduced_motion="reduce")
    page.get_by_role("button", name="Branch here").first.press("Enter")
    expect(page.locator(".branch h3")).to_contain_text("06:30")
    assert look(page, "branch") == []
    page.locator(".branch input").fill("twig")
    page.locator(".branch input").press("Enter")
    expect(page).to_have_url(re.compile("name=twig"))
    expect(page.locator("#hour")).to_have_text("06:30")
    expect(page.locator(".run-state")).to_contain_text("06:30")
    assert steps(results, "twig") == 3
    page.locator(".speak-form input").first.fill("hello")
    page.locator(".speak-form button").press("Enter")
    page.get_by_role("button", name="Withdraw").press("Enter")
    expect(page.locator(".speak-list li.waiting")).to_have_count(0)
    assert Inbox(run_folder(results, "twig")).interventions() == []


@on_phone
def test_a_branch_lives_beside_its_original(
    visit: Visit,
    results: Path,
    tmp_path_factory: pytest.TempPathFactory,
    size: dict[str, int],
    lang: Lang,
) -> None:
    """From the list, by the keyboard: both towns on one clock, where they part and why, the first
    who does anything else, and its moment.
    """
    words = PageTexts(lang)
    if not run_folder(results, "oak").exists():
        set_out(beside(lived_day, tmp_path_factory), results, 9, "oak")
        beside(parted, results)
    page = visit(f"/?lang={lang}", size, reduced_motion="reduce")
    page.get_by_role("link", name=f"{words['Beside “{name}”'].format(name='oak')}: bough").press(
        "Enter"
    )
    line = page.locator("#beside-line")
    expect(line).to_contain_text(words["They part on {time}: {cause}."].split("{")[0])
    expect(line.locator(".link")).to_contain_text("07:00")
    expect(page.locator("#twin")).to_be_visible()
    line.locator(".link").press("Enter")
    assert look(page, "beside") == []
    for town in ("#town", "#twin"):
        assert page.locator(town).bounding_box()["height"] > 100
    expect(line).to_contain_text(words["Now {count} of {all} live otherwise."].split("{")[0])
    if size["width"] < 700:
        page.press("#panel-toggle", "Enter")
    page.locator("#beside").press("Enter")
    expect(page.locator("#twin")).to_be_hidden()


def parted(results: Path) -> None:
    """`bough`, a branch of `oak` from 06:30 on that has lived until 07:30 with another seed, and with
    a fire in the park at 07:00, to which residents respond at once.
    """
    with opened(results, "oak") as run:
        manifest = run.manifest.model_copy(update={"name": "bough", "parent": "oak@3", "seed": 99})
        fork_run(results, run, 3, manifest, 9, None, (), world_files(run))
    with opened(results, "bough") as run:
        run.ask([Intervention("event", "park/grounds", "A fire breaks out", 7)])
    live(results, 6, world=minitown("en"), name="bough")


def test_nothing_offers_to_run_towns_where_it_is_off(
    visit: Visit, results: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    over(results, tmp_path_factory, "watched")
    page: Any = visit("/?lang=en")
    expect(page.locator("[data-act=new-town]")).to_have_count(1)
    page.route(
        "**/?name=watched*",
        lambda route: route.fulfill(
            body=route.fetch()
            .text()
            .replace(" data-may-change", "")
            .replace(" data-may-visit", ""),
            content_type="text/html",
        ),
    )
    page.goto(page.url.split("/?")[0] + "/?name=watched&lang=en&tab=speak&step=1")
    expect(page.locator(".run-state")).to_contain_text("07:00")
    expect(page.locator(".run-bar button:visible")).to_have_count(0)
