-- A message that speaks of a change, in words out of which nothing could be read: until it is clear what it changed, the
-- fact is not stated as what is so.
ALTER TABLE facts ADD COLUMN doubted_by INTEGER;

CREATE INDEX facts_doubted_by ON facts (doubted_by) WHERE doubted_by IS NOT NULL;

-- That a fact was used changes nothing about it.
DROP TRIGGER memory_fact_changed;
CREATE TRIGGER memory_fact_changed AFTER UPDATE OF category, status, slot, confidence, importance, updated_at,
    valid_from, valid_to, expires_at, private, lasting, superseded_by, doubted_by, subject, value, content ON facts BEGIN
    INSERT INTO memory_changes (kind, item) VALUES ('fact', new.id);
END;
