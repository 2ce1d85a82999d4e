"""Rules that find faults in a reply. Each returns the reason, with the words that show it, or "".

Rules are lexical: they find what nobody would call a living mind (a line that recites the prompt, a
word that is none, "good evening" at eleven in the morning), and leave matters of taste alone. The
words that they look for stand in `data/bench/words.json`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from hometown.bench.contradictions import contradiction
from hometown.bench.forms import breaks_form
from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import SPOKEN, content_of, split_words, words_of
from hometown.language import Lang
from hometown.model.language_check import is_foreign
from hometown.prompt.approach_prompt import WRITTEN
from hometown.prompt.mending import SAME, cut_into_sentences, unrepeated
from hometown.prompt.reactions import CONTINUE, WAIT
from hometown.text import overlaps
from hometown.world.befalling import happening_kind

Rule = Callable[[ScoredReply], str]

ECHO_LENGTH: dict[Lang, int] = {"en": 45, "zh": 20}
"""Characters in a row, copied from the prompt, from which a spoken text is an echo."""

NOTE_ECHO_LENGTH: dict[Lang, int] = {"en": 60, "zh": 20}
"""The same for texts that note what was said or lived through."""

ECHO_SHARE = 0.6
"""Share of a text that its longest copied part must have to be an echo."""

RECITED_SHARE = 0.85
"""Share of a text's characters in copied parts of `RECITED_LENGTH` from which it is recited."""

RECITED_LENGTH: dict[Lang, int] = {"en": 20, "zh": 8}

WHOLE_LENGTH: dict[Lang, int] = {"en": 24, "zh": 10}
"""Characters of a note from which it is an echo if all of it stands in the prompt."""

KEEPING_KINDS = ("currently", "talk_outcome", "settler")
"""Kinds of prompt that ask to keep what still holds, or to use the words that were given."""

PLACEHOLDERS = ("…", "……", "...", "HH:MM")
"""What stands for the texts in the form of an answer."""

TOPICS = ("topic", "what")
"""Fields whose texts are short, and an echo if they stand in the prompt as they are."""

DECIDING_KINDS = ("react", "approach", "respond")
"""Kinds of prompt that ask for such a text with a decision."""

OUTCOMES = ("over", "damage")
"""Fields that say how a happening ends."""

KEPT_FIELDS = ("goals",)
"""Fields whose texts the prompt offers to keep as they are."""

PATTERN_WORDS, PATTERN_SIGNS = 6, 6
"""Words of an English text, and signs of a Chinese one, that are a pattern the third time."""

LEAST_CONTENT: dict[Lang, int] = {"en": 1, "zh": 2}
"""Different content words (in Chinese: characters) of a text below which it says nothing."""

NOTE_CONTENT: dict[Lang, int] = {"en": 2, "zh": 3}
"""The same for a text that states something in a sentence."""

STATED = ("text", "summary", "thought", "currently")
"""Fields that hold sentences."""

LEAST_SIGNS = 2
"""Letters or characters of a phrase, stock phrases left out, below which it says nothing."""

IDLE_DECISIONS = (CONTINUE, WAIT)
"""Decisions that need no topic."""

LEAST_LETTERS = 0.3
"""Share of letters among the signs of a text below which it says nothing."""

SENTENCE_LENGTH = 12
"""Characters of a spoken line from which it ends with a mark of punctuation."""

LONGEST_WORD = 22
"""Letters from which a Latin word is taken for none."""

THIRD_PERSON = ("summary", "relations", "thought", "plan", "memo", "currently")
"""Fields whose prompts ask for the third person."""

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|《[^》]*》|\'[^\']{3,}\'')
_BOUND = re.compile(r"\{0,(\d+)\}\)?\??\$$")
_END = re.compile(r"[.!?。！？…~～—][\"'”’」』)）]*$")


def wrong_language(reply: ScoredReply) -> str:
    """Return the first text in the other language."""
    names = (reply.me, *reply.others)
    return next(
        (
            text
            for _, text, _ in reply.texts
            if is_foreign(reply.lang, text, names)
            or (reply.lang == "zh" and _is_latin(text, reply))
        ),
        "",
    )


