// The main job with openapi-fetch and the types of openapi-typescript: a new customer on a new tier asks a model.
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

declare const process: { env: Record<string, string | undefined> };

const { BASE_URL: baseUrl = '', ACCESS_TOKEN = '', SECRET_KEY = '', PROJECT_ID: id = '', TIER_CODE = '' } = process.env;

// Streams are another media type: with JSON named here, `data` is the plain answer.
const withToken = (token: string) =>
  createClient<paths, 'application/json'>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

function must<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

const owner = withToken(ACCESS_TOKEN);
const backend = withToken(SECRET_KEY);

const { tier } = must(
  await owner.POST('/api/v1/projects/{id}/tiers', {
    params: { path: { id } },
    body: {
      tier_code: TIER_CODE,
      display_name: 'Starter',
      spend_limit_cents: 500,
      models: [{ model_id: 'sandbox/echo-1', is_default: true }],
    },
  }),
);
const { customer } = must(
  await backend.POST('/api/v1/customers', { body: { external_id: TIER_CODE, email: 'ada@example.com' } }),
);
const { token } = must(
  await backend.POST('/api/v1/auth/customer-token', {
    body: { customer_id: customer.id, tier_code: tier.tier_code },
  }),
);
const app = withToken(token);
const answer = must(
  await app.POST('/api/v1/responses', {
    params: { header: { 'Idempotency-Key': TIER_CODE } },
    body: {
      input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'What is a tollgate?' }] }],
    },
  }),
);
const [part] = answer.output[0]?.content ?? [];
const text = part?.type === 'text' ? part.text : '';
const { usage } = must(await app.GET('/api/v1/customers/me/usage'));
console.log(
  JSON.stringify({ text, answered: answer.usage.total_tokens, requests: usage.requests, tokens: usage.tokens }),
);
