-- The index of a code workspace. It holds nothing that is not in the files themselves: where its form changes, it is
-- thrown away and made anew, so there are no steps from one form to the next.

-- `form` is the caller's word for how it writes down what it keeps here.
CREATE TABLE state (generation INTEGER NOT NULL, form TEXT) STRICT;
-- Not from zero: what is made anew is not to be taken for what was there before.
INSERT INTO state (generation) VALUES (random() >> 2);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('text', 'binary', 'huge', 'unreadable')),
    bytes INTEGER NOT NULL,
    -- When it was last touched, in nanoseconds. Null: it is to be read again whatever the disk says.
    stamp INTEGER,
    hash BLOB NOT NULL,
    language TEXT,
    lines INTEGER NOT NULL
) STRICT;

-- Apart, so that a list of files need not pass over them.
CREATE TABLE outlines (
    file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    outline BLOB NOT NULL
) STRICT;

-- `key` is the name as it is looked for, whatever the style it is written in.
CREATE TABLE symbols (
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL
) STRICT;
CREATE INDEX symbols_by_key ON symbols (key);
CREATE INDEX symbols_by_file ON symbols (file);

-- Words come split and in small letters; the texts themselves are in the files.
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
