"""Interview transcripts as rows of a table of people, one file a person.

Nothing is invented: age, occupation and interests are taken where the person names them, character
only from a line at the top, and the biography and what they have in mind are their own sentences,
word for word. Each value has the line of the transcript from which it comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hometown.authoring.importing.guess import speaks
from hometown.authoring.population.people_table import (
    COLUMNS_OF_PEOPLE,
    GENDERS,
    OLDEST,
    PersonRow,
    translate_column,
)
from hometown.authoring.population.plausibility import read_population_words
from hometown.authoring.population.turns import (
    find_single_speaker,
    find_speakers,
    read_turn,
    remove_stamp,
)
from hometown.authoring.starter import write_json
from hometown.authoring.word_tables import contains_word
from hometown.config import read_bounded
from hometown.errors import BadInput, reason_of
from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import Phrase

TRANSCRIPT_SUFFIXES = (".txt", ".md")

SOURCES = "sources.json"
"""The file in a world's folder that says from which line of a transcript each value comes."""

MOST_QUOTED = 3
"""Number of sentences in a biography."""

SHORTEST_QUOTED: dict[Lang, int] = {"en": 40, "zh": 12}
"""The least number of characters of a sentence in a biography."""

_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]+[”\"]?|[^.!?。！？]+$")


@frozen
class SourcedValue:
    """A value of a person, with the lines of the transcript from which it comes, from 1."""

    column: str
    value: str
    lines: tuple[int, ...]


@frozen
class Transcript:
    """A transcript: its values, one of each column, among them those of its `head`, and what the
    person says, as (line, text).
    """

    file: Path
    values: tuple[SourcedValue, ...]
    head: tuple[SourcedValue, ...]
    spoken: tuple[tuple[int, str], ...]

    def to_row(self, number: int) -> PersonRow:
        """Return the person as a row of a table of people."""
        cells = {each.column: each.value for each in self.values}
        gender = cells.get("gender", "").lower()
        pronoun = next((key for key, words in GENDERS.items() if gender in words), "they")
        return PersonRow(number, int(cells["age"]), pronoun, cells)


def read_transcripts(folder: Path) -> list[Transcript]:
    """Return the people of a folder of transcripts, by the names of the files.

    Raises:
        BadInput: There are none, or one can't be read or lacks age or occupation, one line each.
    """
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in TRANSCRIPT_SUFFIXES)
    if not files:
        raise BadInput(
            "{folder}: has no transcripts; put a text or Markdown file there for each person",
            folder=folder,
        )
    faults: list[Phrase] = []
    found = []
    for file in files:
        try:
            transcript = _read_transcript(file, read_bounded(file))
        except (OSError, UnicodeDecodeError) as error:
            faults.append(
                Phrase("{file}: cannot be read ({reason})", file=file, reason=reason_of(error))
            )
            continue
        faults += _list_faults(transcript)
        found.append(transcript)
    if faults:
        raise BadInput(faults)
    return found


def write_sources(transcripts: Sequence[Transcript], folder: Path) -> Path:
    """Write the line of each value of the people into `sources.json` in a world's folder, by the
    names of the transcripts, and return that file.
    """
    path = folder / SOURCES
    content = {
        each.file.name: {
            value.column: {"value": value.value, "lines": list(value.lines)}
            for value in each.values
        }
        for each in transcripts
    }
    write_json(path, content)
    return path


def _list_faults(transcript: Transcript) -> Iterator[Phrase]:
    """Yield the values without which nobody can live in a town."""
    cells = {each.column: each.value for each in transcript.values}
    age = cells.get("age", "")
    if not age.isdecimal() or int(age) > OLDEST:
        yield Phrase(
            "{file}: no age is found ({age!r}); begin the file with a line such as Age: 34",
            file=transcript.file,
            age=age,
        )
    if not cells.get("occupation"):
        yield Phrase(
            "{file}: no occupation is found; begin the file with a line such as Occupation: nurse",
            file=transcript.file,
        )


def _read_transcript(file: Path, text: str) -> Transcript:
    """Return a transcript with its values: those named at the top, then those that the person
    says.
    """
    lang = speaks(text)
    words: Json = read_population_words(lang)["transcript"]
    lines = text.removeprefix("\ufeff").splitlines()
    head, body = _split_head(lines, words)
    speakers = _find_speakers(lines[body:], head, words)
    spoken = tuple(_list_spoken(lines, body, speakers, words))
    first: dict[str, SourcedValue] = {}
    named = _find_name(lines, body, speakers, words)
    for value in (*head, *named, *_find_facts(spoken, words, lang)):
        first.setdefault(value.column, value)
    return Transcript(file, tuple(first.values()), tuple(head), spoken)


