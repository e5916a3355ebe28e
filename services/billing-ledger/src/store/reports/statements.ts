import type { Queryable } from '@tollgate/postgres';
import { MARKUP_WHOLE } from '../../domain/price.js';
import type { StatementEntries } from '../../domain/statements/statement.js';

/** Returns the present month and the month of the project's first customer, as YYYY-MM on the database's clock, in UTC. */
export async function readMonthBounds(
  db: Queryable,
  projectId: string,
): Promise<{ present: string; first: string | null }> {
  const { rows } = await db.query<{ present: string; first: string | null }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS present, to_char(least(
       (SELECT min(created_at) FROM customers WHERE project_id = $1),
       (SELECT min(a.created_at) FROM deleted_customers d
        JOIN accounts a ON a.kind = 'wallet' AND a.ref_id = d.id AND a.window_start = '-infinity'
        WHERE d.project_id = $1)) AT TIME ZONE 'UTC', 'YYYY-MM') AS first`,
    [projectId],
  );
  return rows[0] as { present: string; first: string | null };
}

/** Returns the account of an owner's prepaid balance, the present month and the month in which the account was opened. */
export async function readAccountBounds(
  db: Queryable,
  ownerAccountId: string,
): Promise<{ present: string; first: string | null; account: bigint | null }> {
  const { rows } = await db.query<{ present: string; first: string | null; account: bigint | null }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS present,
       to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS first, a.id AS account
     FROM (VALUES ($1::uuid)) o (id)
     LEFT JOIN accounts a ON a.kind = 'owner' AND a.ref_id = o.id AND a.window_start = '-infinity'`,
    [ownerAccountId],
  );
  return rows[0] as { present: string; first: string | null; account: bigint | null };
}

const CHUNK_WALLETS = 1_000;
const CHUNK_ENTRIES = 20_000;

/**
 * Splits a range of transfers into ranges in which an account has few enough entries for one statement, each with the
 * account's credits minus debits.
 */
export async function* splitRange(
  tx: Queryable,
  account: bigint,
  { afterId, lastId }: { afterId: bigint; lastId: bigint },
  size = CHUNK_ENTRIES,
): AsyncGenerator<{ afterId: bigint; lastId: bigint; netMicrocents: bigint }> {
  const side = (name: 'credit_account' | 'debit_account') =>
    `(SELECT t.id, t.amount::numeric * ${name === 'credit_account' ? 1 : -1} AS amount FROM transfers t
      WHERE t.${name} = $1 AND t.${name} > 1000 AND t.id > $2 AND t.id <= $3 ORDER BY t.id LIMIT ${size})`;
  for (let after = afterId; after < lastId; ) {
    const { rows } = await tx.query<{ last: bigint | null; entries: bigint; net: string }>(
      `SELECT max(id) AS last, count(*) AS entries, coalesce(sum(amount), 0)::text AS net FROM
         (SELECT * FROM (${side('credit_account')} UNION ALL ${side('debit_account')}) e
          ORDER BY id LIMIT ${size}) e`,
      [account, after, lastId],
    );
    const { last = null, entries = 0n, net = '0' } = rows[0] ?? {};
    const to = last === null || Number(entries) < size ? lastId : last;
    yield { afterId: after, lastId: to, netMicrocents: BigInt(net) };
    after = to;
  }
}

/** Reads the wallets of a project's customers, also of deleted ones, in chunks. Needs a transaction of its own. */
export async function* readWallets(
  tx: Queryable,
  { ownerAccountId, projectId }: { ownerAccountId: string; projectId: string },
): AsyncGenerator<bigint[]> {
  await tx.query(
    `DECLARE statement_wallets NO SCROLL CURSOR FOR
     SELECT a.id FROM (SELECT id FROM customers WHERE project_id = $1
       UNION SELECT id FROM deleted_customers WHERE project_id = $1) c
     JOIN accounts a ON a.kind = 'wallet' AND a.ref_id = c.id AND a.window_start = '-infinity' AND a.owner_account_id = $2`,
    [projectId, ownerAccountId],
  );
  for (;;) {
    const { rows } = await tx.query<{ id: bigint }>(`FETCH ${CHUNK_WALLETS} FROM statement_wallets`);
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < CHUNK_WALLETS) return;
  }
}

