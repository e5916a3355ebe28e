import type { Queryable } from '@tollgate/postgres';
import { toInterval, type WindowSchedule } from '../../domain/billing-window.js';
import { toMarkup } from '../../domain/price.js';
import type { TierPrice } from '../../domain/subject.js';
import { type ReadSubjectRow, readSubject as readSubjectRows } from '../gen/subjects/subjects.js';

export type BillingMode = 'subscription' | 'paygo';

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
        billingMode: BillingMode;
        isPaid: boolean;
        overageEnabled: boolean;
        spendLimitCents: bigint | undefined;
        models: Map<string, TierPrice>;
        defaultModel: string | undefined;
      }
    | undefined;
}

/** A customer with subscription, tier and prices, in one read; undefined when the project has no such customer. */
export async function readSubject(
  db: Queryable,
  projectId: string,
  customerId: string,
): Promise<SubjectRow | undefined> {
  const rows = await readSubjectRows(db, { projectId, customerId });
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

function toTier(row: ReadSubjectRow, id: string, rows: ReadSubjectRow[]): NonNullable<SubjectRow['tier']> {
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
