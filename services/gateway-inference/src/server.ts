import { setTimeout as sleep } from 'node:timers/promises';
import { createLoop, elapsed } from '@tollgate/runtime';
import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { type Context, createContext } from './context.js';
import { compatService } from './grpc/compat-service.js';
import { conversationService } from './grpc/conversation-service.js';
import { imageService } from './grpc/image-service.js';
import { inferenceService, realtimeService, toolService } from './grpc/inference-service.js';
import { storedResponseService } from './grpc/stored-response-service.js';
import { expireImages } from './workers/expire-images.js';
import { pruneStoredResponses } from './workers/prune-responses.js';
import { reloadConnections } from './workers/reload-connections.js';
import { startTurnWatch } from './workers/turn-watch.js';

/** How often the files of expired images are deleted. */
const EXPIRE_IMAGES_MS = 10 * 60_000;
/** How often stored responses are pruned. */
const PRUNE_RESPONSES_MS = 60_000;
/** How often CONNECTIONS_FILE and the files of its secrets are read. */
const RELOAD_CONNECTIONS_MS = 5_000;
/** Settlements that are pending after this time are abandoned; their holds expire. */
const SETTLE_DRAIN_MS_MAX = 5_000;

export const gatewayInference = defineInference(createContext);

/** `openContext` constructs what the operations use. */
export function defineInference(openContext: typeof createContext): ServiceDefinition<Config> {
  return {
    name: 'gateway-inference',
    configFromEnv,
    migrations: new URL('../prisma/migrations', import.meta.url),
    commands,
    async build(parts) {
      const { logger, clock, keep } = parts;
      const ctx = await openContext(parts);
      keep(startTurnWatch(ctx.liveTurns, clock));
      keep(createLoop({ name: 'expire images', intervalMs: EXPIRE_IMAGES_MS, logger, run: () => expireImages(ctx) }));
      const prune = { name: 'prune responses', intervalMs: PRUNE_RESPONSES_MS, logger };
      keep(createLoop({ ...prune, run: () => pruneStoredResponses(ctx) }));
      const reload = { name: 'reload connections', intervalMs: RELOAD_CONNECTIONS_MS, logger };
      if (ctx.config.connectionsSource) keep(createLoop({ ...reload, run: () => reloadConnections(ctx) }));
      keep({ stop: () => drainTurns(ctx) });
      // The database holds stored images and responses: turns whose answer is not stored do not use it.
      return {
        rpc: [
          inferenceService(ctx),
          imageService(ctx),
          toolService(ctx),
          compatService(ctx),
          realtimeService(ctx),
          storedResponseService(ctx),
          conversationService(ctx),
        ],
        servesWithoutDatabase: true,
        onDrain() {
          for (const session of ctx.realtimeSessions) session.drain();
        },
      };
    },
  };
}

export function startInference(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(gatewayInference, config, shared);
}

/** Lets running turns finish, then cuts the rest and settles them with what they delivered. */
async function drainTurns(ctx: Context): Promise<void> {
  const { drainMs } = ctx.config;
  const until = elapsed() + drainMs;
  while (ctx.liveTurns.size > 0 && elapsed() < until) await sleep(10);
  for (const turn of [...ctx.liveTurns]) turn.cut();
  const settleMs = Math.min(drainMs, SETTLE_DRAIN_MS_MAX);
  await Promise.all([ctx.settlements.drain(settleMs), ctx.ledger.endings.drain(settleMs)]);
}
