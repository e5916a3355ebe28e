import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  admit,
  callAs,
  customerOn,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const STATEMENTS = 10;

let harness: LedgerHarness;
let owner: Principal;

beforeAll(async () => {
  harness = await startLedgerHarness('statement_load', { env: { DATABASE_POOL_MAX: '5' } });
  owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 10n ** 12n);
});
afterAll(() => harness.stop());

it('refuses statements beyond an account’s share, and admits requests without a wait', async () => {
  const { billing, database } = harness;
  const { id, principal } = await customerOn(billing, owner, { tierCode: 'pro' });
  await fundWallet(billing, owner, id, 10n ** 9n);
  const month = new Date().toISOString().slice(0, 7);
  const read = () =>
    billing.getStatement({ month }, callAs(owner)).then(
      () => 'read',
      ({ code, retryable }: { code: string; retryable: boolean }) => `${code} ${retryable}`,
    );

  // Statements wait in their transactions, as those of a large project do.
  const locker = await database.pool.connect();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE journal_months IN ACCESS EXCLUSIVE MODE');
  const reading = Array.from({ length: STATEMENTS }, read);
  try {
    // No statement can be read yet, so the first to end was refused; the others wait.
    expect(await Promise.race(reading)).toBe('SERVICE_UNAVAILABLE true');
    await fundOwner(billing, ownerPrincipal(), 10n ** 12n);
    const { decision } = await admit(billing, principal);
    expect(decision.case).toBe('admitted');
  } finally {
    await locker.query('ROLLBACK');
    locker.release();
  }
  const outcomes = await Promise.all(reading);
  expect(new Set(outcomes)).toEqual(new Set(['read', 'SERVICE_UNAVAILABLE true']));
  expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThanOrEqual(2);
  expect(await read()).toBe('read');
});
