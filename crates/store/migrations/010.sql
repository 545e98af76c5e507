-- The workspaces of a user: folders in which the companion writes code. All other data about code refers to them, so
-- that each path is stored once.
CREATE TABLE code_roots (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    last_used_at INTEGER NOT NULL,
    -- The parts of it that are in play, in JSON. None means all.
    include TEXT NOT NULL DEFAULT '[]',
    -- How a change is checked, in JSON. The store does not read it.
    verify TEXT,
    UNIQUE (user, path)
) STRICT;

-- Proposals, open and decided ones.
CREATE TABLE code_proposals (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    root INTEGER NOT NULL REFERENCES code_roots (id) ON DELETE CASCADE,
    -- Where it was said. It outlives its conversation: what was written to the disk must be undone all the same. A trigger
    -- below empties the three, since foreign keys would have to be looked up for every message that is deleted.
    conversation INTEGER,
    message INTEGER,
    turn INTEGER,
    -- The proposal of which this is what was not taken.
    rest_of INTEGER,
    status TEXT NOT NULL CHECK (status IN ('open', 'applied', 'rejected', 'undone')),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- Rises whenever its files become others: whoever chose among the old ones is told.
    revision INTEGER NOT NULL DEFAULT 1,
    -- Rises with each landing, over all proposals: what came later has a greater number.
    landed INTEGER,
    -- The mark of the last landing in the journal. It is written together with the status, so that after a crash one can tell
    -- whether that landing counts.
    mark TEXT,
    -- Whether its files still have their bytes, and how many are kept.
    kept INTEGER NOT NULL DEFAULT 1,
    bytes INTEGER NOT NULL,
    -- Folders that were made for it, in JSON.
    folders TEXT NOT NULL DEFAULT '[]',
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    -- How it was checked, in JSON. The store does not read it.
    verify TEXT
) STRICT;

CREATE INDEX code_proposals_listed ON code_proposals (user, root, id DESC);
CREATE INDEX code_proposals_root ON code_proposals (root);
CREATE INDEX code_proposals_conversation ON code_proposals (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX code_proposals_kept ON code_proposals (user, changed_at) WHERE kept = 1;

CREATE TABLE code_proposal_files (
    id INTEGER PRIMARY KEY,
    proposal INTEGER NOT NULL REFERENCES code_proposals (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('open', 'all', 'some', 'none')),
    -- Lines, and whether it has any.
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    is_binary INTEGER NOT NULL,
    -- Whether there is such a file, before and after: that is told also of bytes that are not kept any more.
    was_there INTEGER NOT NULL,
    is_there INTEGER NOT NULL,
    before_mode INTEGER,
    after_mode INTEGER,
    -- Packed (zlib).
    before BLOB,
    after BLOB,
    -- What was really written, where only some of it was taken.
    written BLOB,
    -- What the last landing found and made of it, where it was laid beside changes of others: the way back is exact then.
    found BLOB,
    made BLOB,
    UNIQUE (proposal, path)
) STRICT;

CREATE INDEX code_proposal_files_path ON code_proposal_files (path);

-- Notes about workspaces.
CREATE TABLE code_notes (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    root INTEGER NOT NULL REFERENCES code_roots (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('change', 'failure')),
    path TEXT,
    -- By which the same failure is known again.
    fingerprint TEXT,
    created_at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX code_notes_newest ON code_notes (root, kind, id DESC);
CREATE INDEX code_notes_path ON code_notes (root, path, id DESC) WHERE path IS NOT NULL;
CREATE INDEX code_notes_user ON code_notes (user);
CREATE UNIQUE INDEX code_notes_same ON code_notes (root, kind, fingerprint) WHERE fingerprint IS NOT NULL;

-- States of a workspace that can be restored. The files themselves are in a git repository of this program.
CREATE TABLE code_checkpoints (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    root INTEGER NOT NULL REFERENCES code_roots (id) ON DELETE CASCADE,
    conversation INTEGER,
    message INTEGER,
    commit_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    label TEXT NOT NULL
) STRICT;

CREATE INDEX code_checkpoints_listed ON code_checkpoints (root, id DESC);
CREATE INDEX code_checkpoints_user ON code_checkpoints (user);
CREATE INDEX code_checkpoints_conversation ON code_checkpoints (conversation) WHERE conversation IS NOT NULL;

CREATE TRIGGER code_conversation_gone AFTER DELETE ON conversations BEGIN
    UPDATE code_proposals SET conversation = NULL, message = NULL, turn = NULL WHERE conversation = old.id;
    UPDATE code_checkpoints SET conversation = NULL, message = NULL WHERE conversation = old.id;
END;

-- The success of models with each edit format. It belongs to the model and not to a user.
CREATE TABLE code_formats (
    model TEXT NOT NULL,
    format TEXT NOT NULL,
    tries INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (model, format)
) STRICT, WITHOUT ROWID;
