import type { Queryable } from '@tollgate/postgres';
import { toInterval, type WindowSchedule } from '../../domain/billing-window.js';
import { toMarkup } from '../../domain/price.js';
import type { TierPrice } from '../../domain/subject.js';
import { INTERVAL_SQL, WINDOW_START_SQL } from '../payments/customer-subscriptions.js';

export interface SubjectRow {
  customerId: string;
  externalId: string;
  projectId: string;
  isBlocked: boolean;
  subscription:
    | {
        status: string;
        billingProvider: string | undefined;
        hasProviderSubscription: boolean;
        schedule: WindowSchedule;
      }
    | undefined;
  tier:
    | {
        id: string;
        code: string;
        billingMode: 'subscription' | 'paygo';
        isPaid: boolean;
        overageEnabled: boolean;
        spendLimitCents: bigint | undefined;
        models: Map<string, TierPrice>;
        defaultModel: string | undefined;
      }
    | undefined;
}

interface JoinedRow {
  id: string;
  external_id: string;
  project_id: string;
  is_blocked: boolean;
  subscription_status: string | null;
  billing_provider: string | null;
  billing_subscription_id: string | null;
  current_period_start: Date;
  current_period_end: Date;
  window_start: Date;
  period_anchor: Date | null;
  interval: string | null;
  tier_id: string | null;
  tier_code: string;
  billing_mode: 'subscription' | 'paygo';
  price_amount_cents: bigint | null;
  overage_enabled: boolean;
  spend_limit_cents: bigint | null;
  model_id: string | null;
  input_price_per_million_cents: bigint;
  output_price_per_million_cents: bigint;
  price_per_image_cents: bigint | null;
  cached_input_price_per_million_cents: bigint | null;
  fee_markup_percentage: number | null;
  is_default: boolean;
}

/** A customer with subscription, tier and prices, in one read; undefined when the project has no such customer. */
export async function readSubject(
  db: Queryable,
  projectId: string,
  customerId: string,
): Promise<SubjectRow | undefined> {
  const { rows } = await db.query<JoinedRow>({
    name: 'read_subject',
    text: `SELECT c.id, c.external_id, c.project_id, c.blocked_at IS NOT NULL AS is_blocked, s.subscription_status, s.billing_provider,
        s.billing_subscription_id, s.current_period_start, s.current_period_end, ${WINDOW_START_SQL} AS window_start, s.period_anchor,
        ${INTERVAL_SQL} AS interval, t.id AS tier_id, t.tier_code, t.billing_mode, t.price_amount_cents, t.overage_enabled, t.spend_limit_cents, m.model_id, m.input_price_per_million_cents,
        m.output_price_per_million_cents, m.price_per_image_cents, m.cached_input_price_per_million_cents,
        m.fee_markup_percentage, m.is_default
      FROM customers c
      LEFT JOIN subscriptions s ON s.customer_id = c.id
      LEFT JOIN tiers t ON t.id = s.tier_id
      LEFT JOIN tier_models m ON m.tier_id = t.id
      WHERE c.id = $1 AND c.project_id = $2`,
    values: [customerId, projectId],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    customerId: row.id,
    externalId: row.external_id,
    projectId: row.project_id,
    isBlocked: row.is_blocked,
    subscription:
      row.subscription_status === null
        ? undefined
        : {
            status: row.subscription_status,
            billingProvider: row.billing_provider ?? undefined,
            hasProviderSubscription: row.billing_subscription_id !== null,
            schedule: {
              period: { startMs: row.current_period_start.getTime(), endMs: row.current_period_end.getTime() },
              interval: toInterval(row.interval),
              anchorMs: row.period_anchor?.getTime(),
              windowStartMs: row.window_start.getTime(),
            },
          },
    tier: row.tier_id === null ? undefined : toTier(row, row.tier_id, rows),
  };
}

function toTier(row: JoinedRow, id: string, rows: JoinedRow[]): NonNullable<SubjectRow['tier']> {
  const models = rows.filter((r) => r.model_id !== null);
  return {
    id,
    code: row.tier_code,
    billingMode: row.billing_mode,
    isPaid: row.billing_mode === 'subscription' && (row.price_amount_cents ?? 0n) > 0n,
    overageEnabled: row.overage_enabled,
    spendLimitCents: row.spend_limit_cents ?? undefined,
    models: new Map(
      models.map((m) => [
        m.model_id as string,
        {
          inputPerMillionCents: m.input_price_per_million_cents,
          outputPerMillionCents: m.output_price_per_million_cents,
          perImageCents: m.price_per_image_cents ?? undefined,
          cachedInputPerMillionCents: m.cached_input_price_per_million_cents ?? undefined,
          feeMarkup: m.fee_markup_percentage === null ? undefined : toMarkup(m.fee_markup_percentage),
        },
      ]),
    ),
    defaultModel: models.find((m) => m.is_default)?.model_id ?? undefined,
  };
}
