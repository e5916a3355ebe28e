-- W3C context of the request that started the run; null without tracing. Steps run later, and elsewhere, below it.
ALTER TABLE runs ADD COLUMN traceparent text;
