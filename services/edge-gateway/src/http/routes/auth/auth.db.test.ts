import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { authResponseSchema, authTokensSchema, customerTokenResponse } from '@tollgate/api/identity';
import { BillingService, type PrepareCustomerTokenResponseSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import request from 'supertest';
import { issueApiKey } from '../../../operations/api-keys/issue-api-key.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../../server/server.js';
import { apiKeyRouter } from '../api-keys/index.js';
import { authRouter } from './index.js';

const customerId = randomUUID();
const profileId = randomUUID();
let asked: { by: unknown; tierCode: string; projectId: string | undefined }[] = [];
let prepared: MessageInitShape<typeof PrepareCustomerTokenResponseSchema> = {};
let refusal: AppError | undefined;
let harness: RouteTest;
let http: HttpServer;

const billing = peer(BillingService, {
  prepareCustomerToken: (req, call) => {
    asked.push({ by: req.by, tierCode: req.tierCode, projectId: call.principal?.projectId });
    if (refusal) throw refusal;
    return prepared;
  },
  getAccountUsage: () => ({ rows: [], hasMore: false }),
});

beforeAll(async () => {
  const env = { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000', DEV_OWNER_EMAIL: 'demo@example.com' };
  harness = await startRouteTest(import.meta.url, [authRouter, apiKeyRouter], [billing], { env });
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams);
});

afterAll(async () => {
  await http.stop(0);
  await harness.stop();
});

beforeEach(() => {
  asked = [];
  refusal = undefined;
  prepared = { customer: { id: customerId, externalId: 'user-1' }, tierCode: 'free', billingProfileId: profileId };
});

const post = (path: string, body: object = {}, credential?: string) => {
  const sending = request(`http://${http.address}`).post(`/api/v1/auth${path}`).send(body);
  return credential === undefined ? sending : sending.set('Authorization', `Bearer ${credential}`);
};
const newOwner = () => ({ email: `${randomUUID()}@Example.com`, password: 'correct horse battery' });
const mint = (body: object, credential = harness.tenant.secretKey) => post('/customer-token', body, credential);

describe('POST /auth/register', () => {
  describe('201', () => {
    it('creates an account whose first key works at once', async () => {
      const owner = newOwner();
      const { status, body } = await post('/register', { ...owner, billing_provider: 'stripe' });
      expect(status).toBe(201);
      authResponseSchema.parse(body);
      expect(body.tokens).toEqual({
        access_token: body.access_token,
        expires_at: body.expires_at,
        refresh_token: body.refresh_token,
      });
      expect(body.user).toMatchObject({ email: owner.email, project_id: body.signup_project.project.id });
      const { issued_key: key } = body.signup_project;
      expect(key).toMatchObject({ kind: 'secret', project_id: body.user.project_id });
      expect(key.redacted_key).toBe(`tg_sk_…${key.secret_key.slice(-4)}`);
      expect((await mint({ customer_id: customerId }, key.secret_key)).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each([
      ['email', { email: 'nobody', password: 'long enough password' }],
      ['password', { email: 'a@example.com', password: 'elevenchars' }],
      ['password', { email: 'a@example.com', password: 'x'.repeat(257) }],
      ['billing_provider', { email: 'a@example.com', password: 'long enough password', billing_provider: 'cash' }],
    ])('names %s', async (field, body) => {
      const { status, body: answer } = await post('/register', body);
      expect(status).toBe(400);
      expect(answer.fields.map((entry: { field: string }) => entry.field)).toEqual([field]);
    });
  });

  describe('409', () => {
    it('reports a taken email in any case', async () => {
      const owner = newOwner();
      await post('/register', owner);
      const { status, body } = await post('/register', { ...owner, email: owner.email.toUpperCase() });
      expect(status).toBe(409);
      expect(body.code).toBe('CONFLICT');
    });
  });
});

describe('POST /auth/login', () => {
  describe('200', () => {
    it('answers 200 with tokens of the same user', async () => {
      const owner = newOwner();
      const { body: registered } = await post('/register', owner);
      const { status, body } = await post('/login', { ...owner, email: owner.email.toLowerCase() });
      expect(status).toBe(200);
      authResponseSchema.parse(body);
      expect(body.user).toEqual(registered.user);
      expect(body).not.toHaveProperty('signup_project');
    });
  });

  describe('400', () => {
    it.each(['', '\0', 'a\0@example.com', 'x'.repeat(321)])('answers 400 for the email %j', async (email) => {
      const { status, body } = await post('/login', { email, password: 'guess' });
      expect([status, body.fields[0].field]).toEqual([400, 'email']);
    });
  });

  describe('401', () => {
    it('answers 401 without revealing whether the email or the password was wrong', async () => {
      const owner = newOwner();
      await post('/register', owner);
      const wrongPassword = await post('/login', { ...owner, password: 'wrong' });
      const wrongEmail = await post('/login', { ...newOwner() });
      expect([wrongPassword.status, wrongEmail.status]).toEqual([401, 401]);
      expect(wrongEmail.body.message).toBe(wrongPassword.body.message);
    });
  });

  describe('429', () => {
    it('answers 429 after ten attempts for one email from any addresses', async () => {
      const owner = newOwner();
      const statuses = [];
      for (let i = 0; i < 11; i++) statuses.push((await post('/login', { ...owner, password: 'guess' })).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      const other = await post('/login', newOwner());
      expect(other.status).toBe(401);
    });
  });
});

describe('POST /auth/refresh', () => {
  it('answers 200 once, and 401 for a reused token', async () => {
    const { body } = await post('/register', newOwner());
    const first = await post('/refresh', { refresh_token: body.refresh_token });
    expect(first.status).toBe(200);
    authTokensSchema.parse(first.body);
    expect((await post('/refresh', { refresh_token: body.refresh_token })).status).toBe(401);
    expect((await post('/refresh', { refresh_token: first.body.refresh_token })).status).toBe(401);
  });

  it('answers 400 without a token', async () => {
    expect((await post('/refresh')).status).toBe(400);
  });
});

describe('POST /auth/logout', () => {
  it('answers 204 and ends the access token', async () => {
    const { body } = await post('/register', newOwner());
    const me = () =>
      request(`http://${http.address}`).get('/api/v1/auth/me').set('Authorization', `Bearer ${body.access_token}`);
    expect((await me()).body.user).toEqual(body.user);
    expect((await post('/logout', { refresh_token: body.refresh_token })).status).toBe(204);
    expect((await me()).status).toBe(401);
    expect((await post('/logout', { refresh_token: body.refresh_token })).status).toBe(204);
  });
});

describe('POST /auth/customer-token', () => {
  describe('200', () => {
    it('returns a Bearer token with the customer’s scope', async () => {
      const { status, body } = await mint({ customer_external_id: 'user-1', tier_code: 'free' });
      expect(status).toBe(200);
      customerTokenResponse.parse(body);
      expect(body).toMatchObject({
        token_type: 'Bearer',
        expires_in: 7 * 86_400,
        project_id: harness.tenant.projectId,
        customer_id: customerId,
        customer_external_id: 'user-1',
        tier_code: 'free',
        billing_profile_id: profileId,
      });
      expect(decodeJwt(body.token)).toMatchObject({
        typ: 'customer',
        sub: customerId,
        euid: customerId,
        eext: 'user-1',
        pid: harness.tenant.projectId,
        tier: 'free',
        sid: expect.any(String),
        iss: 'tollgate',
        aud: 'tollgate',
      });
      expect(asked).toEqual([
        { by: { case: 'externalId', value: 'user-1' }, tierCode: 'free', projectId: harness.tenant.projectId },
      ]);
    });

    it('clamps the time to live to the tier', async () => {
      prepared = { ...prepared, tokenMaxTtlSeconds: 60n };
      expect((await mint({ customer_id: customerId, ttl_seconds: 86_400 })).body.expires_in).toBe(60);
    });

    it('omits the fields that a project with external billing does not have', async () => {
      prepared = { customer: { id: customerId, externalId: 'user-1' } };
      const { body } = await mint({ customer_id: customerId });
      expect(body).not.toHaveProperty('tier_code');
      expect(body).not.toHaveProperty('billing_profile_id');
    });
  });

  describe('400', () => {
    it.each([
      ['neither reference', {}],
      ['both references', { customer_id: customerId, customer_external_id: 'user-1' }],
      ['a malformed id', { customer_id: 'x' }],
      ['a project', { customer_id: customerId, project_id: randomUUID() }],
      ['a time to live of nothing', { customer_id: customerId, ttl_seconds: 0 }],
      ['a malformed tier code', { customer_id: customerId, tier_code: 'Pro!' }],
    ])('rejects %s', async (_what, body) => {
      const res = await mint(body);
      expect(res.status).toBe(400);
      expect(res.body.fields.length).toBeGreaterThan(0);
      expect(asked).toEqual([]);
    });
  });

  it.each(['publishableKey', 'customerToken', 'ownerToken'] as const)('answers 403 for a %s', async (kind) => {
    expect((await mint({ customer_id: customerId }, harness.tenant[kind])).status).toBe(403);
  });

  it('answers 403 for a spend-limited key', async () => {
    const { secret } = await issueApiKey(harness.ctx, harness.ctx.pool, {
      projectId: harness.tenant.projectId,
      kind: 'secret',
      label: 'limited',
      spendLimitCents: 100n,
    });
    expect((await mint({ customer_id: customerId }, secret)).status).toBe(403);
    expect(asked).toEqual([]);
  });

  it.each([
    ['NOT_FOUND', 404],
    ['CONFLICT', 409],
    ['SUBSCRIPTION_INACTIVE', 402],
  ] as const)('passes billing’s %s on as %i', async (code, status) => {
    refusal = new AppError(code, 'because');
    expect(await mint({ customer_id: customerId })).toMatchObject({ status, body: { code } });
  });
});

describe('POST /auth/dev-login', () => {
  it('answers 404 without a demo owner, 200 with one, and 404 outside development', async () => {
    expect((await post('/dev-login')).status).toBe(404);
    const { body: owner } = await post('/register', { email: 'demo@example.com', password: 'a demo password' });
    const { status, body } = await post('/dev-login');
    expect(status).toBe(200);
    expect(body.user).toEqual(owner.user);
    harness.ctx.config.devMode = false;
    expect((await post('/dev-login')).status).toBe(404);
    harness.ctx.config.devMode = true;
  });

  it('answers 403 without CORS to pages of another origin and to other names of this host', async () => {
    const refused: Record<string, string>[] = [
      { Origin: 'http://localhost:3000' },
      { Origin: 'null' },
      { Host: 'rebound.example:8080', Origin: 'http://rebound.example:8080' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of refused) {
      const answer = await request(harness.app).post('/api/v1/auth/dev-login').set(headers);
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    const preflight = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' };
    const answer = await request(harness.app).options('/api/v1/auth/dev-login').set(preflight);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('returns keys that verify the tokens', async () => {
    const jwks = createRemoteJWKSet(new URL(`http://${http.address}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(harness.tenant.customerToken, jwks, {
      issuer: 'tollgate',
      audience: 'tollgate',
    });
    expect(protectedHeader.alg).toBe('EdDSA');
    expect(payload.euid).toBe(harness.tenant.customerId);
  });
});
