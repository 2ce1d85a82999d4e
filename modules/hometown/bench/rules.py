"""Rules that find faults in a reply. Each returns the reason, with the words that show it, or "".

Rules are lexical: they find what nobody would call a living mind (a line that recites the prompt, a
word that is none, "good evening" at eleven in the morning), and leave matters of taste alone. The
words that they look for stand in `data/bench/words.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any

import orjson

from hometown.bench.items import BENCH
from hometown.bench.replies import ScoredReply
from hometown.clock import DAY, hhmm
from hometown.language import Lang
from hometown.model.language_check import is_foreign
from hometown.prompt.mending import SAME, cut_into_sentences, unrepeated
from hometown.prompt.reactions import CONTINUE, WAIT
from hometown.prompt.responses import DO
from hometown.text import overlaps

Rule = Callable[[ScoredReply], str]

ECHO_LENGTH: dict[Lang, int] = {"en": 45, "zh": 20}
"""Characters in a row, copied from the prompt, from which a spoken text is an echo."""

NOTE_ECHO_LENGTH: dict[Lang, int] = {"en": 60, "zh": 20}
"""The same for texts that note what was said or lived through."""

HABIT_MINUTES = 120
"""Minutes by which getting up and going to bed may differ from the habit."""

ECHO_SHARE = 0.6
"""Share of a text that its longest copied part must have to be an echo."""

RECITED_SHARE = 0.85
"""Share of a text's characters in copied parts of `RECITED_LENGTH` from which it is recited."""

RECITED_LENGTH: dict[Lang, int] = {"en": 20, "zh": 8}

WHOLE_LENGTH: dict[Lang, int] = {"en": 24, "zh": 10}
"""Characters of a note from which it is an echo if all of it stands in the prompt."""

KEEPING_KINDS = ("currently", "talk_outcome", "settler")
"""Kinds of prompt that ask to keep what still holds, or to use the words that were given."""

KEPT_FIELDS = ("goals",)
"""Fields whose texts the prompt offers to keep as they are."""

EARLIEST_BED_MINUTES = 300
"""Minutes between the last activity of a timetable and the time of going to bed above which the
timetable leaves a part of the day empty.
"""

LATE_MINUTES = 90
"""Minutes by which a timetable may begin after getting up, or go on after the time of going to bed."""

MINUTES_SHARE = 0.25
"""Share of the time to be filled by which the minutes of its tasks may miss it."""

LEAST_CONTENT: dict[Lang, int] = {"en": 1, "zh": 2}
"""Different content words (in Chinese: characters) of a line of dialogue below which it says nothing."""

SENTENCE_LENGTH = 12
"""Characters of a spoken line from which it ends with a mark of punctuation."""

LONGEST_WORD = 22
"""Letters from which a Latin word is taken for none."""

SPOKEN = ("say", "answer")

THIRD_PERSON = ("summary", "relations", "thought", "plan", "memo", "currently")
"""Fields whose prompts ask for the third person."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = "一二三四五六日"
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|《[^》]*》|\'[^\']{3,}\'')
_BOUND = re.compile(r"\{0,(\d+)\}\)?\??\$$")
_END = re.compile(r"[.!?。！？…~～—][\"'”’」』)）]*$")


@cache
def _words(lang: Lang) -> dict[str, Any]:
    words: dict[str, Any] = orjson.loads((BENCH / "words.json").read_bytes())[lang]
    return words


def unusable(reply: ScoredReply) -> str:
    """Return why a reply cannot be used without mending."""
    return reply.fault


def wrong_language(reply: ScoredReply) -> str:
    """Return the first text in the other language."""
    names = (reply.me, *reply.others)
    return next(
        (
            text
            for _, text, _ in reply.texts
            if is_foreign(reply.lang, text, names) or (reply.lang == "zh" and _is_latin(text, reply))
        ),
        "",
    )


def _is_latin(text: str, reply: ScoredReply) -> bool:
    """Return whether a Chinese text has no Han character but several Latin words of its own."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return (
        len(words) > 1 and not re.search("[\u4e00-\u9fff]", text) and text not in reply.prompt_text
    )


