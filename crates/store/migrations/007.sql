-- Where backups were written: what is forgotten later is still in them.
CREATE TABLE backups (
    file TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL
) STRICT;
