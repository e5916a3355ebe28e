// Ids in bodies, queries and headers give no access to another account's resources: each id that the OpenAPI document
// knows is tried with the id of such a resource.
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import {
  type ApiClient,
  type ApiResponse,
  agentBody,
  functionTool,
  type Json,
  responsesBody,
  runBody,
  tierBody,
  userMessage,
  type WebhookReceiver,
} from '@tollgate/testkit';
import { keyOperation, listOperations, resolve } from '../system/api-document.js';
import { must, type System } from '../system/start-system.js';
import { makeTenant, type Tenant } from '../system/tenant.js';
import { startTenantSystem, type TenantSystem } from '../system/tenant-system.js';

const URLS = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };

// Each hook and test calls every operation of the API, some of them several times.
jest.setTimeout(600_000);

let harness: TenantSystem;
let system: System;
let receiver: WebhookReceiver;
let document: Json;
let victim: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  harness = await startTenantSystem();
  ({ system, receiver } = harness);
  document = must(await system.anonymous.get('/openapi.json'), 200);
  victim = await makeTenant(system, receiver);
  stranger = await makeTenant(system, receiver);
});
afterAll(() => harness?.stop());

const readId = (name: string) => String(victim.values[name]?.value);
const mine = (name: string) => String(stranger.values[name]?.value);

/** Ids that the client chooses, of the same request, or of a vendor: they name no resource of a tenant. */
const NO_REFERENCES = [
  /tool_call_id$|call_id$|previous_message_id$|models\.\[\]\.model_id$/,
  /^(POST|PUT) \/api\/v1\/(projects\/\{id\}\/)?customers external_id$/,
  /^PUT \/api\/v1\/customers\/\{id\}\/subscription billing_(customer|subscription)_id$/,
  /^GET \/v1\/models (after|before)_id$/,
  /^POST \/api\/v1\/runs\/\{id\}\/tool-results (node|request)_id$/,
  /\/mcp-servers\/\{mcp_server_id\}\/(authorize|client-credentials) client_id$/,
  // At the vendor of a connection.
  /\/connections(\/\{connection_id\})? (auth\.(client|tenant)_id|keys\.\[\]\.access_key_id)$/,
];

type Attempt = () => Promise<ApiResponse>;

/** The credentials that may do what a secret key may: the key itself, or the owner's session in its project. */
let asksAsOwner = false;
const asKey = (path: string, body: Json) => {
  if (!asksAsOwner) return stranger.as.secretKey.post(path, body);
  const inProject = path.startsWith('/projects/') ? path : `/projects/${stranger.project.id}${path}`;
  return stranger.as.accessToken.post(inProject, body);
};
const asKeyGet = (path: string) =>
  asksAsOwner
    ? stranger.as.accessToken.get(`/projects/${stranger.project.id}${path}`)
    : stranger.as.secretKey.get(path);
const asOwner = (path: string, body: Json) => stranger.as.accessToken.post(path, body);
const toBatch = (id: string) => ({ endpoint: '/v1/responses', completion_window: '24h', input_file_id: id });
const asVendor = (path: string, body: Json) => stranger.as.secretKey.at('/').post(path, body);
const asCustomer = (path: string, body: Json) => stranger.as.customerToken.post(path, body);

