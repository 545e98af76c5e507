-- Regions of the vectors, by which a search among very many looks through a part of them only. They can be made anew.
ALTER TABLE vectors ADD COLUMN region INTEGER;

CREATE TABLE regions (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    embedder INTEGER NOT NULL REFERENCES embedders (id),
    centres BLOB NOT NULL,
    PRIMARY KEY (user, embedder)
) STRICT, WITHOUT ROWID;
