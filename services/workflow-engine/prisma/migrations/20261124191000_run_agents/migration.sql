-- Slugs of the agents that the run's plan names. NULL: none, or the run is older than this column.
ALTER TABLE runs ADD COLUMN agents text[];