def _is_latin(text: str, reply: ScoredReply) -> bool:
    """Return True if a Chinese text has no Han character but several Latin words of its own."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return (
        len(words) > 1 and not re.search("[\u4e00-\u9fff]", text) and text not in reply.prompt_text
    )


def echo(reply: ScoredReply) -> str:
    """Return a text that recites the prompt: one long copied part, or nothing but copied parts.

    A timetable is made of the strokes that the prompt shows, and tasks may name their activity
    again, so that in these only the rules and the form of the answer are no material, and clock
    times that are copied along. What was said before is a matter of `repeats_itself`.
    """
    is_plan = reply.kind in ("schedule_daily", "schedule_decompose", "steps", "place", "law")
    shown = reply.messages[0].content if is_plan else reply.prompt_text
    unsaid = shown
    for line in reply.lines_so_far:
        unsaid = unsaid.replace(line, "")
    for name, text, _ in reply.texts:
        if name in KEPT_FIELDS:
            continue
        if marks := re.search(words_of(reply.lang)["markup"], text):
            return marks[0]
        if _is_copied_whole(name, text, reply, is_plan=is_plan):
            return text
        copied = copied_parts(_normalize(text), _normalize(unsaid if name in SPOKEN else shown))
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
    """Return True if a text is a placeholder, or stands in the prompt as it is though it should
    not: of a plan, one with a clock time or the activity before or after it; a topic, unless it is
    one to ask about; any other note that is long enough. Speech and texts to keep are exempt.
    """
    if text.strip() in PLACEHOLDERS or _is_copied_outcome(name, text, reply):
        return True
    shown = reply.prompt_text.casefold()
    if name in SPOKEN or reply.kind in KEEPING_KINDS or text.casefold() not in shown:
        return False
    if is_plan:
        return bool(re.search(r"\d:\d\d", text) and re.search(r"[^\W\d_]", text)) or (
            text.casefold() in map(str.casefold, reply.neighbours)
        )
    if name in TOPICS and reply.kind in DECIDING_KINDS:
        return len(text) > 1 and not str(reply.fields.get("decision")).startswith(WRITTEN["ask"])
    return len(text) >= WHOLE_LENGTH[reply.lang]


def _is_copied_outcome(name: str, text: str, reply: ScoredReply) -> bool:
    """Return True if a happening is over by the user's own words for it, or ends as in the example
    of the prompt, which is one of a fire, if it is anything else.
    """
    if name not in OUTCOMES or not text:
        return False
    rules, asked = reply.messages[0].content, reply.messages[-1].content
    happening = happening_kind(asked, reply.lang)
    is_fire = happening is not None and happening.key == "fire"
    is_example = re.search(rf'["“]{re.escape(text.rstrip(" .!。！"))}["”]', rules, re.IGNORECASE)
    return (name == "over" and text.casefold() in asked.casefold()) or (
        is_example is not None and not is_fire
    )


def copied_parts(text: str, source: str) -> list[str]:
    """Return the parts of a text, from left to right and of 8 characters at least, that stand in a
    source, each as long as possible.

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
    """Return a sentence that is said twice, or that was said in the conversation before, words that
    follow on themselves three times, or a pattern that texts use three times.

    Only the task before counts for a task: one may go back to an earlier one. The same short text
    is a repetition the third time in a row.
    """
    said: list[str] = []
    for name, text, _ in reply.texts:
        if text and said[-2:] == [text, text]:
            return text
        if phrase := _find_loop(text):
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
        if name == "say" and (again := _find_copied_part(text, reply)):
            return again
        said.append(text)
    return _find_pattern([text for name, text, _ in reply.texts if name != "activity"], reply)


def _find_pattern(texts: Sequence[str], reply: ScoredReply) -> str:
    """Return the words (in Chinese: characters) in a row that texts use three times or more and the
    prompt never, as of a model that fills in one pattern.
    """
    length, apart = (
        (PATTERN_WORDS, r"[^\W\d]+") if reply.lang == "en" else (PATTERN_SIGNS, r"[^\W\d]")
    )
    found = Counter[str]()
    for text in texts:
        parts = list(re.finditer(apart, text))
        found.update(
            text[parts[at].start() : parts[at + length - 1].end()]
            for at in range(len(parts) - length + 1)
        )
    return next(
        (words for words, count in found.items() if count > 2 and words not in reply.prompt_text),
        "",
    )


def _find_copied_part(text: str, reply: ScoredReply) -> str:
    """Return the part of a spoken line that was said before, if it is most of the line."""
    least = RECITED_LENGTH[reply.lang]
    parts = copied_parts(_normalize(text), _normalize("\n".join(reply.lines_so_far)))
    longest = max(parts, key=len, default="")
    return longest if len(longest) >= max(least, ECHO_SHARE * len(text)) else ""


def _find_loop(text: str) -> str:
    """Return words that follow on themselves three times, as of a model that is caught in a loop."""
    found = re.search(r"(.{4,60}?)(?:[\s,，。.!！]*\1){2,}", text)
    return found[0] if found and re.search(r"\w", found[1]) else ""


def lacks_content(reply: ScoredReply) -> str:
    """Return a text that says nothing: signs, numbers, names or stock phrases. A farewell may be
    one, and the topic of a decision that needs none is no matter of content.
    """
    needs_none = ["say"] if reply.fields.get("end") else []
    if reply.fields.get("decision") in IDLE_DECISIONS:
        needs_none += TOPICS
    return next(
        (
            text or name
            for name, text, _ in reply.texts
            if name not in needs_none
            and (text.strip() or name in STATED)
            and _is_empty(name, text, reply)
        ),
        "",
    )


