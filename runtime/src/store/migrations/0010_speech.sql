-- How many characters a speech service spoke for each person, by the date where they live; and whether they were told that it was enough.

CREATE TABLE speech_days (
    person     TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    day        TEXT   NOT NULL,
    characters BIGINT NOT NULL,
    told       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (person, day)
);
