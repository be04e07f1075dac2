-- Texts that a person put in to be read to, and where each was left. Places are characters of the text.

CREATE TABLE readings (
    id         TEXT   NOT NULL PRIMARY KEY,
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    title      TEXT   NOT NULL,
    language   TEXT   NOT NULL,
    chars      BIGINT NOT NULL,
    bookmark   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    read_at    BIGINT,
    -- The turn that read its last passage, as long as nothing else has moved the bookmark: in which reply it stands, behind how
    -- many characters of that, and from where to where of the text it goes.
    turn       TEXT,
    turn_place BIGINT,
    turn_from  BIGINT,
    turn_to    BIGINT,
    -- Last, so that the rest of a row is read without it.
    text       TEXT   NOT NULL
);
CREATE INDEX readings_of_person ON readings (person);
CREATE INDEX readings_by_turn ON readings (turn);
