// An owner with one of everything that a path of the API can name.
import { randomUUID } from 'node:crypto';
import {
  type ApiClient,
  agentBody,
  customerBody,
  type Json,
  runBody,
  tierBody,
  type WebhookReceiver,
  waitUntil,
  webhookBody,
} from '@tollgate/testkit';
import type { CredentialKind, PathValues } from './api-document.js';
import {
  must,
  SANDBOX_MODEL,
  type System,
  type TestCustomer,
  type TestProject,
  UPSTREAM_MODEL,
} from './start-system.js';

export interface Tenant {
  project: TestProject;
  customer: TestCustomer;
  /** By the path parameter that names them. */
  values: PathValues;
  /** Part of every text of the tenant. */
  secret: string;
  /** The mark and all ids: no other tenant may see them. */
  secrets: string[];
  as: Readonly<Record<CredentialKind, ApiClient>>;
  /** With the token that opens the image's file. */
  imageUrl: string;
}

const WALLET = 100_000_000_000n;
const MODELS = [
  { model_id: SANDBOX_MODEL, is_default: true },
  { model_id: 'sandbox/image-1', price_per_image_cents: 1 },
];

/** @param receiver the owner's fake endpoints */
export async function makeTenant(system: System, receiver: WebhookReceiver): Promise<Tenant> {
  const project = await system.project();
  const customer = await project.customerOn('paygo', { walletMicrocents: WALLET, tier: { models: MODELS } });
  const secret = `private-${randomUUID()}`;
  const { imageUrl, ...ofCustomer } = await customerThings(project, customer, secret);
  const payment = await paidTopUp(system, project, customer);
  const device = await signedInDevice(system, project, customer);
  const signIn = await signedInProgram(system, project, secret);
  const request_id = ofProject(await recordedRequest(project));
  const things = {
    ...ofCustomer,
    'devices.id': device,
    'sign-ins.id': signIn,
    'payments.id': payment,
    payment_id: payment,
    ...(await projectThings(project, secret, receiver, system.provider)),
    request_id,
  };
  return {
    project,
    customer,
    values: { ...things, ...publicThings },
    secret,
    secrets: [secret, ...Object.values(things).map(({ value }) => value)],
    as: toCredentials(project, customer),
    imageUrl,
  };
}

export function toCredentials(project: TestProject, customer: TestCustomer): Record<CredentialKind, ApiClient> {
  return {
    secretKey: project.api,
    publishableKey: project.publishable,
    customerToken: customer.api,
    accessToken: project.owner,
  };
}

const ofProject = (value: string) => ({ value, of: 'project' as const });
const ofCustomer = (value: string) => ({ value, of: 'customer' as const });

const publicThings: PathValues = {
  'models.model': { value: 'sandbox/echo-1', of: 'public' },
  provider: { value: 'sandbox', of: 'public' },
  model: { value: 'echo-1', of: 'public' },
  month: { value: new Date().toISOString().slice(0, 7), of: 'public' },
};

