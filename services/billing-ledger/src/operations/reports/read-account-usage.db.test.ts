import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GetAccountUsageRequestSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { readAccountUsage } from './read-account-usage.js';

const NOW_MS = Date.parse('2026-11-22T10:30:00Z');
const owner = create(PrincipalSchema, { accountId: randomUUID() });

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  ctx = { pool: database.pool, clock: { nowMs: () => NOW_MS } } as unknown as Context;
  for (const day of ['2026-10-23', '2026-10-24', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']) {
    await database.pool.query(
      `INSERT INTO usage_rollups (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests)
       VALUES ($1, $2, $2, now(), $3, $2, 'm', 1)`,
      [owner.accountId, randomUUID(), day],
    );
  }
});
afterAll(() => database.drop());

async function readDays(from?: string, to?: string): Promise<string[]> {
  const at = (text: string | undefined) => (text === undefined ? undefined : timestampFromDate(new Date(text)));
  const { rows } = await readAccountUsage(
    ctx,
    owner,
    create(GetAccountUsageRequestSchema, { from: at(from), to: at(to) }),
  );
  return (rows ?? []).map(({ group }) => String(group).slice(5));
}

/** Empties the wallet of a deleted customer. */
async function forfeit(ownerAccountId: string, projectId: string, customerId: string, amount: bigint): Promise<void> {
  await database.pool.query(
    `WITH wallet AS (INSERT INTO accounts (kind, ref_id, owner_account_id) VALUES ('wallet', $3, $1) RETURNING id),
       deleted AS (INSERT INTO deleted_customers (id, project_id, account_id, deleted_at) VALUES ($3, $2, $1, now()))
     INSERT INTO transfers (debit_account, credit_account, amount, kind, cause, occurred_at)
     SELECT id, 20, $4, 'forfeited', $3, '2026-11-21T12:00:00Z' FROM wallet`,
    [ownerAccountId, projectId, customerId, amount],
  );
}

describe('the range of account usage', () => {
  it.each([
    ['2026-11-20', '2026-11-22', ['11-20', '11-21']],
    ['2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z', ['11-20', '11-21']],
    ['2026-11-21', '2026-11-22T00:00:00.001Z', ['11-21', '11-22']],
    ['2026-11-22T09:00:00Z', '2026-11-22T10:00:00Z', ['11-22']],
    ['2026-11-22T00:30:00+02:00', '2026-11-22T01:00:00+02:00', ['11-21']],
  ])('returns from %s (inclusive) to %s (exclusive) the days %j', async (from, to, days) => {
    expect(await readDays(from, to)).toEqual(days);
  });

  it('counts one project alone when it is named', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    const account = create(PrincipalSchema, { accountId: randomUUID() });
    for (const [projectId, requests] of [
      [mine, 2],
      [other, 5],
    ]) {
      const customer = randomUUID();
      await database.pool.query(
        `INSERT INTO usage_rollups (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
           overrun_microcents, unreconciled_microcents)
         VALUES ($1, $2, $3, now(), '2026-11-21', $3, 'm', $4, $4, $4)`,
        [account.accountId, projectId, customer, requests],
      );
      await forfeit(account.accountId, String(projectId), customer, BigInt(requests as number));
    }
    const read = (projectId: string) =>
      readAccountUsage(ctx, account, create(GetAccountUsageRequestSchema, { groupBy: 'customer', projectId }));
    const totals = (of: Awaited<ReturnType<typeof read>>) => [
      ...(of.rows ?? []).map(({ requests }) => requests),
      of.overrunMicrocents,
      of.unreconciledMicrocents,
      of.forfeitedMicrocents,
    ];
    expect(totals(await read(mine))).toEqual([2n, 2n, 2n, 2n]);
    expect(totals(await read(randomUUID()))).toEqual([0n, 0n, 0n]);
    const all = await read('');
    expect([all.rows?.length, all.overrunMicrocents, all.forfeitedMicrocents]).toEqual([2, 7n, 7n]);
  });

  it('defaults to the last 30 days, including today', async () => {
    expect(await readDays()).toEqual(['10-24', '11-20', '11-21', '11-22']);
  });

  it.each([
    ['2026-11-22', '2026-11-22'],
    ['2026-11-22T10:00:00Z', '2026-11-22T09:00:00Z'],
  ])('rejects the start %s with the end %s', async (from, to) => {
    await expect(readDays(from, to)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
