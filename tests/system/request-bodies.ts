// Valid bodies for operations that validate the body before anything else.
import {
  agentBody,
  anthropicBody,
  chatBody,
  customerBody,
  type Json,
  paygoTierBody,
  responsesBody,
  runBody,
  userMessage,
  webhookBody,
} from '@tollgate/testkit';
import { buildSample, keyOperation, type Operation } from './api-document.js';
import { NOBODY } from './customers.js';

const URLS = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };
const INPUT = [userMessage('hello')];
const GOOGLE_CONTENTS = [{ role: 'user', parts: [{ text: 'hello' }] }];
const POLICY = { dialect: 'mysql', read_only: true };

/** Fields whose rules the schemas cannot express; all others are made from the operation's schema. */
const BODIES: Record<string, () => Json> = {
  'POST /api/v1/responses': () => responsesBody(),
  'POST /api/v1/responses/batch': () => ({ requests: [{ id: 'a', ...responsesBody() }] }),
  'POST /v1/chat/completions': () => chatBody(),
  'POST /v1/responses': () => ({ model: 'sandbox/echo-1', input: 'hello' }),
  'POST /v1/responses/input_tokens': () => ({ model: 'sandbox/echo-1', input: 'hello' }),
  'POST /v1/conversations/{conversation_id}': () => ({ metadata: { taken: 'over' } }),
  'POST /v1/conversations/{conversation_id}/items': () => ({ items: [{ role: 'user', content: 'taken over' }] }),
  'POST /v1/messages': () => anthropicBody(),
  'POST /v1/messages/count_tokens': () => anthropicBody(),
  'POST /v1beta/models/{model}:generateContent': () => ({ contents: GOOGLE_CONTENTS }),
  'POST /v1beta/models/{model}:streamGenerateContent': () => ({ contents: GOOGLE_CONTENTS }),
  'POST /v1beta/models/{model}:countTokens': () => ({ contents: GOOGLE_CONTENTS }),
  'POST /v1/decisions': () => ({ model: 'sandbox/echo-1', input: 'hello', options: [{ id: 'a' }, { id: 'b' }] }),
  'POST /api/v1/images/generate': () => ({ model: 'sandbox/image-1', prompt: 'a tollgate' }),
  'POST /api/v1/auth/customer-token': () => ({ customer_id: NOBODY }),
  'POST /api/v1/auth/device/approve': () => ({ user_code: 'BCDF-GHJK', customer_id: NOBODY }),
  'POST /api/v1/auth/owner-device/start': () => ({ client_name: 'a program' }),
  'POST /api/v1/auth/owner-device/approve': () => ({ user_code: 'BCDF-GHJK', decision: 'approve' }),
  'PATCH /api/v1/api-keys/{id}': () => ({ label: 'taken over' }),
  'PUT /api/v1/projects/{id}': () => ({ name: 'taken over' }),
  'PATCH /api/v1/projects/{id}/members/{user_id}': () => ({ role: 'viewer' }),
  'POST /api/v1/projects/{id}/invitations': () => ({ email: 'taken-over@example.com', role: 'viewer' }),
  'POST /api/v1/customers': () => customerBody(),
  'PUT /api/v1/customers': () => customerBody(),
  'PATCH /api/v1/customers/{id}': () => ({ email: 'taken-over@example.com' }),
  'POST /api/v1/customers/{id}/credit': () => ({ amount_cents: 100, reason: 'promo' }),
  'POST /api/v1/customers/{id}/credit/withdraw': () => ({ amount_cents: 100 }),
  'POST /api/v1/payments/{id}/refund': () => ({ amount_cents: 100 }),
  'POST /api/v1/customers/claim': () => ({ email: 'a@example.com', provider: 'github', subject: NOBODY }),
  'PUT /api/v1/customers/{id}/subscription': () => ({ tier_code: 'free' }),
  'POST /api/v1/customers/{id}/subscribe': () => ({ tier_id: NOBODY, ...URLS }),
  'POST /api/v1/customers/{id}/topup': () => ({ credit_amount_cents: 1_000, ...URLS }),
  'POST /api/v1/customers/me/topup': () => ({ credit_amount_cents: 1_000, ...URLS }),
  'POST /api/v1/tiers/{id}/checkout': () => URLS,
  'POST /api/v1/account/topup': () => ({ amount_cents: 1_000 }),
  'POST /api/v1/projects/{id}/customers': () => customerBody(),
  'POST /api/v1/projects/{id}/tiers': () => paygoTierBody(),
  'PUT /api/v1/projects/{id}/tiers/{tier_id}': () => ({ display_name: 'taken over' }),
  'POST /api/v1/projects/{id}/webhooks': () => webhookBody('https://example.org/'),
  'PUT /api/v1/projects/{id}/webhooks/{webhook_id}': () => webhookBody('https://example.org/'),
  'POST /api/v1/projects/{id}/webhooks/{webhook_id}/recover': () => ({ since: '2026-01-01T00:00:00Z' }),
  'POST /api/v1/projects/{id}/connections': () => ({
    name: 'taken',
    wire: 'anthropic',
    base_url: 'http://127.0.0.1:9',
    models: [{ model: 'test/upstream-1' }],
  }),
  'PATCH /api/v1/projects/{id}/connections/{connection_id}': () => ({ mode: 'only' }),
  'POST /api/v1/projects/{id}/mcp-servers': () => ({ name: 'taken', endpoint_url: 'https://example.org/' }),
  'PUT /api/v1/projects/{id}/mcp-servers/{mcp_server_id}': () => ({ enabled: false }),
  'POST /api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorize': () => ({ client_id: 'theirs' }),
  'PUT /api/v1/projects/{id}/mcp-servers/{mcp_server_id}/client-credentials': () => ({
    client_id: 'theirs',
    client_secret: 'theirs',
  }),
  'POST /api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization': () => ({ state: 'x', code: 'x' }),
  'POST /api/v1/projects/{id}/tool-hooks': () => ({
    hook_type: 'post_tool_use',
    endpoint_url: 'https://example.org/',
    enabled: false,
  }),
  'PUT /api/v1/projects/{id}/tool-hooks/{hook_id}': () => ({ endpoint_url: 'https://example.org/' }),
  'POST /api/v1/projects/{id}/agents': () => agentBody(),
  'PATCH /api/v1/projects/{id}/agents/{slug}': () => ({ name: 'taken over' }),
  'POST /api/v1/projects/{id}/agents/{slug}/run': () => ({ input: INPUT }),
  'POST /api/v1/projects/{id}/agents/{slug}/test': () => ({ input: INPUT }),
  'POST /api/v1/projects/{id}/agents/{slug}/replay': () => ({ input: INPUT }),
  'PATCH /api/v1/sessions/{id}': () => ({ metadata: { taken: 'over' } }),
  'POST /api/v1/sessions/{id}/messages': () => ({ role: 'user', content: 'taken over' }),
  'POST /api/v1/projects/{id}/sql-profiles': () => ({ name: 'taken over', policy: POLICY }),
  'PUT /api/v1/projects/{id}/sql-profiles/{profile_id}': () => ({ name: 'taken over' }),
  'POST /api/v1/sql/validate': () => ({ sql: 'SELECT 1', policy: POLICY }),
  'POST /api/v1/runs': () => runBody(),
  'POST /api/v1/runs/{id}/tool-results': () => ({
    node_id: 'step',
    step: 0,
    request_id: NOBODY,
    results: [{ tool_call_id: 'c', name: 'n', output: '{}' }],
  }),
  'POST /api/v1/workflows/compile': () => runBody().spec,
  'POST /api/v1/workflows/lint': () => runBody().spec,
};

/** Returns a body that the operation accepts; undefined if it accepts none. */
export function bodyFor({ name, bodySchema }: Operation): Json {
  return (BODIES[name] ?? BODIES[keyOperation(name)])?.() ?? (bodySchema && buildSample(bodySchema));
}

/** Returns entries that no operation of the document has: they would test nothing. */
export function unusedBodies(operations: readonly Operation[]): string[] {
  const names = new Set(operations.map(({ name }) => name));
  return Object.keys(BODIES).filter((name) => !names.has(name));
}
