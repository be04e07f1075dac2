-- Several people, their devices, one-time codes, and the outcomes of writes that a client may repeat.

-- A token is a device's. Until now a token had no id: half of its hash serves, which tells nothing of the token.
ALTER TABLE tokens ADD COLUMN id TEXT;
ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'device';
ALTER TABLE tokens ADD COLUMN seen_at BIGINT;
UPDATE tokens SET id = substr(hash, 33, 32);
UPDATE tokens SET kind = 'operator' WHERE name = 'operator' AND device IS NULL;
CREATE UNIQUE INDEX tokens_by_id ON tokens (id);

-- Sign-in links and pairing codes. A used one stays until it is pruned, so that its repetition is known.
CREATE TABLE codes (
    hash       TEXT   NOT NULL PRIMARY KEY,
    kind       TEXT   NOT NULL,
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    client_id  TEXT,
    token      TEXT
);
CREATE INDEX codes_by_age ON codes (expires_at);

-- What a write with a client id came to: an id or a word, never anybody's words.
CREATE TABLE writes (
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    client_id  TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    outcome    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (person, client_id)
);
CREATE INDEX writes_by_age ON writes (created_at);
