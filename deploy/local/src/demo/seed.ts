import type { GrantCreditRequest } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { centsToMicrocents } from '@tollgate/money';
import { startCall } from '@tollgate/rpc';
import type { Stack } from '../stack.js';
import { type PublicApi, publicApi } from './public-api.js';

/** Identifiers and credentials of the demo project. */
export interface Demo {
  base_url: string;
  project_id: string;
  secret_key: string;
  publishable_key: string;
  customer_token: string;
  customer_id: string;
  owner: { email: string; password: string; access_token: string };
}

const ECHO = 'sandbox/echo-1';
const CUSTOMER = { external_id: 'demo-user', email: 'demo-user@example.com' };
const OWNER_FUNDS_CENTS = 100_000;
const WALLET_FUNDS_CENTS = 1_000;

const PRO_PRICE = { amountCents: 2_000, currency: 'usd', interval: 'month' } as const;

/** One tier of each kind: with a spend limit, with a wallet, with a price. */
const TIERS = [
  { tier_code: 'free', display_name: 'Free', spend_limit_cents: 100, is_default: true, rate_limit_per_minute: 300 },
  { tier_code: 'paygo', display_name: 'Pay as you go', billing_mode: 'paygo' },
  {
    tier_code: 'pro',
    display_name: 'Pro',
    spend_limit_cents: 2_000,
    billing_provider: 'stripe',
    price_amount_cents: PRO_PRICE.amountCents,
    price_currency: PRO_PRICE.currency,
    price_interval: PRO_PRICE.interval,
    overage_enabled: true,
  },
];

/**
 * Creates a demo owner with project, keys, tiers, and a customer with a token and funds. Runs at every start through the
 * public API and keeps what exists; `known` are the keys of the last start, which are reused while they are valid.
 */
export async function seed(
  stack: Stack,
  owner: { email: string; password: string },
  known: Partial<Demo>,
  env: NodeJS.ProcessEnv,
): Promise<Demo> {
  const base_url = `${stack.httpUrl}/api/v1`;
  const api = publicApi(base_url);
  const access_token = await signIn(api, owner);
  const me = (await api.call('GET', '/auth/me', { credential: access_token })).body.user;
  const project_id: string = me.project_id;
  const knownKeys = known.project_id === project_id ? known : {};
  const [secret_key, publishable_key] = await Promise.all([
    ensureKey(api, access_token, project_id, 'secret', knownKeys.secret_key),
    ensureKey(api, access_token, project_id, 'publishable', knownKeys.publishable_key),
    ensureTiers(api, access_token, { project_id, isLive: /^[sr]k_live/.test(env.STRIPE_SECRET_KEY ?? '') }),
  ]);
  const upserted = await api.call('PUT', '/customers', { credential: secret_key, body: CUSTOMER });
  const { customer, subscription } = upserted.body;
  await fund(stack, project_id, customer.id);
  const token = await api.call('POST', '/auth/customer-token', {
    credential: secret_key,
    // A customer who bought a tier keeps it.
    body: { customer_id: customer.id, ...(subscription === null && { tier_code: 'paygo' }) },
  });
  return {
    base_url,
    project_id,
    secret_key,
    publishable_key,
    customer_token: token.body.token,
    customer_id: customer.id,
    owner: { ...owner, access_token },
  };
}

async function signIn(api: PublicApi, owner: { email: string; password: string }): Promise<string> {
  const known = await api.call('POST', '/auth/login', { body: owner, accept: [401] });
  if (known.status === 200) return known.body.access_token;
  return (await api.call('POST', '/auth/register', { body: owner })).body.access_token;
}

async function ensureKey(
  api: PublicApi,
  credential: string,
  project_id: string,
  kind: string,
  known?: string,
): Promise<string> {
  if (known) {
    const { status } = await api.call('GET', '/tiers', { credential: known, accept: [401, 403] });
    if (status === 200) return known;
  }
  const { body } = await api.call('POST', '/api-keys', {
    credential,
    body: { label: `local ${kind}`, kind, project_id },
  });
  return body.api_key.secret_key;
}

/** A live account of the card processor gets no demo data: there, the demo's paid tier is not charged to cards. */
async function ensureTiers(
  api: PublicApi,
  credential: string,
  { project_id, isLive }: { project_id: string; isLive: boolean },
): Promise<void> {
  const path = `/projects/${project_id}/tiers`;
  const { body } = await api.call('GET', path, { credential });
  const existing = new Set(body.tiers.map((tier: { tier_code: string }) => tier.tier_code));
  const models = [{ model_id: ECHO, is_default: true }, { model_id: 'sandbox/image-1' }];
  for (const tier of TIERS) {
    const provider = isLive && 'billing_provider' in tier ? { billing_provider: 'external' } : {};
    if (!existing.has(tier.tier_code))
      await api.call('POST', path, { credential, body: { ...tier, ...provider, models } });
  }
}

/** Grants once per account and customer: a repeated cause changes nothing. */
async function fund(stack: Stack, projectId: string, customerId: string): Promise<void> {
  const call = startCall({ principal: createMessage(PrincipalSchema, { kind: PrincipalKind.SYSTEM, projectId }) });
  const grant = (target: GrantCreditRequest['target'], cents: number, cause: string) =>
    stack.billing.grantCredit(
      { target, amountMicrocents: centsToMicrocents(cents), reason: 'adjustment', cause },
      call,
    );
  await grant(
    { case: 'accountOfCustomerId', value: customerId },
    OWNER_FUNDS_CENTS,
    `local funds of the owner of ${projectId}`,
  );
  await grant({ case: 'customerId', value: customerId }, WALLET_FUNDS_CENTS, `local funds of customer ${customerId}`);
}
