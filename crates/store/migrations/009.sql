-- The servers that a person let in, and what they offered then. It is kept here and not beside their files, so that
-- whoever changes a file cannot also say yes to the change.
CREATE TABLE mcp_approvals (
    server      TEXT PRIMARY KEY,
    -- What would be started: the sum of a command line, of an address, or of a source.
    launch      TEXT NOT NULL,
    -- The tools as they described themselves, in JSON. Nothing until it has been seen to run.
    tools       TEXT,
    -- The hosts that it may reach, in JSON.
    hosts       TEXT NOT NULL,
    approved_at INTEGER NOT NULL
) STRICT;
