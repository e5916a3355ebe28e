import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import {
  admit,
  callAs,
  customerOn,
  fundOwner,
  fundWallet,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  settle,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const owner = ownerPrincipal();
const other = ownerPrincipal({ accountId: owner.accountId });

let harness: LedgerHarness;
let customerId: string;

beforeAll(async () => {
  harness = await startLedgerHarness('uncharged_usage', { env: { HOLD_TTL: '1s' } });
  const { billing } = harness;
  await fundOwner(billing, owner, 1_000_000_000n);
  const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  customerId = customer.id;
  await fundWallet(billing, owner, customer.id, 1_000_000n);
  // Settled as held, settled beyond what was held, and never reported.
  await settle(billing, customer.principal, (await admit(billing, customer.principal)).holdId, 10n, 90n);
  await settle(billing, customer.principal, (await admit(billing, customer.principal)).holdId, 10n, 190n);
  await admit(billing, customer.principal);
  const isExpired = async () => (await list()).length === 2;
  await waitUntil(isExpired, { what: 'the expired hold' });
});
afterAll(() => harness.stop());

const list = async (query: object = {}, as = owner) =>
  (await harness.billing.listUnchargedUsage(query, callAs(as))).usage;

it('lists what no customer paid for, newest first, and equals the report', async () => {
  const usage = await list();
  expect(usage.map(({ unreconciledMicrocents }) => unreconciledMicrocents > 0n)).toEqual([true, false]);
  expect(usage[1]).toMatchObject({ customerId, overrunMicrocents: 30_000n, unreconciledMicrocents: 0n });
  const report = await harness.billing.verifyLedger({}, callAs(owner));
  const sum = (figure: 'overrunMicrocents' | 'unreconciledMicrocents') =>
    usage.reduce((total, row) => total + row[figure], 0n);
  expect([sum('overrunMicrocents'), sum('unreconciledMicrocents')]).toEqual([
    report.overrunMicrocents,
    report.unreconciledMicrocents,
  ]);
  expect(sum('unreconciledMicrocents')).toBeLessThanOrEqual(HELD);
});

it('filters by kind and customer, and pages', async () => {
  expect(await list({ kind: 'overrun' })).toHaveLength(1);
  expect(await list({ kind: 'unreconciled' })).toHaveLength(1);
  expect(await list({ customerId })).toHaveLength(2);
  expect(await list({ customerId: owner.accountId })).toEqual([]);
  const { usage, hasMore } = await harness.billing.listUnchargedUsage({ limit: 1 }, callAs(owner));
  expect(hasMore).toBe(true);
  const [last] = usage;
  const rest = await list({ limit: 1, afterOccurredAt: last?.occurredAt, afterId: last?.id });
  expect(rest).toMatchObject([{ overrunMicrocents: 30_000n }]);
  await expect(list({ kind: 'x' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('hides the requests of other projects and accounts', async () => {
  expect(await list({}, other)).toEqual([]);
  expect(await list({}, ownerPrincipal({ projectId: owner.projectId }))).toEqual([]);
});
