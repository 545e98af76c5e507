-- The backups that were written. They still contain what is forgotten later.
CREATE TABLE backups (
    file TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL
) STRICT;
