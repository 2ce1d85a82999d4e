"""Conversations of the scripted model answer what was said and part with a word about it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import date

import pytest

from hometown.language import LANGS, Lang
from hometown.prompt.dialogue import Companion, DialogueLine
from hometown.scripted.joining import mark_leavers
from hometown.scripted.phrases import bank, next_turn
from hometown.scripted.quarrels import tones
from hometown.scripted.scene import Scene
from hometown.scripted.sharing import SHARERS, PhraseShare
from hometown.scripted.talking import answer_utterance
from hometown.scripted.when import say_clock
from hometown.scripted.words import sentences
from tests.support.scripted_talks import Town, replies, scene_of, summary_vars, world

Texts = dict[Lang, list[str]]
"""Lines by turns of Lin Yue and Chen Siyuan in each language, the last one Lin Yue's."""

SECRET: Texts = {
    "en": ["You know, I want to show a series at the spring exhibition, but haven't told anybody."],
    "zh": ["我跟你说啊，我想拿一组画去参加春天的画展，还没跟谁提过。"],
}
LONGING: Texts = {
    "en": ["Something is weighing on me. I miss my mother, who died three winters ago."],
    "zh": ["有件事压在心上，我想念三年前冬天过世的母亲。"],
}
DENIED: Texts = {
    "en": [
        "Has the reading circle come your way yet?",
        "The reading circle? Not a word. Go on.",
        "Listen, Wang Fang is putting together a reading circle on the 22nd at three o'clock.",
    ],
    "zh": [
        "读书会的事，后来怎么说？",
        "读书会？一个字没听说，快讲。",
        "听着，王芳在张罗读书会，定在22号下午三点。",
    ],
}
AGREED: Texts = {
    "en": ["16:30 it is. I'd better get on. Bye, Chen Siyuan."],
    "zh": ["行，16:30。我得去忙了，陈思远。"],
}
PROPOSED = {
    "en": "How about a coffee at Starlight Café, today at 16:30?",
    "zh": "今天16:30，星光咖啡店，喝杯咖啡，来不来？",
}
KNOWN = {
    "en": "Lin Yue is organising an exhibition and a reading circle",
    "zh": "林悦正在筹备画展和读书会",
}


TOLD: Texts = {
    "en": [
        "You know, I want to turn my stockroom into a repair room.",
        "How did you begin?",
        "I bought a folder. A blue one, with a rubber band.",
    ],
    "zh": [
        "我跟你说啊，我打算把半间库房改成修理室。",
        "头一步怎么迈的？",
        "买了个夹子，蓝的，带皮筋。",
    ],
}
SUBJECTS: dict[str, Texts] = {
    "own": {
        "en": ["Guess what. I have lost my green notebook and ask everybody for it."],
        "zh": ["你猜怎么着，我把绿皮本子丢在了公园里，逢人就打听。"],
    },
    "you": {
        "en": ["May I say something? I admire how you play that one tango when nobody is looking."],
        "zh": ["说句心里话，我纳闷，你没人看着的时候，那支探戈怎么反倒弹得更好。"],
    },
}
"""Statements about the speaker's own life, and about the listener, on subjects that have words."""

MISHAP: Texts = {
    "en": ["Guess what. I lost a kite in the poplars."],
    "zh": ["你猜怎么着，我把风筝丢在杨树上了。"],
}

WISHED = {
    "after-word": {
        "en": "Tell me how it goes. I'll see you.",
        "zh": "有进展告诉我一声。那我先走了，林悦。",
    },
    "after-luck": {"en": "Good luck with it. I'll see you.", "zh": "祝你顺利。那我先走了，林悦。"},
}


@pytest.mark.parametrize("lang", LANGS)
def test_a_secret_is_never_known_already_and_nothing_else_follows(lang: Lang) -> None:
    for acts in replies(lang, SECRET[lang], (KNOWN[lang],)):
        assert "react_known_own" not in acts
        assert {act for act in acts if act.startswith("ask:")} <= {
            exchange.ask
            for exchange in bank(lang).exchanges.values()
            if exchange.needs & {"own-secret"}
        }


