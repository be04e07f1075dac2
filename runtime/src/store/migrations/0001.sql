-- The first schema. Plain enough for SQLite and PostgreSQL alike: text ids, BIGINT milliseconds, no rowid.

CREATE TABLE persons (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    device     TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX tokens_of_person ON tokens (person);

CREATE TABLE chats (
    id            TEXT   NOT NULL PRIMARY KEY,
    person        TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    kind          TEXT   NOT NULL,
    mode          TEXT   NOT NULL,
    title         TEXT,
    offered_since BIGINT,
    last_seq      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX chats_of_person ON chats (person, id);

CREATE TABLE turns (
    id          TEXT   NOT NULL PRIMARY KEY,
    person      TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    chat        TEXT   NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    message_seq BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    starts      BIGINT NOT NULL,
    ended_at    BIGINT
);
CREATE INDEX turns_of_chat ON turns (chat, message_seq);
CREATE INDEX turns_running ON turns (id) WHERE state = 'running';

CREATE TABLE messages (
    id           TEXT   NOT NULL PRIMARY KEY,
    person       TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    chat         TEXT   NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    turn         TEXT   NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    seq          BIGINT NOT NULL,
    role         TEXT   NOT NULL,
    text         TEXT   NOT NULL,
    tool         TEXT,
    call_id      TEXT,
    capabilities TEXT   NOT NULL,
    device       TEXT,
    client_id    TEXT,
    created_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX messages_in_chat ON messages (chat, seq);
CREATE INDEX messages_of_turn ON messages (turn, seq);
-- A repeated client id is the same message. (NULLs differ from each other in both databases.)
CREATE UNIQUE INDEX messages_by_client ON messages (person, client_id);
-- One call an id in a chat, and one result a call.
CREATE UNIQUE INDEX messages_by_call ON messages (chat, call_id, role);

CREATE TABLE cards (
    id           TEXT   NOT NULL PRIMARY KEY,
    person       TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    chat         TEXT   NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    turn         TEXT   NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call_id      TEXT   NOT NULL,
    part         BIGINT NOT NULL,
    device       TEXT,
    tool         TEXT   NOT NULL,
    call         TEXT   NOT NULL,
    summary      TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    deadline     BIGINT NOT NULL,
    state        TEXT   NOT NULL,
    message      TEXT,
    text_before  TEXT   NOT NULL,
    text_after   TEXT,
    result       TEXT,
    closed_at    BIGINT
);
-- One card a part of a call, ever.
CREATE UNIQUE INDEX cards_by_call ON cards (chat, call_id, part);
CREATE INDEX cards_of_turn ON cards (turn);
CREATE INDEX cards_pending ON cards (person, id) WHERE state = 'pending';

-- A row that readiness writes.
CREATE TABLE pulse (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
