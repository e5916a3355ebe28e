import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { webhookEvents } from './consumers/webhook-events.js';
import { createContext } from './context.js';
import { hookService } from './grpc/hook-service.js';
import { mcpServerService } from './grpc/mcp-server-service.js';
import { toolHookService } from './grpc/tool-hook-service.js';
import { startDeliveryWorker } from './workers/delivery-worker.js';
import { startSweeper } from './workers/sweeper.js';

export const hooksWebhooks: ServiceDefinition<Config> = {
  name: 'hooks-webhooks',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  build(parts) {
    const ctx = createContext(parts);
    const worker = parts.keep(startDeliveryWorker(ctx));
    ctx.onWakeDeliveries(worker.wake);
    parts.keep(startSweeper(ctx));
    const hasBroker = (parts.config.events?.KAFKA_BROKERS?.length ?? 0) > 0;
    const consumers = webhookEvents(ctx, hasBroker);
    return { rpc: [hookService(ctx), toolHookService(ctx), mcpServerService(ctx)], consumers };
  },
};

export function startHooks(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(hooksWebhooks, config, shared);
}