/** Attempts that must be refused with the status, without any data of the victim. */
const ATTEMPTS: Record<string, [number, Attempt]> = {
  'POST /api/v1/responses state_id': [404, () => asKey('/responses', { ...withTool(), state_id: readId('state_id') })],
  'POST /api/v1/responses session_id': [
    404,
    () => asCustomer('/responses', { ...withTool(), session_id: readId('sessions.id') }),
  ],
  'POST /api/v1/auth/customer-token customer_id': [
    404,
    () => asKey('/auth/customer-token', { customer_id: victim.customer.id }),
  ],
  'POST /api/v1/auth/customer-token customer_external_id': [
    404,
    () => asKey('/auth/customer-token', { customer_external_id: victim.customer.externalId }),
  ],
  'POST /api/v1/auth/customer-token project_id': [
    400,
    () => asKey('/auth/customer-token', { customer_id: victim.customer.id, project_id: victim.project.id }),
  ],
  'POST /api/v1/auth/device/approve customer_id': [404, async () => approve({ customer_id: victim.customer.id })],
  'POST /api/v1/auth/device/approve customer_external_id': [
    404,
    async () => approve({ customer_external_id: victim.customer.externalId }),
  ],
  'POST /api/v1/api-keys project_id': [404, () => asOwner('/api-keys', { label: 'x', project_id: victim.project.id })],
  'POST /api/v1/customers/{id}/subscribe tier_id': [
    404,
    () => asKey(`/customers/${mine('customer_id')}/subscribe`, { tier_id: readId('tier_id'), ...URLS }),
  ],
  'POST /api/v1/account/billing/auto-topup/confirm setup_intent_id': [
    404,
    async () => {
      const setup = must(await victim.as.accessToken.post('/account/billing/auto-topup/setup', {}), 200);
      return asOwner('/account/billing/auto-topup/confirm', { setup_intent_id: setup.setup_intent_id });
    },
  ],
  'POST /api/v1/account/card-verification/confirm checkout_session_id': [
    404,
    async () => {
      const session = must(await victim.as.accessToken.post('/account/card-verification', {}), 201);
      return asOwner('/account/card-verification/confirm', { checkout_session_id: session.checkout_session_id });
    },
  ],
  'POST /api/v1/messages thread_id': [
    404,
    () => {
      const to = `agent:api@${stranger.project.id}`;
      return asKey('/messages', { to, subject: 'x', body: {}, thread_id: readId('message_id') });
    },
  ],
  'POST /api/v1/portal/session project_id': [
    401,
    async () => {
      const link = must(await stranger.as.secretKey.post(`/customers/${mine('customer_id')}/portal-session`, {}), 201);
      const code = new URL(link.url).hash.slice(1);
      return system.anonymous.post('/portal/session', { project_id: victim.project.id, code });
    },
  ],
  'POST /api/v1/projects/{id}/agents tools.[].hook_id': [
    400,
    () => asKey(`/projects/${stranger.project.id}/agents`, agentBody({ tools: [hooked()] })),
  ],
  'PATCH /api/v1/projects/{id}/agents/{slug} tools.[].hook_id': [
    400,
    () => stranger.as.secretKey.patch(`/projects/${stranger.project.id}/agents/${mine('slug')}`, { tools: [hooked()] }),
  ],
  'POST /api/v1/projects/{id}/agents/{slug}/run customer_id': [404, () => agent('run', asExternal())],
  'POST /api/v1/projects/{id}/agents/{slug}/test customer_id': [404, () => agent('test', asExternal())],
  'POST /api/v1/projects/{id}/agents/{slug}/replay customer_id': [404, () => agent('replay', asExternal())],
  'POST /api/v1/projects/{id}/agents/{slug}/replay run_id': [404, () => agent('replay', { run_id: readId('runs.id') })],
  'GET /api/v1/projects/{id}/agents/{slug}/memory customer_id': [
    404,
    () => stranger.as.secretKey.get(`${memoryPath()}?customer_id=${victim.customer.externalId}`),
  ],
  'PUT /api/v1/projects/{id}/agents/{slug}/memory customer_id': [
    404,
    () => stranger.as.secretKey.put(memoryPath(), { content: 'x', customer_id: victim.customer.externalId }),
  ],
  'POST /api/v1/sessions customer_id': [404, () => asKey('/sessions', { customer_id: victim.customer.id })],
  'POST /api/v1/sql/validate profile_id': [
    404,
    () => asKey('/sql/validate', { sql: 'SELECT 1', profile_id: readId('profile_id') }),
  ],
  'POST /v1/batches input_file_id': [400, () => asVendor('/v1/batches', toBatch(readId('file_id')))],
  'POST /v1/responses previous_response_id': [400, () => continued('/v1/responses')],
  'POST /v1/responses/input_tokens previous_response_id': [400, () => continued('/v1/responses/input_tokens')],
  'POST /api/v1/runs session_id': [404, () => asKey('/runs', { ...runBody(), session_id: readId('sessions.id') })],
};

