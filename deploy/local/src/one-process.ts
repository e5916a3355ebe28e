import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentRegistry } from '@tollgate/agent-registry';
import { billingLedger } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { edgeGateway } from '@tollgate/edge-gateway';
import { gatewayInference } from '@tollgate/gateway-inference';
import { hooksWebhooks } from '@tollgate/hooks-webhooks';
import { messaging } from '@tollgate/messaging';
import { LocalNetwork, logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, type Stoppable, stopAll, stopTracing } from '@tollgate/runtime';
import {
  openParts,
  publishMetrics,
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
  type SharedParts,
  startService,
} from '@tollgate/service';
import { workflowEngine } from '@tollgate/workflow-engine';
import pino from 'pino';
import { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from './stack.js';

type Starter = (env: NodeJS.ProcessEnv, shared: SharedParts) => Promise<RunningService>;

const STARTERS: Record<ServiceName, Starter> = {
  'billing-ledger': starter(billingLedger),
  'agent-registry': starter(agentRegistry),
  messaging: starter(messaging),
  'hooks-webhooks': starter(hooksWebhooks),
  'gateway-inference': starter(gatewayInference),
  'workflow-engine': starter(workflowEngine),
  'edge-gateway': starter(edgeGateway),
};

function starter<Config extends ServiceConfig>(service: ServiceDefinition<Config>): Starter {
  return (env, shared) => startService(service, service.configFromEnv(env), shared);
}

/** Starts all seven services in this process; they call each other directly through the same typed interface. */
export async function startOneProcess(options: StackOptions): Promise<Stack> {
  const own = { HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(options.healthPort ?? 0) };
  const config = billingLedger.configFromEnv({ ...options.env, ...own });
  // Before any client is made: clients without tracing carry no context.
  if (config.sendsTelemetry) (await import('@tollgate/runtime/telemetry')).startTelemetry('tollgate');
  mkdirSync(options.logDir, { recursive: true });
  const destination = pino.destination({ dest: join(options.logDir, 'tollgate.log'), sync: false, mkdir: true });
  // A process that ends while the file is still being opened would fail in the logger and hide its own reason.
  await once(destination, 'ready');
  const loggerFor = (name: string) => createLogger(name, config.logLevel, destination);
  const logger = loggerFor('tollgate');
  logUnexpectedErrors(logger);
  const network = new LocalNetwork();
  // All services read the same event settings, so they can share one transport.
  const common = openParts('tollgate', config, { network, logger });
  const running: Stoppable[] = [{ stop: async () => destination.flushSync() }, { stop: stopTracing }, common];
  const env = { HTTP_IDLE_GRACE: '0s', ...options.env, HTTP_HOST: '127.0.0.1', HTTP_PORT: String(options.httpPort) };
  try {
    const { processMetrics: metrics } = common;
    const { health } = common.keep(await publishMetrics(metrics, common.metrics, common.config));
    // Not ready before all services are.
    health?.watch('tollgate', common.health);
    const transport = await common.openTransport();
    let httpAddress: string | undefined;
    for (const name of SERVICE_NAMES) {
      const shared = { network, transport, metrics, health, logger: loggerFor(name) };
      const service = await STARTERS[name](env, shared);
      running.push(service);
      httpAddress ??= service.httpAddress;
    }
    common.health.start();
    const place = { pid: process.pid, health: `http://${health?.address}` };
    return {
      httpUrl: `http://${httpAddress}`,
      services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, place])),
      billing: network.client(BillingService),
      stop: () => stopAll(...running),
    };
  } catch (error) {
    await stopAll(...running).catch(() => undefined);
    throw error;
  }
}
