-- Calls: invites that ring, what comes of them, and the chat in which they leave their traces.

ALTER TABLE chats ADD COLUMN pinned_at BIGINT;

CREATE TABLE invites (
    id            TEXT   NOT NULL PRIMARY KEY,
    person        TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    -- The chat whose reply asked for it, if one did.
    chat          TEXT   REFERENCES chats (id) ON DELETE SET NULL,
    asked_by      TEXT   NOT NULL,
    reason        TEXT   NOT NULL,
    language      TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    -- NULL where nothing rings.
    ring_interval BIGINT,
    extra_rings   BIGINT NOT NULL,
    state         TEXT   NOT NULL,
    answered_by   TEXT,
    note          TEXT,
    resolved_at   BIGINT
);
-- One live invite a person.
CREATE UNIQUE INDEX invites_pending ON invites (person) WHERE state = 'pending';
CREATE INDEX invites_of_person ON invites (person, id);

-- A call bears its invite's id.
CREATE TABLE calls (
    id            TEXT   NOT NULL PRIMARY KEY REFERENCES invites (id) ON DELETE CASCADE,
    person        TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    language      TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    began_at      BIGINT NOT NULL,
    seen_at       BIGINT NOT NULL,
    hung_up_at    BIGINT,
    -- The companion's hanging up: the turn whose reply bears the marker, and where in it; then until when the line lingers.
    marked_turn   TEXT,
    marked_at     BIGINT,
    line_until    BIGINT,
    ended_at      BIGINT,
    ended_by      TEXT,
    length        BIGINT,
    leaves        TEXT,
    -- Until when a record that is to be written waits for its summary.
    record_due    BIGINT
);
CREATE UNIQUE INDEX calls_going ON calls (person) WHERE state <> 'ended';
CREATE INDEX calls_unrecorded ON calls (id) WHERE record_due IS NOT NULL;
CREATE INDEX calls_by_end ON calls (person, ended_at);
