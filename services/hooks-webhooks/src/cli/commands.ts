import { type Commands, deadLetterCommands, exportCustomerCommand, pruneCommand } from '@tollgate/service';
import type { Config } from '../config.js';
import { CHANGE_EVENTS, USAGE_EVENTS } from '../consumers/webhook-events.js';
import { createContext } from '../context.js';
import { rewrapSecrets } from '../operations/rewrap-secrets.js';
import { sweep } from '../operations/sweep.js';
import { CUSTOMER_TABLES } from '../store/customer-export.js';

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<Config> = {
  'export-customer': exportCustomerCommand('hooks-webhooks', CUSTOMER_TABLES),
  ...deadLetterCommands({
    group: CHANGE_EVENTS.group,
    otherGroups: [USAGE_EVENTS.group],
    topics: [...CHANGE_EVENTS.topics, ...USAGE_EVENTS.topics],
  }),
  'rotate-secrets': {
    summary: 'reseals signing secrets of SECRETS_ENCRYPTION_KEYS_PREVIOUS with SECRETS_ENCRYPTION_KEY, now',
    async run(parts, { print, progress, signal }) {
      const ctx = createContext(parts);
      let resealed = 0;
      for (;;) {
        signal.throwIfAborted();
        const batch = await rewrapSecrets(ctx);
        if (batch === 0) break;
        resealed += batch;
        progress(`${resealed} secrets resealed so far`);
      }
      await print({ resealed }, `${resealed} secrets resealed with the current key`);
    },
  },
  prune: pruneCommand((parts) => {
    const ctx = createContext(parts);
    return [{ name: 'rows of deliveries, hooks and their logs', run: (limit) => sweep(ctx, limit) }];
  }),
};
