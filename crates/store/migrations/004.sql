-- Facts. A fact outlives the conversation that it came from.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    category TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Of two facts that fill the same slot, only one can hold.
    slot TEXT,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    created_at INTEGER NOT NULL,
    -- When it was last said, edited or confirmed: from there on it fades.
    updated_at INTEGER NOT NULL,
    last_used_at INTEGER,
    use_count INTEGER NOT NULL DEFAULT 0,
    said_count INTEGER NOT NULL DEFAULT 1,
    valid_from INTEGER,
    valid_to INTEGER,
    expires_at INTEGER,
    private INTEGER NOT NULL DEFAULT 0,
    -- It was sure for long, and does not fade.
    lasting INTEGER NOT NULL DEFAULT 0,
    -- It took the place of another, and she has not said so yet.
    untold INTEGER NOT NULL DEFAULT 0,
    superseded_by INTEGER REFERENCES facts (id) ON DELETE SET NULL,
    conversation INTEGER,
    message INTEGER,
    imported_from TEXT,
    origins TEXT,
    subject TEXT NOT NULL DEFAULT '',
    value TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    quote TEXT
) STRICT;

CREATE INDEX facts_of_user ON facts (user, status, id DESC);
CREATE INDEX facts_superseded_by ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX facts_message ON facts (message) WHERE message IS NOT NULL;

-- The changes to facts. `before` is the row before the change, so that the change can be undone.
CREATE TABLE fact_changes (
    id INTEGER PRIMARY KEY,
    fact INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    other INTEGER REFERENCES facts (id) ON DELETE SET NULL,
    before TEXT
) STRICT;

CREATE INDEX fact_changes_fact ON fact_changes (fact);
CREATE INDEX fact_changes_other ON fact_changes (other) WHERE other IS NOT NULL;

-- The entries of the vector store, saved by tools and users.
CREATE TABLE vector_entries (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    origins TEXT,
    metadata TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (user, name)
) STRICT;

-- The models of vectors. Vectors of different models cannot be compared.
CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    UNIQUE (name, dimensions)
) STRICT;

-- Vectors: one scale, then two bytes for each number.
CREATE TABLE vectors (
    kind TEXT NOT NULL,
    item INTEGER NOT NULL,
    embedder INTEGER NOT NULL REFERENCES embedders (id),
    vector BLOB NOT NULL,
    PRIMARY KEY (kind, item)
) STRICT, WITHOUT ROWID;

-- The sequence of changes, which data in memory follows. It contains no text.
CREATE TABLE memory_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    item INTEGER NOT NULL
) STRICT;

-- Set if a message was searched for facts.
ALTER TABLE messages ADD COLUMN reflected INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_unread ON messages (id) WHERE reflected = 0 AND role = 'user';

-- The memories that were recalled for a reply.
ALTER TABLE messages ADD COLUMN memory TEXT;

-- The origins of untrusted content in memory files.
CREATE TABLE memory_files (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    origins TEXT NOT NULL,
    PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE personalities (
    user INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    updated_at INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;

CREATE TABLE personality_moves (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    value REAL NOT NULL,
    conversation INTEGER,
    message INTEGER,
    why TEXT NOT NULL
) STRICT;

CREATE INDEX personality_moves_user ON personality_moves (user, dimension, id);

-- The states before manual changes, for undoing them.
CREATE TABLE personality_undo (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    state TEXT NOT NULL
) STRICT;

CREATE INDEX personality_undo_user ON personality_undo (user, id);

-- A reply counts once it has ended; until then it changes constantly.
CREATE TRIGGER memory_message_added AFTER INSERT ON messages WHEN new.status <> 'streaming' BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('message', new.id);
END;

CREATE TRIGGER memory_message_changed AFTER UPDATE OF content, status ON messages
    WHEN new.status <> 'streaming' AND (old.content <> new.content OR old.status <> new.status) BEGIN
    DELETE FROM vectors WHERE kind = 'message' AND item = new.id;
    INSERT INTO memory_changes (kind, item) VALUES ('message', new.id);
END;

CREATE TRIGGER memory_message_removed AFTER DELETE ON messages BEGIN
    DELETE FROM vectors WHERE kind = 'message' AND item = old.id;
    INSERT INTO memory_changes (kind, item) VALUES ('message', old.id);
END;

CREATE TRIGGER memory_conversation_hidden AFTER UPDATE OF deleted_at ON conversations
    WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('conversation', new.id);
END;

CREATE TRIGGER memory_fact_added AFTER INSERT ON facts BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('fact', new.id);
END;

CREATE TRIGGER memory_fact_reworded AFTER UPDATE OF content ON facts WHEN old.content <> new.content BEGIN
    DELETE FROM vectors WHERE kind = 'fact' AND item = new.id;
END;

-- The use of a fact does not count as a change.
CREATE TRIGGER memory_fact_changed AFTER UPDATE OF category, status, slot, confidence, importance, updated_at,
    valid_from, valid_to, expires_at, private, lasting, superseded_by, subject, value, content ON facts BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('fact', new.id);
END;

CREATE TRIGGER memory_fact_removed AFTER DELETE ON facts BEGIN
    DELETE FROM vectors WHERE kind = 'fact' AND item = old.id;
    INSERT INTO memory_changes (kind, item) VALUES ('fact', old.id);
END;

CREATE TRIGGER memory_entry_added AFTER INSERT ON vector_entries BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('entry', new.id);
END;

CREATE TRIGGER memory_entry_changed AFTER UPDATE ON vector_entries BEGIN
    DELETE FROM vectors WHERE kind = 'entry' AND item = new.id AND old.content <> new.content;
    INSERT INTO memory_changes (kind, item) VALUES ('entry', new.id);
END;

CREATE TRIGGER memory_entry_removed AFTER DELETE ON vector_entries BEGIN
    DELETE FROM vectors WHERE kind = 'entry' AND item = old.id;
    INSERT INTO memory_changes (kind, item) VALUES ('entry', old.id);
END;

CREATE TRIGGER memory_summary_added AFTER INSERT ON epochs WHEN new.summary IS NOT NULL BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('summary', new.conversation);
END;

CREATE TRIGGER memory_summary_removed AFTER DELETE ON epochs WHEN old.summary IS NOT NULL BEGIN
    DELETE FROM vectors WHERE kind = 'summary' AND item = old.conversation;
    INSERT INTO memory_changes (kind, item) VALUES ('summary', old.conversation);
END;

-- Changes to be removed from the history of memory files when the grace period is over: hashes, no text.
CREATE TABLE file_history_chores (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    changes TEXT NOT NULL
) STRICT;
