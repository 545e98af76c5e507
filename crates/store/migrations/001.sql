-- Times are milliseconds since 1970, in UTC. Ids are 63-bit numbers that increase with time.
-- Large columns come last, so that reading the small ones does not walk through overflow pages.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    owner INTEGER NOT NULL,
    -- The conversation that a message without an address goes to.
    current INTEGER REFERENCES conversations (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX users_owner ON users (owner) WHERE owner = 1;

CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- SHA-256 of the secret. The secret itself is nowhere.
    hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;

CREATE INDEX tokens_user ON tokens (user);

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user);

CREATE TABLE settings (
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    titled_by TEXT NOT NULL CHECK (titled_by IN ('program', 'person')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    folder TEXT,
    -- The last message of the branch that is shown. No foreign key: it would have to be looked up for every
    -- message that is deleted. `Store::check` looks instead.
    leaf INTEGER,
    message_count INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER,
    preview TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX conversations_listed ON conversations (user, pinned DESC, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX conversations_in_folder ON conversations (user, folder, pinned DESC, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL AND folder IS NOT NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE tags (
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (conversation, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    -- Dense, in order of arrival: the row number in the search index, where sparse ids would cost much space.
    seq INTEGER NOT NULL UNIQUE,
    -- The same as the conversation's. It stands here for the triggers below, which run when the conversation
    -- is already gone.
    user INTEGER NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    -- Older than its child, so that no chain of parents can be a ring.
    parent INTEGER CHECK (parent < id),
    role TEXT NOT NULL,
    status TEXT NOT NULL,
    stop_reason TEXT,
    error_code TEXT,
    model TEXT,
    created_at INTEGER NOT NULL,
    error TEXT,
    content TEXT NOT NULL DEFAULT '',
    reasoning TEXT,
    -- What preceded a user message in the prompt, word for word.
    context TEXT,
    UNIQUE (conversation, id),
    -- No cascade: SQLite runs it level by level, and a conversation may be thousands of levels deep. Messages
    -- go with their conversation.
    FOREIGN KEY (conversation, parent) REFERENCES messages (conversation, id)
) STRICT;

CREATE INDEX messages_children ON messages (conversation, parent);

CREATE TABLE attachments (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;

CREATE INDEX attachments_message ON attachments (message);

CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    message INTEGER NOT NULL UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    user_message INTEGER,
    model TEXT NOT NULL,
    client_message_id TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    -- Whether its events are still kept.
    logged INTEGER NOT NULL DEFAULT 1,
    usage TEXT NOT NULL,
    timings TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX turns_client ON turns (user, client_message_id) WHERE client_message_id IS NOT NULL;
CREATE INDEX turns_conversation ON turns (conversation);
CREATE INDEX turns_live ON turns (conversation) WHERE ended_at IS NULL;
CREATE INDEX turns_logged ON turns (ended_at) WHERE logged = 1;

CREATE TABLE turn_events (
    turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL CHECK (last_seq >= first_seq),
    events TEXT NOT NULL,
    PRIMARY KEY (turn, first_seq)
) STRICT, WITHOUT ROWID;

-- Pieces of prompts. Most of a prompt is the same from turn to turn and is stored once.
CREATE TABLE fragments (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE turn_fragments (
    turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    ord INTEGER NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    fragment INTEGER NOT NULL REFERENCES fragments (id),
    tokens INTEGER NOT NULL,
    PRIMARY KEY (turn, ord)
) STRICT, WITHOUT ROWID;

CREATE INDEX turn_fragments_fragment ON turn_fragments (fragment);

CREATE TABLE epochs (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    system INTEGER NOT NULL REFERENCES fragments (id),
    summary INTEGER REFERENCES fragments (id),
    up_to INTEGER,
    created_at INTEGER NOT NULL,
    CHECK ((summary IS NULL) = (up_to IS NULL))
) STRICT;

CREATE INDEX epochs_conversation ON epochs (conversation);
CREATE INDEX epochs_system ON epochs (system);
CREATE INDEX epochs_summary ON epochs (summary) WHERE summary IS NOT NULL;

-- Work that has begun and must be finished, even after a crash.
CREATE TABLE chores (
    name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Search. `index_text` is a function of this program. It splits text in any language into words and folds them, so that
-- the index holds plain words between spaces and the simplest tokenizer is enough. The owner is a word of each row, so
-- that a search of one user does not read the messages of another.

CREATE VIEW searchable_messages (seq, text, owner) AS
    SELECT seq, index_text(content), user FROM messages WHERE content <> '';

CREATE VIRTUAL TABLE message_search USING fts5 (
    text, owner,
    content = 'searchable_messages', content_rowid = 'seq',
    tokenize = 'ascii', prefix = '3'
);

CREATE VIEW searchable_titles (id, text, owner) AS
    SELECT id, index_text(title), user FROM conversations WHERE title <> '';

CREATE VIRTUAL TABLE title_search USING fts5 (
    text, owner,
    content = 'searchable_titles', content_rowid = 'id',
    tokenize = 'ascii', prefix = '3'
);

CREATE TRIGGER message_added AFTER INSERT ON messages WHEN new.content <> '' BEGIN
    INSERT INTO message_search (rowid, text, owner) VALUES (new.seq, index_text(new.content), new.user);
END;

CREATE TRIGGER message_changed AFTER UPDATE OF content ON messages WHEN old.content <> new.content BEGIN
    INSERT INTO message_search (message_search, rowid, text, owner)
        SELECT 'delete', old.seq, index_text(old.content), old.user WHERE old.content <> '';
    INSERT INTO message_search (rowid, text, owner)
        SELECT new.seq, index_text(new.content), new.user WHERE new.content <> '';
END;

CREATE TRIGGER message_removed AFTER DELETE ON messages WHEN old.content <> '' BEGIN
    INSERT INTO message_search (message_search, rowid, text, owner)
        VALUES ('delete', old.seq, index_text(old.content), old.user);
END;

CREATE TRIGGER title_added AFTER INSERT ON conversations WHEN new.title <> '' BEGIN
    INSERT INTO title_search (rowid, text, owner) VALUES (new.id, index_text(new.title), new.user);
END;

CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations WHEN old.title <> new.title BEGIN
    INSERT INTO title_search (title_search, rowid, text, owner)
        SELECT 'delete', old.id, index_text(old.title), old.user WHERE old.title <> '';
    INSERT INTO title_search (rowid, text, owner)
        SELECT new.id, index_text(new.title), new.user WHERE new.title <> '';
END;

CREATE TRIGGER title_removed AFTER DELETE ON conversations WHEN old.title <> '' BEGIN
    INSERT INTO title_search (title_search, rowid, text, owner)
        VALUES ('delete', old.id, index_text(old.title), old.user);
END;
