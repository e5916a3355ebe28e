-- Refunds that an event has reported. A purchase may be undone twice (a webhook event of the processor that arrives late
-- makes it due again); each refund is reported once.
CREATE TABLE reported_refunds (
  -- the processor's id
  id       text PRIMARY KEY,
  order_id uuid NOT NULL,
  reported_at timestamptz(3) NOT NULL DEFAULT now()
);
