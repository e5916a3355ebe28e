import {
  createEventTransport,
  decodeEvent,
  type EventTransport,
  eventTransportConfig,
  eventTypes,
  type Subscription,
} from '@tollgate/events';
import { createLoop, type Stoppable } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { revokeCustomer } from '../operations/tokens/revoke.js';

/** Longer than any process lives: the loop below has nothing to do once it has succeeded. */
const NEVER_MS = 2_147_483_647;

/**
 * Tokens of deleted customers end. The route that deletes says so at once; the event makes sure, also when the edge died
 * in between. Writing a revocation twice changes nothing, so events need no mark of their own.
 */
export function customerEvents(ctx: Context): Subscription {
  return {
    group: 'edge-gateway',
    topics: [eventTypes.customerDeleted.topic],
    async handler(event) {
      if (event.type !== eventTypes.customerDeleted.type) return;
      await revokeCustomer(ctx, decodeEvent(eventTypes.customerDeleted, event).customerId);
    },
  };
}

/** Consumes in the background and tries again until it can: the front door opens without its events. */
export function startCustomerEvents(ctx: Context, given?: EventTransport): Stoppable {
  let running: Stoppable | undefined;
  const loop = createLoop({
    name: 'customer events',
    intervalMs: NEVER_MS,
    logger: ctx.logger,
    run: async () => {
      running ??= await subscribe(ctx, given);
    },
  });
  return {
    async stop() {
      await loop.stop();
      await running?.stop();
    },
  };
}

async function subscribe(ctx: Context, given: EventTransport | undefined): Promise<Stoppable> {
  if (given) return given.subscribe(customerEvents(ctx));
  const { config, logger } = ctx;
  const service = { name: 'edge-gateway', databaseUrl: config.database.url, logger };
  const transport = createEventTransport(eventTransportConfig(config.events, service));
  try {
    await transport.start();
    await transport.subscribe(customerEvents(ctx));
    return transport;
  } catch (error) {
    await transport.stop();
    throw error;
  }
}
