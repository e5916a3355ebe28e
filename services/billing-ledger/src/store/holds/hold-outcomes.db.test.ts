import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

let harness: LedgerHarness;

beforeAll(async () => {
  harness = await startLedgerHarness('outcomes');
});
afterAll(() => harness.stop());

describe('readHoldOutcomes', () => {
  it('returns settled holds, to their own account only', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, 10_000_000_000n);
    const { principal } = await customerOn(harness.billing, owner, { tierCode: 'free' });
    const ids = [randomUUID(), randomUUID()];
    for (const holdId of ids) {
      const req = { holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
      await harness.billing.admit(req, callAs(principal));
    }
    const read = (as: Parameters<typeof callAs>[0]) =>
      harness.holds.readHoldOutcomes({ holdIds: [...ids, randomUUID()] }, callAs(as));
    expect((await read(principal)).outcomes).toEqual([]);
    const usage = { inputTokens: 10n, outputTokens: 20n };
    const settled = await harness.billing.settle({ holdId: ids[0]!, usage }, callAs(principal));
    expect((await read(principal)).outcomes).toMatchObject([
      {
        holdId: ids[0],
        ...usage,
        customerMicrocents: settled.customerMicrocents,
        ownerMicrocents: settled.ownerMicrocents,
      },
    ]);
    expect(settled.customerMicrocents).toBeGreaterThan(0n);
    expect((await read(ownerPrincipal())).outcomes).toEqual([]);
  });

  it('marks the outcome of an expired hold as changeable until a late report', async () => {
    const owner = ownerPrincipal();
    await fundOwner(harness.billing, owner, 10_000_000_000n);
    const holdId = randomUUID();
    const req = { holdId, model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
    await harness.billing.admit(req, callAs(owner));
    await harness.database.pool.query(`UPDATE holds SET expires_at = now() - interval '1 s' WHERE request_id = $1`, [
      holdId,
    ]);
    const read = async () => (await harness.holds.readHoldOutcomes({ holdIds: [holdId] }, callAs(owner))).outcomes;
    await waitUntil(async () => (await read()).length > 0, { what: 'the expiry' });
    expect(await read()).toMatchObject([{ mayChange: true, ownerMicrocents: 0n }]);
    const usage = { inputTokens: 10n, outputTokens: 20n };
    const { ownerMicrocents } = await harness.billing.settle({ holdId, usage }, callAs(owner));
    expect(ownerMicrocents).toBeGreaterThan(0n);
    expect(await read()).toMatchObject([{ mayChange: false, ownerMicrocents }]);
  });
});
