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

/** Limits of an owner account that are reset periodically. */
export const ACCOUNT_LIMITS = ['daily_cap', 'quota'] as const;
export type AccountLimit = (typeof ACCOUNT_LIMITS)[number];

export interface AccountLimitRow {
  /** Overrides by kind; null = no limit, absent = as configured. */
  overrides: Partial<Record<AccountLimit, bigint | null>>;
  /** The account paid more than was refunded or disputed, so the cap on granted credit does not apply. */
  isPaying: boolean;
}

/**
 * SQL conditions for payments and for their refunds and disputes (kinds of `domain/payments/payment-entries.ts`). Literals
 * in the statement's text, because each condition has a partial index.
 */
export const PAID = "kind IN ('top_up', 'refund_failed', 'dispute_won')";
export const PAID_BACK = "kind IN ('refund', 'dispute')";

export async function readAccountLimits(
  db: Queryable,
  ownerAccountId: string,
  prepaidAccount: bigint,
): Promise<AccountLimitRow> {
  const { rows } = await db.query<{ overrides: Record<string, string | null> | null; paid: bigint }>({
    name: 'read_account_limits',
    text: `SELECT (SELECT json_object_agg(kind, amount::text) FROM account_limits WHERE owner_account_id = $1) AS overrides,
        (SELECT coalesce(sum(amount), 0) FROM transfers WHERE credit_account = $2 AND ${PAID})::bigint
        - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE debit_account = $2 AND ${PAID_BACK})::bigint AS paid`,
    values: [ownerAccountId, prepaidAccount],
  });
  const row = rows[0];
  return { overrides: toOverrides(row?.overrides ?? {}), isPaying: (row?.paid ?? 0n) > 0n };
}

/** Returns the overrides of an account alone. */
export async function readAccountLimitOverrides(
  db: Queryable,
  ownerAccountId: string,
): Promise<AccountLimitRow['overrides']> {
  const { rows } = await db.query<{ kind: string; amount: bigint | null }>(
    'SELECT kind, amount FROM account_limits WHERE owner_account_id = $1',
    [ownerAccountId],
  );
  return toOverrides(Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount])));
}

function toOverrides(stored: Readonly<Record<string, string | bigint | null>>): AccountLimitRow['overrides'] {
  const overrides: AccountLimitRow['overrides'] = {};
  for (const kind of ACCOUNT_LIMITS) {
    const amount = stored[kind];
    if (amount !== undefined) overrides[kind] = amount === null ? null : BigInt(amount);
  }
  return overrides;
}

/** Stores an override; null = no limit. */
export async function putAccountLimit(
  db: Queryable,
  ownerAccountId: string,
  kind: AccountLimit,
  amount: bigint | null,
): Promise<void> {
  await db.query(
    `INSERT INTO account_limits (owner_account_id, kind, amount) VALUES ($1, $2, $3)
     ON CONFLICT (owner_account_id, kind) DO UPDATE SET amount = excluded.amount, updated_at = now()`,
    [ownerAccountId, kind, amount],
  );
}

export async function removeAccountLimit(db: Queryable, ownerAccountId: string, kind: AccountLimit): Promise<void> {
  await db.query('DELETE FROM account_limits WHERE owner_account_id = $1 AND kind = $2', [ownerAccountId, kind]);
}
