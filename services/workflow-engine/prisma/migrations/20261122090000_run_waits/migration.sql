-- Times that work was put back because a peer was unavailable: they do not count as failed tries.
ALTER TABLE run_work ADD COLUMN waits integer NOT NULL DEFAULT 0;
