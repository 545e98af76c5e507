-- The words that are being forgotten. They are stored here only until every trace of them is removed.
CREATE TABLE forgetting (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    what TEXT NOT NULL
) STRICT;
