-- The MCP servers that the user has approved, with the tools that they offered then. They are stored here and not beside
-- the servers' files, so that a program that changes a file cannot also approve the change.
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
