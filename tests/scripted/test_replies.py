"""The scripted model answers anything that it may be asked, in both languages, and always the same."""

from __future__ import annotations

import asyncio
import json
import string
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.clock import DAY
from hometown.language import LANGS, Lang
from hometown.memory.concept import MEMORY_TYPES, Concept
from hometown.memory.schedule import Entry
from hometown.model.llm import Request
from hometown.prompt.approach_prompt import ApproachVars, PersonInMind
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.clashes import ClashVars
from hometown.prompt.director_prompt import DirectorVars, OpenMatter, OpenPlace
from hometown.prompt.errand_matching import GroundVars, StepsVars
from hometown.prompt.happening_drafts import HappeningVars
from hometown.prompt.interview_answers import InterviewVars
from hometown.prompt.law_drafts import BookEntry, LawVars
from hometown.prompt.measures import MeasureVars
from hometown.prompt.mending import in_words
from hometown.prompt.newcomers import Home, SettlerVars
from hometown.prompt.night_gist import NightGistVars
from hometown.prompt.plans import CurrentlyVars, ScheduleDailyVars, ScheduleInitVars, WakeUpVars
from hometown.prompt.prompt import Situation
from hometown.prompt.reactions import Neighbour, PoignancyVars, RatedEvent, ReactVars
from hometown.prompt.reflections import ChatsVars, FocusVars, InsightsVars
from hometown.prompt.responses import Matter, RespondVars
from hometown.prompt.schema import schema_for
from hometown.prompt.second_thoughts import ReconsiderVars
from hometown.prompt.stranger_drafts import StrangerVars
from hometown.prompt.tasks import DecomposeVars, PlaceVars, Spot
from hometown.prompt.varying import PlanLine, ScheduleChangesVars
from hometown.prompt.verdicts import CheckVars, RankVars
from hometown.prompt.world_edits import GoodsFigure, WorldEditVars
from hometown.scripted.gist import remove_frame
from hometown.scripted.model import ANSWERS, ScriptedModel
from hometown.scripted.pursuits import pastimes
from hometown.scripted.words import clip, read_bank, sentences
from hometown.world.activities import themes
from hometown.world.persona import Habit, Persona
from hometown.world.rows import Promise
from tests.support.examples import examples
from tests.support.prompt_samples import SAMPLES
from tests.support.scripted_answers import DATE, NOW, reply

