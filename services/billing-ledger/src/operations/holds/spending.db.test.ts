import { afterAll, beforeAll, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { createLedger } from '@tollgate/spending';
import { ledgerCases, type SpendingHarness } from '@tollgate/spending/conformance';
import {
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

/** 10 tokens in and 90 out at 100 and 300 cents per million, in microcents. */
const ONE_CALL = 28_000n;

let service: LedgerHarness;
let harness: SpendingHarness;

beforeAll(async () => {
  service = await startLedgerHarness('spending');
  const { billing, holds } = service;
  harness = {
    ledger: createLedger({ billing, holds, logger: silentLogger }),
    model: ECHO,
    payer: async () => {
      const owner = ownerPrincipal();
      await fundOwner(billing, owner, 1_000_000_000n);
      const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
      await fundWallet(billing, owner, customer.id, ONE_CALL);
      return callAs(customer.principal);
    },
    settle: async ({ holdId }, call) => {
      await billing.settle({ holdId, usage: { inputTokens: 10n, outputTokens: 10n } }, call);
    },
    paid: async (call) => {
      const { customerId } = call.requirePrincipal();
      const { balanceMicrocents } = await billing.getCustomerBalance({ customerId }, call);
      return ONE_CALL - balanceMicrocents;
    },
    openHolds: async (call) => (await billing.verifyLedger({}, call)).openHolds,
  };
});
afterAll(() => service.stop());

it.each(ledgerCases)('passes the ledger case: $title', ({ run }) => run(harness));
