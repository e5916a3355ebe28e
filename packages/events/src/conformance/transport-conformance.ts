import { afterEach, beforeEach, describe } from '@jest/globals';
import { consumerCases } from './consumer-cases.js';
import { createWorld, type TransportFactory, type World } from './harness.js';
import { orderCases } from './order-cases.js';
import { outboxCases } from './outbox-cases.js';

/** What every transport promises. Both run exactly this; a new one has to pass it before anything may use it. */
export function describeTransport(name: string, newTransport: TransportFactory): void {
  describe(name, () => {
    let world: World;
    beforeEach(async () => {
      world = await createWorld(newTransport);
    });
    afterEach(() => world.end());
    outboxCases(() => world);
    orderCases(() => world);
    consumerCases(() => world);
  });
}