MINE = sorted(kind for kind, module in ANSWERS.items() if module != "talking")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
SHORT = st.text(string.ascii_letters + " ,.:;“”'河镇读书会，。：", min_size=1, max_size=40).filter(
    lambda text: in_words(text) and not text.strip().startswith(".")  # as replies must
)
MOMENT = st.datetimes(datetime(2025, 2, 10), datetime(2025, 2, 20)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)
RESIDENTS = st.sampled_from(["ida", "tom", "mei"])
HABIT = st.builds(
    lambda start, length, activity, place, tasks, days: Habit(
        start, min(start + length, DAY), activity, place, tuple(tasks), tuple(days)
    ),
    st.integers(0, DAY - 30),
    st.integers(5, 600),
    SHORT,
    st.sampled_from(["home/room", "cafe/main/table", "park/lawn"]),
    st.lists(SHORT, max_size=5),
    st.sets(st.integers(0, 6), max_size=3),
)
PERSONA = st.builds(
    Persona,
    id=st.just("ida"),
    name=st.just("Ida Berg"),
    age=st.just(34),
    occupation=st.just("baker"),
    innate=SHORT,
    learned=SHORT,
    lifestyle=SHORT,
    currently=TEXT,
    daily_plan=SHORT,
    wake=st.integers(0, DAY - 1),
    bed=st.integers(0, DAY - 1),
    home=st.just("home/room"),
    sleeps=st.just("home/room/bed"),
    pronouns=st.sampled_from([(), ("她",), ("she", "her", "her")]),
    interests=st.lists(SHORT, max_size=3).map(tuple),
    habits=st.lists(HABIT, max_size=14).map(tuple),
    relations=st.just({"tom": "neighbour"}),
    closeness=st.just({"tom": 8}),
)
SITUATION = st.builds(
    Situation,
    me=PERSONA,
    currently=TEXT,
    now=MOMENT,
    where=SHORT,
    doing=SHORT,
    names=st.sampled_from([(), (("tom", "Tom Reed"), ("mei", "林梅"))]),
)
CONCEPT = st.builds(
    lambda number, kind, text, subject, predicate, other, poignancy, about: Concept(
        number,
        kind,
        text,
        subject,
        predicate,
        other,
        "cafe/main",
        poignancy,
        NOW,
        NOW + timedelta(days=30),
        about=tuple(about),
    ),
    st.integers(1, 999),
    st.sampled_from(MEMORY_TYPES),
    TEXT,
    RESIDENTS,
    st.one_of(SHORT, st.sampled_from(["hear", "plan", "agree"])),
    RESIDENTS,
    st.integers(1, 10),
    st.lists(RESIDENTS, max_size=2),
)
MEMORIES = st.lists(CONCEPT, max_size=12).map(tuple)
PROMISES = st.lists(
    st.builds(
        Promise,
        SHORT,
        st.just(("ida", "tom")),
        st.sampled_from(["", "park/lawn"]),
        MOMENT,
        st.integers(5, 300),
        st.just("1-ida"),
    ),
    max_size=3,
).map(tuple)
DAYS = st.integers(0, 6).map(lambda shift: DATE + timedelta(days=shift))
HOURS = st.tuples(st.integers(0, DAY - 60), st.integers(60, DAY))
ENTRY = st.builds(
    lambda start, length, activity, kind: Entry(start, min(start + length, DAY), activity, kind),
    st.integers(0, DAY - 1),
    st.integers(1, DAY),
    SHORT,
    st.sampled_from(["activity", "appointment", "talk", "wait", "sleep"]),
)
SPOT = st.builds(
    lambda address, name, taken, tags: Spot(address, name, "", taken, tuple(tags)),
    st.sampled_from(
        [
            "home/room",
            "home/room/bed",
            "cafe/main/window_table",
            "cafe/main",
            "park/lawn/bench",
            "other/room/stove",
        ]
    ),
    SHORT,
    st.booleans(),
    st.lists(st.sampled_from(["home", "sleep", "seat", "cook", "read", "coffee"]), max_size=3),
)
NEIGHBOUR = st.builds(
    Neighbour,
    RESIDENTS,
    SHORT,
    SHORT,
    SHORT,
    st.sampled_from(["", "neighbour"]),
    st.integers(0, 10),
    st.integers(0, 9),
    st.one_of(st.none(), MOMENT),
)

TIMES = st.lists(st.integers(0, DAY - 1), min_size=1, max_size=9, unique=True).map(tuple)
USUAL_DAYS = st.lists(
    st.tuples(st.integers(1, 300), SHORT, st.booleans()), min_size=1, max_size=12
).map(lambda gaps: usual_day(gaps))


def usual_day(gaps: list[tuple[int, str, bool]]) -> tuple[PlanLine, ...]:
    """A usual day from the minutes between its lines; the last line may change, and every line that
    is to.
    """
    starts = accumulate(gap for gap, _, _ in gaps)
    numbers = accumulate((may_change for _, _, may_change in gaps[:-1]), initial=0)
    lines = zip(starts, gaps, numbers, strict=True)
    return tuple(
        PlanLine(start, text, number + 1 if may_change or at == len(gaps) - 1 else 0)
        for at, (start, (_, text, may_change), number) in enumerate(lines)
    )


PLACES = (("cafe/main", "Harbour Café"), ("park/lawn", "Park"))
MATTER = st.builds(
    Matter,
    SHORT,
    st.sampled_from(["seen", "heard", "told"]),
    st.sampled_from(["", "fire", "broken", "unheard of"]),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.one_of(st.just(""), SHORT),
    st.integers(0, 720),
)

SHOP = '{"shop":{"sells":{"c":1}}}'

