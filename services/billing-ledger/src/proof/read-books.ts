import type { Queryable } from '@tollgate/postgres';
import { COUNTER_ACCOUNTS } from '../domain/counter-accounts.js';
import type { ReferenceLedger } from './reference-ledger.js';

/** The ledger's state of one owner as sorted lines, so that equal books are equal text. */
export interface Books {
  accounts: string[];
  journal: string[];
  holds: string[];
  usage: string[];
}

const STATES = ['open', 'posted', 'released', 'expired', 'late'];
const NO_CUSTOMER = '00000000-0000-0000-0000-000000000000';
/** Kinds whose causes the ledger generates. */
const UNNAMED = new Set(['limit_raised', 'limit_lowered']);

interface AccountRow {
  id: bigint;
  kind: string;
  ref_id: string;
  window_start: Date | number;
  is_enforced: boolean;
  limit_microcents: bigint | null;
  credits: bigint;
  debits: bigint;
  held: bigint;
}

export async function readBooks(db: Queryable, owner: string): Promise<Books> {
  const accounts = (
    await db.query<AccountRow>('SELECT * FROM accounts WHERE owner_account_id = $1 ORDER BY id', [owner])
  ).rows;
  const names = new Map<bigint, string>(Object.entries(COUNTER_ACCOUNTS).map(([name, id]) => [id, snakeCase(name)]));
  for (const row of accounts) names.set(row.id, toAccountName(row));
  const mine = accounts.map(({ id }) => id.toString());
  const [journal, holds, usage] = await Promise.all([
    db.query<{ kind: string; cause: string; debit_account: bigint; credit_account: bigint; amount: bigint }>(
      `SELECT kind, cause, debit_account, credit_account, amount FROM transfers
       WHERE debit_account = ANY($1::bigint[]) OR credit_account = ANY($1::bigint[])
         OR cause IN (SELECT request_id FROM holds WHERE owner_account_id = $2)`,
      [mine, owner],
    ),
    db.query<Record<string, bigint | string> & { state: number; account_ids: bigint[]; amounts: bigint[] }>(
      `SELECT request_id, state, account_ids, amounts, input_tokens, output_tokens, images, customer_microcents,
         owner_microcents, overrun_microcents, unreconciled_microcents FROM holds WHERE owner_account_id = $1`,
      [owner],
    ),
    db.query<Record<string, bigint | string>>(
      `SELECT customer_id, (extract(epoch FROM window_start) * 1000)::bigint AS window_ms, sum(requests)::bigint AS requests,
         sum(input_tokens + output_tokens)::bigint AS tokens, sum(images)::bigint AS images,
         sum(customer_microcents)::bigint AS customer, sum(provider_microcents)::bigint AS provider,
         sum(overrun_microcents)::bigint AS overrun, sum(unreconciled_microcents)::bigint AS unreconciled
       FROM usage_rollups WHERE owner_account_id = $1 GROUP BY 1, 2`,
      [owner],
    ),
  ]);
  return {
    accounts: accounts
      .flatMap((row) => accountLine(toAccountName(row), { ...row, limit: row.limit_microcents ?? undefined }))
      .sort(),
    journal: journal.rows
      .map((row) => entryLine({ ...row, debit: names.get(row.debit_account), credit: names.get(row.credit_account) }))
      .sort(),
    holds: holds.rows
      .map((row) => {
        const parts = row.account_ids.map((id, i) => `${names.get(id)}=${row.amounts[i]}`);
        const figures = [
          row.input_tokens,
          row.output_tokens,
          row.images,
          row.customer_microcents,
          row.owner_microcents,
          row.overrun_microcents,
          row.unreconciled_microcents,
        ];
        return holdLine(
          String(row.request_id),
          STATES[row.state] as string,
          parts,
          figures.map((f) => f ?? 0),
        );
      })
      .sort(),
    usage: usage.rows
      .flatMap((row) => {
        const customer = row.customer_id === NO_CUSTOMER ? 'owner' : row.customer_id;
        return usageLine(`${customer} ${row.window_ms}`, [
          row.requests,
          row.tokens,
          row.images,
          row.customer,
          row.provider,
          row.overrun,
          row.unreconciled,
        ]);
      })
      .sort(),
  };
}

export function referenceBooks(reference: ReferenceLedger): Books {
  return {
    // Counter-accounts have no sums.
    accounts: [...reference.accounts].flatMap(([name, a]) => (name.includes(' ') ? accountLine(name, a) : [])).sort(),
    journal: reference.journal.map(entryLine).sort(),
    holds: [...reference.holds]
      .map(([id, hold]) => {
        const parts = hold.parts.filter(({ amount }) => amount > 0n).map((part) => `${part.account}=${part.amount}`);
        const { input, output, images } = hold.used;
        const { customerPays, ownerPays, overrun, unreconciled } = hold;
        return holdLine(id, hold.state, parts, [input, output, images, customerPays, ownerPays, overrun, unreconciled]);
      })
      .sort(),
    usage: [...reference.usage].flatMap(([key, usage]) => usageLine(key, Object.values(usage))).sort(),
  };
}

function toAccountName({ kind, ref_id, window_start }: AccountRow): string {
  return window_start instanceof Date ? `${kind} ${ref_id} ${window_start.getTime()}` : `${kind} ${ref_id}`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Omits accounts without transfers and holds, because they may or may not exist. */
function accountLine(
  name: string,
  a: { limit: bigint | undefined; credits: bigint; debits: bigint; held: bigint },
): string[] {
  if (a.credits === 0n && a.debits === 0n && a.held === 0n) return [];
  return [`${name}: limit ${a.limit ?? 'none'}, credits ${a.credits}, debits ${a.debits}, held ${a.held}`];
}

function entryLine(entry: {
  kind: string;
  cause: string;
  debit?: string | undefined;
  credit?: string | undefined;
  amount: bigint;
}) {
  const cause = UNNAMED.has(entry.kind) ? '' : entry.cause;
  return `${entry.kind} ${cause}: ${entry.debit} -> ${entry.credit} ${entry.amount}`;
}

function holdLine(id: string, state: string, parts: string[], figures: unknown[]): string {
  return `${id} ${state} [${parts.sort().join(', ')}] ${figures.join(' ')}`;
}

function usageLine(key: string, sums: unknown[]): string[] {
  return sums.every((sum) => sum === 0n) ? [] : [`${key}: ${sums.join(' ')}`];
}
