import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAs, type LedgerBench, ownerPrincipal, startLedgerBench } from '../testing/ledger-bench.js';

let bench: LedgerBench;
const owner = ownerPrincipal();

beforeAll(async () => {
  bench = await startLedgerBench('read_account_usage');
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03'])
    await bench.database.pool.query(
      `INSERT INTO usage_rollups (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests)
       VALUES ($1, $2, $3, '2026-03-01', $4, $3, 'm', 1)`,
      [owner.accountId, owner.projectId, randomUUID(), day],
    );
});
afterAll(() => bench.stop());

async function days(from: string, to: string): Promise<string[]> {
  const at = (text: string) => timestampFromDate(new Date(text));
  const { rows } = await bench.billing.getAccountUsage({ from: at(from), to: at(to) }, callAs(owner));
  return rows.map((row) => row.group);
}

describe('the range of a usage report', () => {
  it('begins with `from` and ends before `to`', async () => {
    expect(await days('2026-03-01', '2026-03-03')).toEqual(['2026-03-01', '2026-03-02']);
    expect(await days('2026-03-02', '2026-03-03')).toEqual(['2026-03-02']);
  });

  it('given in times covers every day (UTC) of which it has a part', async () => {
    expect(await days('2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z')).toEqual(['2026-03-02']);
    expect(await days('2026-03-01T23:59:59Z', '2026-03-02T00:00:01Z')).toEqual(['2026-03-01', '2026-03-02']);
    expect(await days('2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z')).toEqual(['2026-03-02']);
  });

  it.each([
    ['2026-03-02', '2026-03-02'],
    ['2026-03-02T11:00:00Z', '2026-03-02T10:00:00Z'],
  ])('from %s to %s is refused: it is empty', async (from, to) => {
    await expect(days(from, to)).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
  });
});
