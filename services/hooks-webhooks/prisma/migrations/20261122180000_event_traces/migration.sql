-- W3C context of the event's cause; null without tracing. Every attempt is made below it.
ALTER TABLE webhook_events ADD COLUMN traceparent text;
