"""Counts of a run's model calls, of their replies and of the rules that mended replies."""

from __future__ import annotations

import sqlite3

from hometown.history.entities import CallCount, Mending, ReplyCount


def count_calls(database: sqlite3.Connection, first: int, last: int) -> list[CallCount]:
    """Count the model calls of steps `first` to `last` by kind and outcome."""
    rows = database.execute(
        "SELECT kind, outcome, count(*), sum(prompt_tokens), sum(reply_tokens) FROM calls WHERE step BETWEEN ? AND ?"
        " GROUP BY kind, outcome ORDER BY kind, outcome",
        (first, last),
    )
    return [CallCount(*row) for row in rows]


def count_replies(database: sqlite3.Connection) -> ReplyCount:
    """Count all attempts of all model calls, as requests, by what became of their replies, and the
    trials.
    """
    row = database.execute(
        "SELECT count(*) + coalesce(sum(trials), 0), coalesce(sum(error = '' AND NOT mended), 0),"
        " coalesce(sum(error = '' AND mended), 0), coalesce(sum(error != ''), 0), coalesce(sum(trials), 0)"
        " FROM (SELECT coalesce(json_extract(attempt.value, '$.error'), '') AS error,"
        " coalesce(json_extract(attempt.value, '$.trials'), 0) AS trials,"
        " coalesce(json_array_length(attempt.value, '$.mended'), 0) > 0 AS mended"
        " FROM calls, json_each(CAST(attempts AS TEXT)) AS attempt)"
    ).fetchone()
    return ReplyCount(*row)


def find_unusable_reply(database: sqlite3.Connection) -> str:
    """Return the text of the latest reply that could not be used, "" if there is none."""
    row = database.execute(
        "SELECT json_extract(attempt.value, '$.text') FROM calls, json_each(CAST(attempts AS TEXT)) AS attempt"
        " WHERE coalesce(json_extract(attempt.value, '$.error'), '') != '' ORDER BY step DESC LIMIT 1"
    ).fetchone()
    return str(row[0] or "") if row else ""


def count_mendings(database: sqlite3.Connection, first: int, last: int) -> list[Mending]:
    """Return the rules that mended replies in steps `first` to `last`, by kind of prompt, the
    most frequent first.
    """
    rows = database.execute(
        "SELECT kind, rule.value, count(*) FROM calls, json_each(CAST(attempts AS TEXT)) AS attempt, json_each(attempt.value, '$.mended') AS rule"
        " WHERE step BETWEEN ? AND ? GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
        (first, last),
    )
    return [Mending(*row) for row in rows]
