-- What each person has set, and when they were last heard.

-- NULL where the person has chosen none: then it is the language of their words.
ALTER TABLE persons ADD COLUMN language TEXT;
ALTER TABLE persons ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE persons ADD COLUMN dnd BIGINT NOT NULL DEFAULT 0;
ALTER TABLE persons ADD COLUMN dnd_changed_at BIGINT;
-- What differs from the spec's defaults, as JSON.
ALTER TABLE persons ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';

-- The last message, or the end of the last call; in which chat, and in which language.
ALTER TABLE persons ADD COLUMN heard_at BIGINT;
ALTER TABLE persons ADD COLUMN heard_in TEXT;
ALTER TABLE persons ADD COLUMN spoken TEXT;

-- The companion's last call of its own accord: the local date that it counts for, how many there were on it, and when.
ALTER TABLE persons ADD COLUMN escalated_on TEXT;
ALTER TABLE persons ADD COLUMN escalated_times BIGINT NOT NULL DEFAULT 0;
ALTER TABLE persons ADD COLUMN escalated_at BIGINT;
-- When to look whether to call; NULL where only something that happens can lead to it.
ALTER TABLE persons ADD COLUMN look_at BIGINT;
CREATE INDEX persons_to_look_at ON persons (look_at) WHERE look_at IS NOT NULL;

UPDATE persons SET
    heard_at = (SELECT max(m.created_at) FROM messages m WHERE m.person = persons.id AND m.role = 'person'),
    heard_in = (SELECT m.chat FROM messages m WHERE m.person = persons.id AND m.role = 'person'
                ORDER BY m.created_at DESC, m.id DESC LIMIT 1);
UPDATE persons SET look_at = heard_at;