async function projectThings(
  project: TestProject,
  secret: string,
  receiver: WebhookReceiver,
  provider: System['provider'],
) {
  const { id, owner, api } = project;
  must(await owner.put(`/projects/${id}`, { name: secret, description: secret }), 200);
  const { tier } = must(await owner.post(`/projects/${id}/tiers`, tierBody({ display_name: secret })), 201);
  const { api_key } = must(await owner.post('/api-keys', { label: secret, project_id: id }), 201);
  const toolHook = { hook_type: 'pre_tool_use', endpoint_url: `${receiver.url}${secret}`, enabled: false };
  const { hook } = must(await owner.post(`/projects/${id}/tool-hooks`, toolHook), 201);
  const mcpServer = { name: 'notes', endpoint_url: `${receiver.url}${secret}`, headers: { 'X-Key': secret } };
  const { server } = must(await owner.post(`/projects/${id}/mcp-servers`, mcpServer), 201);
  const vendor = { name: 'vendor', wire: 'anthropic', base_url: provider.anthropicBaseUrl, keys: [{ secret }] };
  const models = [{ model: UPSTREAM_MODEL }];
  const { connection } = must(await owner.post(`/projects/${id}/connections`, { ...vendor, models }), 201);
  const { user } = must(await owner.get('/auth/me'), 200);
  const invited = { email: `${secret}@example.com`, role: 'viewer' };
  const { invitation } = must(await owner.post(`/projects/${id}/invitations`, invited), 201);
  const agent = agentBody({ name: secret, description: secret, system: secret });
  must(await api.post(`/projects/${id}/agents`, agent), 201);
  const policy = { dialect: 'postgres', read_only: true };
  const { profile } = must(await api.post(`/projects/${id}/sql-profiles`, { name: secret, policy }), 201);
  const topUp = must(await owner.post('/account/topup', { amount_cents: 1_000 }), 201);
  const { webhookId, deliveryId } = await deliveredWebhook(project, `${receiver.url}${secret}`);
  const since = new Date(0).toISOString();
  const { recovery } = must(await owner.post(`/projects/${id}/webhooks/${webhookId}/recover`, { since }), 202);
  return {
    'projects.id': ofProject(id),
    'tiers.id': ofProject(tier.id),
    tier_id: ofProject(tier.id),
    'api-keys.id': ofProject(api_key.id),
    key_id: ofProject(api_key.id),
    user_id: ofProject(user.id),
    invitation_id: ofProject(invitation.id),
    'topups.id': ofProject(topUp.id),
    hook_id: ofProject(hook.id),
    connection_id: ofProject(connection.id),
    mcp_server_id: ofProject(server.id),
    slug: ofProject(agent.slug),
    profile_id: ofProject(profile.id),
    webhook_id: ofProject(webhookId),
    event_id: ofProject(deliveryId),
    recovery_id: ofProject(recovery.id),
  };
}

/** A session of the portal. */
async function signedInDevice({ anonymous }: System, { id, api }: TestProject, customer: TestCustomer) {
  const { url } = must(await api.post(`/customers/${customer.id}/portal-session`, {}), 201);
  const code = new URL(url).hash.slice(1);
  const session = must(await anonymous.post('/portal/session', { project_id: id, code }), 200);
  return ofCustomer(session.session_id);
}

/** A session of the owner, of a program that was approved by its code. */
async function signedInProgram({ anonymous }: System, { owner }: TestProject, name: string) {
  const started = must(await anonymous.post('/auth/owner-device/start', { client_name: name }), 201);
  must(await owner.post('/auth/owner-device/approve', { user_code: started.user_code, decision: 'approve' }), 204);
  must(await anonymous.post('/auth/owner-device/token', { device_code: started.device_code }), 200);
  const { sign_ins } = must(await owner.get('/auth/sign-ins'), 200);
  return ofProject(sign_ins.find(({ client_name }: Json) => client_name === name).id);
}

/** A payment into the customer's wallet. */
async function paidTopUp({ processor }: System, { api }: TestProject, { id }: TestCustomer) {
  const urls = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };
  const topUp = must(await api.post(`/customers/${id}/topup`, { credit_amount_cents: 1_000, ...urls }), 201);
  processor.pay(topUp.session_id);
  const isPaid = async () => must(await api.get(`/payments/${topUp.id}`), 200).refundable_cents > 0;
  await waitUntil(isPaid, { what: 'the payment' });
  return ofProject(topUp.id);
}

/** The id of the run's model request, once all requests of the tenant are recorded. */
async function recordedRequest({ id, owner }: TestProject): Promise<string> {
  const requests = async () => must(await owner.get(`/projects/${id}/requests`), 200).requests;
  const models = new Set([SANDBOX_MODEL, 'sandbox/image-1']);
  await waitUntil(
    async () => new Set((await requests()).map(({ model }: { model: string }) => model)).size === models.size,
    {
      what: 'the records of the requests',
      timeoutMs: 60_000,
    },
  );
  return (await requests()).find(({ model }: { model: string }) => model === SANDBOX_MODEL).id;
}

