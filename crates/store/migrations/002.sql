-- A browser that signed in with a token is signed out when the token is revoked.
ALTER TABLE sessions ADD COLUMN token INTEGER REFERENCES tokens (id) ON DELETE CASCADE;

CREATE INDEX sessions_token ON sessions (token) WHERE token IS NOT NULL;

-- Other users sign in only with tokens. Which token a session used is not known, so they have to sign in again.
DELETE FROM sessions WHERE user IN (SELECT id FROM users WHERE owner = 0);

-- Settings are stored in the settings file and in the browser.
DROP TABLE settings;
