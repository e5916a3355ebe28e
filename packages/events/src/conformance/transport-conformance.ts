import { afterEach, beforeEach, describe } from '@jest/globals';
import { consumerCases } from './consumer-cases.js';
import { createHarness, type Harness, type TransportFactory } from './harness.js';
import { orderCases } from './order-cases.js';
import { outboxCases } from './outbox-cases.js';

/** The guarantees of every transport. Each transport, including a new one, must pass these cases. */
export function describeTransport(name: string, newTransport: TransportFactory): void {
  describe(name, () => {
    let harness: Harness;
    beforeEach(async () => {
      harness = await createHarness(newTransport);
    });
    afterEach(() => harness.end());
    outboxCases(() => harness);
    orderCases(() => harness);
    consumerCases(() => harness);
  });
}