def echo(reply: ScoredReply) -> str:
    """Return a text that recites the prompt: one long copied part, or nothing but copied parts.

    A timetable is made of the strokes that the prompt shows, and tasks may name their activity
    again, so that in these only the rules and the form of the answer are no material, and clock
    times that are copied along.
    """
    is_plan = reply.kind in ("schedule_daily", "schedule_decompose", "steps", "place", "law")
    shown = reply.messages[0].content if is_plan else reply.prompt_text
    for name, text, _ in reply.texts:
        if name in KEPT_FIELDS:
            continue
        if marks := re.search(_words(reply.lang)["markup"], text):
            return marks[0]
        if _is_copied_whole(name, text, reply, is_plan=is_plan):
            return text
        copied = copied_parts(_plain(text), _plain(shown))
        length = max(map(len, copied), default=0)
        least = (ECHO_LENGTH if name in SPOKEN else NOTE_ECHO_LENGTH)[reply.lang]
        if length >= least and length >= ECHO_SHARE * len(text):
            return max(copied, key=len)
        parts = [part for part in copied if len(part) >= RECITED_LENGTH[reply.lang]]
        if (
            name in SPOKEN
            and len(text) >= least
            and sum(map(len, parts)) >= RECITED_SHARE * len(text)
        ):
            return " / ".join(parts)
    return ""


def _is_copied_whole(name: str, text: str, reply: ScoredReply, *, is_plan: bool) -> bool:
    """Return whether a note stands in the prompt as it is; of a plan, one with a clock time."""
    if name in SPOKEN or reply.kind in KEEPING_KINDS or text not in reply.prompt_text:
        return False
    if is_plan:
        return bool(re.search(r"\d:\d\d", text))
    return len(text) >= WHOLE_LENGTH[reply.lang]


def copied_parts(text: str, source: str) -> list[str]:
    """Return the parts of a text, from left to right, that stand in a source, each as long as possible.

    >>> copied_parts("she waters the roses now", "Ann waters the roses")
    [' waters the roses']
    """
    parts, at = [], 0
    while at < len(text):
        end = at + 8
        if text[at:end] not in source or end > len(text):
            at += 1
            continue
        while end < len(text) and text[at : end + 1] in source:
            end += 1
        parts.append(text[at:end])
        at = end
    return parts


def repeats_itself(reply: ScoredReply) -> str:
    """Return a sentence that is said twice, or that was said in the conversation before.

    Only the task before counts for a task: one may go back to an earlier one. The same short text is
    a repetition the third time in a row.
    """
    said: list[str] = []
    for name, text, _ in reply.texts:
        if text and said[-2:] == [text, text]:
            return text
        if phrase := _loop(text):
            return phrase
        sentences = [part.strip() for part in cut_into_sentences(text)]
        earlier = list(reply.lines_so_far) if name == "say" else []
        earlier += [part.strip() for line in earlier for part in cut_into_sentences(line)]
        fresh = unrepeated(sentences, known=earlier)
        if len(fresh) < len(sentences):
            return next(
                part for part in sentences if part not in fresh or sentences.count(part) > 1
            )
        if len(text) > 12 and overlaps(text, said[-1:] if name == "activity" else said, SAME):
            return text
        said.append(text)
    return ""


def _loop(text: str) -> str:
    """Return words that follow on themselves three times, as of a model that is caught in a loop."""
    found = re.search(r"(.{4,60}?)(?:[\s,，。.!！]*\1){2,}", text)
    return found[0] if found and re.search(r"\w", found[1]) else ""