@pytest.mark.parametrize("lang", LANGS)
def test_nobody_leaves_after_an_invitation_to_stay_together(lang: Lang) -> None:
    said = bank(lang)
    course = [
        said.frames["ask:bag_heavy"],
        *(said.frames[f"turn:bag_heavy-0-{i}"] for i in range(3)),
    ]
    for acts in replies(lang, [frames[0].text for frames in course]):
        assert "turn:bag_heavy-0-3" in acts
        assert not any(act.startswith("bye") for act in acts)


@pytest.mark.parametrize("lang", LANGS)
def test_a_confidence_is_taken_up_by_its_matter(lang: Lang) -> None:
    fitting = {
        exchange.ask
        for exchange in bank(lang).exchanges.values()
        if exchange.needs & {"own-missing"}
    }
    for acts in replies(lang, LONGING[lang]):
        asked = [act for act in acts if act.startswith("ask:")]
        assert len(asked) == 1
        assert asked[0] in fitting


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("whose", SUBJECTS)
def test_a_statement_is_taken_up_by_its_subject(lang: Lang, whose: str) -> None:
    words = bank(lang)
    for acts in replies(lang, SUBJECTS[whose][lang]):
        [asked] = [act for act in acts if act.startswith("ask:")]
        exchange = words.exchanges[asked[4:]]
        assert f"{whose}-about" in exchange.needs
        assert any(word in SUBJECTS[whose][lang][0].lower() for word in exchange.about)


@pytest.mark.parametrize("lang", LANGS)
def test_a_mishap_amuses_nobody(lang: Lang) -> None:
    said = [
        move.tag
        for seed in range(30)
        for move in bank(lang).recognise(
            answer_utterance(
                scene_of(lang, [], lines=(DialogueLine("lin_yue", "lin_yue", MISHAP[lang][0]),)),
                random.Random(seed),
                lang,
            ).say
        )
        if move.act == "react_own"
    ]
    assert set(said) <= {"pity"}


@pytest.mark.parametrize("lang", LANGS)
def test_exchanges_about_a_subject_have_words_for_it(lang: Lang) -> None:
    for exchange in bank(lang).exchanges.values():
        assert bool(exchange.about) == any(need.endswith("-about") for need in exchange.needs)


@pytest.mark.parametrize("lang", LANGS)
def test_a_topic_that_was_denied_is_not_known_a_line_later(lang: Lang) -> None:
    for acts in replies(lang, DENIED[lang], (KNOWN[lang],)):
        assert "react_known" not in acts


@pytest.mark.parametrize("lang", LANGS)
def test_a_farewell_names_the_time_agreed_on(lang: Lang) -> None:
    lines = (
        DialogueLine("chen_siyuan", "", PROPOSED[lang]),
        DialogueLine("lin_yue", "", AGREED[lang][0]),
    )
    v = scene_of(lang, [], lines=lines)
    for seed in range(20):
        reply = answer_utterance(v, random.Random(seed), lang)
        assert say_clock("16:30", lang) in reply.say.lower(), reply.say
        assert reply.end


def say_as_newcomer(lang: Lang, *texts: str) -> tuple[str, str]:
    """Return what Xiao Mei says when she joins the talk of Lin Yue and Chen Siyuan after these
    lines, and Chen Siyuan's next line.
    """
    words, v = bank(lang), scene_of(lang, [])
    mei = replace(v.other, id="xiao_mei", name=dict(v.situation.names)["xiao_mei"], relation="")
    speakers = ("lin_yue", "chen_siyuan")
    lines = tuple(
        DialogueLine(speakers[at % 2], speakers[at % 2], text) for at, text in enumerate(texts)
    )
    me = replace(v.situation.me, id="xiao_mei", name=mei.name)
    chen = replace(v.other, id="chen_siyuan", name=v.situation.me.name, relation="")
    group = (*v.company, Companion(chen))
    newcomer = replace(
        v, situation=replace(v.situation, me=me), company=group, lines=lines, closing=5
    )
    joined = answer_utterance(newcomer, random.Random(1), lang)
    last = DialogueLine("xiao_mei", mei.name, joined.say, (), Companion(mei), joined.end)
    answer = answer_utterance(
        replace(v, lines=(*lines, last), closing=5), random.Random(1), lang
    ).say
    acts = [[move.act for move in words.recognise(said)] for said in (joined.say, answer)]
    return " ".join(acts[0]), " ".join(acts[1])


