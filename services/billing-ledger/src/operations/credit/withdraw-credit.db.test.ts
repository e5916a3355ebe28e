import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  callAs,
  customerOn,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const CENT = 1_000_000n;

let harness: LedgerHarness;
let owner: Principal;
let customerId: string;

beforeAll(async () => {
  harness = await startLedgerHarness('withdraw_credit');
});
beforeEach(async () => {
  owner = ownerPrincipal();
  customerId = (await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' })).id;
  await fundWallet(harness.billing, owner, customerId, 1_000n * CENT);
  const target = { case: 'customerId' as const, value: customerId };
  const granted = { target, amountMicrocents: 300n * CENT, reason: 'promo', cause: randomUUID() };
  await harness.billing.grantCredit(granted, callAs(owner));
});
afterAll(() => harness.stop());

const withdraw = (cents: bigint, cause: string = randomUUID(), as = owner) =>
  harness.billing.withdrawCredit({ customerId, amountMicrocents: cents * CENT, cause }, callAs(as));
const balance = () => harness.billing.getCustomerBalance({ customerId }, callAs(owner));

it('takes granted credit back, and shows what is left of it', async () => {
  expect((await balance()).grantedMicrocents).toBe(300n * CENT);
  expect(await withdraw(100n)).toMatchObject({ applied: true, balanceMicrocents: 1_200n * CENT });
  expect(await balance()).toMatchObject({ balanceMicrocents: 1_200n * CENT, grantedMicrocents: 200n * CENT });
  const { entries } = await harness.billing.listBalanceHistory({ customerId, limit: 1 }, callAs(owner));
  expect(entries).toMatchObject([{ direction: 'debit', reason: 'credit withdrawn', amountMicrocents: 100n * CENT }]);
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
});

it('leaves paid money, also if several withdrawals arrive at once', async () => {
  await expect(withdraw(301n)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('300 cents'),
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => withdraw(100n)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await balance()).toMatchObject({ balanceMicrocents: 1_000n * CENT, grantedMicrocents: 0n });
});

it('takes credit once per cause', async () => {
  const answers = await Promise.all(Array.from({ length: 3 }, () => withdraw(300n, 'a key')));
  expect(answers.map(({ applied }) => applied).sort()).toEqual([false, false, true]);
  expect(answers.map(({ balanceMicrocents }) => balanceMicrocents)).toEqual(Array(3).fill(1_000n * CENT));
});

it('hides customers of other projects', async () => {
  await expect(withdraw(1n, 'x', ownerPrincipal())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(withdraw(0n)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
