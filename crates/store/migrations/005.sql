-- Regions of the vectors, so that a search among very many reads only some of them. They can be rebuilt.
ALTER TABLE vectors ADD COLUMN region INTEGER;

CREATE TABLE regions (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    embedder INTEGER NOT NULL REFERENCES embedders (id),
    centres BLOB NOT NULL,
    PRIMARY KEY (user, embedder)
) STRICT, WITHOUT ROWID;
