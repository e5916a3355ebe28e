import { randomUUID } from 'node:crypto';

type Overrides = Record<string, unknown>;

/** The message of a native or agent request. */
export function userMessage(text: string) {
  return { type: 'message', role: 'user', content: [{ type: 'text', text }] };
}

/** Body of `POST /responses` for the sandbox model. */
export function responsesBody(text = 'hello', overrides: Overrides = {}) {
  return { model: 'sandbox/echo-1', input: [userMessage(text)], ...overrides };
}

/** Body of `POST /v1/chat/completions` for the sandbox model. */
export function chatBody(text = 'hello', overrides: Overrides = {}) {
  return { model: 'sandbox/echo-1', messages: [{ role: 'user', content: text }], ...overrides };
}

/** Body of `POST /v1/messages` for the sandbox model. */
export function anthropicBody(text = 'hello', overrides: Overrides = {}) {
  return { model: 'sandbox/echo-1', max_tokens: 256, messages: [{ role: 'user', content: text }], ...overrides };
}

/** Body of `POST /customers`, for a customer that no other test uses. */
export function customerBody(overrides: Overrides = {}) {
  const id = randomUUID();
  return { external_id: `user-${id}`, email: `${id}@example.com`, metadata: {}, ...overrides };
}

/** Body of `POST /projects/{id}/tiers`: a free subscription tier without a spend limit. */
export function tierBody(overrides: Overrides = {}) {
  return {
    tier_code: uniqueCode('tier'),
    display_name: 'Test tier',
    billing_mode: 'subscription',
    spend_limit_cents: null,
    models: [{ model_id: 'sandbox/echo-1', is_default: true }],
    ...overrides,
  };
}

/** Body of `POST /projects/{id}/tiers`: a PAYGO tier. */
export function paygoTierBody(overrides: Overrides = {}) {
  const { spend_limit_cents: _none, ...tier } = tierBody();
  return { ...tier, billing_mode: 'paygo', ...overrides };
}

/** Body of `POST /auth/register`, for an owner that no other test uses. */
export function registerBody(overrides: Overrides = {}) {
  return { email: `owner-${randomUUID()}@example.com`, password: `pass-${randomUUID()}`, ...overrides };
}

/** Body of `POST /projects/{id}/agents`. */
export function agentBody(overrides: Overrides = {}) {
  return {
    name: 'Test agent',
    slug: uniqueCode('agent'),
    system: 'Answer briefly.',
    model: 'sandbox/echo-1',
    ...overrides,
  };
}

/** A function tool, as requests and agents declare it. */
export function functionTool(name: string, parameters: object = { type: 'object', properties: {} }) {
  return { type: 'function', function: { name, description: `The tool ${name}`, parameters } };
}

/** Body of `POST /runs`: one model step, its answer as output `answer`. */
export function runBody(text = 'hello', overrides: Overrides = {}) {
  return {
    spec: {
      kind: 'workflow.v0',
      name: 'test run',
      nodes: [{ id: 'step', type: 'llm.responses', input: responsesBody(text) }],
      outputs: [{ name: 'answer', from: 'step' }],
      ...overrides,
    },
  };
}

/** Body of `POST /projects/{id}/webhooks`. */
export function webhookBody(endpointUrl: string, overrides: Overrides = {}) {
  return { endpoint_url: endpointUrl, events: ['request.completed'], ...overrides };
}

/** A lower-case code that no other test uses: `tier-1f0c…`. */
export function uniqueCode(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}
