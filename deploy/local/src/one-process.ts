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
import { createLogger, type LogLevel, type Stoppable, stopAll } from '@tollgate/runtime';
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

type Start = (env: NodeJS.ProcessEnv, shared: SharedParts) => Promise<RunningService>;

const STARTS: Record<ServiceName, Start> = {
  'billing-ledger': starter(billingLedger),
  'agent-registry': starter(agentRegistry),
  messaging: starter(messaging),
  'hooks-webhooks': starter(hooksWebhooks),
  'gateway-inference': starter(gatewayInference),
  'workflow-engine': starter(workflowEngine),
  'edge-gateway': starter(edgeGateway),
};

function starter<Config extends ServiceConfig>(service: ServiceDefinition<Config>): Start {
  return (env, shared) => startService(service, service.configFromEnv(env), shared);
}

/** Starts all seven services in this process; they call each other directly through the same typed interface. */
export async function startOneProcess(options: StackOptions): Promise<Stack> {
  mkdirSync(options.logDir, { recursive: true });
  const destination = pino.destination({ dest: join(options.logDir, 'tollgate.log'), sync: false, mkdir: true });
  const loggerFor = (name: string) => createLogger(name, (options.env.LOG_LEVEL ?? 'info') as LogLevel, destination);
  const logger = loggerFor('tollgate');
  logUnexpectedErrors(logger);
  const network = new LocalNetwork();
  // All services read the same event settings, so they can share one transport.
  const own = { HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(options.healthPort ?? 0) };
  const common = openParts('tollgate', billingLedger.configFromEnv({ ...options.env, ...own }), { network, logger });
  const running: Stoppable[] = [{ stop: async () => destination.flushSync() }, common];
  const env = { HTTP_IDLE_GRACE: '0s', ...options.env, HTTP_HOST: '127.0.0.1', HTTP_PORT: String(options.httpPort) };
  let isStarted = false;
  try {
    const { processMetrics: metrics } = common;
    const { health } = common.keep(await publishMetrics(metrics, common.metrics, common.config));
    health?.watch('tollgate', () => (isStarted ? undefined : 'starting'));
    const transport = await common.openTransport();
    let httpAddress: string | undefined;
    for (const name of SERVICE_NAMES) {
      const service = await STARTS[name](env, { network, transport, metrics, health, logger: loggerFor(name) });
      running.push(service);
      httpAddress ??= service.httpAddress;
    }
    isStarted = true;
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
