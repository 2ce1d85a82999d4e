"""Knowing residents, asking why and reading, as people do it: in a browser, at both sizes and in
both languages.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hometown.language import Lang
from hometown.storage.run_names import file_of
from tests.page.browsing import (
    DESKTOP,
    LIVED,
    PHONE,
    begun,
    expect,
    fits,
    on_desktop,
    on_phone,
    settled,
    until,
    ways,
)
from tests.page.conftest import Visit
from tests.support.page_texts import PageTexts
from tests.support.town import minitown


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def one(results: Path, lang: str, query: str) -> Any:
    """The first row of a query to a run's database."""
    with sqlite3.connect(file_of(results, f"lived-{lang}")) as database:
        return database.execute(query).fetchone()


def opened(visit: Visit, size: dict[str, int], lang: str, **query: str | int) -> Any:
    """The page, with the sheet up on a phone."""
    more = "".join(f"&{key}={value}" for key, value in query.items())
    page = visit(
        f"/?name=lived-{lang}&step={LIVED}&lang={lang}{more}", size, reduced_motion="reduce"
    )
    begun(page) if query.get("tab", "town") == "town" else expect(
        page.locator("#notice")
    ).to_be_hidden()
    if size == PHONE:
        page.click("#panel-toggle")
    return page


# knowing a resident -----------------------------------------------------------------------------


@ways
def test_a_resident_is_known(visit: Visit, results: Path, size: dict[str, int], lang: Lang) -> None:
    (who,) = one(results, lang, "SELECT resident FROM memories WHERE type = 'chat' LIMIT 1")
    page, words = opened(visit, size, lang), PageTexts(lang)
    page.click("#tab-area-person")
    expect(page.locator(".offer")).to_have_count(len(minitown(lang).personas))
    page.locator(".offer", has_text=minitown(lang).personas[who].name).click()
    expect(page.locator(".picker")).to_have_value(who)
    expect(page).to_have_url(re.compile(f"resident={who}"))
    expect(page.locator(".now .doing")).not_to_be_empty()
    expect(page.locator(".stretch.present")).to_have_count(1)
    expect(page.locator(".tasks .mark").first).to_be_attached()
    page.click(".segments [data-id=relations]")
    expect(page.locator(".relation .closeness").first).to_be_visible()
    expect(page.locator(".last-conversations li").first).to_be_visible()
    page.click(".segments [data-id=about]")
    expect(page.locator(".about")).to_contain_text(words["Character"])
    assert fits(page)


def test_what_a_talk_changed_is_told(visit: Visit, results: Path) -> None:
    (key, step) = one(
        results,
        "en",
        "SELECT key, max(step) FROM state WHERE key LIKE 'schedule/%' AND CAST(value AS TEXT) LIKE '%\"origin\":\"%-%' GROUP BY key LIMIT 1",
    )
    page = visit(
        f"/?name=lived-en&step={step + 1}&lang=en&tab=resident&resident={key.split('/')[1]}",
        reduced_motion="reduce",
    )
    expect(page.locator(".changed .person").first).not_to_be_empty()
    expect(page.locator(".instead del").first).not_to_be_empty()
    page.locator(".changed .moment").first.click()
    expect(page.locator("#scrub")).not_to_have_value(str(step * 60))


@on_phone
def test_memories_are_found(visit: Visit, results: Path, size: dict[str, int], lang: Lang) -> None:
    (who, text) = one(
        results, lang, "SELECT resident, text FROM memories WHERE type = 'chat' LIMIT 1"
    )
    page, words = opened(visit, size, lang, tab="resident", resident=who), PageTexts(lang)
    page.click(".segments [data-id=memories]")
    expect(page.locator(".memory").first).to_be_visible()
    page.click(".chip.of-chat")
    expect(page.locator(".memory:not(.of-chat)")).to_have_count(0)
    page.fill("#memory-text", text[:12])
    expect(page.locator(".memory-text", has_text=text).first).to_be_visible()
    page.fill("#memory-text", "")
    page.click(".segments [data-id=score]")
    expect(page.locator(".memory-list .note")).to_contain_text(
        words["type a question to rank them"]
    )
    page.fill("#memory-query", text)
    expect(page.locator(".memory-list .note")).to_contain_text(
        words["ranked by the run’s own embeddings"]
    )
    expect(page.locator(".memory .memory-text").first).to_have_text(text)
    expect(page.locator(".memory").first.locator(".scores dt")).to_have_count(3)
    assert fits(page)


