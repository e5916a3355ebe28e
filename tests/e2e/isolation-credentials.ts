// Credentials without access: missing, malformed, forged, or no longer valid.
import { randomUUID } from 'node:crypto';
import { type ApiClient, type ApiCredential, waitUntil } from '@tollgate/testkit';
import type { JWK } from 'jose';
import { must, type System } from '../system/start-system.js';
import type { Tenant } from '../system/tenant.js';
import { signingKey, tokenSigner } from './token-signer.js';

/** Credentials by name; each gets 401 wherever a credential is required. */
export async function badCredentials(
  system: System,
  victim: Tenant,
  key: JWK & { kid: string },
): Promise<Record<string, ApiClient>> {
  const given: Record<string, ApiCredential> = { ...MALFORMED, ...(await wrongTokens(system, victim, key)) };
  const clients = Object.entries(given).map(([name, credential]) => [name, system.anonymous.as(credential)]);
  return { ...Object.fromEntries(clients), ...(await oncePresentables(system, victim)) };
}

const MALFORMED: Record<string, ApiCredential> = {
  'no credential': undefined,
  'an empty bearer': { authorization: 'Bearer ' },
  'a scheme of its own': { authorization: 'Token abc' },
  'basic authentication': { authorization: 'Basic dXNlcjpwYXNz' },
  'a bearer of two words': { authorization: 'Bearer one two' },
  'a garbage key': { authorization: 'Bearer tg_sk_garbage' },
  'a garbage key in the key header': { 'x-service-api-key': 'tg_pk_garbage' },
  'an empty key header': { 'x-service-api-key': '' },
  'a garbage token': { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.AAAA' },
  'a bearer beyond all length': { authorization: `Bearer ${'x'.repeat(5_000)}` },
};

/** Each differs from a valid token in one point. */
async function wrongTokens(
  system: System,
  { project, customer }: Tenant,
  key: JWK & { kid: string },
): Promise<Record<string, string>> {
  const signer = await tokenSigner(key);
  const of = { projectId: project.id, customerId: customer.id, externalId: customer.externalId };
  must(await system.anonymous.as(await signer.customer(of)).get('/customers/me'), 200);
  const userId = must(await project.owner.get('/auth/me'), 200).user.id;
  const owner = { userId, projectId: project.id };
  const forger = await tokenSigner(await signingKey(), key.kid);
  return {
    'an expired customer token': await signer.customer(of, { expiresInSeconds: -600 }),
    'an expired access token': await signer.access(owner, { expiresInSeconds: -600 }),
    'a token of another issuer': await signer.customer(of, { issuer: 'somebody' }),
    'a token for another audience': await signer.customer(of, { audience: 'somebody' }),
    'a token without a signature': await signer.customer(of, { isUnsigned: true }),
    'a customer token signed by another key': await forger.customer(of),
    'an access token signed by another key': await forger.access(owner),
  };
}

/** Credentials that were valid until now. Revocation reaches every edge within 5 s. */
async function oncePresentables(system: System, { project }: Tenant): Promise<Record<string, ApiClient>> {
  const refusedSoon = (api: ApiClient, path: string) =>
    waitUntil(async () => (await api.get(path)).status === 401, { what: 'the revocation' });
  const createKey = async (more: object, projectId = project.id) => {
    const body = { label: 'x', project_id: projectId, ...more };
    const { api_key } = must(await project.owner.post('/api-keys', body), 201);
    return { id: api_key.id, api: system.anonymous.as(api_key.secret_key) };
  };
  const clients: Record<string, ApiClient> = {};

  for (const kind of ['secret', 'publishable']) {
    const { id, api } = await createKey({ kind });
    must(await api.get('/tiers'), 200);
    must(await project.owner.delete(`/api-keys/${id}`), 204);
    await refusedSoon(api, '/tiers');
    clients[`a revoked ${kind} key`] = api;
  }

  const brief = await createKey({ expires_at: new Date(Date.now() + 1_000).toISOString() });
  await refusedSoon(brief.api, '/tiers');
  clients['a key that has expired'] = brief.api;

  const other = must(await project.owner.post('/projects', { name: 'short-lived' }), 201).project;
  const ofOther = await createKey({}, other.id);
  must(await project.owner.delete(`/projects/${other.id}`), 204);
  await refusedSoon(ofOther.api, '/tiers');
  clients['a key of a deleted project'] = ofOther.api;

  const gone = await project.customerOn('free');
  must(await gone.api.get('/customers/me'), 200);
  must(await project.api.delete(`/customers/${gone.id}`), 204);
  await refusedSoon(gone.api, '/customers/me');
  clients['the token of a deleted customer'] = gone.api;

  const login = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  must(await system.anonymous.post('/auth/register', login), 201);
  const session = must(await system.anonymous.post('/auth/login', login), 200);
  const api = system.anonymous.as(session.access_token);
  must(await api.get('/auth/me'), 200);
  must(await system.anonymous.post('/auth/logout', { refresh_token: session.refresh_token }), 204);
  await refusedSoon(api, '/auth/me');
  clients['the session of an owner who has logged out'] = api;
  return clients;
}
