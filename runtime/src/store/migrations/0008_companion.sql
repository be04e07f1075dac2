-- Who the companion is to each person: a name, a persona, a picture. What is NULL is as the server has it.

CREATE TABLE companions (
    person       TEXT   NOT NULL PRIMARY KEY REFERENCES persons (id) ON DELETE CASCADE,
    name         TEXT,
    persona      TEXT,
    picture_kind TEXT,
    picture_size BIGINT,
    -- The first digits of its hash: it is another picture when they are others.
    picture_tag  TEXT,
    -- In base64, and last, so that the rest of a row is read without it.
    picture      TEXT
);