def test_keys_typed_into_a_field_do_not_move_the_player(visit: Visit, results: Path) -> None:
    (who,) = one(results, "en", "SELECT resident FROM memories LIMIT 1")
    page = opened(visit, DESKTOP, "en", tab="resident", resident=who)
    page.click(".segments [data-id=memories]")
    before = page.input_value("#scrub")
    page.locator("#memory-text").press_sequentially("f ? + 0")
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#scrub") == before
    assert not page.is_visible("#help")


@on_phone
def test_ways_are_drawn_over_the_town(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    (who,) = one(
        results,
        lang,
        "SELECT resident FROM trajectories GROUP BY resident ORDER BY count(*) DESC LIMIT 1",
    )
    page = opened(visit, size, lang, tab="resident", resident=who)
    settled(page)
    page.evaluate("window.before = document.querySelector('#town').toDataURL()")
    page.click(".segments [data-id=places]")
    expect(page.locator(".place-bars li").first).to_be_visible()
    until(page, "document.querySelector('#town').toDataURL() !== window.before")
    page.uncheck("input[name=trail]")
    page.uncheck("input[name=heat]")
    until(page, "document.querySelector('#town').toDataURL() === window.before")
    page.click(".segments [data-id=run]")
    assert fits(page)


# why --------------------------------------------------------------------------------------------


@on_desktop
def test_an_action_is_explained(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    (who,) = one(
        results, lang, "SELECT resident FROM calls WHERE kind = 'place' ORDER BY step DESC LIMIT 1"
    )
    page, words = opened(visit, size, lang, tab="resident", resident=who), PageTexts(lang)
    page.click(".now .why-button")
    expect(page.locator("#panel-why .because")).to_be_visible()
    expect(page).to_have_url(re.compile("tab=why.*why=|why=.*tab=why"))
    expect(page.locator("#panel-why .subject")).to_contain_text(minitown(lang).personas[who].name)
    page.locator("#panel-why .moment").first.click()
    assert words["A model call"] in page.inner_text("#panel-why") or words[
        "A rule of the town"
    ] in page.inner_text("#panel-why")
    page.keyboard.press("Escape")
    expect(page.locator("#panel-why")).to_be_hidden()
    page.click(".now .why-button")
    expect(page.locator("#panel-why .because")).to_be_visible()
    assert fits(page)


def test_the_chain_from_habit_to_deed_is_told_and_leads_to_its_moments(
    visit: Visit, results: Path
) -> None:
    who, step = one(
        results,
        "en",
        "SELECT resident, step FROM calls WHERE kind = 'schedule_decompose' AND step > 20 ORDER BY step LIMIT 1",
    )
    page = opened(visit, DESKTOP, "en", tab="why", why=f"resident%3D{who}%26step%3D{step}")
    chain = page.locator("#panel-why .chain li")
    expect(chain.first).to_contain_text(minitown("en").personas[who].daily_plan)
    words = PageTexts("en")
    told = dict(line.split("\n", 1) for line in chain.all_inner_texts())
    assert list(told) == [
        words[link]
        for link in ("Usual day", "Plan", "Hour", "Task", "Place", "Deed")
        if words[link] in told
    ]
    begin, end = re.match(r"(\d\d:\d\d)–(\d\d:\d\d)", told[words["Hour"]]).groups()
    assert begin <= told[words["Deed"]][4:9] < end
    assert "/" not in told[words["Place"]], "a place is named in words"
    page.locator(".chain li").nth(1).locator(".link").click()
    expect(page).to_have_url(re.compile("plan%3D1"))
    expect(page.locator("#panel-why .chain")).to_have_count(0)
    page.click(".back")
    page.locator(".chain .moment").last.click()
    expect(page.locator("#hour")).to_have_text(
        page.locator(".chain .moment").last.inner_text()[-5:]
    )


@on_phone
def test_a_line_is_explained_by_the_memories_behind_it(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    page, words = opened(visit, size, lang, tab="conversations"), PageTexts(lang)
    page.locator(".lines summary").first.click()
    expect(page.locator(".lines[open]")).to_have_count(1)
    page.click("#panel-conversations .segments [data-id=list]")
    expect(page.locator(".lines[open]")).to_have_count(1)
    said = page.locator(".spoken li").nth(1)
    text = said.locator("p").inner_text()
    said.locator(".why-button").click()
    why = page.locator("#panel-why")
    expect(why.locator("blockquote")).to_have_text(text)
    expect(why.locator(".outcome")).to_have_text(words["valid at once"])
    expect(why.locator(".because .model")).to_have_text(words["scripted (no language model)"])
    expect(why.locator(".memory .scores").first).to_be_visible()
    why.locator(".prompt summary").click()
    expect(why.locator(".message pre").first).not_to_be_empty()
    assert fits(page)


@on_desktop
def test_a_thought_leads_down_to_what_was_lived(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    (who, number) = one(
        results,
        lang,
        "SELECT resident, id FROM memories WHERE type = 'thought' AND evidence <> '[]' LIMIT 1",
    )
    page = opened(visit, size, lang, tab="why", why=f"resident%3D{who}%26memory%3D{number}")
    why = page.locator("#panel-why")
    first = why.locator(".evidence .link").first
    text = first.inner_text()
    first.click()
    expect(why.locator("blockquote")).to_have_text(text)
    page.click(".back")
    expect(why.locator(".evidence .link").first).to_have_text(text)
    assert fits(page)


def test_a_fallback_is_named_as_one(visit: Visit, results: Path) -> None:
    who, step, ordinal = one(
        results,
        "en",
        "SELECT resident, step, ordinal FROM calls WHERE kind = 'react' ORDER BY step DESC LIMIT 1",
    )
    with sqlite3.connect(file_of(results, "lived-en")) as database:
        key = (b'[{"text":"<b>nonsense</b>","error":"no JSON in it"}]', step, who, ordinal)
        database.execute(
            "UPDATE calls SET outcome = 'fallback', attempts = ? WHERE kind = 'react' AND step = ? AND resident = ? AND ordinal = ?",
            key,
        )
    page = visit(
        f"/?name=lived-en&lang=en&tab=why&why=resident%3D{who}%26step%3D{step}%26kind%3Dreact%26ordinal%3D{ordinal}"
    )
    expect(page.locator(".outcome")).to_have_text(PageTexts("en")["fallback"])
    expect(page.locator(".attempts")).to_contain_text("<b>nonsense</b>")
    expect(page.locator(".attempts .error")).to_have_text("no JSON in it")


# reading ----------------------------------------------------------------------------------------


NEAR = """(() => { const panel = document.querySelector('#panel-conversations').getBoundingClientRect();
                   const tick = Number(document.querySelector('#scrub').value);
                   const card = [...document.querySelectorAll('.conversation-card')].findLast((one) => Number(one.dataset.tick) <= tick);
                   const at = card?.getBoundingClientRect();
                   return Boolean(at) && at.top >= panel.top - 1 && at.top < panel.bottom; })()"""
"""Whether the talk begun last by the moment shown is in sight."""


def test_talks_go_along_with_the_moment(visit: Visit, results: Path) -> None:
    page = opened(visit, PHONE, "en", tab="conversations")
    cards = page.locator("#panel-conversations .conversation-card")
    expect(cards.first).to_be_visible()
    for step in (LIVED - 2, LIVED // 2, LIVED - 5):
        page.locator("#scrub").fill(str(step * 60))
        until(page, NEAR)
    expect(page.locator(".conversations-tab .now")).to_be_hidden()
    cards.last.locator("summary").click()
    page.locator("#scrub").fill(str(LIVED // 2 * 60))
    expect(page.locator(".conversations-tab .now")).to_be_visible()
    page.locator(".conversations-tab .now").click()
    until(page, NEAR)


@on_desktop
def test_talks_are_searched_and_jumped_to(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    (summary,) = one(
        results,
        lang,
        "SELECT text FROM memories WHERE type = 'chat' GROUP BY text HAVING COUNT(*) > 1 ORDER BY step DESC LIMIT 1",
    )
    page = opened(visit, size, lang, tab="conversations")
    page.fill("#conversation-text", summary)
    expect(page.locator(".conversation-card")).to_have_count(1)
    expect(page.locator(".conversation-card .summary")).to_have_text(summary)
    page.click(".conversation-card .moment")
    expect(page.locator(".conversation-card")).to_have_attribute("aria-current", "true")
    page.fill("#conversation-text", "no such words")
    expect(page.locator("#panel-conversations .empty")).to_be_visible()
    assert fits(page)


@on_phone
def test_threads_show_a_pair(visit: Visit, size: dict[str, int], lang: Lang) -> None:
    page = opened(visit, size, lang, tab="conversations")
    page.click(".segments [data-id=threads]")
    names = page.locator(".thread .names").first.inner_text()
    page.locator(".thread").first.click()
    expect(page.locator(".whose")).to_contain_text(names)
    expect(page.locator(".spoken").first).to_be_visible()
    assert fits(page)


@on_desktop
def test_a_diary_is_read(visit: Visit, results: Path, size: dict[str, int], lang: Lang) -> None:
    (who,) = one(results, lang, "SELECT opener FROM conversations LIMIT 1")
    page = opened(visit, size, lang, tab="diary", resident=who)
    expect(page.locator(".story").first).to_be_visible()
    page.click(".timetable > summary")
    expect(page.locator(".stay").first).to_be_visible()
    expect(page.locator(".doings .conversation-card").first).to_be_visible()
    expect(page.locator(".stay[aria-current]")).to_have_count(
        0 if page.input_value("#scrub") == str(LIVED * 60) else 1
    )
    page.locator(".stay .moment").first.click()
    expect(page.locator("#hour")).to_have_text("06:00")
    assert fits(page)


def test_the_report_is_a_click_away(visit: Visit) -> None:
    page = opened(visit, DESKTOP, "en", tab="diary")
    with page.expect_download() as download:
        page.click("#panel-diary .download")
    assert download.value.suggested_filename == "lived-en.md"
    assert download.value.path().read_text("utf-8").startswith("# ")


def test_tabs_go_by_keys_and_stand_in_the_address(visit: Visit) -> None:
    page = opened(visit, DESKTOP, "en")
    page.focus("#tab-area-town")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-area-person")).to_be_focused()
    expect(page.locator("#panel-resident")).to_be_visible()
    expect(page).to_have_url(re.compile("tab=resident"))
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-diary")).to_be_focused()
    expect(page).to_have_url(re.compile("tab=diary"))
    page.reload()
    for tab in ("area-person", "diary"):
        expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")


def test_why_lies_over_the_panel_until_it_is_closed(visit: Visit, results: Path) -> None:
    (who,) = one(results, "en", "SELECT resident FROM memories WHERE type = 'chat' LIMIT 1")
    page = opened(visit, DESKTOP, "en", tab="resident", resident=who)
    why = page.locator(".now .why-button")
    page.get_by_role("tab", name=PageTexts("en")["Profile"]).focus()
    why.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=PageTexts("en")["Why"])).to_be_focused()
    expect(page).to_have_url(re.compile("why=resident"))
    page.keyboard.press("Escape")
    expect(page.locator("#panel-why")).to_be_hidden()
    expect(why).to_be_focused()
    expect(page).not_to_have_url(re.compile("why="))
    expect(page).to_have_url(re.compile("tab=resident"))
