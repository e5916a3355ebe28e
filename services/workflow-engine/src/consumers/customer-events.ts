import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { forgetCustomer } from '../operations/background/background-responses.js';

/** The consumer group of this service, and its topics. */
export const CONSUMED = { group: 'workflow-engine', topics: [eventTypes.customerDeleted.topic] };

const PER_STATEMENT = 100;
/** More than a customer can have. */
const STATEMENTS_MAX = 1_000;

/** Stops and deletes the background responses of deleted customers. */
export function customerEvents(
  ctx: Pick<Context, 'background' | 'clients' | 'ledger' | 'logger' | 'pool' | 'wakeUps'>,
): Subscription {
  return {
    ...CONSUMED,
    async handler(event) {
      if (event.type !== eventTypes.customerDeleted.type) return;
      const { customerId } = decodeEvent(eventTypes.customerDeleted, event);
      for (let i = 0; i < STATEMENTS_MAX; i++) if (!(await forgetCustomer(ctx, customerId, PER_STATEMENT))) return;
    },
  };
}
