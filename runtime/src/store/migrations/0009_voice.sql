-- A print of each person's voice: the figures of their last utterances, numbered by person. No recording, and no words.

CREATE TABLE voice_clips (
    person    TEXT             NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    number    BIGINT           NOT NULL,
    -- In which way they were measured: figures of another way say nothing.
    version   BIGINT           NOT NULL,
    heard_at  BIGINT           NOT NULL,
    dur       DOUBLE PRECISION NOT NULL,
    pitch     DOUBLE PRECISION,
    pitch_var DOUBLE PRECISION,
    energy    DOUBLE PRECISION NOT NULL,
    pause     DOUBLE PRECISION NOT NULL,
    rate      DOUBLE PRECISION,
    tail      DOUBLE PRECISION,
    PRIMARY KEY (person, number)
);
