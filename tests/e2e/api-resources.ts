// One of each resource of a project, and what happens when an operation is asked about them.
import { type ApiClient, agentBody, customerBody, runBody, tierBody, webhookBody } from '@tollgate/testkit';
import { must, type TestCustomer, type TestProject } from '../system/start-system.js';
import { call, type Operation, refusalFaults } from './api-operations.js';

export interface Resources {
  /** By the path parameter that names them; see `call`. */
  values: Record<string, string>;
  /** What nobody else may be shown. */
  secrets: string[];
}

const NO_ID = '00000000-0000-4000-8000-000000000000';

/** Settings for tests that ask thousands of times. */
export const UNLIMITED = {
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000000',
  RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
  RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
};

export async function makeResources(project: TestProject, customer: TestCustomer): Promise<Resources> {
  const { id: projectId, owner, api } = project;
  const hooks = `/projects/${projectId}/webhooks`;
  const { tiers } = must(await api.get('/tiers'), 200);
  const { api_key } = must(await owner.post('/api-keys', { label: 'a key', project_id: projectId }), 201);
  const { webhook } = must(await owner.post(hooks, webhookBody('https://example.com/')), 201);
  const { agent } = must(await api.post(`/projects/${projectId}/agents`, agentBody()), 201);
  const to = `agent:${agent.agent.slug}@${projectId}`;
  const message = must(await customer.api.post('/messages', { to, subject: 'private', body: {} }), 201);
  const handle = must(await customer.api.post('/state-handles', {}), 201);
  const run = must(await customer.api.post('/runs', runBody()), 200);
  const ids = {
    'projects.id': projectId,
    'customers.id': customer.id,
    'tiers.id': tiers[0].id,
    'runs.id': run.run_id,
    'api-keys.id': api_key.id,
    customer_id: customer.id,
    external_id: customer.externalId,
    tier_id: tiers[0].id,
    webhook_id: webhook.id,
    message_id: message.id,
    state_id: handle.id,
  };
  const values = { ...ids, slug: agent.agent.slug, event_id: NO_ID, provider: 'sandbox', model: 'echo-1' };
  return { values, secrets: [...new Set(Object.values(ids))] };
}

/** Bodies that validate, for operations that look at them before they look for the resource. */
export function bodyFor({ name }: Operation): unknown {
  const bodies: Record<string, unknown> = {
    'PUT /api/v1/projects/{id}': { name: 'taken over' },
    'POST /api/v1/projects/{id}/customers': customerBody(),
    'POST /api/v1/projects/{id}/tiers': tierBody(),
    'PUT /api/v1/projects/{id}/tiers/{tier_id}': { display_name: 'taken over' },
    'POST /api/v1/projects/{id}/webhooks': webhookBody('https://example.org/'),
    'PUT /api/v1/projects/{id}/webhooks/{webhook_id}': webhookBody('https://example.org/'),
    'POST /api/v1/projects/{id}/agents': agentBody(),
    'PATCH /api/v1/projects/{id}/agents/{slug}': { name: 'taken over' },
    'POST /api/v1/runs/{id}/tool-results': {
      node_id: 'step',
      step: 0,
      request_id: NO_ID,
      results: [{ tool_call_id: 'c', name: 'n', output: '{}' }],
    },
  };
  return bodies[name] ?? {};
}

/** Everything that is not a proper refusal, over all the operations; one line each. */
export async function faultsOf(
  { values, secrets }: Resources,
  operations: readonly Operation[],
  api: ApiClient,
  statuses: readonly number[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const operation of operations) {
    const answer = await call(api, operation, values, bodyFor(operation));
    for (const fault of refusalFaults(operation, answer, statuses)) faults.push(`${operation.name}: ${fault}`);
    const shown = secrets.find((secret) => answer.text.includes(secret));
    if (shown) faults.push(`${operation.name}: shows ${shown}`);
  }
  return faults;
}