def lacks_content(reply: ScoredReply) -> str:
    """Return a line of dialogue whose information is below the floor; a farewell may say nothing."""
    said = reply.speech
    if not said or (isinstance(reply.value, dict) and reply.value.get("end")):
        return ""
    rest = re.sub(_words(reply.lang)["stock"], " ", said.casefold().replace("’", "'"))
    for name in (reply.me, *reply.others):
        for part in (name, *name.split()):
            rest = rest.replace(part.casefold(), " ")
    return said if len(content_of(rest, reply.lang)) < LEAST_CONTENT[reply.lang] else ""


def content_of(text: str, lang: Lang) -> set[str]:
    """Return the content words of an English text, or the content characters of a Chinese one.

    >>> sorted(content_of("I will water the old roses", "en")), sorted(content_of("我去浇花", "zh"))
    (['old', 'roses', 'water'], ['浇', '花'])
    """
    function = _words(lang)["function"]
    if lang == "zh":
        return {
            sign
            for sign in re.findall("[\u4e00-\u9fff]|[a-z0-9]+", text.casefold())
            if sign not in function
        }
    words = re.findall(r"[a-z0-9à-ɏ][a-z0-9à-ɏ']*", text.casefold().replace("’", "'"))
    return {word for word in words if word not in _split(function) and len(word) > 1}


@cache
def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


def speaks_for_others(reply: ScoredReply) -> str:
    """Return the words in which a line of dialogue speaks as somebody else: a script with names, a
    narrator who says what those present are doing, or the speaker's own name as if it were
    another's.
    """
    said = reply.speech
    if not said:
        return ""
    names = "|".join(re.escape(name) for name in sorted((reply.me, *reply.others), key=len) if name)
    if not names:
        return ""
    if script := re.search(rf"(?:^|[\s\"“])(?:{names})\s?[:：]\s?[\"“]?\w", said):
        return script[0].strip()
    if narrated := re.search(_words(reply.lang)["narration"].format(names=names), said):
        return narrated[0].strip()
    if reply.me and (
        own := re.search(rf"(.{{0,20}}){re.escape(reply.me)}(.{{0,12}})", _QUOTED.sub("", said))
    ):
        introduced = re.search(
            rf"(?:{_words(reply.lang)['introduction']})[\s,，]*$", own[1], re.IGNORECASE
        )
        return "" if introduced else own[0].strip()
    return ""


def contradiction(reply: ScoredReply) -> str:
    """Return words that contradict the times, days or numbers that the prompt gives."""
    return (
        next(_wrong_greetings(reply), "")
        or next(_wrong_weekdays(reply), "")
        or next(_wrong_clocks(reply), "")
        or _wrong_addressee(reply)
        or _needless_topic(reply)
        or _misplaced_decision(reply)
        or _early_start(reply)
        or next(_broken_habits(reply), "")
        or next(_wrong_plan(reply), "")
    )


def _wrong_greetings(reply: ScoredReply) -> Iterator[str]:
    """Yield greetings of another time of the day."""
    if reply.minute is None or not reply.speech:
        return
    for greeting, (begin, end) in _words(reply.lang)["greetings"].items():
        opening = reply.speech.casefold()[:40]
        if greeting in opening and not begin <= reply.minute <= end:
            yield f"{greeting}, {hhmm(reply.minute)}"


def _wrong_weekdays(reply: ScoredReply) -> Iterator[str]:
    """Yield days that fall on another weekday than is said, in the month of the prompt."""
    today = _date_of(reply.date)
    if today is None:
        return
    for _, text, _ in reply.texts:
        if reply.lang == "en":
            found = [
                (int(match[2]), WEEKDAYS.index(match[1].casefold()), match[0])
                for match in re.finditer(
                    rf"\b({'|'.join(WEEKDAYS)}),? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)\b",
                    text,
                    re.IGNORECASE,
                )
            ]
        else:
            found = [
                (int(match[1]), _WEEKDAYS_ZH.index(match[2].replace("天", "日")), match[0])
                for match in re.finditer(
                    r"(?<![\d月])(\d{1,2})[号日](?:是|，)?(?:下|这)?(?:周|星期)([一二三四五六日天])",
                    text,
                )
            ]
        for day, weekday, words in found:
            if not any(at.weekday() == weekday for at in _days_called(day, today)):
                yield words


