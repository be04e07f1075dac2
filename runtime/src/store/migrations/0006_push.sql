-- Where a device is rung, each ring that was sent there, and what the device reported of it.

-- One row a device, which goes with it; an endpoint is one browser's.
CREATE TABLE subscriptions (
    device        TEXT   NOT NULL PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
    person        TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    endpoint      TEXT   NOT NULL,
    p256dh        TEXT   NOT NULL,
    auth          TEXT   NOT NULL,
    server_key    TEXT   NOT NULL,
    site          TEXT,
    agent         TEXT,
    created_at    BIGINT NOT NULL,
    outcome       TEXT,
    outcome_at    BIGINT,
    status        BIGINT,
    succeeded_at  BIGINT,
    failures      BIGINT NOT NULL,
    refusals      BIGINT NOT NULL,
    refused_for   TEXT,
    paused_until  BIGINT
);
CREATE UNIQUE INDEX subscriptions_by_endpoint ON subscriptions (endpoint);
CREATE INDEX subscriptions_of_person ON subscriptions (person);

-- One ring of an invite to one device. Devices that are gone keep their rows until those are old.
CREATE TABLE push_rings (
    person      TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    invite      TEXT   NOT NULL,
    device      TEXT   NOT NULL,
    sequence    BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    sent_at     BIGINT,
    answered_at BIGINT,
    outcome     TEXT   NOT NULL,
    status      BIGINT,
    PRIMARY KEY (person, invite, device, sequence)
);
CREATE INDEX push_rings_by_age ON push_rings (due_at);

-- What a device's worker reported of a ring: it has arrived.
CREATE TABLE push_arrivals (
    person      TEXT   NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
    invite      TEXT   NOT NULL,
    device      TEXT   NOT NULL,
    sequence    BIGINT NOT NULL,
    worker      TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    arrived_at  BIGINT NOT NULL,
    reported_at BIGINT NOT NULL,
    PRIMARY KEY (person, invite, device, sequence)
);
CREATE INDEX push_arrivals_by_age ON push_arrivals (reported_at);
