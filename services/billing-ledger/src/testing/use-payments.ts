import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { callAs } from './ledger-harness.js';
import { findSubscription, makeProject, type PaymentsHarness, startPaymentsHarness, URLS } from './payments-harness.js';

/**
 * Registers hooks that start a payments harness for the test file, deliver what a test withheld of the processor's events, and
 * stop the harness. The hooks fill the returned object.
 */
export function usePayments(name: string, env?: NodeJS.ProcessEnv): PaymentsHarness {
  const harness = {} as PaymentsHarness;
  beforeAll(async () => {
    Object.assign(harness, await startPaymentsHarness(name, env));
  });
  afterEach(() => harness.processor.webhooks.release());
  afterAll(() => harness.stop());
  return harness;
}

/** Actions of a project’s owner on subscriptions. */
export function subscriptionActions(harness: PaymentsHarness) {
  return {
    project: () => makeProject(harness),
    changes: (owner: Principal) => harness.ledger.events(eventTypes.subscriptionChanged, owner.projectId),
    changeTier: (owner: Principal, customerId: string, tierCode: string) =>
      harness.payments.changeTier({ customerId, tierCode }, callAs(owner)),
    checkout: (owner: Principal, customerId: string, tierCode: string) =>
      harness.payments.createCheckout(
        { customerId, tier: { case: 'tierCode', value: tierCode }, ...URLS },
        callAs(owner),
      ),
    /** Returns tier and status, such as `pro active`. */
    async readState(owner: Principal, customerId: string) {
      const subscription = await findSubscription(harness, owner, customerId);
      return subscription && `${subscription.tierCode} ${subscription.subscriptionStatus}`;
    },
  };
}
