// The main job with a client of openapi-generator (typescript-fetch): a new customer on a new tier asks a model.
import {
  AuthenticationApi,
  Configuration,
  CustomerSelfServiceApi,
  CustomersApi,
  ModelResponsesApi,
  TiersApi,
} from './tollgate/index.js';

declare const process: { env: Record<string, string | undefined> };

const {
  BASE_URL: basePath = '',
  ACCESS_TOKEN = '',
  SECRET_KEY = '',
  PROJECT_ID: id = '',
  TIER_CODE = '',
} = process.env;

const withToken = (accessToken: string) => new Configuration({ basePath, accessToken });
const backend = withToken(SECRET_KEY);

const { tier } = await new TiersApi(withToken(ACCESS_TOKEN)).createTier({
  id,
  createTierRequest: {
    tier_code: TIER_CODE,
    display_name: 'Starter',
    spend_limit_cents: 500,
    models: [{ model_id: 'sandbox/echo-1', is_default: true }],
  },
});
const { customer } = await new CustomersApi(backend).createCustomer({
  createCustomerRequest: { external_id: TIER_CODE, email: 'ada@example.com' },
});
const { token } = await new AuthenticationApi(backend).mintCustomerToken({
  mintCustomerTokenRequest: { customer_id: customer.id, tier_code: tier.tier_code },
});
const app = withToken(token);
const answer = await new ModelResponsesApi(app).createResponse({
  idempotencyKey: TIER_CODE,
  createResponseRequest: {
    input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'What is a tollgate?' }] }],
  },
});
const [part] = answer.output[0]?.content ?? [];
const text = part?.type === 'text' ? part.text : '';
const { usage } = await new CustomerSelfServiceApi(app).getMyUsage();
console.log(
  JSON.stringify({ text, answered: answer.usage.total_tokens, requests: usage.requests, tokens: usage.tokens }),
);