@pytest.mark.parametrize("lang", LANGS)
def test_a_newcomer_is_asked_in_their_turn_or_goes_on_their_way(lang: Lang) -> None:
    frames = bank(lang).frames
    for opened, says, then in (
        ("shoes_rub", "interject", "welcome ask:shoes_rub_third"),
        ("gen_button", "withdraw", "let_go"),
    ):
        told = [frames[act][0].text for act in (f"ask:{opened}", f"turn:{opened}-0-0")]
        joined, answered = say_as_newcomer(lang, *told)
        assert joined == says
        assert answered.startswith(then)


@pytest.mark.parametrize("lang", LANGS)
def test_a_newcomer_leaves_a_question_to_the_one_who_was_asked(lang: Lang) -> None:
    joined, answered = say_as_newcomer(lang, bank(lang).frames["ask:umbrella_1"][0].text)
    assert joined == "interject"
    assert answered.startswith("turn:umbrella_1-")


@pytest.mark.parametrize("lang", LANGS)
def test_one_who_only_passes_by_is_left_out_of_the_rest_of_the_talk(lang: Lang) -> None:
    by = bank(lang).frames["withdraw"][0].fill({"other": "Lin Yue"})
    mei = replace(scene_of(lang, []).other, id="xiao_mei")
    lines = (
        DialogueLine("lin_yue", "Lin Yue", "Hm."),
        DialogueLine("xiao_mei", "Xiao Mei", by, (), Companion(mei)),
    )
    v = scene_of(lang, [], lines=lines)
    assert v.several
    assert not replace(v, lines=mark_leavers(v.lines, lang)).several


@pytest.mark.parametrize("lang", LANGS)
def test_a_passer_by_asks_nothing_that_would_keep_them(lang: Lang) -> None:
    """Whoever asks something stays for the answer."""
    assert not [f.text for f in bank(lang).frames["withdraw"] if re.search("[?？]", f.text)]


@pytest.mark.parametrize("lang", LANGS)
def test_the_last_answer_of_an_exchange_is_taken_up(lang: Lang) -> None:
    """No exchange ends with the answer to its first question, but among the laconic of the
    mountains.
    """
    words = bank(lang)
    laconic = {"adept", "to-adept", "innkeeper", "to-innkeeper"}
    ends = [
        answer
        for exchange in words.exchanges.values()
        for answer in exchange.answers
        if next_turn(answer) not in words.frames and exchange.needs.isdisjoint(laconic)
    ]
    assert not ends


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_of_an_exchange_stands_in_the_one_that_follows_it(lang: Lang) -> None:
    """A sentence that is said again in a talk is left out, and a question must not be."""
    words = bank(lang)
    for exchange in words.exchanges.values():
        said = [frame.text for frame in words.frames[exchange.ask]]
        for following in words.followers.get(exchange.id, ()):
            for frame in words.frames[following.ask]:
                last = sentences(frame.text, lang)[-1]
                assert not any(last in text for text in said), frame.text


@pytest.mark.parametrize("lang", LANGS)
def test_a_newcomer_leaves_a_secret_alone(lang: Lang) -> None:
    joined, answered = say_as_newcomer(lang, SECRET[lang][0])
    assert joined == "withdraw"
    assert answered.startswith("let_go back_to ask:own_")


@pytest.mark.parametrize("lang", LANGS)
def test_a_secret_is_told_where_nobody_else_hears_it(lang: Lang) -> None:
    v = scene_of(lang, [])
    assert not Scene(v, random.Random(1), lang).is_overheard
    near = replace(v.situation, earshot=("lin_yue", "xiao_mei"))
    assert Scene(replace(v, situation=near), random.Random(1), lang).is_overheard


@pytest.mark.parametrize("lang", LANGS)
def test_who_was_told_something_waits_for_an_answer_before_leaving(lang: Lang) -> None:
    for acts in replies(lang, TOLD[lang]):
        assert "bye" not in acts


