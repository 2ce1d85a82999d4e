"""Passages of files: the text of a diary, a book or a manual, read and cut at the ends of sentences
by LlamaIndex.

A file comes from anywhere, so it is bounded before it is read: its bytes, and the characters of its
text. Files that have to be unpacked are read by a process of their own
(`modules/hometown/study/learning/unpacking.py`).
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

from hometown.errors import BadInput, reason_of
from hometown.language import Lang
from hometown.name import compose, name_fault
from hometown.read_budget import MB
from hometown.study.learning.unpacking import PACKED, extract_text
from hometown.text import split_sentences

MAX_PLAIN_BYTES = 4 * MB
"""Maximum size in bytes of a file of plain text."""

MAX_PACKED_BYTES = 32 * MB
"""Maximum size in bytes of a packed file."""

MAX_PASSAGE_CHARACTERS: dict[Lang, int] = {"en": 400, "zh": 160}
"""Maximum number of characters of a passage, by the language of the run: ten of them leave room in
a prompt.
"""

MAX_PASSAGES = 2000
"""Maximum number of passages that a resident may know: those of a novel."""

PLAIN_SUFFIXES = (".txt", ".md")
"""Suffixes of plain-text files."""

_CONTROLS: dict[int, str | None] = {
    code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if not chr(code).isspace()
}

_RADICALS = "⺟母⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻬齐⻮齿⻰龙⻱龜⻳龟"
"""Radicals without a compatibility decomposition, each before the character that looks the same."""

_LOOKALIKES: dict[int, str | None] = {
    **{
        code: unicodedata.normalize("NFKC", chr(code))
        for code in (*range(0xFB00, 0xFB07), *range(0x2F00, 0x2FD6))
    },
    **dict(zip(map(ord, _RADICALS[::2]), _RADICALS[1::2], strict=True)),
}
"""Letters for Latin ligatures, and characters for radicals, which PDFs contain in their place."""


def check_file_name(file: Path) -> str:
    """Return the name of a file as memories cite it.

    Raises:
        BadInput: The name could not be told from another.
    """
    name = compose(file.name)
    if fault := name_fault(name):
        raise BadInput(fault)
    return name


def read_passages(file: Path, lang: Lang) -> list[str]:
    """Return the passages of a file, each on one line, of at most `MAX_PASSAGE_CHARACTERS[lang]`
    characters.

    Raises BadInput for a file that can't be read, of another kind, without text, or with more
    passages than a resident may know.
    """
    suffix = file.suffix.lower()
    if suffix not in (*PLAIN_SUFFIXES, *PACKED):
        raise BadInput(
            "{file} is of a kind that can't be read: give {kinds}",
            file=file.name,
            kinds=[*PLAIN_SUFFIXES, *PACKED],
        )
    _check_size(file, MAX_PLAIN_BYTES if suffix in PLAIN_SUFFIXES else MAX_PACKED_BYTES)
    most = MAX_PASSAGE_CHARACTERS[lang] * MAX_PASSAGES
    text = (_read(file) if suffix in PLAIN_SUFFIXES else extract_text(file, most)).translate(
        _CONTROLS | _LOOKALIKES
    )
    if len(text) > most:
        raise BadInput(
            "{file} has {count:,} characters; a resident can learn {most:,} in all: give a part of it",
            file=file.name,
            count=len(text),
            most=most,
        )
    passages = split_passages(text, MAX_PASSAGE_CHARACTERS[lang])
    if not passages:
        raise BadInput("{file} has no text", file=file.name)
    return passages


def split_passages(text: str, longest: int) -> list[str]:
    """Return the passages of a text, each on one line, of at most `longest` characters, cut at the
    end of a sentence where one ends in time.

    >>> split_passages("Rye needs no warmth. It rises slowly! 黑麦不怕冷。发得慢。", 22)
    ['Rye needs no warmth.', 'It rises slowly!', '黑麦不怕冷。发得慢。']
    """
    from llama_index.core.node_parser import SentenceSplitter  # LlamaIndex takes seconds to import

    splitter = SentenceSplitter(
        chunk_size=longest,
        chunk_overlap=0,
        paragraph_separator="\n\n",
        tokenizer=_count_characters,
        chunking_tokenizer_fn=split_sentences,
    )
    lines = (" ".join(chunk.split()) for chunk in splitter.split_text(text))
    return [line for line in lines if any(unicodedata.category(sign)[0] in "LN" for sign in line)]


def _count_characters(text: str) -> str:
    """Return the text itself: LlamaIndex takes the length of the value that a tokenizer returns."""
    return text


def _check_size(file: Path, largest: int) -> None:
    """Check that a file can be read.

    Raises:
        BadInput: It is no file, can't be read, or is too large.
    """
    try:
        size = file.stat().st_size
    except OSError as error:
        raise BadInput(
            "{file} can't be read: {reason}", file=file, reason=reason_of(error)
        ) from None
    if not file.is_file():
        raise BadInput("{file} is no file: name the files that are to be learnt", file=file)
    if size > largest:
        raise BadInput(
            "{file} has {size:.1f} MB; at most {most} MB are read: give a part of it",
            file=file.name,
            size=size / MB,
            most=largest // MB,
        )


def _read(file: Path) -> str:
    """Return the text of a plain-text file.

    Raises:
        BadInput: The file is not in UTF-8, or cannot be read.
    """
    from llama_index.core import SimpleDirectoryReader

    try:
        documents = SimpleDirectoryReader.load_file(
            file, lambda _: {}, {}, encoding="utf-8-sig", errors="strict"
        )
    except UnicodeDecodeError:
        raise BadInput("{file} is not in UTF-8: save it in that encoding", file=file.name) from None
    except OSError as error:
        raise BadInput(
            "{file} can't be read: {reason}", file=file.name, reason=reason_of(error)
        ) from None
    return "\n\n".join(document.text for document in documents)
