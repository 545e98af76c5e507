-- The events of work on code that are shown again with the message.
ALTER TABLE messages ADD COLUMN work TEXT;
