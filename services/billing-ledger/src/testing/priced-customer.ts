import { randomUUID } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type BillingClient, callAs, customerOn, fundOwner, fundWallet, ownerPrincipal } from './ledger-harness.js';

export const CENT = 1_000_000n;

export interface PricedCustomer {
  /** The only model of the customer's tier, with its prices. */
  model: {
    modelId: string;
    inputPricePerMillionCents: bigint;
    outputPricePerMillionCents: bigint;
    [more: string]: unknown;
  };
  /** Of the tier. */
  markupPercentage?: number;
  ownerMicrocents?: bigint;
  walletMicrocents?: bigint;
}

/** Creates a funded owner with a customer who pays from a wallet. */
export async function createPricedCustomer(
  billing: BillingClient,
  { model, markupPercentage = 0, ownerMicrocents = 100n * CENT, walletMicrocents = 100n * CENT }: PricedCustomer,
) {
  const owner = ownerPrincipal();
  await fundOwner(billing, owner, ownerMicrocents);
  const tier = { tierCode: 'paygo', displayName: 'Paygo', billingMode: 'paygo', markupPercentage };
  await billing.createTier({ ...tier, models: [model] }, callAs(owner));
  const customer = await customerOn(billing, owner, { tierCode: 'paygo' });
  await fundWallet(billing, owner, customer.id, walletMicrocents);
  return { owner, customer: customer.principal };
}

/** Asks for the admission of a request, which may be refused. */
export async function askToAdmit(billing: BillingClient, customer: Principal, request: object) {
  const holdId = randomUUID();
  const { decision } = await billing.admit({ ...request, holdId }, callAs(customer));
  return { holdId, decision };
}
