"""What happens in a town matters to the people in it: a fire, an alarm at night, a broken stove, an
unmade bed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hometown.agent.mind import Mind
from hometown.cli.start import main
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world.effects import Arrived, Began, Refused, Rescheduled, TalkEnded
from hometown.world.incidents import ConditionSet, UnfoldingHappening
from hometown.world.interventions import Intervention
from tests.support.days import lived_day, set_out
from tests.support.fake_models import Wrapped
from tests.support.laws import laws
from tests.support.once import made_once
from tests.support.town import live, minitown, opened, state_of

NOON, STOVE = 36, "zhao_home/living/stove"
FIRE = {"en": "A fire breaks out behind the counter", "zh": "柜台后面着火了"}
BROKEN = {"en": "broken", "zh": "坏了"}


def wished(results: Path, *interventions: Intervention) -> None:
    with opened(results) as run:
        run.ask(interventions)


def effects(run: RunFile, kind: type[Any], first: int = 0) -> list[tuple[int, Any]]:
    return [
        (step, logged.effect)
        for step, logged in run.effects(first)
        if isinstance(logged.effect, kind)
    ]


def reactions(run: RunFile, first: int) -> list[tuple[int, Any]]:
    return [
        (step, effect)
        for step, effect in effects(run, Rescheduled, first)
        if effect.reason.startswith("react:")
    ]


def burning_day(factory: pytest.TempPathFactory, lang: Lang) -> Path:
    """A day of minitown with a fire in the café at noon and a stove that is broken since eleven;
    each language once.
    """

    def make(folder: Path) -> None:
        set_out(lived_day(factory, lang), folder, NOON - 6)
        wished(
            folder,
            Intervention("set", STOVE, BROKEN[lang]),
            Intervention("event", "cafe/main", FIRE[lang], NOON + 1),
        )
        live(folder, 48, world=minitown(lang), after_each=laws)

    return made_once(factory, f"burning-{lang}", make)


@pytest.mark.parametrize("lang", LANGS)
def test_who_sees_or_hears_a_fire_acts_on_it_and_no_one_else_knows_of_it(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    folder = burning_day(tmp_path_factory, lang)
    with opened(folder) as run:
        acted = {effect.who: step for step, effect in reversed(reactions(run, NOON + 1))}
        rows = run.database.execute(
            "SELECT resident, step, talk FROM memories WHERE text LIKE ? ORDER BY step, id",
            (f"%{FIRE[lang]}%",),
        ).fetchall()
        talks = {talk.id: set(talk.people) for talk in run.conversations()}
        first = {who: (step, talk) for who, step, talk in reversed(rows)}
    saw = {who: step for who, (step, talk) in first.items() if not talk}
    assert saw, "nobody was near: the test shows nothing"
    assert len([who for who, step in saw.items() if acted.get(who, 999) <= step + 1]) >= 0.7 * len(
        saw
    )
    for who, (step, talk) in first.items():
        if talk:
            assert any(
                first[other][0] <= step for other in talks[talk] - {who} if other in first
            ), f"{who} knows of the fire from nowhere"


@pytest.mark.parametrize("lang", LANGS)
def test_nobody_cooks_on_a_broken_stove_until_somebody_has_mended_it(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    folder = burning_day(tmp_path_factory, lang)
    kind = minitown(lang).condition_kind(STOVE, BROKEN[lang])
    with opened(folder) as run:
        mended = next(
            (
                step
                for step, effect in effects(run, ConditionSet, NOON - 5)
                if effect.address == STOVE and not effect.text
            ),
            999,
        )
        came = [
            effect.who
            for step, effect in effects(run, Refused, NOON - 5)
            if effect.address == STOVE and step <= mended
        ]
        doing: dict[str, str] = {}
        for step, logged in run.effects(NOON - 5):
            if isinstance(logged.effect, Began):
                doing[logged.effect.who] = logged.effect.action.activity
            elif (
                isinstance(logged.effect, Arrived)
                and logged.effect.address == STOVE
                and step < mended
            ):
                assert kind.rights(doing[logged.effect.who])
        noticed = run.database.execute(
            "SELECT count(*) FROM memories WHERE subject = ? AND predicate = ?",
            (STOVE, BROKEN[lang]),
        ).fetchone()[0]
    assert noticed
    assert came or mended < 999
    assert (state_of(folder).condition(STOVE) == "") == (mended < 999)


def test_the_day_is_repeated_to_the_letter(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert (
        main(
            [
                "--verify",
                "town",
                "--results",
                str(burning_day(tmp_path_factory, "en")),
                "--lang",
                "en",
            ]
        )
        == 0
    )


def test_an_alarm_at_night_wakes_who_is_near_and_lets_the_others_sleep(tmp_path: Path) -> None:
    night = datetime(2025, 2, 13, 2, 0)
    live(tmp_path, 1, start=night)
    wished(tmp_path, Intervention("event", "zhao_home/living", "The alarm goes off"))
    woken: set[str] = set()

    def look(game: Game) -> None:
        laws(game)
        woken.update(who for who in game.world.personas if not game.state.is_asleep(who))

    live(tmp_path, 2, after_each=look)
    with opened(tmp_path) as run:
        heard = {
            who
            for (who,) in run.database.execute(
                "SELECT DISTINCT resident FROM memories WHERE step > 1 AND text LIKE '%alarm%'"
            )
        }
    assert {"zhao_gang", "xiao_mei"} <= heard
    assert woken
    assert woken <= heard
    live(tmp_path, 12, after_each=laws)
    assert sum(state_of(tmp_path).is_asleep(who) for who in woken) >= len(woken) - 1, (
        "they go back to bed"
    )


def test_whoever_an_alarm_wakes_wakes_up_as_in_the_morning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waking: set[str] = set()

    async def consolidate(mind: Mind) -> None:
        waking.add(mind.who)

    monkeypatch.setattr("hometown.agent.agent.consolidate", consolidate)
    live(tmp_path, 1, start=datetime(2025, 2, 13, 2, 0))
    wished(tmp_path, Intervention("event", "zhao_home/living", "A fire breaks out"))
    woken: set[str] = set()

    def look(game: Game) -> None:
        woken.update(who for who in game.world.personas if not game.state.is_asleep(who))

    live(tmp_path, 2, after_each=look)
    assert woken
    assert waking == woken


def test_whoever_talks_breaks_off_for_a_fire(tmp_path: Path) -> None:
    talking: list[str] = []

    def find(game: Game) -> None:
        laws(game)
        if not talking:
            talking.extend(who for who in game.world.personas if game.state.talking(who))
            arenas = sorted(
                {game.world.maze.arena_at(game.state.body(who).tile) for who in talking}
            )
            game.run.ask([Intervention("event", arena, "A fire breaks out") for arena in arenas])  # type: ignore[attr-defined]

    live(tmp_path, 60, seed=3, stride=2, start=datetime(2025, 2, 13, 11), after_each=find)
    assert talking
    with opened(tmp_path) as run:
        broken_off = {
            logged.effect.who
            for _, logged in run.effects()
            if isinstance(logged.effect, TalkEnded) and logged.cause == "rule:alarm"
        }
    assert set(talking) <= broken_off


class Listening(Wrapped):
    """Keep the texts of all prompts to residents with the time and the resident."""

    def __init__(self) -> None:
        super().__init__(ScriptedModel())
        self.asked: list[tuple[datetime, str, str, str]] = []

    async def answer(self, request: Request, seed: int) -> Completion:
        situation = request.variables.situation
        if request.kind in ("happening", "measure"):  # asked of a reader outside the town
            return await super().answer(request, seed)
        text = "\n".join(message.content for message in request.messages)
        self.asked.append((situation.now, request.people[0], situation.where, text))
        return await super().answer(request, seed)


def test_a_course_is_drafted_once_kept_in_the_run_and_changed_by_the_user(tmp_path: Path) -> None:
    bear = Intervention("event", "cafe/main", "A bear walks in", memory='{"weight": 10}')
    live(tmp_path, 1, start=datetime(2025, 2, 13, 12))
    wished(tmp_path, bear)
    live(tmp_path, 1)
    (happening,) = state_of(tmp_path).happenings
    assert isinstance(happening, UnfoldingHappening)
    assert (happening.course.weight, happening.course.helpers) == (10, "the ranger")
    wished(tmp_path, replace(bear, memory='{"reach": 30, "means": ["ringing the bell"]}'))
    live(tmp_path, 1)
    (changed,) = state_of(tmp_path).happenings
    assert isinstance(changed, UnfoldingHappening)
    assert (changed.course.weight, changed.reach) == (10, 30)
    assert changed.course.means == ("ringing the bell",)
    assert changed.since == happening.since
    with opened(tmp_path) as run:
        drafts = [call for call in run.calls(1, 3) if call.kind == "happening"]
    assert len(drafts) == 1


@pytest.mark.parametrize("lang", LANGS)
def test_a_fire_and_its_end_are_in_every_prompt_of_those_in_its_room(
    tmp_path: Path, lang: Lang
) -> None:
    model, burning, cafe = Listening(), [], minitown(lang).place_name("cafe/main")

    def set_on_fire(game: Game) -> None:
        if game.state.clock.step == 1:
            game.run.ask([Intervention("event", "cafe/main", FIRE[lang])])  # type: ignore[attr-defined]
        if any(happening.text == FIRE[lang] for happening in game.state.happenings):
            burning.append(game.state.clock.now)

    live(
        tmp_path,
        24,
        world=minitown(lang),
        start=datetime(2025, 2, 13, 12),
        model=model,
        after_each=set_on_fire,
    )
    out = {"en": "The fire is out", "zh": "火灭了"}[lang]
    whole = burning[:-1]  # in the last step they put it out
    inside = [text for now, _, where, text in model.asked if now in whole and where == cafe]
    assert inside
    assert [text for text in inside if FIRE[lang] not in text] == []
    remedy = {"en": "putting out the fire", "zh": "灭火"}[lang]
    assert all(remedy in text for text in inside)
    with opened(tmp_path) as run:
        ends = run.database.execute(
            "SELECT resident, created, text FROM memories WHERE predicate = 'ended' ORDER BY step"
        ).fetchall()
    assert ends
    assert len({who for who, _, _ in ends}) == len(ends)
    assert all(out in text for _, _, text in ends)
    saw = {who: datetime.fromisoformat(created) for who, created, _ in ends}
    after = [
        text
        for now, who, where, text in model.asked
        if who in saw
        and now > saw[who]
        and now - saw[who] <= (timedelta(hours=1) if where == cafe else timedelta(minutes=10))
    ]
    assert after
    assert all(out in text for text in after), "there for an hour, elsewhere once"


def test_what_use_leaves_stays_until_somebody_of_the_house_puts_it_in_order(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with opened(lived_day(tmp_path_factory)) as run:
        changes = [
            (step, logged)
            for step, logged in run.effects()
            if isinstance(logged.effect, ConditionSet)
        ]
    left = [logged for _, logged in changes if logged.effect.text]
    put_right = [logged for _, logged in changes if not logged.effect.text]
    assert {logged.cause for logged in left} == {"rule:use"}
    assert put_right
    assert {logged.cause for logged in put_right} == {"rule:put_right"}
    for logged in put_right:
        house = logged.effect.address.split("/")[0]
        assert house in {
            place.split("/")[0]
            for place in (
                minitown().personas[logged.who].home,
                *(h.place for h in minitown().personas[logged.who].habits),
            )
        }


def test_words_that_a_user_makes_up_are_noticed_and_forbid_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    set_out(lived_day(tmp_path_factory), tmp_path, 40)
    wished(tmp_path, *(Intervention("set", one, "full of quokkas") for one in minitown().things))
    live(tmp_path, 10, after_each=laws)
    with opened(tmp_path) as run:
        assert run.database.execute(
            "SELECT count(*) FROM memories WHERE text LIKE '%full of quokkas'"
        ).fetchone()[0]
        assert [effect for _, effect in effects(run, Arrived, 42) if effect.thing]
