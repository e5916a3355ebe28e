// Generated from subjects/subjects.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { BillingMode } from '../../../store/subjects/subjects.js';

export interface ReadSubjectInput {
  customerId: string;
  projectId: string;
}

export interface ReadSubjectRow {
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
  billing_mode: BillingMode;
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

const READ_SUBJECT = `
  SELECT c.id AS "id", c.external_id AS "external_id", c.project_id AS "project_id", c.blocked_at IS NOT NULL AS "is_blocked",
    s.subscription_status, s.billing_provider, s.billing_subscription_id, s.current_period_start AS "current_period_start",
    s.current_period_end AS "current_period_end",
    CASE WHEN s.window_period_start = s.current_period_start THEN s.window_start ELSE s.current_period_start END AS "window_start",
    s.period_anchor,
    CASE WHEN s.price_tier_id = s.tier_id THEN s.price_interval ELSE t.price_interval END AS interval,
    t.id AS tier_id, t.tier_code AS "tier_code", t.billing_mode AS "billing_mode", t.price_amount_cents,
    t.overage_enabled AS "overage_enabled", t.spend_limit_cents, m.model_id,
    m.input_price_per_million_cents AS "input_price_per_million_cents",
    m.output_price_per_million_cents AS "output_price_per_million_cents", m.price_per_image_cents,
    m.cached_input_price_per_million_cents, m.fee_markup_percentage, m.is_default AS "is_default"
  FROM customers c
  LEFT JOIN subscriptions s ON s.customer_id = c.id
  LEFT JOIN tiers t ON t.id = s.tier_id
  LEFT JOIN tier_models m ON m.tier_id = t.id
  WHERE c.id = $1 AND c.project_id = $2`;

/** Returns a customer with subscription, tier and prices, a row for each model of the tier. */
export async function readSubject(db: Queryable, input: ReadSubjectInput): Promise<ReadSubjectRow[]> {
  const { rows } = await db.query<ReadSubjectRow>({
    name: 'read_subject',
    text: READ_SUBJECT,
    values: [
      input.customerId,
      input.projectId,
    ],
  });
  return rows;
}
