-- The index of a code workspace. It contains nothing that is not in the files themselves. When its format changes, it is
-- deleted and rebuilt, so there are no migrations.

-- `form` is the caller's name for the format of its data.
CREATE TABLE state (generation INTEGER NOT NULL, form TEXT) STRICT;
-- A random start, so that a rebuilt index is not mistaken for the previous one.
INSERT INTO state (generation) VALUES (random() >> 2);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('text', 'binary', 'huge', 'unreadable')),
    bytes INTEGER NOT NULL,
    -- The modification time in nanoseconds; null if the file has to be read again in any case.
    stamp INTEGER,
    hash BLOB NOT NULL,
    language TEXT,
    lines INTEGER NOT NULL
) STRICT;

-- Stored separately, so that listing files does not read them.
CREATE TABLE outlines (
    file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    outline BLOB NOT NULL
) STRICT;

-- `key` is the normalized name for lookups, independent of the naming style.
CREATE TABLE symbols (
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL
) STRICT;
CREATE INDEX symbols_by_key ON symbols (key);
CREATE INDEX symbols_by_file ON symbols (file);

-- Words are already split and in lower case; the text itself is in the files.
CREATE VIRTUAL TABLE words USING fts5 (
    path, names, prose, body,
    content = '', contentless_delete = 1, tokenize = 'porter ascii'
);

CREATE TABLE vectors (
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    model TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (file, model, chunk)
) STRICT, WITHOUT ROWID;