@pytest.mark.parametrize("lang", LANGS)
def test_a_quarrel_is_between_those_who_had_words(lang: Lang) -> None:
    frames, v = bank(lang).frames, scene_of(lang, [])
    people = tuple(each for each in v.situation.names if each[0] in ("lin_yue", "xiao_mei"))
    company = tuple(Companion(replace(v.other, id=who, name=name)) for who, name in people)
    said = (("lin_yue", "air"), ("xiao_mei", "air_no"), ("lin_yue", "fall_out"))
    lines = tuple(
        DialogueLine(who, who, frames[act][0].text.format(matter="eggs")) for who, act in said
    )
    for me, tone in (("chen_siyuan", 1), ("xiao_mei", -2)):
        others = tuple(one for one in company if one.other.id != me)
        situation = replace(v.situation, me=replace(v.situation.me, id=me))
        heard = replace(v, situation=situation, company=others, lines=lines)
        assert tones(summary_vars(heard, people, ""), lang)[0] == tone


@pytest.mark.parametrize("lang", LANGS)
def test_a_quarrel_is_made_up_by_an_apology_alone(lang: Lang) -> None:
    frames, v = bank(lang).frames, scene_of(lang, [])
    v = replace(v, company=(Companion(replace(v.other, rift="quarrel")),))
    ids = (v.situation.me.id, v.other.id)
    people = tuple(each for each in v.situation.names if each[0] in ids)
    for acts, tone in ((("greet", "greet_back"), 0), (("make_up", "make_up_back"), 1)):
        lines = tuple(
            DialogueLine(who, who, frames[act][0].text) for who, act in zip(ids, acts, strict=True)
        )
        assert tones(summary_vars(replace(v, lines=lines), people, ""), lang) == [tone]


@pytest.mark.parametrize("lang", LANGS)
def test_each_matter_has_replies_and_each_wish_a_phrase(lang: Lang) -> None:
    words, needs = (
        bank(lang).words,
        [each.needs for each in bank(lang).exchanges.values()],
    )
    third = ("third", "worry", "observed", "guess", "asking")
    facts = ("plain", "thanks", "praise", "debt", "open")
    for matter in (*words["matters"], *third, *facts, "hosting", "known"):
        mine, least = ("you", 2) if matter == "return" else ("own", 3)
        assert sum(f"{mine}-{matter}" in each for each in needs) >= least, matter
    tags = {frame.tag for frame in bank(lang).frames["part"]}
    known = {*words["matters"], *third, *facts, "nerves", "hosting", "request", "opinion", "notice"}
    for group, matters in words["wishes"].items():
        assert {f"teller-{group}", *([] if group == "heard" else [f"after-{group}"])} <= tags
        assert set(matters) <= known
    for matters in words["leads"].values():
        assert set(matters) - {"bad"} <= known


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("wish", WISHED)
def test_a_wish_at_the_parting_is_answered_as_what_it_was(lang: Lang, wish: str) -> None:
    texts = [*TOLD[lang], WISHED[wish][lang].replace("see you.", "see you, Lin Yue.")]
    speakers = ["lin_yue", "chen_siyuan"] * 2
    lines = tuple(
        DialogueLine(who, who, text)
        for who, text in zip(speakers[1:] + speakers[:1], texts, strict=True)
    )
    v = scene_of(lang, [], lines=lines)
    for seed in range(20):
        say = answer_utterance(v, random.Random(seed), lang).say
        parts = [move.tag for move in bank(lang).recognise(say) if move.act == "part"]
        assert parts == [wish.replace("after-", "teller-")], say


def test_a_town_says_a_phrase_of_a_small_group_at_most_twice() -> None:
    residents = [f"resident {i}" for i in range(25)]
    group = tuple("abcdef")
    day = date(2025, 2, 13)
    shares = [PhraseShare(who, residents, day) for who in residents]
    for phrase in group:
        assert sum(not share.place(phrase, group)[0] for share in shares) == SHARERS


@pytest.mark.parametrize("lang", LANGS)
def test_those_at_a_gathering_talk_about_it_though_their_task_does_not_name_it(lang: Lang) -> None:
    v = scene_of(lang, [])
    doing, plan = {
        "en": ("warming their hands", "part of: going to the party at Starlight Café, 17:00–19:00"),
        "zh": ("捧着杯子暖手", "属于：去Starlight Café参加聚会，17:00–19:00"),
    }[lang]
    at_it = replace(v.situation, doing=doing, within=plan, where="Starlight Café")
    elsewhere = replace(at_it, where="Johnson Park")
    for situation, tagged in ((at_it, True), (elsewhere, False)):
        scene = Scene(replace(v, situation=situation), random.Random(1), lang)
        assert ("at-gathering" in scene.tags) == tagged


