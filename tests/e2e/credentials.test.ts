// Every operation of the OpenAPI document × every credential that is missing, wrong, out of date, of another kind or of
// somebody else: refused, and nothing of the owner's is shown or changed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, waitUntil } from '@tollgate/testkit';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { CREDENTIAL_KINDS, type CredentialKind, type Operation, operationsOf } from './api-operations.js';
import { faultsOf, makeResources, type Resources, UNLIMITED } from './api-resources.js';
import { signingKey, type TokenSigner, tokenSigner } from './token-signer.js';

const key = await signingKey();

let system: System;
let signer: TokenSigner;
let operations: Operation[];
/** Those that want a credential. */
let guarded: Operation[];
let owner: TestProject;
let customer: TestCustomer;
let resources: Resources;

beforeAll(async () => {
  system = await startSystem({
    mode: 'one process',
    env: { JWT_PRIVATE_KEYS: JSON.stringify([key]), ...UNLIMITED },
  });
  signer = await tokenSigner(key);
  operations = operationsOf(must(await system.anonymous.get('/openapi.json'), 200));
  guarded = operations.filter(({ accepts }) => accepts.length > 0);
  owner = await system.project();
  customer = await owner.customerOn('free');
  resources = await makeResources(owner, customer);
}, 60_000);
afterAll(() => system?.stop());

describe('what is open', () => {
  it('needs no credential only where SPEC and DECISIONS say so', () => {
    const open = operations.filter(({ accepts }) => accepts.length === 0).map(({ name }) => name);
    expect(open.sort()).toEqual([
      'GET /.well-known/jwks.json',
      'GET /api/v1/models',
      'GET /api/v1/openapi.json',
      'POST /api/v1/auth/dev-login',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/logout',
      'POST /api/v1/auth/refresh',
      'POST /api/v1/auth/register',
    ]);
  });

  it('to a publishable key is the reading of tiers and the claim', () => {
    const open = operations.filter(({ accepts }) => accepts.includes('publishableKey')).map(({ name }) => name);
    expect(open.sort()).toEqual(['GET /api/v1/tiers', 'GET /api/v1/tiers/{id}', 'POST /api/v1/customers/claim']);
  });

  it("to a customer's token is the data plane", () => {
    const open = operations.filter(({ accepts }) => accepts.includes('customerToken')).map(({ path }) => path);
    const dataPlane =
      /^\/v1\/|^\/api\/v1\/(responses|images|runs|messages|state-handles|sessions|customers\/me)\b|\/agents\/\{slug\}\/run$/;
    expect(open.filter((path) => !dataPlane.test(path))).toEqual([]);
  });
});

describe('every guarded operation refuses with 401', () => {
  it('a request without credentials', async () => {
    expect(await faultsOf(resources, guarded, system.anonymous, [401])).toEqual([]);
  });

  it.each([
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a scheme of its own', { authorization: 'Token abc' }],
    ['basic authentication', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['a bearer of two words', { authorization: 'Bearer one two' }],
    ['a garbage key', { authorization: 'Bearer tg_sk_garbage' }],
    ['a garbage key in the key header', { 'x-service-api-key': 'tg_pk_garbage' }],
    ['an empty key header', { 'x-service-api-key': '' }],
    ['a garbage token', { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.AAAA' }],
    ['a bearer beyond all length', { authorization: `Bearer ${'x'.repeat(5_000)}` }],
  ])('%s', async (_, headers) => {
    expect(await faultsOf(resources, guarded, system.anonymous.as(headers), [401])).toEqual([]);
  });

  it('tokens that are expired, forged, of another issuer or for another audience', async () => {
    const mine = { projectId: owner.id, customerId: customer.id, externalId: customer.externalId };
    const good = system.anonymous.as(await signer.customer(mine));
    must(await good.get('/customers/me'), 200); // what is tried below differs from this in one point each
    const sub = must(await owner.owner.get('/auth/me'), 200).user.id;
    const tokens = {
      'expired customer token': await signer.customer(mine, { expiresInSeconds: -600 }),
      'expired access token': await signer.access({ userId: sub, projectId: owner.id }, { expiresInSeconds: -600 }),
      'token of another issuer': await signer.customer(mine, { issuer: 'somebody' }),
      'token for another audience': await signer.customer(mine, { audience: 'somebody' }),
      'token without a signature': await signer.customer(mine, { isUnsigned: true }),
      'token signed by another key': await (await tokenSigner(await signingKey(), key.kid)).customer(mine),
    };
    for (const [name, token] of Object.entries(tokens))
      expect([name, await faultsOf(resources, guarded, system.anonymous.as(token), [401])]).toEqual([name, []]);
  });

  it('keys that are revoked or have expired', async () => {
    for (const kind of ['secret', 'publishable']) {
      const revoked = must(
        await owner.owner.post('/api-keys', { label: 'x', kind, project_id: owner.id }),
        201,
      ).api_key;
      const api = system.anonymous.as(revoked.secret_key);
      must(await api.get('/tiers'), 200);
      expect((await owner.owner.delete(`/api-keys/${revoked.id}`)).status).toBe(204);
      await refusedSoon(api, '/tiers');
      expect(await faultsOf(resources, guarded, api, [401])).toEqual([]);
    }
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    const brief = must(
      await owner.owner.post('/api-keys', { label: 'x', expires_at, project_id: owner.id }),
      201,
    ).api_key;
    const api = system.anonymous.as(brief.secret_key);
    await refusedSoon(api, '/tiers');
    expect(await faultsOf(resources, guarded, api, [401])).toEqual([]);
  });

  it('the token of a deleted customer and the session of an owner who has logged out', async () => {
    const gone = await owner.customerOn('free');
    must(await gone.api.get('/customers/me'), 200);
    expect((await owner.api.delete(`/customers/${gone.id}`)).status).toBe(204);
    await refusedSoon(gone.api, '/customers/me');
    expect(await faultsOf(resources, guarded, gone.api, [401])).toEqual([]);

    const login = { email: `${customer.id}@example.com`, password: 'a long enough password' };
    must(await system.anonymous.post('/auth/register', login), 201);
    const session = must(await system.anonymous.post('/auth/login', login), 200);
    const api = system.anonymous.as(session.access_token);
    must(await api.get('/auth/me'), 200);
    expect((await system.anonymous.post('/auth/logout', { refresh_token: session.refresh_token })).status).toBe(204);
    await refusedSoon(api, '/auth/me');
    expect(await faultsOf(resources, guarded, api, [401])).toEqual([]);
  });

  /** Revocation reaches every edge within 5 s. */
  async function refusedSoon(api: ApiClient, path: string): Promise<void> {
    await waitUntil(async () => (await api.get(path)).status === 401, { what: 'the revocation', timeoutMs: 5_000 });
  }
});

describe('every guarded operation refuses with 403', () => {
  it.each(CREDENTIAL_KINDS)('a valid %s where it is of the wrong kind', async (kind) => {
    const refusing = guarded.filter(({ accepts }) => !accepts.includes(kind));
    expect(await faultsOf(resources, refusing, mine(kind), [403])).toEqual([]);
  });

  function mine(kind: CredentialKind): ApiClient {
    return {
      secretKey: owner.api,
      publishableKey: owner.publishable,
      customerToken: customer.api,
      accessToken: owner.owner,
    }[kind];
  }
});