/** Credits minus debits of each wallet `w` between two transfers, `after` excluded and `to` included. */
function netSql(after: string, to: string): string {
  const side = (name: 'credit_account' | 'debit_account') =>
    `(SELECT coalesce(sum(t.amount), 0) FROM transfers t
      WHERE t.${name} = w.id AND t.${name} > 1000 AND t.id > ${after} AND t.id <= ${to})`;
  return `(${side('credit_account')} - ${side('debit_account')})`;
}

/** The end of a month, or the place of a transfer `upTo` in the months that are not sealed after it. */
export interface SealedPoint {
  /** The last sealed month up to the point, as YYYY-MM-DD; undefined if no month is sealed. */
  sealedMonth: string | undefined;
  /** Its last transfer. */
  sealedTo: bigint;
  upTo: bigint;
}

/** Sums what was in the wallets after the transfer `upTo`: the sealed totals, and the transfers since they were sealed. */
export async function sumBalancesAt(
  tx: Queryable,
  wallets: readonly bigint[],
  { sealedMonth, sealedTo, upTo }: SealedPoint,
): Promise<bigint> {
  const { rows } = await tx.query<{ total: string }>(
    `SELECT coalesce(sum(coalesce((SELECT s.total_credits - s.total_debits FROM sealed_balances s
         WHERE s.account_id = w.id AND s.month <= $2::date ORDER BY s.month DESC LIMIT 1), 0)
       + ${netSql('$3', '$4')}), 0)::text AS total
     FROM unnest($1::bigint[]) AS w (id)`,
    [wallets, sealedMonth ?? null, sealedTo, upTo],
  );
  return BigInt(rows[0]?.total ?? 0);
}

/** The same from the other side: the present sums of the wallets without the later transfers. */
export async function sumBalancesBefore(tx: Queryable, wallets: readonly bigint[], upTo: bigint): Promise<bigint> {
  const { rows } = await tx.query<{ total: string }>(
    `SELECT coalesce(sum(w.credits::numeric - w.debits - ${netSql('$2', '9223372036854775807')}), 0)::text AS total
     FROM accounts w WHERE w.id = ANY ($1::bigint[])`,
    [wallets, upTo],
  );
  return BigInt(rows[0]?.total ?? 0);
}

/** Kinds whose causes are holds. */
const OF_REQUESTS = `('charge_wallet', 'late_wallet', 'returned_wallet', 'superseded_wallet',
  'provider_cost', 'late_owner', 'returned_owner')`;

/** Sums the entries of the wallets in a range of transfers by kind and model. */
export async function sumEntries(
  tx: Queryable,
  wallets: readonly bigint[],
  range: { afterId: bigint; lastId: bigint },
): Promise<StatementEntries[]> {
  const side = (name: 'credit_account' | 'debit_account') =>
    `SELECT t.kind, t.cause, t.amount::numeric * ${name === 'credit_account' ? 1 : -1} AS amount
     FROM unnest($1::bigint[]) AS w (id) CROSS JOIN LATERAL (SELECT * FROM transfers t
       WHERE t.${name} = w.id AND t.${name} > 1000 AND t.id > $2 AND t.id <= $3) t`;
  // Prices are microcents per token, so a fee is exact. A charge that was cut to the held amount has at most itself as fee.
  const feeAt = (price: 'customerPrice' | 'providerPrice') =>
    `-least(-m.amount, coalesce(h.tool_fee_tokens, 0) * coalesce((h.terms->'${price}'->>'inputPerMillionCents')::numeric, 0)
      + ceil(coalesce(h.fee_microcents, 0) * (1 + coalesce((h.terms->'${price}'->>'feeMarkup')::numeric, 0) / ${MARKUP_WHOLE})))`;
  const fee = `CASE m.kind WHEN 'charge_wallet' THEN ${feeAt('customerPrice')}
    WHEN 'provider_cost' THEN ${feeAt('providerPrice')} ELSE 0 END`;
  const { rows } = await tx.query<{ kind: string; model: string | null; amount: string; fee: string; entries: bigint }>(
    `SELECT m.kind, h.model_id AS model, sum(m.amount)::text AS amount, sum(${fee})::text AS fee, count(*) AS entries
     FROM (${side('credit_account')} UNION ALL ${side('debit_account')}) m
     LEFT JOIN holds h ON m.kind IN ${OF_REQUESTS} AND h.request_id = m.cause
     GROUP BY 1, 2`,
    [wallets, range.afterId, range.lastId],
  );
  return rows.map(({ kind, model, amount, fee: fees, entries }) => ({
    kind,
    modelId: model || undefined,
    microcents: BigInt(amount),
    feeMicrocents: BigInt(fees),
    entries,
  }));
}