def _split_head(lines: Sequence[str], words: Json) -> tuple[list[SourcedValue], int]:
    """Return the values named at the top, such as "Age: 34", and the number of lines before the
    first that is none of them. Columns without a meaning of their own are named in the first
    paragraph, beside one with a meaning.
    """
    paragraph = _find_first_paragraph(lines, words)
    values: list[SourcedValue] = []
    for at, line in enumerate(lines):
        if not _is_text(line):
            continue
        turn = read_turn(line)
        column = translate_column(turn.label) if turn else ""
        if turn is None or (column not in COLUMNS_OF_PEOPLE and at not in paragraph):
            return values, at
        values.append(SourcedValue(column, turn.text, (at + 1,)))
    return values, len(lines)


def _find_first_paragraph(lines: Sequence[str], words: Json) -> range:
    """Return the numbers of the lines of the first paragraph, up to the first turn of a speaker;
    none if a line names no column, or if all columns are without a meaning of their own.
    """
    speakers = find_speakers(lines, (*words["interviewer"], *words["person"]))
    columns = []
    start = next((at for at, line in enumerate(lines) if _is_text(line)), len(lines))
    for line in lines[start:]:
        turn = read_turn(line)
        if not line.strip() or (turn and turn.label.lower() in speakers):
            break
        columns.append(translate_column(turn.label) if turn else "")
    is_head = all(columns) and not COLUMNS_OF_PEOPLE.keys().isdisjoint(columns)
    return range(start, start + len(columns) if is_head else start)


def _find_speakers(lines: Sequence[str], head: Sequence[SourcedValue], words: Json) -> list[str]:
    """Return those who speak, as their turns are marked, in small letters; if these are
    interviewers alone, also the one who answers them once.
    """
    named = [each.value.lower() for each in head if each.column == "name"]
    speakers = find_speakers(lines, (*words["interviewer"], *words["person"], *named))
    if speakers and set(speakers) <= set(words["interviewer"]):
        speakers.append(find_single_speaker(lines, words["interviewer"]))
    return speakers


def _list_spoken(
    lines: Sequence[str], first: int, speakers: Sequence[str], words: Json
) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of what the person says: everything but the interviewer's turns."""
    is_person = True
    for at in range(first, len(lines)):
        turn = read_turn(lines[at])
        said = remove_stamp(lines[at])
        if turn and turn.label.lower() in speakers:
            is_person = turn.label.lower() not in words["interviewer"]
            said = turn.text
        if is_person and said and _is_text(lines[at]):
            yield at + 1, said


def _is_text(line: str) -> bool:
    """Return True if a line is neither a heading nor without letters, as blank lines and lines
    with a time alone are.
    """
    return bool(re.search(r"[^\W\d_]", line)) and not line.startswith("#")


def _find_name(
    lines: Sequence[str], first: int, speakers: Sequence[str], words: Json
) -> Iterator[SourcedValue]:
    """Yield the name by which most of the person's turns are marked, if it is one."""
    known = (*words["interviewer"], *words["person"])
    name = next((each for each in speakers if each and each not in known), None)
    for at in range(first, len(lines)):
        turn = read_turn(lines[at])
        if turn and turn.label.lower() == name:
            yield SourcedValue("name", turn.label, (at + 1,))
            return


def _find_facts(
    spoken: Sequence[tuple[int, str]], words: Json, lang: Lang
) -> Iterator[SourcedValue]:
    """Yield what the person says of themselves: age, occupation and interests by their wording, what
    they have in mind and their life in their own sentences.
    """
    known = [
        word for group in read_population_words(lang)["occupations"] for word in group["words"]
    ]
    sentences = [
        (line, found.strip()) for line, said in spoken for found in _SENTENCE.findall(said)
    ]
    for line, sentence in sentences:
        if age := re.search(words["age"], sentence, re.IGNORECASE):
            yield SourcedValue("age", age[1], (line,))
        for pattern in words["occupation"]:
            for work in re.finditer(pattern, sentence, re.IGNORECASE):
                if contains_word(work[1], known):
                    yield SourcedValue("occupation", work[1].strip(), (line,))
        if liking := re.search(words["interest"], sentence, re.IGNORECASE):
            yield SourcedValue("interests", liking[1].strip(), (line,))
        if re.search(words["concern"], sentence, re.IGNORECASE):
            yield SourcedValue("concern", words["quoted"].format(text=sentence), (line,))
    told = [
        (line, sentence)
        for line, sentence in sentences
        if len(sentence) >= SHORTEST_QUOTED[lang] and re.search(words["own"], sentence)
    ][:MOST_QUOTED]
    if told:
        quoted = words["between"].join(sentence for _, sentence in told)
        yield SourcedValue(
            "about",
            words["told"].format(text=quoted),
            tuple(dict.fromkeys(line for line, _ in told)),
        )
