import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customerTokenResponse } from '@tollgate/api/identity';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { issueApiKey } from '../../../operations/api-keys/issue-api-key.js';
import { type OAuthServers, startOAuthServers } from '../../../testing/oauth-servers.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../../server/server.js';
import { authRouter } from './index.js';

/** Billing's customers by email. */
const customers = new Map<string, { id: string; externalId: string }>();
const links = new Map<string, string>();
let prepared: { id: string; tierCode: string }[] = [];
let servers: OAuthServers;
let harness: RouteTest;
let http: HttpServer;

const byId = (id: string) => [...customers.values()].find((customer) => customer.id === id);
const billing = peer(BillingService, {
  claimCustomer: ({ email, provider, subject }) => {
    const customer = customers.get(email);
    if (!customer) throw new AppError('NOT_FOUND', 'customer not found');
    links.set(`${provider}:${subject}`, customer.id);
    return { envelope: { customer } };
  },
  upsertCustomer: ({ email, externalId }) => {
    customers.set(email, { id: randomUUID(), externalId });
    return { envelope: { customer: customers.get(email) }, created: true };
  },
  getCustomer: ({ by }) => {
    const customer = [...customers.values()].find(({ id, externalId }) => id === by.value || externalId === by.value);
    if (!customer) throw new AppError('NOT_FOUND', 'customer not found');
    return { envelope: { customer } };
  },
  listTiers: () => ({ tiers: [{ tierCode: 'pro' }, { tierCode: 'free', isDefault: true }] }),
  prepareCustomerToken: ({ by, tierCode }) => {
    prepared.push({ id: by.value!, tierCode });
    return { customer: byId(by.value!), tierCode, billingProfileId: randomUUID() };
  },
});

beforeAll(async () => {
  servers = await startOAuthServers();
  const env = { ...servers.env, SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000' };
  harness = await startRouteTest(import.meta.url, [authRouter], [billing], { env });
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams);
});
afterAll(async () => {
  await http?.stop(0);
  await harness?.stop();
  await servers?.stop();
});
beforeEach(() => {
  customers.clear();
  links.clear();
  prepared = [];
  customers.set('known@example.com', { id: harness.tenant.customerId, externalId: 'known' });
});

const post = (path: string, body: object = {}, credential = harness.tenant.publishableKey) =>
  request(`http://${http.address}`).post(`/api/v1/auth${path}`).set('Authorization', `Bearer ${credential}`).send(body);
const poll = (device_code: string, credential?: string) => post('/device/token', { device_code }, credential);
/** Simulates that the device waited for its interval. */
const wait = () => harness.ctx.pool.query("UPDATE device_sign_ins SET polled_at = now() - interval '1 hour'");

describe('a device', () => {
  it('gets a code to show, polls, and gets the approving customer’s token once', async () => {
    const { status, body } = await post('/device/start');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      expires_in: 900,
      interval: 5,
    });
    expect(body.verification_uri_complete).toBe(`${body.verification_uri}?user_code=${body.user_code}`);
    expect(await poll(body.device_code)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending', interval: 5, error_description: expect.any(String) },
    });
    const approval = { user_code: body.user_code.toLowerCase().replace('-', ''), customer_external_id: 'known' };
    expect((await post('/device/approve', approval, harness.tenant.secretKey)).status).toBe(204);
    const answers = await Promise.all([poll(body.device_code), poll(body.device_code)]);
    expect(answers.map(({ status: each }) => each).sort()).toEqual([200, 400]);
    const token = customerTokenResponse.parse(answers.find(({ status: each }) => each === 200)?.body);
    expect(decodeJwt(token.token)).toMatchObject({ typ: 'customer', euid: harness.tenant.customerId });
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
  });

  it('gets slow_down when it polls too often', async () => {
    const { body } = await post('/device/start');
    await poll(body.device_code);
    expect((await poll(body.device_code)).body).toMatchObject({ error: 'slow_down', interval: 10 });
    await wait();
    expect((await poll(body.device_code)).body).toMatchObject({ error: 'authorization_pending', interval: 10 });
  });

  it('gets access_denied, expired_token and invalid_grant', async () => {
    const { body: denied } = await post('/device/start');
    const denial = { user_code: denied.user_code, decision: 'deny' };
    expect((await post('/device/approve', denial, harness.tenant.customerToken)).status).toBe(204);
    expect((await poll(denied.device_code)).body.error).toBe('access_denied');
    const { body: late } = await post('/device/start');
    await harness.ctx.pool.query("UPDATE device_sign_ins SET expires_at = now() - interval '1 s'");
    expect((await poll(late.device_code)).body.error).toBe('expired_token');
    const approval = { user_code: late.user_code, customer_external_id: 'known' };
    expect((await post('/device/approve', approval, harness.tenant.secretKey)).status).toBe(404);
    expect((await poll('dc_invented')).body.error).toBe('invalid_grant');
  });

  it('gets no token in another project', async () => {
    const { body } = await post('/device/start');
    expect((await poll(body.device_code, harness.stranger.publishableKey)).body.error).toBe('invalid_grant');
    const approval = { user_code: body.user_code };
    expect((await post('/device/approve', approval, harness.stranger.customerToken)).status).toBe(404);
    expect((await post('/device/approve', approval, harness.tenant.customerToken)).status).toBe(204);
  });
});

