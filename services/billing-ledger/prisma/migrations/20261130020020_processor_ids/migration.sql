-- no transaction
-- No statement reads it: subscriptions of the processor are found in processor_subscriptions.
DROP INDEX CONCURRENTLY IF EXISTS subscriptions_billing_subscription_id_idx;
