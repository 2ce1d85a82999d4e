"""Citations of a study or a run, of Hometown, and of the paper whose method it follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hometown.language import Lang
from hometown.model.levels import RECORDED, SCRIPTED
from hometown.study.deposit.crate import parse_author
from hometown.study.deposit.subject import DepositSubject
from hometown.text import Phrase

PAPER = """@inproceedings{park2023generative,
  author    = {Park, Joon Sung and O'Brien, Joseph C. and Cai, Carrie J. and Morris, Meredith Ringel and Liang, Percy and Bernstein, Michael S.},
  title     = {Generative Agents: Interactive Simulacra of Human Behavior},
  booktitle = {Proceedings of the 36th Annual ACM Symposium on User Interface Software and Technology},
  year      = {2023},
  doi       = {10.1145/3586183.3606763}
}"""

SOFTWARE = """@software{hometown,
  author  = {{The Hometown contributors}},
  title   = {Hometown: a local-first town of generative agents},
  version = {VERSION}
}"""

_ESCAPES = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_"}
    | {
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
"""Signs with a meaning in LaTeX, and the commands that print them; BibTeX counts all braces."""


def cite_subject(subject: DepositSubject, authors: Sequence[str], lang: Lang) -> str:
    """Return a sentence that identifies a study or a run, and entries for BibTeX. Raises BadInput
    for an author who is neither "NAME" nor "NAME <ORCID>".
    """
    names = [parse_author(each).name for each in authors]
    software = SOFTWARE.replace("VERSION", ", ".join(subject.versions))
    return "\n\n".join((describe_subject(subject, lang), _entry(subject, names), software, PAPER))


def describe_subject(subject: DepositSubject, lang: Lang) -> str:
    """Return a sentence that names the version, models, runs and the digest of a subject."""
    first = subject.runs[0]
    named = {
        "name": subject.name,
        "title": subject.title,
        "version": [*subject.versions],
        "engine": list(dict.fromkeys(str(run.engine) for run in subject.runs)),
        "models": [_name_model(model) for model in subject.models],
        "count": len(subject.runs),
        "date": f"{subject.created:%Y-%m-%d}",
    }
    if subject.definition:
        return Phrase(
            "“{title}” ({name}, {date}), an experiment simulated with Hometown {version}, engine "
            "{engine}, on {models}; number of runs: {count}; definition: {definition}",
            **named,
            definition=subject.definition,
        ).localize(lang)
    return Phrase(
        "{name} ({date}): a run of the world {world} up to step {steps}, simulated with Hometown "
        "{version}, engine {engine}, on {models}; digest of its last step: {digest}",
        **named,
        world=first.world,
        steps=first.steps,
        digest=first.digest,
    ).localize(lang)


def _name_model(model: str) -> Phrase | str:
    if model == RECORDED:
        return Phrase("recorded replies (of no model on this machine)")
    return Phrase("the scripted model (no language model)") if model == SCRIPTED else model


def _entry(subject: DepositSubject, authors: Sequence[str]) -> str:
    """Return the BibTeX entry of a subject."""
    key = re.sub(r"\W+", "-", subject.name)
    identity = subject.definition or subject.runs[0].digest
    title = subject.title.translate(_ESCAPES)
    by = " and ".join(f"{{{name.translate(_ESCAPES)}}}" for name in authors)
    lines = [
        *([f"author = {{{by}}}"] if by else []),
        f"title = {{{title}}}",
        f"year = {{{subject.created:%Y}}}",
        f"note = {{Simulated with Hometown {', '.join(subject.versions)}; {identity}}}",
    ]
    return f"@misc{{{key},\n  " + ",\n  ".join(lines) + "\n}"
