-- What the model wrote in each round of an answer, and what it was told, word for word: a prompt repeats them.
-- The message's content is what is shown.
CREATE TABLE rounds (
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    ord INTEGER NOT NULL,
    said TEXT NOT NULL,
    calls TEXT NOT NULL,
    told TEXT NOT NULL,
    PRIMARY KEY (message, ord)
) STRICT, WITHOUT ROWID;

-- What she did in the course of an answer.
CREATE TABLE acts (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    ord INTEGER NOT NULL,
    -- Where in the message's text it stands, in UTF-16 units.
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    ms INTEGER,
    pinned INTEGER NOT NULL DEFAULT 0,
    args TEXT NOT NULL,
    result TEXT,
    command TEXT
) STRICT;

CREATE INDEX acts_message ON acts (message, ord);
CREATE INDEX acts_pinned ON acts (message) WHERE pinned = 1;

-- A tool that may run with these very arguments without asking.
CREATE TABLE grants (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (user, tool, args)
) STRICT;

-- Whose words are in an answer, and in a summary, beside the user's and hers.
ALTER TABLE messages ADD COLUMN origins TEXT;
ALTER TABLE messages ADD COLUMN plan TEXT;
ALTER TABLE epochs ADD COLUMN origins TEXT;
