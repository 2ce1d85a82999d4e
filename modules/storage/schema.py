"""The tables of a run's database; `docs/formats.md` describes them for readers.

Times are ISO texts without zone. JSON is written by orjson with sorted keys. Everything that a
step writes carries its number, so that any past step can be opened. Tables with long rows, and those
into whose middle a step writes, keep their rowid: rows are appended then, and only the index is spread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sqlite3 import Connection

MIGRATIONS: tuple[Callable[[Connection], None], ...] = ()
"""The first brings a database from version 1 to 2, the next from 2 to 3. Each runs once, all in one transaction."""

SCHEMA_VERSION = 1 + len(MIGRATIONS)
"""Kept as SQLite's user_version; a database with a higher one is refused."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
-- key 'manifest': JSON of storage.manifest.Manifest; key 'planned_end': last step meant to be lived

CREATE TABLE steps (
    step INTEGER PRIMARY KEY,
    time TEXT NOT NULL,             -- game time at which this step ends (step 0: the start)
    digest TEXT NOT NULL,           -- hex, chained
    stats BLOB NOT NULL             -- JSON: wall ms by phase, calls, tokens, fallbacks; never digested
);
CREATE TABLE effects (
    step INTEGER PRIMARY KEY,
    log BLOB NOT NULL               -- zstd of a JSON list, in order, of [resident or '', kind, cause, effect]
);
CREATE TABLE state (
    key TEXT NOT NULL, step INTEGER NOT NULL,
    value BLOB,                     -- JSON of the row; NULL: removed in this step
    PRIMARY KEY (key, step)
);
CREATE INDEX state_by_step ON state (step);
CREATE TABLE memories (
    resident TEXT NOT NULL, id INTEGER NOT NULL, step INTEGER NOT NULL,
    type TEXT NOT NULL, text TEXT NOT NULL,
    subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL, address TEXT NOT NULL,
    poignancy INTEGER NOT NULL, created TEXT NOT NULL, expires TEXT NOT NULL,
    evidence TEXT NOT NULL,         -- JSON list of ids of the same resident
    talk TEXT NOT NULL, about TEXT NOT NULL,    -- JSON list of residents
    embedding BLOB NOT NULL,        -- hash of the text: key into embeddings
    PRIMARY KEY (resident, id)
);
CREATE INDEX memories_by_step ON memories (step);
CREATE TABLE memory_changes (
    step INTEGER NOT NULL, resident TEXT NOT NULL,
    accessed BLOB NOT NULL,         -- JSON object: memory id -> time of last access
    retired BLOB NOT NULL,          -- JSON list of memory ids
    PRIMARY KEY (step, resident)
) WITHOUT ROWID;
CREATE TABLE conversations (
    id TEXT PRIMARY KEY, step INTEGER NOT NULL,
    opener TEXT NOT NULL, partner TEXT NOT NULL, address TEXT NOT NULL,
    started TEXT NOT NULL, minutes INTEGER NOT NULL,
    lines BLOB NOT NULL,            -- JSON list of {speaker, text, call}
    summary TEXT NOT NULL, ended_by TEXT NOT NULL
);
CREATE INDEX conversations_by_step ON conversations (step);
CREATE TABLE trajectories (
    step INTEGER NOT NULL, resident TEXT NOT NULL,
    path BLOB NOT NULL,             -- little-endian uint16 triples (tick, column, row), one for each tile entered
    PRIMARY KEY (step, resident)
) WITHOUT ROWID;
CREATE TABLE calls (
    step INTEGER NOT NULL, resident TEXT NOT NULL, kind TEXT NOT NULL, ordinal INTEGER NOT NULL,
    model TEXT NOT NULL,
    outcome TEXT NOT NULL,          -- ok, retried, fallback
    reply BLOB NOT NULL,            -- JSON of the reply that was used
    attempts BLOB NOT NULL,         -- JSON list of {text, error}
    retrieved BLOB NOT NULL,        -- JSON list of [memory id, score, recency, importance, relevance]
    prompt INTEGER,                 -- its place in the step's prompts, from 0; NULL where prompts are not recorded
    prompt_tokens INTEGER NOT NULL, reply_tokens INTEGER NOT NULL, ms REAL NOT NULL,
    PRIMARY KEY (step, resident, kind, ordinal)
);
CREATE TABLE prompts (
    step INTEGER PRIMARY KEY,
    messages BLOB NOT NULL          -- zstd of a JSON list: for each call its list of {role, content}; together, since they share so much
);
CREATE TABLE embeddings (
    embedding TEXT NOT NULL, hash BLOB NOT NULL,    -- BLAKE2b-128 of the UTF-8 text
    vector BLOB NOT NULL,           -- float32, little-endian
    PRIMARY KEY (hash, embedding)
);
CREATE TABLE journal (
    step INTEGER NOT NULL, resident TEXT NOT NULL, kind TEXT NOT NULL, ordinal INTEGER NOT NULL, attempt INTEGER NOT NULL,
    asked BLOB NOT NULL,            -- hash of the request
    reply BLOB NOT NULL,            -- JSON of the completion
    PRIMARY KEY (step, resident, kind, ordinal, attempt)
) WITHOUT ROWID;
"""

TABLE_NAMES = frozenset(re.findall(r"CREATE TABLE (\w+)", TABLES))
