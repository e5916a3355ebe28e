import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { configFromEnv, type EdgeConfig } from './config.js';
import { accountEvents, customerEvents, requestEvents } from './consumers/events.js';
import { type Context, createContext } from './context.js';
import { logMalformed } from './http/exchange/request-record.js';
import { routers } from './http/routes/index.js';
import { createApp, createUpgradeListener } from './http/server/app.js';
import { type HttpServer, startHttpServer } from './http/server/server.js';
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
      consumers: [customerEvents(ctx), requestEvents(ctx), accountEvents(ctx)],
      consumesInBackground: true,
      async listen() {
        const http = await startHttpServer(
          createApp(ctx, routers),
          config.http,
          ctx.openStreams,
          (requestId) => logMalformed(ctx.requestLog, requestId),
          createUpgradeListener(ctx),
        );
        return { address: http.address, stop: () => stopHttp(ctx, http) };
      },
      onDrain() {
        ctx.lifecycle.isDraining = true;
        ctx.realtimeSockets.drain();
      },
    };
  },
};

/** Sockets count as open connections: those that have not drained in time are cut. */
async function stopHttp({ config, realtimeSockets }: Context, http: HttpServer): Promise<void> {
  const timer = setTimeout(() => realtimeSockets.terminate(), config.drainMs);
  try {
    await http.stop(config.drainMs, config.http.idleGraceMs);
  } finally {
    clearTimeout(timer);
    realtimeSockets.terminate();
  }
}

export function startEdgeGateway(config: EdgeConfig, shared?: SharedParts): Promise<RunningService> {
  return startService(edgeGateway, config, shared);
}