describe('POST /auth/device/approve', () => {
  it.each([
    ['by a secret key that names no customer', {}, 'secretKey', 400],
    ['by a secret key that names an unknown customer', { customer_external_id: 'nobody' }, 'secretKey', 404],
    ['by a customer token that names a customer', { customer_external_id: 'known' }, 'customerToken', 403],
    ['by a publishable key', {}, 'publishableKey', 403],
    ['by an owner', {}, 'ownerToken', 403],
  ] as const)('rejects an approval %s', async (_what, who, credential, status) => {
    const { body } = await post('/device/start');
    const res = await post('/device/approve', { user_code: body.user_code, ...who }, harness.tenant[credential]);
    expect(res.status).toBe(status);
  });
});

it('rejects starting a device with a spend-limited key, whose limit its token would bypass', async () => {
  const input = {
    projectId: harness.tenant.projectId,
    kind: 'secret',
    label: 'limited',
    spendLimitCents: 100n,
  } as const;
  const { secret } = await issueApiKey(harness.ctx, harness.ctx.pool, input);
  expect((await post('/device/start', {}, secret)).status).toBe(403);
});

describe('the page', () => {
  const open = (path: string) => request(`http://${http.address}`).get(`/api/v1/auth${path}`);
  const send = (form: object) => request(`http://${http.address}`).post('/api/v1/auth/device').type('form').send(form);

  const readCookie = ({ headers }: request.Response) => String(headers['set-cookie']).split(';')[0]!;

  it('shows the code of its URL as text only', async () => {
    const { text, headers } = await open(`/device?user_code=${encodeURIComponent('"><script>')}`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('Continue with GitHub');
  });

  it.each([
    ['a new person on the default tier', 'new@example.com', 'free'],
    ['a customer of the project', 'known@example.com', 'free'],
  ])('signs in %s', async (_who, email, tierCode) => {
    Object.assign(servers.person, { subject: '77', email, isVerified: true });
    const { body } = await post('/device/start');
    const sent = await send({ user_code: body.user_code, provider: 'google' });
    expect(sent.status).toBe(303);
    const back = await fetch(sent.headers.location!, { redirect: 'manual' });
    const callback = new URL(back.headers.get('location')!);
    const done = await open(`/oauth/callback${callback.search}`).set('Cookie', readCookie(sent));
    expect(done.text).toContain('You are signed in.');
    const { status, body: token } = await poll(body.device_code);
    expect(status).toBe(200);
    expect(token.customer_id).toBe(customers.get(email)?.id);
    expect(links.get('google:77')).toBe(token.customer_id);
    expect(prepared).toEqual([{ id: token.customer_id, tierCode }]);
  });

  it('explains an expired sign-in on the page of the device', async () => {
    const { body } = await post('/device/start');
    const sent = await send({ user_code: body.user_code, provider: 'google' });
    const state = new URL(sent.headers.location!).searchParams.get('state');
    await harness.ctx.pool.query("UPDATE oauth_sign_ins SET expires_at = now() - interval '1 s'");
    const done = await open(`/oauth/callback?state=${state}&code=c`).set('Cookie', readCookie(sent));
    expect([done.status, done.type]).toEqual([400, 'text/html']);
    expect(done.text).toContain('This sign-in has expired. Start again on your device.');
  });

  it('reports to the device that the person declined at the provider', async () => {
    const { body } = await post('/device/start');
    const sent = await send({ user_code: body.user_code, provider: 'google' });
    const state = new URL(sent.headers.location!).searchParams.get('state');
    const done = await open(`/oauth/callback?state=${state}&error=access_denied`).set('Cookie', readCookie(sent));
    expect(done.text).toContain('You were not signed in.');
    expect((await poll(body.device_code)).body.error).toBe('access_denied');
  });

  it.each([
    ['an unknown code', { user_code: 'AAAA-AAAA', provider: 'google' }, 404],
    ['a missing field', { provider: 'google' }, 400],
    ['an unknown provider', { user_code: 'AAAA-AAAA', provider: 'gitlab' }, 400],
  ])('rejects %s', async (_what, form, status) => {
    expect((await send(form)).status).toBe(status);
  });
});
