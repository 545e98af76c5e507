-- What somebody wanted forgotten, until every trace of it is gone: the words stand here no longer than that.
CREATE TABLE forgetting (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    what TEXT NOT NULL
) STRICT;
