-- Calls that are alive: how a person's words were said, and how much of the companion's was heard.

-- How words were said that were spoken in a call, as JSON.
ALTER TABLE messages ADD COLUMN voice TEXT;
-- When a device was last connected to the call itself; NULL where none ever was.
ALTER TABLE calls ADD COLUMN live_at BIGINT;

-- The companion's turns that are spoken on a line.
CREATE TABLE spoken (
    turn     TEXT   NOT NULL PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    person   TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    call     TEXT   NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    -- How many pieces of it were heard whole, and which words, as they are shown.
    pieces   BIGINT NOT NULL,
    words    TEXT   NOT NULL,
    -- When it was heard to its end, or stopped.
    ended_at BIGINT
);
CREATE INDEX spoken_of_call ON spoken (call);
CREATE INDEX effects_unheard ON effects (turn) WHERE state = 'unheard';
