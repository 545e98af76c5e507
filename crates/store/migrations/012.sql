-- Answers to programs that keep their conversations themselves: the hash of the text, and the origins of untrusted content
-- in the context of the answer.
CREATE TABLE given_answers (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    origins TEXT NOT NULL,
    given_at INTEGER NOT NULL,
    PRIMARY KEY (user, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX given_answers_by_time ON given_answers (given_at);

-- The origins of untrusted content in values that the companion keeps.
CREATE TABLE kept_values (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    origins TEXT NOT NULL,
    PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;
