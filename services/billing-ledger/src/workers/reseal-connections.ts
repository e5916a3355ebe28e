import { createLoop, type Loop } from '@tollgate/runtime';
import type { Context } from '../context.js';
import { resealConnections } from '../operations/connections/reseal-connections.js';

const INTERVAL_MS = 60_000;

/** Seals secrets of connections with the current key. Any number of replicas may run it. */
export function createResealWorker(ctx: Pick<Context, 'keyring' | 'logger' | 'pool'>): Loop {
  return createLoop({
    name: 'reseal connections',
    intervalMs: INTERVAL_MS,
    logger: ctx.logger,
    run: async () => (await resealConnections(ctx)) > 0,
  });
}
