-- The rounds of a reply: the exact output of the model and the tool results, which the prompt repeats. The content of the
-- message is what is shown.
CREATE TABLE rounds (
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    ord INTEGER NOT NULL,
    said TEXT NOT NULL,
    calls TEXT NOT NULL,
    told TEXT NOT NULL,
    PRIMARY KEY (message, ord)
) STRICT, WITHOUT ROWID;

-- The tool calls made for a reply.
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

-- Permissions for tools to run with exactly these arguments without confirmation.
CREATE TABLE grants (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    args TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (user, tool, args)
) STRICT;

-- The origins of untrusted content in a reply and in a summary.
ALTER TABLE messages ADD COLUMN origins TEXT;
ALTER TABLE messages ADD COLUMN plan TEXT;
ALTER TABLE epochs ADD COLUMN origins TEXT;