def _is_empty(name: str, text: str, reply: ScoredReply) -> bool:
    """Return True if a text has too few letters, or too few words of its own."""
    letters = re.findall(r"[^\W\d_]", text)
    if not letters or len(letters) < LEAST_LETTERS * len(re.sub(r"\s", "", text)):
        return not (name in SPOKEN and re.search(r"\b\d\d?:\d\d\b", text))
    rest = re.sub(words_of(reply.lang)["stock"], " ", text.casefold().replace("’", "'"))
    for known in (reply.me, *reply.others):
        for part in (known, *known.split()):
            rest = rest.replace(part.casefold(), " ")
    if name in SPOKEN or name in STATED:
        content = {word for word in content_of(rest, reply.lang) if re.search(r"[^\W\d_]", word)}
        return len(content) < (NOTE_CONTENT if name in STATED else LEAST_CONTENT)[reply.lang]
    return len(re.findall(r"[^\W\d_]", rest)) < LEAST_SIGNS or _is_name(text, reply)


def _is_name(text: str, reply: ScoredReply) -> bool:
    """Return True if an English text is made of names of the prompt only."""
    words = re.findall(r"[^\W\d_]{4,}", text)
    return len(words) > 1 and all(
        word[0].isupper() and re.search(rf"[a-z,] {word}\b", reply.prompt_text) for word in words
    )


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
    if narrated := re.search(words_of(reply.lang)["narration"].format(names=names), said):
        return narrated[0].strip()
    if reply.me and (
        own := re.search(rf"(.{{0,20}}){re.escape(reply.me)}(.{{0,12}})", _QUOTED.sub("", said))
    ):
        introduced = re.search(
            rf"(?:{words_of(reply.lang)['introduction']})[\s,，]*$", own[1], re.IGNORECASE
        )
        return "" if introduced else own[0].strip()
    return ""


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
    """Return True if a name is put together from the names of two people of the prompt."""
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
    assent: str = words_of(reply.lang)["assent"]
    return "" if re.search(assent, said, re.IGNORECASE) else said


def leaves_persona(reply: ScoredReply) -> str:
    """Return words that only somebody outside the town would say, or "I" in a text that is asked for
    in the third person.
    """
    words = words_of(reply.lang)
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
    return next(list_broken_words(reply), "")


def list_broken_words(reply: ScoredReply, *, with_cuts: bool = True) -> Iterator[str]:
    """Yield the first fault of each text with broken words.

    Args:
        with_cuts: True to judge the ends of texts of the greatest length, which a grammar may have
            cut off.
    """
    for name, text, schema in reply.texts:
        if word := next(_list_impossible_words(text), ""):
            yield word
        elif text.strip() and not re.search(r"[^\W\d_]", text):
            yield text
        elif not with_cuts and len(text) >= _max_length(schema):
            continue
        elif ending := _find_broken_end(text, schema, reply.lang):
            yield ending
        elif name in SPOKEN and len(text) >= SENTENCE_LENGTH and not _END.search(text.rstrip()):
            yield text[-20:]


def _max_length(schema: dict[str, Any]) -> float:
    """Return the greatest length of a text by its schema, infinite for none."""
    bound = _BOUND.search(schema.get("pattern", ""))
    return int(bound[1]) if bound else float(schema.get("maxLength", inf))


def _list_impossible_words(text: str) -> Iterator[str]:
    """Yield the Latin words that are none, by their length, repetitions, endings or capitals, and
    then one sequence of signs that no text contains.
    """
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


def _find_broken_end(text: str, schema: dict[str, Any], lang: Lang) -> str:
    """Return the end of a text that breaks off: with a comma, colon or semicolon, at the greatest
    length without an end mark, or with a word that needs another after it.
    """
    bare = text.rstrip()
    if not bare or _END.search(bare):
        return ""
    if bare[-1] in ",;:" or len(text) >= _max_length(schema):
        return bare[-20:]
    if lang == "zh":
        return bare[-8:] if re.search(rf"(?:{words_of(lang)['dangling']})$", bare) else ""
    last = re.findall(r"[A-Za-z']+$", bare)
    return (
        bare[-20:]
        if last
        and len(bare.split()) > 1
        and last[0].casefold() in split_words(words_of(lang)["dangling"])
        else ""
    )


RULES: dict[str, Rule] = {
    "unusable": breaks_form,
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


def _normalize(text: str) -> str:
    """Return a text with single blanks and in lower case."""
    return re.sub(r"[\s]+", " ", text).casefold()
