import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import {
  admit,
  type BillingClient,
  type CustomerOnTier,
  callAs,
  customerOn,
  fundOwner,
  fundWallet,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const owner = ownerPrincipal();

let harness: LedgerHarness;
let billing: BillingClient;

beforeAll(async () => {
  harness = await startLedgerHarness('block-customer');
  billing = harness.billing;
  await fundOwner(billing, owner, 10_000_000_000n);
});
afterAll(() => harness.stop());

async function makeCustomer(): Promise<CustomerOnTier> {
  const customer = await customerOn(billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(billing, owner, customer.id, 100n * HELD);
  return customer;
}

const setBlocked = async (id: string, blocked: boolean) =>
  (await billing.updateCustomer({ id, blocked }, callAs(owner))).envelope?.customer?.blockedAt;
const decide = async ({ principal }: CustomerOnTier, client = billing) => {
  const { decision } = await admit(client, principal);
  return decision.case === 'refused' ? [decision.value.code, decision.value.message] : decision.case;
};
const REFUSED = ['FORBIDDEN', 'the customer is blocked'];

describe('a blocked customer', () => {
  it('gets refusals at once, with and without a bill, until it is unblocked', async () => {
    const customer = await makeCustomer();
    expect(await decide(customer)).toBe('admitted');
    const since = await setBlocked(customer.id, true);
    expect(since).toBeDefined();
    expect(await decide(customer)).toEqual(REFUSED);
    const elsewhere = { ...customer.principal, byob: true };
    expect(await decide({ ...customer, principal: elsewhere })).toEqual(REFUSED);
    expect(await setBlocked(customer.id, true)).toEqual(since);
    expect(await setBlocked(customer.id, false)).toBeUndefined();
    expect(await decide(customer)).toBe('admitted');
  });

  it('gets refusals from other replicas within seconds', async () => {
    const customer = await makeCustomer();
    const replica = await harness.replica();
    expect(await decide(customer, replica)).toBe('admitted');
    await setBlocked(customer.id, true);
    const isRefused = async () => (await decide(customer, replica)) !== 'admitted';
    await waitUntil(isRefused, { what: 'the refusal by the other replica' });
  });

  it('stays blocked when its other fields change', async () => {
    const customer = await makeCustomer();
    await setBlocked(customer.id, true);
    await billing.updateCustomer({ id: customer.id, email: 'new@example.com' }, callAs(owner));
    const externalId = (await billing.getCustomer({ by: { case: 'id', value: customer.id } }, callAs(owner))).envelope!
      .customer!.externalId;
    await billing.upsertCustomer({ externalId, email: 'newer@example.com' }, callAs(owner));
    expect(await decide(customer)).toEqual(REFUSED);
  });

  it('keeps its wallet and the other customers of the project', async () => {
    const [customer, other] = [await makeCustomer(), await makeCustomer()];
    await setBlocked(customer.id, true);
    const balance = await billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
    expect(balance).toMatchObject({ balanceMicrocents: 100n * HELD, reservedMicrocents: 0n });
    expect(await decide(other)).toBe('admitted');
    expect((await billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
  });
});
