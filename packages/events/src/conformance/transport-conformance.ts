import { afterEach, beforeEach, describe } from '@jest/globals';
import { consumerCases } from './consumer-cases.js';
import { createHarness, type Harness, type TransportFactory } from './harness.js';
import { orderCases } from './order-cases.js';
import { outboxCases } from './outbox-cases.js';

/** What every transport promises. Both run exactly this; a new one has to pass it before anything may use it. */
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
