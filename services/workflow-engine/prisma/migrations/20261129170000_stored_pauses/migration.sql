-- How often a request has waited in a row because a service was unavailable: its next pause is longer.
ALTER TABLE background_responses ADD COLUMN waits integer NOT NULL DEFAULT 0;
ALTER TABLE batch_lines ADD COLUMN waits integer NOT NULL DEFAULT 0;