def _days_called(day: int, today: date) -> Iterator[date]:
    """Yield the days of that number in this month and the next."""
    for year, month in (
        (today.year, today.month),
        (today.year + today.month // 12, today.month % 12 + 1),
    ):
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _date_of(text: str) -> date | None:
    for form in ("%d %B %Y", "%Y年%m月%d日"):
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _wrong_clocks(reply: ScoredReply) -> Iterator[str]:
    """Yield times that no clock shows; only in speech may an hour be of the morning or the evening."""
    for name, text, _ in reply.texts:
        for match in re.finditer(r"\b(\d{1,2}):(\d\d)(?!\d)( ?[AaPp][Mm]\b)?", text):
            if (
                int(match[1]) > 24
                or int(match[2]) > 59
                or (match[3] and (name not in SPOKEN or int(match[1]) > 12))
            ):
                yield match[0]


def _wrong_addressee(reply: ScoredReply) -> str:
    """Return a greeting to somebody by their full name who is not there, or to oneself."""
    if reply.lang == "zh" or not reply.others:
        return ""
    greeted = r"\b(?:Hi|Hello|Hey|Bye|Goodbye|Good \w+|Dear|Thanks|Thank you)(?: there)?,? ([A-Z]\w+ [A-Z]\w+)"
    return next(
        (
            match[0]
            for match in re.finditer(greeted, reply.speech)
            if match[1] in reply.prompt_text and not any(match[1] in name for name in reply.others)
        ),
        "",
    )


def _needless_topic(reply: ScoredReply) -> str:
    """Return the topic of a decision that concerns no other resident."""
    value = reply.value if isinstance(reply.value, dict) else {}
    concerns_nobody = value.get("decision") in (CONTINUE, WAIT, DO)
    return str(value.get("topic", "")) if concerns_nobody else ""


def _misplaced_decision(reply: ScoredReply) -> str:
    """Return the name of a decision in place of what is to be done or talked about."""
    value = reply.value if isinstance(reply.value, dict) else {}
    found = (str(value.get(name, "")) for name in ("topic", "what"))
    decision = rf"{CONTINUE}|{WAIT}|{DO}|(?:talk|talking|go) to \d+"
    return next((text for text in found if re.fullmatch(decision, text.strip())), "")


def _early_start(reply: ScoredReply) -> str:
    """Return the start of an activity that lies before the present time."""
    value = reply.value if isinstance(reply.value, dict) else {}
    start = str(value.get("start", "")) if reply.kind == "reconsider" else ""
    is_early = (
        bool(value.get("activity"))
        and bool(re.fullmatch(r"\d\d:\d\d", start))
        and reply.minute is not None
        and 0 < reply.minute - _minutes(start) < DAY // 2
    )
    return start if is_early else ""


def _broken_habits(reply: ScoredReply) -> Iterator[str]:
    """Yield times of getting up or going to bed that are far from the habit, where the habit could
    be chosen.
    """
    if reply.kind != "wake_up" or not isinstance(reply.value, dict):
        return
    for name in ("wake", "bed"):
        usual = re.search(rf'"{name}"\W+(?:usually |平常)(\d\d:\d\d)', reply.prompt_text)
        chosen = str(reply.value.get(name, ""))
        offered = reply.schema.get("properties", {}).get(name, {}).get("enum", ())
        if usual and usual[1] in offered and chosen in offered:
            apart = abs(_minutes(chosen) - _minutes(usual[1]))
            if min(apart, DAY - apart) > HABIT_MINUTES:
                yield f"{name} {chosen}, {usual[1]}"


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _wrong_plan(reply: ScoredReply) -> Iterator[str]:
    """Yield parts of a plan that go back in time, lie outside the day or in another activity, or
    whose minutes miss the time to be filled.
    """
    value = reply.value if isinstance(reply.value, dict) else {}
    hours = [row[0] for row in value.get("hours", ()) if isinstance(row, list) and row]
    hours += [text[:5] for text in value.get("strokes", ()) if re.match(r"\d\d:\d\d", str(text))]
    minutes = [_minutes(at) for at in hours if re.fullmatch(r"\d\d:\d\d", at)]
    backward = [(a, b) for a, b in pairwise(minutes) if b < a]
    if len(backward) > 1 or any(b >= 300 for _, b in backward):
        yield " ".join(hours)
    if reply.kind == "schedule_daily":
        yield from _outside_day(minutes, reply)
    rows = [row for row in value.get("tasks", ()) if isinstance(row, list) and len(row) > 1]
    neighbours = re.findall(_words(reply.lang)["neighbours"], reply.prompt_text, re.MULTILINE)
    yield from (
        str(row[0])
        for row in rows
        if str(row[0]).casefold().rstrip(".。") in map(str.casefold, neighbours)
    )
    total = re.search(r"must add up to (\d+) minutes|一共(\d+)分钟", reply.prompt_text)
    if rows and total:
        wanted, found = int(total[1] or total[2]), sum(filter(_is_number, (row[1] for row in rows)))
        if abs(found - wanted) > MINUTES_SHARE * wanted:
            yield f"{found} ≠ {wanted}"


def _outside_day(minutes: Sequence[int], reply: ScoredReply) -> Iterator[str]:
    """Yield what a timetable leaves empty, or sets after the time of going to bed."""
    day = re.search(_words(reply.lang)["waking_hours"], reply.prompt_text)
    if not day or not minutes:
        return
    wake, bed = _minutes(day[1]), _minutes(day[2])
    length = (bed - wake) % DAY
    first, last = minutes[0] - wake, max((at - wake) % DAY for at in minutes)
    if first > LATE_MINUTES:
        yield f"{hhmm(minutes[0])}, {day[1]}"
    if not length - EARLIEST_BED_MINUTES <= last <= length + LATE_MINUTES:
        yield f"{hhmm((wake + last) % DAY)}, {day[2]}"


def _is_number(value: object) -> bool:
    return isinstance(value, int)


def invented_people(reply: ScoredReply) -> str:
    """Return a name of three words or more none of which the prompt contains, or one that is mixed of
    two people's (English only: Chinese names do not stand out; a shorter one may be known
    otherwise). Timetables and tasks may name a shop or a book, and are not checked.
    """
    if reply.lang == "zh" or reply.kind in (
        "settler",
        "schedule_init",
        "schedule_decompose",
        "schedule_daily",
    ):
        return ""
    known = set(re.findall(r"\w+", reply.prompt_text.casefold()))
    for _, text, _ in reply.texts:
        for match in re.finditer(r"(?:[A-Z][a-z]+ )+[A-Z][a-z]+\b", _QUOTED.sub("", text)):
            parts = match[0].split()
            if match[0] not in reply.prompt_text and (
                (len(parts) > 2 and not known.intersection(map(str.casefold, parts)))
                or _is_mixed(parts, reply)
            ):
                return match[0]
    return ""


def _is_mixed(parts: Sequence[str], reply: ScoredReply) -> bool:
    """Return whether a name is put together from the names of two people of the prompt."""
    people = [name.split() for name in (reply.me, *reply.others)]
    return any(
        parts[0] == name[0] and not parts[1].startswith(name[1]) for name in people if len(name) > 1
    )


def ignores_last_line(reply: ScoredReply) -> str:
    """Return a line of dialogue that has nothing in common with the line that it answers: no word,
    no "you", no assent or refusal, and no question.
    """
    said, last = reply.speech, reply.previous_line
    if not said or not last:
        return ""
    if content_of(said, reply.lang) & content_of(last, reply.lang):
        return ""
    assent: str = _words(reply.lang)["assent"]
    return "" if re.search(assent, said, re.IGNORECASE) else said


def leaves_persona(reply: ScoredReply) -> str:
    """Return words that only somebody outside the town would say, or "I" in a text that is asked for
    in the third person.
    """
    words = _words(reply.lang)
    for name, text, schema in reply.texts:
        if (found := re.search(words["outsider"], text)) and not re.search(
            re.escape(found[0]), "\n".join(reply.lines_so_far)
        ):
            return found[0]
        own = _QUOTED.sub("", text)
        is_third = name in THIRD_PERSON or "third person" in schema.get("description", "")
        if is_third and (found := re.search(words["first_or_second_person"], own)):
            return own[max(0, found.start() - 10) : found.end() + 20]
    return ""


def broken_words(reply: ScoredReply) -> str:
    """Return a word that is none, a text without words, or the end of a text that breaks off."""
    for name, text, schema in reply.texts:
        if word := next(_impossible_words(text), ""):
            return word
        if text.strip() and not re.search(r"[^\W\d_]", text):
            return text
        if ending := _broken_end(text, schema, reply.lang):
            return ending
        if name in SPOKEN and len(text) >= SENTENCE_LENGTH and not _END.search(text.rstrip()):
            return text[-20:]
    return ""


def _impossible_words(text: str) -> Iterator[str]:
    for word in re.findall(r"[A-Za-z]+", text):
        if (
            len(word) >= LONGEST_WORD
            or re.search(r"ing[b-df-hj-np-rt-z]\w{2,}ing$|[a-z]{3}the(?:ing|ly|ed)$|(.)\1\1", word)
            or (re.search(r"[a-z]{2}[A-Z][a-z]{2}", word) and not word[0].isupper())
            or (word.endswith("ing") and len(word) > 14)
        ):
            yield word
    if found := re.search(
        r"\d\d:\d\d:\d\d|[，；、：][！。？，；]|"
        "\ufffd|([\u4e00-\u9fff])\\1{4,}|[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7af]{2,}",
        text,
    ):
        yield found[0]


def _broken_end(text: str, schema: dict[str, Any], lang: Lang) -> str:
    bare = text.rstrip()
    if not bare or _END.search(bare):
        return ""
    bound = _BOUND.search(schema.get("pattern", ""))
    longest = int(bound[1]) if bound else schema.get("maxLength", inf)
    if bare[-1] in ",;:" or len(text) >= longest:
        return bare[-20:]
    if lang == "zh":
        return bare[-8:] if re.search(rf"(?:{_words(lang)['dangling']})$", bare) else ""
    last = re.findall(r"[A-Za-z']+$", bare)
    return (
        bare[-20:]
        if last and len(bare.split()) > 1 and last[0].casefold() in _split(_words(lang)["dangling"])
        else ""
    )


RULES: dict[str, Rule] = {
    "unusable": unusable,
    "wrong_language": wrong_language,
    "echo": echo,
    "repetition": repeats_itself,
    "empty_talk": lacks_content,
    "speaks_for_others": speaks_for_others,
    "contradiction": contradiction,
    "invented_people": invented_people,
    "ignores_last_line": ignores_last_line,
    "leaves_persona": leaves_persona,
    "broken_words": broken_words,
}
"""All rules by name, in the order of the tables."""


def faults_of(reply: ScoredReply) -> dict[str, str]:
    """Return the reason of each rule that finds a fault."""
    found = {name: rule(reply) for name, rule in RULES.items()}
    return {name: reason for name, reason in found.items() if reason}


def _plain(text: str) -> str:
    return re.sub(r"[\s]+", " ", text).casefold()
