-- Answers to programs, which keep their conversations themselves: the words as a hash, and whose words stood before her
-- when she gave them.
CREATE TABLE given_answers (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    origins TEXT NOT NULL,
    given_at INTEGER NOT NULL,
    PRIMARY KEY (user, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX given_answers_by_time ON given_answers (given_at);

-- Whose words are in a kept value, beside the user's and hers.
CREATE TABLE kept_values (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    origins TEXT NOT NULL,
    PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;
