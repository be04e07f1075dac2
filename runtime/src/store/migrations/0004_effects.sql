-- What the markers in the companion's words ask for: recorded with the words, performed from here.

CREATE TABLE effects (
    id         TEXT   NOT NULL PRIMARY KEY,
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    chat       TEXT   NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    turn       TEXT   NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    -- Its place among the markers of its turn, from 0.
    number     BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    argument   TEXT,
    -- How many characters of the words, as they are shown, stand before the marker.
    place      BIGINT NOT NULL,
    state      TEXT   NOT NULL,
    -- Why it was refused.
    why        TEXT,
    created_at BIGINT NOT NULL,
    settled_at BIGINT
);
CREATE UNIQUE INDEX effects_of_turn ON effects (turn, number);
CREATE INDEX effects_of_chat ON effects (chat, kind, created_at);
CREATE INDEX effects_recorded ON effects (id) WHERE state = 'recorded';
