"""The output of `hometown doctor`."""

from __future__ import annotations

import sys

import orjson

from hometown.cli.contacts import contacts, print_servers
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.doctor.diagnosis import Diagnosis, Examination, examine
from hometown.doctor.doctor_messages import DOCTOR_MESSAGES
from hometown.language import Lang
from hometown.model.permission import names_of_run
from hometown.text import ngettext, translate_all


def print_examination(planned: Examination, *, as_json: bool) -> int:
    """Print the servers that are contacted, examine the machine and print the findings, as JSON if
    asked. Return 0 if the run would work, else 1.
    """
    found = contacts(
        names_of_run(planned.llm, planned.settings), planned.embedding, planned.settings
    )
    print_servers(found, Text(planned.words), aside=as_json)
    backend, _, model = planned.llm.partition(":")
    if backend == "huggingface":
        loading = translate_all(DOCTOR_MESSAGES, planned.words)["loading"]
        print(loading.format(model=model), file=sys.stderr, flush=True)
    diagnosis = run_stoppable(examine(planned))
    if as_json:
        print(orjson.dumps(diagnosis.content(), option=orjson.OPT_INDENT_2).decode())
    else:
        _print(diagnosis, planned.words)
    return 0 if diagnosis.works else 1


def _print(diagnosis: Diagnosis, lang: Lang) -> None:
    words = translate_all(DOCTOR_MESSAGES, lang)
    for check in diagnosis.checks:
        print(
            f"{'✓' if check.ok else '✗'} {words['name_' + check.name]}{words['colon']}{check.detail}"
        )
        if check.fix:
            print(f"    → {check.fix}")
    hours = (
        words["unmeasured"]
        if diagnosis.hours is None
        else words["hours"].format(hours=f"{diagnosis.hours:.1f}")
    )
    print(
        "\n"
        + words["estimate"].format(
            calls=ngettext(
                "{count} call",
                "{count} calls",
                round(diagnosis.load.calls),
                count=f"{diagnosis.load.calls:,.0f}",
            ).localize(lang),
            tokens=ngettext(
                "{count} token",
                "{count} tokens",
                round(diagnosis.load.tokens),
                count=f"{diagnosis.load.tokens:,.0f}",
            ).localize(lang),
            hours=hours,
        )
    )
    print(words["works" if diagnosis.works else "fails"].format(model=diagnosis.model))
