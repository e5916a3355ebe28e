import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { customerEvents } from './consumers/customer-events.js';
import { createContext } from './context.js';
import { agentService } from './grpc/agent-service.js';
import { sessionService } from './grpc/session-service.js';
import { sqlService } from './grpc/sql-service.js';
import { stateService } from './grpc/state-service.js';
import { toolStateService } from './grpc/tool-state-service.js';
import { createStateHandleSweeper } from './workers/sweep-state-handles.js';

export const agentRegistry: ServiceDefinition<Config> = {
  name: 'agent-registry',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  async build(parts) {
    const ctx = await createContext(parts);
    const { clock, logger } = ctx;
    const intervalMs = parts.config.stateSweepIntervalMs;
    parts.keep(createStateHandleSweeper({ db: ctx.pool, clock, logger, intervalMs }));
    return {
      rpc: [agentService(ctx), stateService(ctx), toolStateService(ctx), sessionService(ctx), sqlService(ctx)],
      consumers: [customerEvents(ctx)],
    };
  },
};

export function startAgentRegistry(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(agentRegistry, config, shared);
}
