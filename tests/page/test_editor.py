"""The editor as somebody uses it: copies a world, changes a resident, is told what is wrong as it
is typed, saves, and takes it back.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hometown.authoring.editing import residents_of
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world
from hometown.world.load import list_worlds, load_world
from tests.page.browsing import DESKTOP, LOOK, PHONE, expect, until
from tests.page.conftest import Visit
from tests.page.looking import look
from tests.support.page_views import served


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's worlds: one."""
    root = tmp_path_factory.mktemp("worlds")
    make_world("dale", ["en", "zh"], root)
    return root


@pytest.fixture(scope="module")
def address(worlds: Path) -> str:
    return served(worlds / "results", worlds)


def told(page: Any, text: str) -> None:
    expect(page.locator("#resident .said")).to_contain_text(text)


def test_a_copy_is_edited(visit: Visit, worlds: Path) -> None:
    page = visit("/edit?lang=en", DESKTOP)
    expect(page.locator("article")).to_have_count(len(list_worlds()) + 1)
    assert look(page, "worlds") == []
    page.locator("article", has_text="dale").get_by_role("button", name="Copy").click()
    page.fill("#copy input", "vale")
    page.press("#copy input", "Enter")
    page.wait_for_url("**/edit?world=vale&lang=en")
    age = page.get_by_label("Age", exact=True)
    age.fill("300")
    expect(page.locator("#problems .error")).to_contain_text("age")
    age.fill("61")
    expect(page.locator("#problems .error")).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    told(page, "Saved.")
    assert residents_of(worlds / "vale")["ada"]["age"] == 61
    page.get_by_role("button", name="Undo").click()
    told(page, "As it was before.")
    assert residents_of(worlds / "vale") == residents_of(worlds / "dale")
    page.get_by_role("button", name="Remove this resident").click()
    told(page, "no longer lives here")
    assert set(residents_of(worlds / "vale")) == {"ben"}
    page.get_by_role("button", name="Undo").click()
    told(page, "As it was before.")
    assert (
        residents_of(worlds / "vale")["ben"]["relations"]
        == residents_of(worlds / "dale")["ben"]["relations"]
    )


def test_while_a_resident_is_saved_nothing_can_be_typed_or_saved_again(
    visit: Visit, worlds: Path
) -> None:
    make_world("glen", ["en"], worlds)
    page = visit("/edit?world=glen&lang=en", DESKTOP)
    age = page.get_by_label("Age", exact=True)
    age.fill("41")
    held: list[Any] = []
    saved = re.compile(r"/residents/ada\?")
    page.route(saved, lambda route: held.append(route))
    page.get_by_role("button", name="Save").dblclick()
    until(page, "document.querySelector('main').inert")
    page.keyboard.type("2")
    assert age.input_value() == "41"
    page.evaluate(LOOK)
    assert len(held) == 1
    held[0].continue_()
    told(page, "Saved.")
    page.unroute(saved)
    assert residents_of(worlds / "glen")["ada"]["age"] == 41
    page.get_by_label("Age", exact=True).fill("42")
    with page.expect_response(saved):
        page.get_by_role("button", name="Save").click()
    assert residents_of(worlds / "glen")["ada"]["age"] == 42


def test_a_residents_form_is_good_to_look_at_on_a_phone(visit: Visit) -> None:
    page = visit("/edit?world=dale&lang=zh", PHONE)
    expect(page.locator("#resident > details").first).to_be_visible()
    for section in page.locator("#resident > details > summary").all()[2:]:
        section.click()
    assert look(page, "editor") == []


def test_a_town_is_drawn_and_someone_moves_in(visit: Visit, worlds: Path) -> None:
    page = visit("/edit?lang=en", DESKTOP)
    page.get_by_role("button", name="Draw a new town").click()
    page.fill("#blank [name=name]", "meadow")
    page.press("#blank [name=name]", "Enter")
    page.wait_for_url("**/edit?world=meadow&lang=en&town=1")
    page.get_by_role("button", name="Building").click()
    page.get_by_role("button", name="cottage").click()
    page.locator(".land").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#painter .said")).to_have_text("Saved.")
    assert look(page, "town") == []
    page.get_by_role("link", name="Residents").click()
    page.get_by_role("button", name="New resident").click()
    page.get_by_role("button", name="Another face").click()
    expect(page.get_by_label("Skin")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    told(page, "Saved.")
    assert lint(worlds / "meadow").errors == 0
    assert residents_of(worlds / "meadow")["rosa_quill"]["look"]["skin"]


def test_what_ships_is_only_looked_at(visit: Visit) -> None:
    page = visit("/edit?world=minitown&lang=en", DESKTOP)
    expect(page.locator("#resident .acts")).to_contain_text("copy it to change it")
    assert page.locator("#resident :is(input, textarea, select):enabled").count() == 0


def test_a_room_is_painted_by_the_keyboard(visit: Visit, worlds: Path) -> None:
    page = visit("/edit?world=dale&lang=en&rooms=1", DESKTOP)
    page.select_option("#painter select >> nth=0", "park/green")
    page.select_option("#painter select >> nth=2", "piano")
    page.locator(".tile:not(.thing)").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#painter .said")).to_have_text("Saved.")
    assert "park/green/piano" in load_world(worlds / "dale", "en").things
    assert [one for one in look(page, "painter") if 'class="tile' not in one[-1]] == [], (
        "of the tiles one is in the row of the tabulator, arrows lead to the others"
    )
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert "park/green/piano" not in load_world(worlds / "dale", "en").things
