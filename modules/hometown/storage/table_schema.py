"""The tables of a run's database; `docs/formats.md` describes them for readers.

Times are ISO texts without zone. JSON is written by orjson with sorted keys. Everything that a step
writes carries its number, so that any past step can be opened. Tables with long rows, and those
into whose middle a step writes, keep their rowid: rows are appended then, and only the index is
spread.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from sqlite3 import Connection

from hometown.frozen import frozen

_WORLD = """CREATE TABLE world (
    path TEXT PRIMARY KEY,          -- of a file within the world's folder
    data BLOB NOT NULL              -- zstd of its content
)"""


_CHECKSUMS = """CREATE TABLE checksums (
    step INTEGER PRIMARY KEY,
    checksum BLOB NOT NULL          -- BLAKE2b-128 of all rows of the step, chained; empty: its rows are not known to be as written
)"""

_COMPANY = "company TEXT"
"""JSON list of {who, came, left} where more than two talked, NULL where two did."""

_WITH_CHECKSUM = ("journal", "embeddings")
"""Tables whose rows are written one by one and carry a checksum each since version 3."""


@frozen
class Migration:
    """A step from one version to the next. `write` changes a database; `show` makes an older one
    look changed to a read-only connection.
    """

    write: Callable[[Connection], None]
    show: Callable[[Connection], None]


def _add_world(database: Connection) -> None:
    """Add the table of the world's files."""
    database.execute(_WORLD)


def _show_world(database: Connection) -> None:
    database.execute(_temporary(_WORLD))


def _add_checksums(database: Connection) -> None:
    """Add the table of the steps' checksums, and a column for those of single rows."""
    database.execute(_CHECKSUMS)
    for table in _WITH_CHECKSUM:
        database.execute(f"ALTER TABLE {table} ADD COLUMN checksum BLOB")


def _show_checksums(database: Connection) -> None:
    database.execute(_temporary(_CHECKSUMS))
    for table in _WITH_CHECKSUM:
        database.execute(
            f"CREATE TEMP VIEW {table} AS SELECT *, NULL AS checksum FROM main.{table}"
        )


def _add_company(database: Connection) -> None:
    """Add the column of the participants of conversations of more than two."""
    database.execute(f"ALTER TABLE conversations ADD COLUMN {_COMPANY}")


def _show_company(database: Connection) -> None:
    database.execute(
        "CREATE TEMP VIEW conversations AS SELECT *, NULL AS company FROM main.conversations"
    )


def _temporary(statement: str) -> str:
    """Return a statement that creates the same table as a temporary one."""
    return statement.replace("CREATE TABLE", "CREATE TEMP TABLE")


def _change_nothing(database: Connection) -> None:
    """Leave the vectors unchanged: from version 5 on they are int16, older ones are float32, and
    their length distinguishes them.
    """


MIGRATIONS: tuple[Migration, ...] = (
    Migration(_add_world, _show_world),
    Migration(_add_checksums, _show_checksums),
    Migration(_add_company, _show_company),
    Migration(_change_nothing, _change_nothing),
)
"""The first brings a database from version 1 to 2, the next from 2 to 3, and so on. Each runs once,
all in one transaction.
"""

SCHEMA_VERSION = 1 + len(MIGRATIONS)
"""Version of the tables, stored as SQLite's `user_version`. A database of a higher version is
refused, one of a lower version is migrated.
"""

TABLES = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
-- key 'manifest': JSON of storage.manifest.Manifest; key 'planned_end': last step meant to be lived
-- key 'world': JSON of the hash of all files in the table world, absent where that is empty
-- key 'checksum': BLAKE2b-128 of the other rows, absent in runs from before version 3
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
    summary TEXT NOT NULL, ended_by TEXT NOT NULL,
    company TEXT                    -- JSON list of {who, came, left} where more than two talked, NULL where two did
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
    attempts BLOB NOT NULL,         -- JSON list of records.Attempt, as docs/formats.md describes it
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
    vector BLOB NOT NULL,           -- int16, little-endian: a unit vector times 4000; float32 as it came where written before version 5
    checksum BLOB,                  -- BLAKE2b-128 of the row; NULL: written before version 3
    PRIMARY KEY (hash, embedding)
);
CREATE TABLE journal (
    step INTEGER NOT NULL, resident TEXT NOT NULL, kind TEXT NOT NULL, ordinal INTEGER NOT NULL, attempt INTEGER NOT NULL,
    asked BLOB NOT NULL,            -- hash of the request
    reply BLOB NOT NULL,            -- JSON of the completion
    checksum BLOB,                  -- BLAKE2b-128 of the row; NULL: written before version 3
    PRIMARY KEY (step, resident, kind, ordinal, attempt)
) WITHOUT ROWID;
"""
    + _WORLD
    + ";\n"
    + _CHECKSUMS
)

TABLE_NAMES = frozenset(re.findall(r"CREATE TABLE (\w+)", TABLES))


def create_tables(database: Connection) -> None:
    """Create all tables, within a transaction."""
    for statement in TABLES.split(";\n"):
        database.execute(statement)
    set_version(database, SCHEMA_VERSION)


def create_tables_like(database: Connection, model: Connection, schema: str = "main") -> None:
    """Create the tables of another run, which may be older: `schema` of the connection `model`. Its
    rows fit unchanged; `migrate` does the rest.
    """
    definitions = model.execute(
        f"SELECT type, tbl_name, sql FROM {schema}.sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC"
    ).fetchall()
    for kind, table, statement in definitions:
        if kind in ("table", "index") and table in TABLE_NAMES:
            database.execute(statement)
    set_version(database, read_schema_version(model, schema))


def migrate(database: Connection) -> None:
    """Bring an older database up to date, within a transaction."""
    version = read_schema_version(database)
    for at, migration in enumerate(MIGRATIONS[version - 1 :], start=version + 1):
        migration.write(database)
        set_version(database, at)


def show_migrated(database: Connection) -> None:
    """Make an older database look up to date to a read-only connection."""
    database.execute("PRAGMA temp_store = MEMORY")
    for migration in MIGRATIONS[read_schema_version(database) - 1 :]:
        migration.show(database)


def read_schema_version(database: Connection, schema: str = "main") -> int:
    """Return the version of a database, 0 if it was never set."""
    (version,) = database.execute(f"PRAGMA {schema}.user_version").fetchone()
    return int(version)


def set_version(database: Connection, version: int) -> None:
    database.execute(f"PRAGMA user_version = {version}")
