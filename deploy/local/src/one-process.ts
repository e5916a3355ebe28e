import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configFromEnv as agentConfig, startAgentRegistry } from '@tollgate/agent-registry';
import { configFromEnv as billingConfig, startBilling } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { configFromEnv as edgeConfig, startEdgeGateway } from '@tollgate/edge-gateway';
import { createEventTransport, type EventTransport, eventTransportConfig } from '@tollgate/events';
import { configFromEnv as inferenceConfig, startInference } from '@tollgate/gateway-inference';
import { configFromEnv as hooksConfig, startHooks } from '@tollgate/hooks-webhooks';
import { configFromEnv as messagingConfig, startMessaging } from '@tollgate/messaging';
import { LocalNetwork, logUnexpectedErrors } from '@tollgate/rpc';
import { createLogger, type Logger, type LogLevel, type Stoppable, stopAll } from '@tollgate/runtime';
import { startWorkflow, configFromEnv as workflowConfig } from '@tollgate/workflow-engine';
import pino from 'pino';
import { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from './stack.js';

interface Shared {
  network: LocalNetwork;
  transport: EventTransport;
  logger: Logger;
}

type Start = (env: NodeJS.ProcessEnv, shared: Shared) => Promise<Stoppable>;

const STARTS: Record<Exclude<ServiceName, 'edge-gateway'>, Start> = {
  'billing-ledger': (env, shared) => startBilling(billingConfig(env), shared),
  'agent-registry': (env, shared) => startAgentRegistry(agentConfig(env), shared),
  messaging: (env, shared) => startMessaging(messagingConfig(env), shared),
  'hooks-webhooks': (env, shared) => startHooks(hooksConfig(env), shared),
  'gateway-inference': (env, shared) => startInference(inferenceConfig(env), shared),
  'workflow-engine': (env, shared) => startWorkflow(workflowConfig(env), shared),
};

/** All seven services in this process; they call each other directly through the same typed interface. */
export async function startOneProcess(options: StackOptions): Promise<Stack> {
  mkdirSync(options.logDir, { recursive: true });
  const destination = pino.destination({ dest: join(options.logDir, 'tollgate.log'), sync: false, mkdir: true });
  const loggerOf = (name: string) => createLogger(name, (options.env.LOG_LEVEL ?? 'info') as LogLevel, destination);
  const processLogger = loggerOf('tollgate');
  logUnexpectedErrors(processLogger);
  const network = new LocalNetwork();
  // All services read the same event settings, so that they can share one transport.
  const { events, database } = billingConfig(options.env);
  const client = { name: 'tollgate', databaseUrl: database.url, logger: processLogger };
  const transport = createEventTransport(eventTransportConfig(events, client));
  const running: Stoppable[] = [{ stop: async () => destination.flushSync() }, transport];
  try {
    await transport.start();
    const shared = (name: string): Shared => ({ network, transport, logger: loggerOf(name) });
    for (const name of SERVICE_NAMES) {
      if (name === 'edge-gateway') continue;
      running.push(await STARTS[name](options.env, shared(name)));
    }
    const config = edgeConfig({ ...options.env, HTTP_HOST: '127.0.0.1', HTTP_PORT: String(options.httpPort) });
    const edge = await startEdgeGateway(config, shared('edge-gateway'));
    running.push(edge);
    return {
      httpUrl: `http://${edge.address}`,
      services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, { pid: process.pid }])),
      billing: network.client(BillingService),
      stop: () => stopAll(...running),
    };
  } catch (error) {
    await stopAll(...running).catch(() => undefined);
    throw error;
  }
}
