import {
  type Parts,
  type RunningService,
  type ServiceDefinition,
  type SharedParts,
  startService,
} from '@tollgate/service';
import { createClients } from './clients/clients.js';
import { configFromEnv, type EdgeConfig } from './config.js';
import { customerEvents } from './consumers/customer-events.js';
import { createContext } from './context.js';
import { routes } from './http/routes/index.js';
import { createApp } from './http/server/app.js';
import { notReadyBecause } from './http/server/health.js';
import { startHttpServer } from './http/server/server.js';
import { grantOwnerCredit } from './operations/sign-in/grant-owner-credit.js';
import { rotateStoredSigningKey } from './operations/tokens/signing-keys.js';
import { startWorkers } from './workers/workers.js';

export const edgeGateway: ServiceDefinition<EdgeConfig> = {
  name: 'edge-gateway',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  async build(parts) {
    const { config, keep } = parts;
    const ctx = await createContext(parts);
    keep(startWorkers(ctx));
    return {
      rpc: [], // gRPC carries health checks only
      consumers: [customerEvents(ctx)],
      consumesInBackground: true,
      notReadyBecause: () => notReadyBecause(ctx),
      async listen() {
        const http = await startHttpServer(createApp(ctx, routes), config.http, ctx.openStreams);
        return { address: http.address, stop: () => http.stop(config.drainMs, config.http.idleGraceMs) };
      },
      onDrain() {
        ctx.lifecycle.isDraining = true;
      },
    };
  },
  commands: {
    'rotate-signing-key': {
      summary: 'publishes a new signing key, which signs ten minutes later',
      run: rotateSigningKey,
    },
    'grant-credit': {
      arguments: 'EMAIL CENTS [CAUSE]',
      summary: 'adds to the prepaid balance of an owner, once per cause',
      run: grantCredit,
    },
  },
};

export function startEdgeGateway(config: EdgeConfig, shared?: SharedParts): Promise<RunningService> {
  return startService(edgeGateway, config, shared);
}

/** @throws Error when the configuration gives the keys */
async function rotateSigningKey({ config, clock, openPool }: Parts<EdgeConfig>): Promise<string> {
  if (config.tokens.privateKeys !== undefined) throw new Error('rotate by changing JWT_PRIVATE_KEYS');
  const { kid } = await rotateStoredSigningKey(openPool({ max: 1 }), config.pepper, clock.now());
  return `published signing key ${kid}; it signs in ten minutes`;
}

function grantCredit({ network, openPool }: Parts<EdgeConfig>, args: readonly string[]): Promise<string> {
  const [email = '', cents = '', cause] = args;
  const { billing } = createClients(network);
  return grantOwnerCredit({ pool: openPool({ max: 1 }), billing }, { email, cents, cause });
}