/** Attempts that are accepted, but without an effect on the victim or any data of it. */
const HARMLESS: Record<string, Attempt> = {
  'GET /api/v1/api-keys project_id': () => stranger.as.accessToken.get(`/api-keys?project_id=${victim.project.id}`),
  ...foreignFilters('/requests', ['customer_id', 'key_id', 'request_id']),
  ...foreignFilters('/requests/live', ['customer_id', 'key_id']),
  ...foreignFilters('/usage', ['customer_id', 'key_id']),
  ...foreignFilters('/payments', ['customer_id']),
  ...foreignFilters('/uncharged-usage', ['customer_id']),
  ...foreignFilters('/runs', ['customer_id']),
  'GET /api/v1/runs customer_id': () => asKeyGet(`/runs?customer_id=${readId('customer_id')}`),
  'GET /api/v1/customers external_id': () => asKeyGet(`/customers?external_id=${readId('external_id')}`),
  'GET /api/v1/messages thread_id': () => stranger.as.secretKey.get(`/messages?thread_id=${readId('message_id')}`),
  'GET /api/v1/messages customer_id': () =>
    stranger.as.secretKey.get(`/messages?sort=-created_at&unread=false&customer_id=${readId('customer_id')}`),
  'POST /api/v1/responses/batch requests.[].state_id': () =>
    asKey('/responses/batch', { requests: [{ id: 'a', ...withTool(), state_id: readId('state_id') }] }),
  'POST /api/v1/responses/batch requests.[].session_id': () =>
    asKey('/responses/batch', { requests: [{ id: 'a', ...withTool(), session_id: readId('sessions.id') }] }),
  'POST /api/v1/sessions/{id}/messages run_id': () =>
    asKey(`/sessions/${mine('sessions.id')}/messages`, { role: 'user', content: 'x', run_id: readId('runs.id') }),
  // A tier may be sent back as it was read: these members are ignored.
  'POST /api/v1/projects/{id}/tiers project_id': () => asOwner(tiers(), tierBody({ project_id: victim.project.id })),
  'POST /api/v1/projects/{id}/tiers models.[].tier_id': () => asOwner(tiers(), tierBody({ models: foreignModels() })),
  'PUT /api/v1/projects/{id}/tiers/{tier_id} project_id': () => putTier({ project_id: victim.project.id }),
  'PUT /api/v1/projects/{id}/tiers/{tier_id} models.[].tier_id': () => putTier({ models: foreignModels() }),
};

const tiers = () => `/projects/${stranger.project.id}/tiers`;
const putTier = (body: Json) => stranger.as.accessToken.put(`${tiers()}/${mine('tiers.id')}`, body);
const foreignModels = () => tierBody({}).models.map((model: Json) => ({ ...model, tier_id: readId('tiers.id') }));

/** Reports of the stranger's own project, limited to a customer, key or request of the victim. */
function foreignFilters(path: string, names: readonly string[]): Record<string, Attempt> {
  const attempts = names.map((name): [string, Attempt] => {
    const id = () => readId(name === 'key_id' ? 'api-keys.id' : name);
    const attempt = () => stranger.as.accessToken.get(`/projects/${stranger.project.id}${path}?${name}=${id()}`);
    return [`GET /api/v1/projects/{id}${path} ${name}`, attempt];
  });
  return Object.fromEntries(attempts);
}

function memoryPath(): string {
  return `/projects/${stranger.project.id}/agents/${mine('slug')}/memory`;
}

/** Continues the victim's response. */
function continued(path: string): Promise<ApiResponse> {
  const body = { model: 'sandbox/echo-1', input: 'hello', previous_response_id: readId('response_id') };
  return stranger.as.secretKey.at('/').post(path, body);
}

function withTool(): Json {
  return responsesBody('call tool kv_list', { tools: [functionTool('kv_list')] });
}

function hooked(): Json {
  return { hook_id: readId('hook_id'), definition: functionTool('search') };
}

/** The stranger's own agent. */
function agent(how: string, body: Json): Promise<ApiResponse> {
  const path = `/projects/${stranger.project.id}/agents/${mine('slug')}/${how}`;
  return asKey(path, { input: [userMessage('hello')], ...body });
}

function asExternal(): Json {
  return { customer_id: victim.customer.externalId };
}

/** The stranger's own device, for another project's customer. */
async function approve(customer: Json): Promise<ApiResponse> {
  const { user_code } = must(await stranger.as.publishableKey.post('/auth/device/start', {}), 201);
  return asKey('/auth/device/approve', { user_code, ...customer });
}

