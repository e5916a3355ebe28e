import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
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

const OWNER_FUNDS = 10_000_000_000n;
/** 10 tokens in at 100 and 20 out at 300. */
const CHARGED = 7_000n;

let harness: LedgerHarness;

beforeAll(async () => {
  harness = await startLedgerHarness('read-hold');
});
afterAll(() => harness.stop());

async function newPayer(microcents: bigint) {
  const owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, OWNER_FUNDS);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, microcents);
  return { owner, payer: customer.principal };
}

const read = (principal: Principal, holdId: string) => harness.holds.readHold({ holdId }, callAs(principal));

async function readWallet(principal: Principal, holdId: string) {
  const { limits } = await read(principal, holdId);
  return limits.find(({ limit }) => limit === 'wallet');
}

describe('ReadHold', () => {
  it('names what each limit had free before, what it holds and what it was charged', async () => {
    const { owner, payer } = await newPayer(3n * HELD);
    const { holdId } = await admit(harness.billing, payer);
    const open = await read(owner, holdId);
    expect(open).toMatchObject({ state: 'open', inputTokens: 10n, outputTokens: 90n });
    expect(open.customerPrice).toMatchObject({ inputPerMillionCents: 100n, outputPerMillionCents: 300n });
    expect(open.limits).toMatchObject([
      { limit: 'wallet', available: 3n * HELD, held: HELD, charged: 0n },
      { limit: 'owner', available: OWNER_FUNDS },
    ]);
    await settle(harness.billing, payer, holdId, 10n, 20n);
    const ended = await read(owner, holdId);
    expect(ended).toMatchObject({ state: 'posted', endedAt: expect.anything() });
    expect(ended.limits[0]).toMatchObject({ available: 3n * HELD, held: HELD, charged: CHARGED });
  });

  it('counts the earlier holds of the same batch, and holds that end in the same statement', async () => {
    const { owner, payer } = await newPayer(40n * HELD);
    const first = await admit(harness.billing, payer);
    const [, ...later] = await Promise.all([
      settle(harness.billing, payer, first.holdId, 10n, 20n),
      ...Array.from({ length: 30 }, () => admit(harness.billing, payer)),
    ]);
    const wallets = await Promise.all(later.map(({ holdId }) => readWallet(owner, holdId)));
    const free = wallets.map((wallet) => wallet?.available ?? -1n).sort((a, b) => (a < b ? 1 : -1));
    const afterSettlement = 40n * HELD - CHARGED;
    // The settlement may have come between any two of them.
    free.forEach((each, i) => {
      expect([40n * HELD - BigInt(i + 1) * HELD, afterSettlement - BigInt(i) * HELD]).toContain(each);
    });
    expect(new Set(free).size).toBe(30);
  });

  it('names what was free where requests are decided one by one, and the limit that refuses', async () => {
    const { owner, payer } = await newPayer(2n * HELD + 5n);
    const answers = await Promise.all(Array.from({ length: 6 }, () => admit(harness.billing, payer)));
    const admitted = answers.filter(({ decision }) => decision.case === 'admitted');
    const free = await Promise.all(admitted.map(async ({ holdId }) => (await readWallet(owner, holdId))?.available));
    expect(free.sort()).toEqual([HELD + 5n, 2n * HELD + 5n].sort());
    const { decision } = await admit(harness.billing, payer);
    expect(decision.value).toMatchObject({
      code: 'WALLET_EMPTY',
      limits: [{ limit: 'wallet', available: 5n, required: HELD, hasRefused: true }],
    });
  });

  it('names the limits that allowed a refused request before the limit that refused it', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, 1n);
    const customer = await customerOn(harness.billing, owner, { tierCode: 'free', spendLimitCents: 500n });
    const { decision } = await admit(harness.billing, customer.principal);
    expect(decision.value).toMatchObject({
      code: 'PROVIDER_ACCOUNT_UNFUNDED',
      limits: [
        { limit: 'allowance', available: 500_000_000n, required: HELD, hasRefused: false },
        { limit: 'owner', available: 1n, hasRefused: true },
      ],
    });
  });

  it('names the total of an allowance', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, OWNER_FUNDS);
    const customer = await customerOn(harness.billing, owner, { tierCode: 'free', spendLimitCents: 500n });
    const { holdId } = await admit(harness.billing, customer.principal);
    const { limits } = await read(owner, holdId);
    expect(limits[0]).toMatchObject({ limit: 'allowance', total: 500_000_000n, available: 500_000_000n, held: HELD });
  });

  it('does not find unknown holds, and those of other projects and accounts', async () => {
    const { owner, payer } = await newPayer(HELD);
    const { holdId } = await admit(harness.billing, payer);
    const sibling = ownerPrincipal({ accountId: owner.accountId });
    for (const [principal, id] of [
      [owner, randomUUID()],
      [owner, 'no id'],
      [sibling, holdId],
      [ownerPrincipal(), holdId],
    ] as const)
      await expect(read(principal, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