IN_MIND = st.builds(
    PersonInMind,
    NEIGHBOUR,
    st.sampled_from(["task", "plan", "agreement", "memory"]),
    SHORT,
    st.datetimes(),
    st.sampled_from(["free", "busy", "away"]),
    SHORT,
    st.none(),
    st.integers(0, 60),
    st.sampled_from([("talk",), ("wait",), ("go",), ("go", "wait")]),
)
ANYTHING = {
    "currently": st.builds(CurrentlyVars, SITUATION, DAYS, MEMORIES, PROMISES),
    "wake_up": st.builds(WakeUpVars, SITUATION, DAYS, st.booleans(), TIMES, TIMES),
    "schedule_init": st.builds(
        lambda s, d, h, m, p: ScheduleInitVars(s, d, h[0], h[0] + h[1], m, p),
        SITUATION,
        DAYS,
        HOURS,
        MEMORIES,
        PROMISES,
    ),
    "schedule_daily": st.builds(
        lambda s, d, h, strokes, p, least: ScheduleDailyVars(
            s, d, h[0], h[0] + h[1], tuple(strokes), p, least
        ),
        SITUATION,
        DAYS,
        HOURS,
        st.lists(SHORT, min_size=3, max_size=10),
        PROMISES,
        st.integers(1, 24),
    ),
    "schedule_changes": st.builds(
        lambda s, d, usual, m, p: ScheduleChangesVars(
            s, d, usual[0].start, usual[-1].start + 60, usual, m, p
        ),
        SITUATION,
        DAYS,
        USUAL_DAYS,
        MEMORIES,
        PROMISES,
    ),
    "schedule_decompose": st.builds(
        DecomposeVars,
        SITUATION,
        ENTRY,
        st.none(),
        st.none(),
        st.integers(5, 120),
        st.lists(SHORT.map(str.strip), max_size=6, unique=True).map(tuple),
    ),
    "steps": st.builds(
        lambda s, entry, reach, choices: StepsVars(
            s,
            entry,
            4,
            ("food",),
            20,
            (("bread", 2),),
            (),
            "spring",
            (),
            tuple(reach),
            tuple(choices),
        ),
        SITUATION,
        ENTRY,
        st.lists(SHORT, max_size=4, unique=True),
        st.lists(SHORT.map(str.strip), max_size=6, unique=True),
    ),
    "ground": st.builds(
        lambda s, steps, options: GroundVars(s, tuple(steps), tuple(options)),
        SITUATION,
        st.lists(SHORT, min_size=1, max_size=6),
        st.lists(SHORT, min_size=1, max_size=24),
    ),
    "place": st.builds(
        lambda s, activity, entry, spots, refused: PlaceVars(
            s, activity, entry, 30, "cafe/main", tuple(spots), refused
        ),
        SITUATION,
        SHORT,
        SHORT,
        st.lists(SPOT, min_size=1, max_size=8),
        st.one_of(st.just(""), SHORT),
    ),
    "poignancy": st.builds(
        lambda s, happenings: PoignancyVars(
            s, tuple(happenings), ((1, "routine, brushing teeth"), (8, "losing work"))
        ),
        SITUATION,
        st.lists(
            st.builds(
                RatedEvent,
                TEXT,
                st.sampled_from(MEMORY_TYPES),
                st.lists(RESIDENTS, max_size=2).map(tuple),
            ),
            min_size=1,
            max_size=8,
        ),
    ),
    "react": st.builds(
        lambda s, people, thing, free, memories, plan: ReactVars(
            s, tuple(people), thing, free, memories, tuple(plan)
        ),
        SITUATION,
        st.lists(NEIGHBOUR, max_size=3),
        st.sampled_from(["", "stove"]),
        st.integers(0, 60),
        MEMORIES,
        st.lists(st.tuples(st.integers(0, DAY), SHORT), max_size=2),
    ),
    "approach": st.builds(
        lambda s, people, memories: ApproachVars(s, tuple(people), memories, (), 30),
        SITUATION,
        st.lists(IN_MIND, min_size=1, max_size=2),
        MEMORIES,
    ),
    "measure": st.builds(
        MeasureVars,
        SITUATION,
        SHORT,
        st.lists(SHORT, max_size=3).map(tuple),
        st.sampled_from(["", "the fire brigade"]),
        SHORT,
        SHORT,
    ),
    "director": st.builds(
        lambda s, kind, text, names: DirectorVars(
            s,
            (OpenMatter(kind, text, names),),
            (OpenPlace("a/b", "Lawn", 1),),
            (("ida", "Ida Berg"),),
        ),
        SITUATION,
        st.sampled_from(["quarrel", "happening", "concern"]),
        SHORT,
        st.lists(st.one_of(SHORT, st.just("Ida Berg")), max_size=2).map(tuple),
    ),
    "stranger": st.builds(
        StrangerVars,
        SITUATION,
        st.one_of(SHORT, st.just("a pedlar unpacks old letters and buttons")),
        st.lists(st.one_of(SHORT, st.just("Magnus Vale")), max_size=2).map(tuple),
        st.booleans(),
    ),
    "happening": st.builds(
        HappeningVars, SITUATION, st.one_of(SHORT, st.sampled_from(["A fire breaks out", "着火了"]))
    ),
    "respond": st.builds(
        lambda s, matters, people, memories, asleep, means, danger: RespondVars(
            s,
            tuple(matters),
            tuple(people),
            PLACES,
            memories,
            (),
            asleep,
            means=tuple(means),
            helpers="the doctor" if danger else "",
            danger=danger,
            appointment=(600, "tea") if asleep else None,
        ),
        SITUATION,
        st.lists(MATTER, min_size=1, max_size=3),
        st.lists(NEIGHBOUR, max_size=3),
        MEMORIES,
        st.booleans(),
        st.lists(SHORT, max_size=3),
        st.booleans(),
    ),
    "reconsider": st.builds(
        lambda s, voices, memories: ReconsiderVars(
            s,
            tuple(voices),
            ((600, "bake"),),
            (("cafe/main", "Harbour Café"), ("park/lawn", "Park")),
            memories,
        ),
        SITUATION,
        st.lists(
            st.one_of(TEXT, st.just("Meet Tom at 29:99"), st.just("去公园，下午三点")),
            min_size=1,
            max_size=3,
        ),
        MEMORIES,
    ),
    "clash": st.builds(
        lambda s, promises, new: ClashVars(s, promises, new),
        SITUATION,
        PROMISES,
        PROMISES.filter(bool).map(lambda promises: promises[0]),
    ),
    "reflect_focus": st.builds(FocusVars, SITUATION, MEMORIES, st.integers(1, 10)),
    "reflect_insights": st.builds(InsightsVars, SITUATION, SHORT, MEMORIES, st.integers(1, 10)),
    "reflect_chats": st.builds(ChatsVars, SITUATION, MEMORIES),
    "night_gist": st.builds(NightGistVars, SITUATION, MEMORIES),
    "interview": st.builds(
        InterviewVars,
        SITUATION,
        MEMORIES,
        st.lists(st.tuples(st.integers(0, DAY), SHORT), max_size=3).map(tuple),
        PROMISES,
        st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple),
        st.one_of(TEXT, SHORT),
    ),
    "rank_answers": st.builds(
        RankVars,
        SITUATION,
        MEMORIES,
        st.lists(st.tuples(st.integers(0, DAY), SHORT), max_size=3).map(tuple),
        TEXT,
        st.lists(TEXT, min_size=2, max_size=6).map(tuple),
    ),
    "check_answer": st.builds(
        CheckVars,
        SITUATION,
        MEMORIES,
        st.lists(st.tuples(st.integers(0, DAY), SHORT), max_size=3).map(tuple),
        TEXT,
        TEXT,
    ),
    "world_edit": st.builds(
        lambda s, name, price, earlier: WorldEditVars(
            s,
            ((name, price),),
            (GoodsFigure("c", name, price, price, 40),),
            ((name, price),),
            (BookEntry("recipes/d", (name,), '{"minutes":40,"make":{"c":1}}'),),
            earlier,
        ),
        SITUATION,
        TEXT,
        st.integers(0, 1000),
        st.sampled_from([(), ('{"recipes": {"d": {}}}',)]),
    ),
    "law": st.builds(
        lambda s, words, name: LawVars(
            s,
            f"{name} {words}",
            (BookEntry("fixtures/a/b", (name,), SHOP), BookEntry("kinds/c", (name,), "{}")),
        ),
        SITUATION,
        st.one_of(
            TEXT,
            st.sampled_from(["is closed on Sundays", "costs 30", "opens at 9", "is forbidden"]),
        ),
        SHORT,
    ),
    "settler": st.builds(
        lambda s, words, name, names: SettlerVars(
            s, f"{name}, {words}", (Home(name, names),), names, names
        ),
        SITUATION,
        st.one_of(TEXT, st.sampled_from(["a weaver of 34", "34岁，是织布的"])),
        st.one_of(SHORT, st.sampled_from(["Ada Low", "苏青"])),
        st.lists(SHORT, max_size=2).map(tuple),
    ),
}


