-- A message that mentions a change, in words from which no fact could be read. Until it is clear what changed, the fact
-- is not stated as true.
ALTER TABLE facts ADD COLUMN doubted_by INTEGER;

CREATE INDEX facts_doubted_by ON facts (doubted_by) WHERE doubted_by IS NOT NULL;

-- The use of a fact does not count as a change.
DROP TRIGGER memory_fact_changed;
CREATE TRIGGER memory_fact_changed AFTER UPDATE OF category, status, slot, confidence, importance, updated_at,
    valid_from, valid_to, expires_at, private, lasting, superseded_by, doubted_by, subject, value, content ON facts BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('fact', new.id);
END;
