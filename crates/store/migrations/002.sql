-- A browser that signed in with a token is signed out when the token is withdrawn.
ALTER TABLE sessions ADD COLUMN token INTEGER REFERENCES tokens (id) ON DELETE CASCADE;

CREATE INDEX sessions_token ON sessions (token) WHERE token IS NOT NULL;

-- Other people sign in with tokens alone, and it is not known with which they did: they sign in once more.
DELETE FROM sessions WHERE user IN (SELECT id FROM users WHERE owner = 0);

-- What a person chose lives in the config file and in the browser.
DROP TABLE settings;
