-- Payments, refunds and disputes that the processor reports are rows of payment_orders, each under the processor's id.
ALTER TABLE payment_orders
  ADD COLUMN processor_ref text,
  ADD COLUMN ticket bigint,
  ADD COLUMN parent_id uuid,
  ADD COLUMN tax_cents bigint,
  ADD COLUMN period_start timestamptz(3),
  ADD COLUMN period_end timestamptz(3),
  ADD COLUMN invoice_url text,
  ADD COLUMN receipt_url text,
  ADD COLUMN attempt_count integer,
  ADD COLUMN paid_at timestamptz(3);

-- Payments that the processor has of known customers are read once. Customers that the previous version adds are due, too.
ALTER TABLE processor_customers
  ADD COLUMN history_due_at timestamptz(3) DEFAULT now(),
  ADD COLUMN history_cursor text;
