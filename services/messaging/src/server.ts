import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { createContext } from './context.js';
import { messagingService } from './grpc/messaging-service.js';
import { createRetentionWorker } from './workers/delete-old-messages.js';

export const messaging: ServiceDefinition<Config> = {
  name: 'messaging',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  build(parts) {
    const ctx = createContext(parts);
    const days = parts.config.messageRetentionDays;
    parts.keep(createRetentionWorker({ pool: ctx.pool, logger: parts.logger, days }));
    return { rpc: [messagingService(ctx)] };
  },
};

export function startMessaging(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(messaging, config, shared);
}