@pytest.mark.parametrize(
    ("lang", "doing"),
    [
        ("en", "planning the next get-together"),
        ("en", "writing the fair copy"),
        ("en", "drawing a poster for the party"),
        ("zh", "商量下回聚会"),
        ("zh", "重写演示文稿"),
    ],
)
def test_one_who_only_prepares_a_gathering_is_at_none(lang: Lang, doing: str) -> None:
    v = scene_of(lang, [])
    situation = replace(v.situation, doing=doing, within="", around=(), where="Starlight Café")
    scene = Scene(replace(v, situation=situation), random.Random(1), lang)
    assert "at-gathering" not in scene.tags


@pytest.mark.parametrize("lang", LANGS)
def test_those_who_have_agreed_to_meet_do_not_part_when_they_have_talked(lang: Lang) -> None:
    words = bank(lang)
    v = scene_of(lang, [])
    for seed in range(20):
        for act in ("bye", "bye_back"):
            scene = Scene(replace(v, met_for="sharing a coffee"), random.Random(seed), lang)
            assert scene.say(act)
            assert {move.tag for move in words.recognise(scene.text)} == {"at-meeting"}


@pytest.mark.parametrize("lang", LANGS)
def test_those_who_hear_of_a_song_do_not_all_ask_the_same(lang: Lang) -> None:
    news = {
        "en": "I'll sing my own song at the café's song night on the 28th",
        "zh": "我准备28号在咖啡店的弹唱会上唱自己写的歌",
    }[lang]
    words, town = bank(lang), Town(world(lang), 1)
    lead = next(frame for frame in words.frames["tell_own"] if frame.slots == {"news"})
    line = DialogueLine(
        "xiao_mei", world(lang).personas["xiao_mei"].name, lead.fill({"news": news})
    )
    asked = {
        move.act
        for who in ("chen_siyuan", "wang_fang", "zhao_gang", "lin_yue")
        for move in words.recognise(
            answer_utterance(
                town.utterance(who, "xiao_mei", "Starlight Café", [line], 1), random.Random(1), lang
            ).say
        )
        if move.act.startswith("ask:")
    }
    assert len(asked) > 1


@pytest.mark.parametrize("lang", LANGS)
def test_those_who_have_had_an_answer_do_not_get_it_again(lang: Lang) -> None:
    words = bank(lang)
    exchange = next(
        each for each in words.exchanges.values() if each.courses == 1 and "apart" in each.needs
    )
    ask, answer = (words.frames[act][0].text for act in (exchange.ask, exchange.answers[0]))
    v = scene_of(lang, [], lines=(DialogueLine("lin_yue", "lin_yue", ask),))
    v = replace(v, situation=replace(v.situation, earlier=(("lin_yue", answer),)))
    acts = [move.act for move in words.recognise(answer_utterance(v, random.Random(1), lang).say)]
    assert "answered_you" in acts
    assert exchange.answers[0] not in acts


@pytest.mark.parametrize("lang", LANGS)
def test_a_gathering_is_recalled_the_morning_after_by_each_guest_once(lang: Lang) -> None:
    words, party = bank(lang), {"en": "the winter party", "zh": "冬日聚会"}[lang]
    v = scene_of(lang, [])
    guest = replace(v, situation=replace(v.situation, gathered=party))
    for seed in range(10):
        opening = answer_utterance(guest, random.Random(seed), lang).say
        assert party in opening
        line = DialogueLine(guest.situation.me.id, guest.situation.me.name, opening)
        for was_there, act in ((party, "recall_too"), ("", "recall_back")):
            heard = replace(
                v,
                situation=replace(
                    v.situation, me=replace(v.situation.me, id="b"), gathered=was_there
                ),
                lines=(line,),
            )
            said = answer_utterance(heard, random.Random(seed), lang).say
            assert act in [move.act for move in words.recognise(said)]
        spoken = replace(guest.situation, earlier=(("chen_siyuan", opening),))
        again = answer_utterance(replace(guest, situation=spoken), random.Random(seed), lang).say
        assert "recall" not in [move.act for move in words.recognise(again)]