/** A webhook with a delivery that has arrived. */
async function deliveredWebhook({ id, owner, api }: TestProject, url: string) {
  const wish = webhookBody(url, { events: ['customer.created'] });
  const { webhook } = must(await owner.post(`/projects/${id}/webhooks`, wish), 201);
  must(await api.post('/customers', customerBody()), 201);
  const deliveries = async () => must(await owner.get(`/projects/${id}/webhooks/${webhook.id}/events`), 200).events;
  await waitUntil(async () => (await deliveries())[0]?.status === 'delivered', {
    what: 'a delivery',
  });
  return { webhookId: String(webhook.id), deliveryId: String((await deliveries())[0].id) };
}

/** A batch that has ended, and its input. */
async function batchThings({ token, api }: TestCustomer, secret: string) {
  const form = new FormData();
  const body = { model: SANDBOX_MODEL, messages: [{ role: 'user', content: secret }] };
  const line = JSON.stringify({ custom_id: secret, method: 'POST', url: '/v1/chat/completions', body });
  form.append('purpose', 'batch');
  form.append('file', new Blob([line]), `${secret}.jsonl`);
  const headers = { authorization: `Bearer ${token}` };
  const uploaded = await fetch(`${new URL('/v1/files', api.baseUrl)}`, { method: 'POST', headers, body: form });
  const file = (await uploaded.json()) as { id: string };
  const vendor = api.at('/');
  const request = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const batch = must(await vendor.post('/v1/batches', request), 200);
  const isOver = async () => must(await vendor.get(`/v1/batches/${batch.id}`), 200).status === 'completed';
  await waitUntil(isOver, { what: 'the batch', timeoutMs: 60_000 });
  return { file_id: ofCustomer(file.id), batch_id: ofCustomer(String(batch.id)) };
}

async function customerThings({ id }: TestProject, customer: TestCustomer, secret: string) {
  const mine = customer.api;
  const to = `agent:api@${id}`;
  const message = must(await mine.post('/messages', { to, subject: secret, body: { secret } }), 201);
  const handle = must(await mine.post('/state-handles', {}), 201);
  const session = must(await mine.post('/sessions', { metadata: { secret } }), 201);
  must(await mine.post(`/sessions/${session.id}/messages`, { role: 'user', content: secret }), 201);
  const run = must(await mine.post('/runs', runBody(secret)), 200);
  const isOver = async () => must(await mine.get(`/runs/${run.run_id}`), 200).status === 'succeeded';
  await waitUntil(isOver, { what: 'the run' });
  const image = must(await mine.post('/images/generate', { prompt: secret, model: 'sandbox/image-1' }), 200);
  const asked = { model: SANDBOX_MODEL, input: secret, store: true };
  const response = must(await mine.at('/').post('/v1/responses', asked), 200);
  const items = [{ type: 'message', role: 'user', content: secret }];
  const conversation = must(await mine.at('/').post('/v1/conversations', { items }), 200);
  const listed = must(await mine.at('/').get(`/v1/conversations/${conversation.id}/items`), 200);
  return {
    'customers.id': ofCustomer(customer.id),
    customer_id: ofCustomer(customer.id),
    external_id: ofCustomer(customer.externalId),
    message_id: ofCustomer(message.id),
    state_id: ofCustomer(handle.id),
    'sessions.id': ofCustomer(session.id),
    'runs.id': ofCustomer(run.run_id),
    'images.id': ofCustomer(image.id),
    response_id: ofCustomer(response.id),
    conversation_id: ofCustomer(conversation.id),
    item_id: ofCustomer(listed.first_id),
    ...(await batchThings(customer, secret)),
    imageUrl: String(image.data[0].url),
  };
}
