import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configFromEnv as agentConfig, startAgentRegistry } from '@tollgate/agent-registry';
import { configFromEnv as billingConfig, startBilling } from '@tollgate/billing-ledger';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { configFromEnv as edgeConfig, startEdge } from '@tollgate/edge-gateway';
import { configFromEnv as inferenceConfig, startInference } from '@tollgate/gateway-inference';
import { configFromEnv as hooksConfig, startHooks } from '@tollgate/hooks-webhooks';
import { configFromEnv as messagingConfig, startMessaging } from '@tollgate/messaging';
import { LocalNetwork, onUnexpectedError } from '@tollgate/rpc';
import { createLogger, type Logger, type LogLevel, type Stoppable, stopAll } from '@tollgate/runtime';
import { startWorkflowEngine, configFromEnv as workflowConfig } from '@tollgate/workflow-engine';
import pino from 'pino';
import { SERVICE_NAMES, type ServiceName, type Stack, type StackOptions } from './stack.js';

type Start = (env: NodeJS.ProcessEnv, overrides: { network: LocalNetwork; logger: Logger }) => Promise<Stoppable>;

const STARTS: Record<Exclude<ServiceName, 'edge-gateway'>, Start> = {
  'billing-ledger': (env, overrides) => startBilling(billingConfig(env), overrides),
  'agent-registry': (env, overrides) => startAgentRegistry(agentConfig(env), overrides),
  messaging: (env, overrides) => startMessaging(messagingConfig(env), overrides),
  'hooks-webhooks': (env, overrides) => startHooks(hooksConfig(env), overrides),
  'gateway-inference': (env, overrides) => startInference(inferenceConfig(env), overrides),
  'workflow-engine': (env, overrides) => startWorkflowEngine(workflowConfig(env), overrides),
};

/** All seven services in this process; they call each other directly through the same typed interface. */
export async function startOneProcess(options: StackOptions): Promise<Stack> {
  mkdirSync(options.logDir, { recursive: true });
  const destination = pino.destination({ dest: join(options.logDir, 'tollgate.log'), sync: false, mkdir: true });
  const loggerOf = (name: string) => createLogger(name, (options.env.LOG_LEVEL ?? 'info') as LogLevel, destination);
  const processLogger = loggerOf('tollgate');
  onUnexpectedError((err) => processLogger.error({ err }, 'a call failed unexpectedly'));
  const network = new LocalNetwork();
  const running: Stoppable[] = [{ stop: async () => destination.flushSync() }];
  try {
    for (const name of SERVICE_NAMES) {
      if (name === 'edge-gateway') continue;
      running.push(await STARTS[name](options.env, { network, logger: loggerOf(name) }));
    }
    const config = edgeConfig({ ...options.env, HTTP_HOST: '127.0.0.1', HTTP_PORT: String(options.httpPort) });
    const edge = await startEdge(config, { network, logger: loggerOf('edge-gateway') });
    running.push(edge);
    return {
      httpUrl: `http://${edge.httpAddress}`,
      services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, { pid: process.pid }])),
      billing: network.client(BillingService),
      stop: () => stopAll(...running),
    };
  } catch (error) {
    await stopAll(...running).catch(() => undefined);
    throw error;
  }
}