@pytest.mark.parametrize("kind", MINE)
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), lang=st.sampled_from(LANGS))
def test_any_variables_get_a_valid_reply_the_same_one_each_time(
    kind: str, data: st.DataObject, seed: int, lang: Lang
) -> None:
    variables = data.draw(ANYTHING[kind])
    assert reply(kind, variables, seed, lang) == reply(kind, variables, seed, lang)


def test_every_prompt_has_rules() -> None:
    assert set(ANSWERS) == set(PROMPTS)


def test_the_model_answers_in_json_by_the_variables_and_not_by_the_wording() -> None:
    request = Request(
        "wake_up",
        "en",
        SAMPLES["wake_up"],
        (),
        schema_for(PROMPTS["wake_up"], SAMPLES["wake_up"]),
        60,
        0.5,
    )
    first = asyncio.run(ScriptedModel().complete(request, seed=7))
    assert json.loads(first.text).keys() == {"wake", "bed"}
    assert first.reply_tokens > 0
    assert (
        asyncio.run(ScriptedModel().complete(replace(request, temperature=0.0), seed=7, priority=9))
        == first
    )


# words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["planning", "doing", "noticing", "reflecting"])
def test_banks_have_the_same_shape_in_both_languages(name: str) -> None:
    def shape(value: Any) -> Any:
        return (
            {key: shape(item) for key, item in value.items() if key != "values"}
            if isinstance(value, dict)
            else type(value)
        )

    assert shape(read_bank("en", name)) == shape(read_bank("zh", name))


