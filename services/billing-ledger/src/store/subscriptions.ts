import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';

export interface SubscriptionValues {
  projectId: string;
  customerId: string;
  tierId: string;
  billingProvider: string | null;
  status: string;
  periodStart: Date;
  periodEnd: Date;
}

/** One subscription per customer: inserts it, or moves the existing one to these values. */
export async function putSubscription(tx: Queryable, values: SubscriptionValues): Promise<void> {
  await tx.query(
    `INSERT INTO subscriptions (id, project_id, customer_id, tier_id, billing_provider, subscription_status, current_period_start, current_period_end)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (customer_id) DO UPDATE SET tier_id = excluded.tier_id, billing_provider = excluded.billing_provider,
       subscription_status = excluded.subscription_status, current_period_start = excluded.current_period_start,
       current_period_end = excluded.current_period_end, updated_at = now()`,
    [
      randomUUID(),
      values.projectId,
      values.customerId,
      values.tierId,
      values.billingProvider,
      values.status,
      values.periodStart,
      values.periodEnd,
    ],
  );
}

/** True: this grant is the first for the project's external id, ever. */
export async function claimPromo(tx: Queryable, projectId: string, externalId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'INSERT INTO promo_grants (project_id, external_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [projectId, externalId],
  );
  return rowCount === 1;
}
