import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { configFromEnv, type EdgeConfig } from './config.js';
import { customerEvents } from './consumers/customer-events.js';
import { requestEvents } from './consumers/request-events.js';
import { createContext } from './context.js';
import { logMalformed } from './http/exchange/request-record.js';
import { routes } from './http/routes/index.js';
import { createApp } from './http/server/app.js';
import { startHttpServer } from './http/server/server.js';
import { startWorkers } from './workers/workers.js';

export const edgeGateway: ServiceDefinition<EdgeConfig> = {
  name: 'edge-gateway',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  async build(parts) {
    const { config, keep } = parts;
    const ctx = await createContext(parts);
    keep(startWorkers(ctx));
    return {
      rpc: [], // gRPC carries health checks only
      consumers: [customerEvents(ctx), requestEvents(ctx)],
      consumesInBackground: true,
      async listen() {
        const http = await startHttpServer(createApp(ctx, routes), config.http, ctx.openStreams, (requestId) =>
          logMalformed(ctx.requestLog, requestId),
        );
        return { address: http.address, stop: () => http.stop(config.drainMs, config.http.idleGraceMs) };
      },
      onDrain() {
        ctx.lifecycle.isDraining = true;
      },
    };
  },
};

export function startEdgeGateway(config: EdgeConfig, shared?: SharedParts): Promise<RunningService> {
  return startService(edgeGateway, config, shared);
}
