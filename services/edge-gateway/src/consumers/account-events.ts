import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { reportFailedTopUp } from '../operations/report-failed-top-up.js';

/** A consumer group of its own: members of one group must have the same topics, also during a roll-out. */
export const ACCOUNT_EVENTS = { group: 'edge-gateway-accounts', topics: [eventTypes.autoTopUpFailed.topic] };

/** Reports failed automatic top-ups. An event is reported once: its id is the id of the audit entry. */
export function accountEvents(ctx: Pick<Context, 'clock' | 'config' | 'mailer' | 'pool'>): Subscription {
  return {
    ...ACCOUNT_EVENTS,
    async handler(event) {
      if (event.type !== eventTypes.autoTopUpFailed.type) return;
      const { id, occurredAt } = event;
      await reportFailedTopUp(ctx, { id, occurredAt, message: decodeEvent(eventTypes.autoTopUpFailed, event) });
    },
  };
}
