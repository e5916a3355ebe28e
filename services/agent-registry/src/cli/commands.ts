import { removePublished } from '@tollgate/events';
import {
  type Commands,
  deadLetterCommands,
  exportCustomerCommand,
  outboxCommands,
  pruneCommand,
  pruneStep,
} from '@tollgate/service';
import type { Config } from '../config.js';
import { CONSUMED } from '../consumers/customer-events.js';
import { CUSTOMER_TABLES } from '../store/customer-export.js';
import { deleteExpiredStateHandles } from '../store/state-handles.js';

const PUBLISHED_KEPT_MS = 86_400_000;

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  'export-customer': exportCustomerCommand('agent-registry', CUSTOMER_TABLES),
  ...outboxCommands(),
  ...deadLetterCommands(CONSUMED),
  prune: pruneCommand(({ openPool, clock }) => {
    const pool = openPool({ max: 1 });
    return [
      pruneStep('state handles', (limit) => deleteExpiredStateHandles(pool, clock.now(), limit)),
      pruneStep('published events', (limit) => removePublished(pool, PUBLISHED_KEPT_MS, limit)),
    ];
  }),
};
