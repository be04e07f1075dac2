-- How turns end that the person stops or that fail, and what the companion's words then are.

ALTER TABLE turns ADD COLUMN code TEXT;
ALTER TABLE messages ADD COLUMN mark TEXT;
