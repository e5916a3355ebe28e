// No tenant sees another: every operation of the OpenAPI document, asked about somebody's resources with valid
// credentials of everybody else.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, responsesBody } from '@tollgate/testkit';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { CREDENTIAL_KINDS, type CredentialKind, call, type Operation, operationsOf } from './api-operations.js';
import { bodyFor, faultsOf, makeResources, type Resources, UNLIMITED } from './api-resources.js';

let system: System;
/** Those that want a credential. */
let guarded: Operation[];
/** Those that are about one resource. */
let aboutOne: Operation[];
let victim: TestProject;
let customer: TestCustomer;
let resources: Resources;
let stranger: Record<CredentialKind, ApiClient>;

beforeAll(async () => {
  system = await startSystem({ mode: 'one process', env: UNLIMITED });
  const operations = operationsOf(must(await system.anonymous.get('/openapi.json'), 200));
  guarded = operations.filter(({ accepts }) => accepts.length > 0);
  aboutOne = guarded.filter(({ path, parameters }) => parameters.length > 0 && !path.startsWith('/v1/models/'));
  victim = await system.project();
  customer = await victim.customerOn('paygo', { walletMicrocents: 100_000_000n });
  resources = await makeResources(victim, customer);
  const other = await system.project();
  stranger = credentialsOf(other, await other.customerOn('paygo', { walletMicrocents: 100_000_000n }));
}, 60_000);
afterAll(() => system?.stop());

function credentialsOf(project: TestProject, { api }: TestCustomer): Record<CredentialKind, ApiClient> {
  return {
    secretKey: project.api,
    publishableKey: project.publishable,
    customerToken: api,
    accessToken: project.owner,
  };
}

const takenBy = (kind: CredentialKind, operations: readonly Operation[]): Operation[] =>
  operations.filter(({ accepts }) => accepts.includes(kind));

it.each(CREDENTIAL_KINDS)('the document is right about what a %s may ask', async (kind) => {
  const project = await system.project();
  const own = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
  const mine = credentialsOf(project, own)[kind];
  const refused: string[] = [];
  for (const operation of takenBy(kind, guarded)) {
    const { status } = await call(mine, operation, unknownIn(project.id), bodyFor(operation));
    if (status === 401 || status === 403 || status >= 500) refused.push(`${operation.name}: ${status}`);
  }
  expect(refused).toEqual([]);
});

/** Ids that nobody has, except the project's. */
function unknownIn(projectId: string): Record<string, string> {
  const nobody = Object.keys(resources.values).map((name) => [name, '00000000-0000-4000-8000-000000000000']);
  return { ...Object.fromEntries(nobody), 'projects.id': projectId };
}

describe("somebody's resource does not exist for", () => {
  it.each(CREDENTIAL_KINDS)('a %s of another owner', async (kind) => {
    expect(await faultsOf(resources, takenBy(kind, aboutOne), stranger[kind], [404])).toEqual([]);
  });

  it('a secret key of another project of the same owner', async () => {
    const { project } = must(await victim.owner.post('/projects', { name: 'the other one' }), 201);
    const { api_key } = must(await victim.owner.post('/api-keys', { label: 'x', project_id: project.id }), 201);
    const sibling = system.anonymous.as(api_key.secret_key);
    expect(await faultsOf(resources, takenBy('secretKey', aboutOne), sibling, [404])).toEqual([]);
  });

  it('another customer of the same project', async () => {
    const neighbour = await victim.customerOn('free');
    const operations = takenBy('customerToken', aboutOne);
    expect(operations.length).toBeGreaterThan(5);
    expect(await faultsOf(resources, operations, neighbour.api, [404])).toEqual([]);
  });
});

it.each(CREDENTIAL_KINDS)("lists of another owner's %s show nothing of it", async (kind) => {
  const lists = takenBy(kind, guarded).filter(({ method, parameters }) => method === 'GET' && parameters.length === 0);
  const shown: string[] = [];
  for (const operation of lists) {
    const { status, text } = await call(stranger[kind], operation, {}, {});
    if (status >= 500) shown.push(`${operation.name}: ${status}`);
    for (const secret of resources.secrets) if (text.includes(secret)) shown.push(`${operation.name}: ${secret}`);
  }
  expect(shown).toEqual([]);
});

it('ids in bodies, headers and queries open nothing either', async () => {
  const { values } = resources;
  const theirs = stranger.secretKey;
  const agent = `agent:${values.slug}@${victim.id}`;
  const answers = {
    'token for a foreign customer': await theirs.post('/auth/customer-token', { customer_id: customer.id }),
    'token by external id': await theirs.post('/auth/customer-token', { customer_external_id: customer.externalId }),
    'answer for a foreign customer': await theirs.post('/responses', responsesBody(), {
      'x-service-customer-id': customer.id,
    }),
    'key of a foreign project': await stranger.accessToken.post('/api-keys', { label: 'x', project_id: victim.id }),
    'message to a foreign agent': await theirs.post('/messages', { to: agent, subject: 'x', body: {} }),
    'message into a foreign thread': await theirs.post('/messages', {
      to: `agent:x@${(await ownProject(theirs)) ?? ''}`,
      subject: 'x',
      body: {},
      thread_id: values.message_id,
    }),
    'mail of a foreign agent': await theirs.get(`/messages?to=${encodeURIComponent(agent)}`),
    'mail of a foreign thread': await theirs.get(`/messages?thread_id=${values.message_id}`),
    'mail of a foreign run': await stranger.customerToken.get(`/messages?to=run:${values['runs.id']}`),
  };
  const open = Object.entries(answers).filter(([, { status }]) => ![401, 403, 404].includes(status));
  expect(open.map(([name, { status, text }]) => `${name}: ${status} ${text}`)).toEqual([]);
  const keys = await stranger.accessToken.get(`/api-keys?project_id=${victim.id}`);
  expect(must(keys, 200).api_keys).toEqual([]);
});

it('all of it is still there, unchanged, for its own people', async () => {
  const { values } = resources;
  const mine = credentialsOf(victim, customer);
  const missing: string[] = [];
  for (const operation of aboutOne.filter(({ method }) => method === 'GET')) {
    const { status, text } = await call(mine[operation.accepts.at(-1) ?? 'secretKey'], operation, values, {});
    if (status !== 200 || text.includes('taken over')) missing.push(`${operation.name}: ${status} ${text}`);
  }
  expect(missing).toEqual([]);
  expect(must(await victim.api.get(`/projects/${victim.id}/agents/${values.slug}`), 200).agent.version.revision).toBe(
    1,
  );
  expect(must(await customer.api.get(`/messages/${values.message_id}`), 200).read).toBe(false);
  expect(must(await customer.api.get('/state-handles'), 200).state_handles).toMatchObject([{ id: values.state_id }]);
  expect(must(await customer.api.get(`/runs/${values['runs.id']}`), 200).status).not.toBe('canceled');
  const { api_keys } = must(await victim.owner.get('/api-keys'), 200);
  expect(api_keys.map(({ id }: { id: string }) => id)).toContain(values['api-keys.id']);
});

async function ownProject(api: ApiClient): Promise<string | undefined> {
  const { customers } = must(await api.get('/customers'), 200);
  return customers[0]?.customer.project_id;
}