def test_pastimes_and_themes_are_the_same_ones_in_both_languages() -> None:
    assert [(pastime.tags, len(pastime.tasks)) for pastime in pastimes("en")] == [
        (pastime.tags, len(pastime.tasks)) for pastime in pastimes("zh")
    ]
    for lang in LANGS:
        assert [theme.key for theme in themes(lang)] == list(read_bank(lang, "doing")["themes"])


def test_insights_are_worded_in_many_ways() -> None:
    for lang in LANGS:
        assert sum(map(len, read_bank(lang, "reflecting")["insights"].values())) >= 30


@pytest.mark.parametrize("lang", LANGS)
def test_what_a_thought_is_about_survives_any_frame(lang: Any) -> None:
    about = {
        "en": "Chen Siyuan hears of layoffs: a third is to go on “black Tuesday”",
        "zh": "陈思远听说要裁员：三月份先走三分之一",
    }[lang]
    groups = read_bank(lang, "reflecting")
    frames = [
        frame
        for group in ("insights", "chats")
        for phrases in groups[group].values()
        for frame in phrases
        if "{gist}" in frame
    ]
    words = dict.fromkeys(["me", "other", "objective", "possessive", "second", "value"], "Ida Berg")
    for frame in frames:
        assert remove_frame(frame.format(gist=about, **words), lang) == about


@given(TEXT, st.integers(5, 100), st.sampled_from(LANGS))
def test_clipped_texts_fit_on_one_line(text: str, limit: int, lang: Any) -> None:
    clipped = clip(text, limit, lang)
    assert len(clipped) <= limit
    assert all(character >= " " for character in clipped)
    assert all(sentences(text, lang))
