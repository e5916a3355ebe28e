-- name: insert_processor_payment :execrows
-- Records a report for the first time; does nothing if the processor's id is recorded already. Its check is never due: the row is
-- no request to the processor.
INSERT INTO payment_orders (id, processor_ref, ticket, kind, account_id, project_id, customer_id, tier_id, parent_id,
  created_at, check_at, status, amount_cents, tax_cents, reversed_cents, currency, period_start, period_end,
  payment_intent_id, invoice_url, receipt_url, failure, attempt_count, paid_at, ended_at)
VALUES (:id, :ref, :ticket, :kind, :account_id, :project_id, :customer_id, :tier_id?, :parent_id?,
  :created_at, 'infinity', :status, :amount_cents, :tax_cents?, :reversed_cents, :currency, :period_start?, :period_end?,
  :intent_id?, :invoice_url?, :receipt_url?, :failure?, :attempt_count?, :paid_at?,
  coalesce(:paid_at?::timestamptz, :created_at::timestamptz))
ON CONFLICT (processor_ref) WHERE processor_ref IS NOT NULL DO NOTHING;

-- name: update_processor_payment :exec
-- Replaces what is recorded of a payment by a later report.
UPDATE payment_orders
SET processor_ref = :ref, ticket = :ticket, status = :status, amount_cents = :amount_cents, tax_cents = :tax_cents?,
  reversed_cents = :reversed_cents, currency = :currency, period_start = :period_start?, period_end = :period_end?,
  payment_intent_id = :intent_id?, invoice_url = :invoice_url?, receipt_url = :receipt_url?, failure = :failure?,
  attempt_count = :attempt_count?, paid_at = :paid_at?, ended_at = coalesce(:paid_at?::timestamptz, ended_at)
WHERE id = :id;

-- name: find_payer :one
-- Finds the customer of one of the processor's customers or subscriptions, also a deleted one, and the tier of the subscription.
SELECT p.customer_id AS "customerId!", coalesce(c.project_id, d.project_id) AS "projectId!",
  coalesce(c.account_id, d.account_id) AS "accountId!", p.tier_id AS "tierId?"
FROM (
  SELECT customer_id, tier_id, 1 AS rank FROM processor_subscriptions WHERE id = :subscription_id?
  UNION ALL
  SELECT ref_id, NULL, 2 FROM processor_customers
  WHERE processor_customer_id = :processor_customer_id AND ref_kind = 'customer'
) AS p
LEFT JOIN customers c ON c.id = p.customer_id
LEFT JOIN deleted_customers d ON d.id = p.customer_id
WHERE coalesce(c.project_id, d.project_id) IS NOT NULL
ORDER BY p.rank
LIMIT 1;

-- name: take_due_histories :many
-- Claims customers whose payments were not read yet, and schedules the next attempt.
WITH due AS (
  SELECT processor_customer_id
  FROM processor_customers
  WHERE history_due_at <= :now
  ORDER BY history_due_at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE processor_customers
SET history_due_at = :retry_at
WHERE processor_customer_id = ANY (ARRAY(SELECT processor_customer_id FROM due))
RETURNING processor_customer_id AS "processorCustomerId", history_cursor AS "cursor";

-- name: note_history_read :exec
-- Records how far a customer's payments were read. `dueAt`: when to read the next page; null if all are read.
UPDATE processor_customers
SET history_cursor = coalesce(:cursor?::text, history_cursor), history_due_at = :due_at?
WHERE processor_customer_id = :processor_customer_id;