it('covers every id that a body or a query can carry', () => {
  const found = listOperations(document).flatMap((operation) => {
    const query = { properties: operation.querySchemas };
    const names = [...idsIn(query), ...(operation.bodySchema ? idsIn(operation.bodySchema) : [])];
    return names.map((name) => `${operation.name} ${name}`);
  });
  const known = { ...ATTEMPTS, ...HARMLESS };
  const references = [...new Set(found)].filter((name) => {
    // The attempts with secret keys cover what an owner's session may do in a project.
    if (!Object.hasOwn(known, name) && Object.hasOwn(known, keyOperation(name))) return false;
    return ![name, keyOperation(name)].some((each) => NO_REFERENCES.some((pattern) => pattern.test(each)));
  });
  expect(references.sort()).toEqual([...Object.keys(ATTEMPTS), ...Object.keys(HARMLESS)].sort());
});

it.each([
  ['a secret key', false],
  ["an owner's session", true],
])('conceals what references by %s name in another account', async (_asker, isOwner) => {
  asksAsOwner = isOwner;
  const wrong: string[] = [];
  for (const [name, [status, attempt]] of Object.entries(ATTEMPTS)) {
    const answer = await attempt();
    if (answer.status !== status) wrong.push(`${name}: ${answer.status} ${answer.text}`);
    if (shows(answer)) wrong.push(`${name}: shows ${shows(answer)}`);
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['a secret key', false],
  ["an owner's session", true],
])('shows nothing to %s where a foreign reference is harmless', async (_asker, isOwner) => {
  asksAsOwner = isOwner;
  const wrong: string[] = [];
  for (const [name, attempt] of Object.entries(HARMLESS)) {
    const answer = await attempt();
    if (answer.status >= 500 || shows(answer)) wrong.push(`${name}: ${answer.status} ${answer.text}`);
  }
  expect(wrong).toEqual([]);
  expect(must(await HARMLESS['GET /api/v1/api-keys project_id']!(), 200).api_keys).toEqual([]);
  for (const name of ['state_id', 'session_id']) {
    const batch = must(await HARMLESS[`POST /api/v1/responses/batch requests.[].${name}`]!(), 200);
    expect(batch.results).toMatchObject([{ id: 'a', status: 'error', error: { code: 'NOT_FOUND' } }]);
  }
});

it('refuses access to a mailbox to other projects and customers', async () => {
  const agent = `agent:${readId('slug')}@${victim.project.id}`;
  const run = `run:${readId('runs.id')}`;
  const neighbor = (await victim.project.customerOn('free')).api;
  const to = (address: string, api: ApiClient) => api.post('/messages', { to: address, subject: 'x', body: {} });
  const mail = (address: string, api: ApiClient) => api.get(`/messages?to=${encodeURIComponent(address)}`);
  const answers = {
    'message to a foreign agent': await to(agent, stranger.as.secretKey),
    'mail of a foreign agent': await mail(agent, stranger.as.secretKey),
    'message to a foreign run': await to(run, stranger.as.customerToken),
    'mail of a foreign run': await mail(run, stranger.as.customerToken),
    "message to a neighbor's run": await to(run, neighbor),
    "mail of a neighbor's run": await mail(run, neighbor),
    "message from a neighbor's run": await neighbor.post('/messages', {
      to: agent,
      from: run,
      subject: 'x',
      body: {},
    }),
  };
  const open = Object.entries(answers).filter(([, { status }]) => ![403, 404].includes(status));
  expect(open.map(([name, { status, text }]) => `${name}: ${status} ${text}`)).toEqual([]);
});

/** Returns the victim's data in an answer, except the id that was in the request. */
function shows({ text }: ApiResponse): string | undefined {
  return text.includes(victim.secret) ? 'a text of the victim' : undefined;
}

/** Paths of the properties that are ids by their name or form. */
function idsIn(value: Json, depth = 0): string[] {
  const schema = resolve(document, value);
  if (depth > 6) return [];
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => {
    const isId = name.endsWith('_id') || isUuid(property);
    return [...(isId ? [name] : []), ...idsIn(property, depth + 1).map((inner) => `${name}.${inner}`)];
  });
  const items = typeof schema.items === 'object' ? idsIn(schema.items, depth + 1).map((inner) => `[].${inner}`) : [];
  return [...own, ...items, ...inside.flatMap((one) => idsIn(one, depth + 1))];
}

function isUuid(property: Json): boolean {
  const { format, anyOf = [] } = resolve(document, property);
  return format === 'uuid' || anyOf.some(isUuid);
}
