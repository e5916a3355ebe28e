import { type RunningService, type ServiceDefinition, type SharedParts, startService } from '@tollgate/service';
import { commands } from './cli/commands.js';
import { type Config, configFromEnv } from './config.js';
import { customerEvents } from './consumers/customer-events.js';
import { createContext } from './context.js';
import { agentRunService } from './grpc/agent-run-service.js';
import { backgroundResponseService } from './grpc/background-response-service.js';
import { batchService } from './grpc/batch-service.js';
import { compileService } from './grpc/compile-service.js';
import { fileService } from './grpc/file-service.js';
import { workflowService } from './grpc/workflow-service.js';

export const workflowEngine: ServiceDefinition<Config> = {
  name: 'workflow-engine',
  configFromEnv,
  migrations: new URL('../prisma/migrations', import.meta.url),
  commands,
  async build(parts) {
    const ctx = await createContext(parts);
    ctx.work.start();
    ctx.batches.start();
    ctx.background.start();
    return {
      rpc: [
        workflowService(ctx),
        agentRunService(ctx),
        fileService(ctx),
        batchService(ctx),
        backgroundResponseService(ctx),
        compileService(ctx.compiler),
      ],
      consumers: [customerEvents(ctx)],
      consumesInBackground: true,
      onDrain: () => ctx.closing.abort(), // an open reader would hold up the drain of calls
    };
  },
};

export function startWorkflow(config: Config, shared?: SharedParts): Promise<RunningService> {
  return startService(workflowEngine, config, shared);
}
