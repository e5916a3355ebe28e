-- name: take_due_emails :many
-- Claims customers whose email is due and schedules the next attempt. The email of a deleted customer is null.
WITH due AS (
  SELECT processor_customer_id FROM processor_customers
  WHERE email_due_at <= :now
  ORDER BY email_due_at LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
-- ANY: a join would let the planner read the whole table, because it does not know the limit.
UPDATE processor_customers p SET email_due_at = :retry_at
WHERE p.processor_customer_id = ANY (ARRAY(SELECT processor_customer_id FROM due))
RETURNING p.processor_customer_id AS "processorCustomerId", (SELECT c.email FROM customers c WHERE c.id = p.ref_id) AS email
