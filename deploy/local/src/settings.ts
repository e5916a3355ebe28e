import { configFromEnv as agentRegistry } from '@tollgate/agent-registry';
import { configFromEnv as billingLedger } from '@tollgate/billing-ledger';
import { configFromEnv as edgeGateway } from '@tollgate/edge-gateway';
import { configFromEnv as gatewayInference } from '@tollgate/gateway-inference';
import { configFromEnv as hooksWebhooks } from '@tollgate/hooks-webhooks';
import { configFromEnv as messaging } from '@tollgate/messaging';
import { configFromEnv as workflowEngine } from '@tollgate/workflow-engine';
import { SERVICE_NAMES, type ServiceName } from './stack.js';

/** Only the configurations: the services themselves are loaded while PostgreSQL starts. */
const READERS: Record<ServiceName, (env: NodeJS.ProcessEnv) => unknown> = {
  'agent-registry': agentRegistry,
  'billing-ledger': billingLedger,
  'edge-gateway': edgeGateway,
  'gateway-inference': gatewayInference,
  'hooks-webhooks': hooksWebhooks,
  messaging,
  'workflow-engine': workflowEngine,
};

/** Reads the settings of every service. @throws ConfigError for the first service with a bad one */
export function checkSettings(env: NodeJS.ProcessEnv): void {
  for (const name of SERVICE_NAMES) READERS[name](env);
}
