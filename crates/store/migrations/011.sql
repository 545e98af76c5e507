-- What work on code told beside its words, to be shown again.
ALTER TABLE messages ADD COLUMN work TEXT;
