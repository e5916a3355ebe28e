import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { silentLogger, systemClock } from '@tollgate/runtime';
import type { Refusal } from '../domain/reports/request-entry.js';
import { RefusalLog } from './refusal-log.js';

const config = { requestKeepDays: 3 };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

const context = () => ({ pool: database.pool, clock: systemClock, logger: silentLogger, config });

function refusal(): Refusal {
  return {
    id: randomUUID(),
    at: systemClock.now(),
    accountId: randomUUID(),
    projectId: randomUUID(),
    customerId: null,
    keyId: null,
    tierCode: null,
    model: null,
    httpStatus: 402,
    isStream: false,
    requestId: 'r',
    errorCode: 'WALLET_EMPTY',
    durationMs: 1.6,
  };
}

async function stored(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM requests');
  return rows[0]?.n ?? 0;
}

it('stores refusals once, and keeps them when the database is unavailable', async () => {
  const log = new RefusalLog();
  log.add(refusal());
  const broken = { ...context(), pool: { connect: () => Promise.reject(new Error('away')) } as never };
  await expect(log.flush(broken)).rejects.toThrow('away');
  log.add(refusal());
  expect(await log.flush(context())).toBe(0);
  expect(await log.flush(context())).toBe(0);
  expect(await stored()).toBe(2);
});

it('counts the refusals beyond its bound instead of keeping them', async () => {
  const log = new RefusalLog();
  for (let n = 0; n < 5_003; n++) log.add(refusal());
  expect(await log.flush(context())).toBe(3);
  expect(await log.flush(context())).toBe(0);
  expect(await stored()).toBe(5_002);
});
