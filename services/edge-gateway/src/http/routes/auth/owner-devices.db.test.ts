import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authTokensSchema, ownerDeviceSchema, signInListResponse } from '@tollgate/api/identity';
import request from 'supertest';
import { writeUserRevocation } from '../../../operations/tokens/revoke.js';
import { startSession } from '../../../operations/tokens/start-session.js';
import { makeTenant, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { type HttpServer, startHttpServer } from '../../server/server.js';
import { authRouter } from './index.js';

const NAME = 'tollgate CLI on ada-laptop';
let harness: RouteTest;
let http: HttpServer;

beforeAll(async () => {
  const env = { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000', SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: '1000' };
  harness = await startRouteTest(import.meta.url, [authRouter], [], { env });
  http = await startHttpServer(harness.app, { host: '127.0.0.1', port: 0 }, harness.ctx.openStreams);
});
afterAll(async () => {
  await http?.stop(0);
  await harness?.stop();
});

type Verb = 'get' | 'post' | 'delete';
function ask(verb: Verb, path: string, { body, token }: { body?: object; token?: string | undefined } = {}) {
  const sent = request(`http://${http.address}`)[verb](`/api/v1/auth${path}`);
  if (token !== undefined) sent.set('Authorization', `Bearer ${token}`);
  return body === undefined ? sent : sent.send(body);
}
const start = async (client_name = NAME) => ask('post', '/owner-device/start', { body: { client_name } });
const poll = async (device_code: string) => ask('post', '/owner-device/token', { body: { device_code } });
const decide = async (user_code: string, decision = 'approve', token = harness.tenant.ownerToken) =>
  ask('post', '/owner-device/approve', { body: { user_code, decision }, token });
const preview = async (user_code: string, token = harness.tenant.ownerToken) =>
  ask('post', '/owner-device/preview', { body: { user_code }, token });
const me = async (token: string) => ask('get', '/me', { token });
const listSignIns = async (token = harness.tenant.ownerToken, query = '') =>
  signInListResponse.parse((await ask('get', `/sign-ins${query}`, { token })).body);
/** Simulates that the device waited for its interval. */
const wait = () => harness.ctx.pool.query("UPDATE owner_device_sign_ins SET polled_at = now() - interval '1 hour'");

async function signInDevice(token = harness.tenant.ownerToken) {
  const { body } = await start();
  expect((await decide(body.user_code, 'approve', token)).status).toBe(204);
  return authTokensSchema.parse((await poll(body.device_code)).body);
}
const readUserId = async (token = harness.tenant.ownerToken) => (await me(token)).body.user.id as string;
const readActions = async () => {
  const sql = 'SELECT action, actor_id, subject_id FROM audit_events ORDER BY at, id';
  return (await harness.ctx.pool.query<{ action: string; actor_id: string; subject_id: string | null }>(sql)).rows;
};

describe('a device of an owner', () => {
  it('gets a code to show, polls, and gets the tokens of the approving owner once', async () => {
    const { status, body } = await start();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/), expires_in: 900, interval: 5 },
      verification_uri: expect.stringMatching(/\/console\/device$/),
    });
    expect(body.verification_uri_complete).toBe(`${body.verification_uri}?user_code=${body.user_code}`);
    expect(await poll(body.device_code)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending', interval: 5, error_description: expect.any(String) },
    });
    expect((await decide(body.user_code.toLowerCase().replace('-', ''))).status).toBe(204);
    const answers = await Promise.all([poll(body.device_code), poll(body.device_code), poll(body.device_code)]);
    expect(answers.map(({ status: each }) => each).sort()).toEqual([200, 400, 400]);
    const tokens = authTokensSchema.parse(answers.find(({ status: each }) => each === 200)?.body);
    expect((await me(tokens.access_token)).body.user.id).toBe(await readUserId());
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
  });

  it('gets slow_down when it polls too often, and its tokens even so', async () => {
    const { body } = await start();
    await poll(body.device_code);
    expect((await poll(body.device_code)).body).toMatchObject({ error: 'slow_down', interval: 10 });
    await wait();
    expect((await poll(body.device_code)).body).toMatchObject({ error: 'authorization_pending', interval: 10 });
    await decide(body.user_code);
    expect((await poll(body.device_code)).status).toBe(200);
  });

  it('gets access_denied, expired_token and invalid_grant', async () => {
    const { body: denied } = await start();
    expect((await decide(denied.user_code, 'deny')).status).toBe(204);
    expect((await decide(denied.user_code)).status).toBe(404);
    expect((await poll(denied.device_code)).body.error).toBe('access_denied');
    expect((await poll(denied.device_code)).body.error).toBe('invalid_grant');
    const [{ body: late }, { body: approved }] = [await start(), await start()];
    await decide(approved.user_code);
    await harness.ctx.pool.query("UPDATE owner_device_sign_ins SET expires_at = now() - interval '1 s'");
    for (const { device_code } of [late, approved]) {
      expect((await poll(device_code)).body.error).toBe('expired_token');
    }
    expect((await decide(late.user_code)).status).toBe(404);
    expect((await preview(late.user_code)).status).toBe(404);
    expect((await poll('odc_invented')).body.error).toBe('invalid_grant');
  });

  it('refreshes its session like any other', async () => {
    const { refresh_token } = await signInDevice();
    const { status, body } = await ask('post', '/refresh', { body: { refresh_token } });
    expect(status).toBe(200);
    expect((await me(body.access_token)).status).toBe(200);
    expect((await ask('post', '/refresh', { body: { refresh_token } })).status).toBe(401);
  });

  it('stays apart from the devices of customers', async () => {
    const { body } = await start();
    const { tenant } = harness;
    const approval = { user_code: body.user_code, customer_external_id: 'x' };
    expect((await ask('post', '/device/approve', { body: approval, token: tenant.customerToken })).status).toBe(403);
    const poll = { body: { device_code: body.device_code }, token: tenant.publishableKey };
    expect((await ask('post', '/device/token', poll)).body.error).toBe('invalid_grant');
  });

  it.each(['', 'x'.repeat(101), 'two\nlines', '\u202egnp.exe'])('rejects the name %j', async (name) => {
    expect((await start(name)).status).toBe(400);
  });

  it('gets nothing when all sessions of its owner were ended before it took its tokens', async () => {
    const { body } = await start();
    await decide(body.user_code, 'approve', harness.stranger.ownerToken);
    await writeUserRevocation(harness.ctx, harness.ctx.pool, await readUserId(harness.stranger.ownerToken));
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
  });
});

describe('an approval', () => {
  const login = async () => {
    const { pool } = harness.ctx;
    const userId = await readUserId();
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM projects WHERE account_id = (SELECT account_id FROM users WHERE id = $1) ORDER BY created_at LIMIT 1',
      [userId],
    );
    const session = await startSession(harness.ctx, userId, rows[0]!.id);
    const [{ id = '' } = {}] = (await listSignIns(session.accessToken)).sign_ins;
    return { ...session, id };
  };

  it.each(['ended', 'logged out', 'expired', 'deleted'] as const)(
    'gives no tokens once the session that made it is %s',
    async (end) => {
      const approving = await login();
      const { body } = await start();
      expect((await decide(body.user_code, 'approve', approving.accessToken)).status).toBe(204);
      const { id, refreshToken: refresh_token } = approving;
      const token = harness.tenant.ownerToken;
      if (end === 'ended') expect((await ask('delete', `/sign-ins/${id}`, { token })).status).toBe(204);
      if (end === 'logged out') expect((await ask('post', '/logout', { body: { refresh_token } })).status).toBe(204);
      const { pool } = harness.ctx;
      if (end === 'expired')
        await pool.query("UPDATE sessions SET expires_at = now() - interval '1 s' WHERE id = $1", [id]);
      if (end === 'deleted') await pool.query('DELETE FROM sessions WHERE id = $1', [id]);
      const before = (await listSignIns()).sign_ins.length;
      expect((await poll(body.device_code)).body.error).toBe('access_denied');
      expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
      expect((await listSignIns()).sign_ins.length).toBe(before);
    },
  );

  it('keeps its tokens when another session of the user ends', async () => {
    const other = await login();
    const { body } = await start();
    await decide(body.user_code);
    await ask('delete', `/sign-ins/${other.id}`, { token: harness.tenant.ownerToken });
    expect((await poll(body.device_code)).status).toBe(200);
  });

  it('rejects an approval by a session that another edge has ended', async () => {
    const approving = await login();
    const { body } = await start();
    // This edge has not polled the revocation, and still accepts the token elsewhere.
    await harness.ctx.pool.query('UPDATE sessions SET revoked_at = now() WHERE id = $1', [approving.id]);
    expect((await me(approving.accessToken)).status).toBe(200);
    expect((await decide(body.user_code, 'approve', approving.accessToken)).status).toBe(401);
    expect((await decide(body.user_code, 'deny', approving.accessToken)).status).toBe(401);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });
});

describe('the owner', () => {
  it('reads what asks, from where and when', async () => {
    const { body } = await start('a script on build-7');
    const shown = await preview(body.user_code);
    expect(shown.status).toBe(200);
    expect(shown.headers['cache-control']).toBe('no-store');
    const device = ownerDeviceSchema.parse(shown.body);
    expect(device).toMatchObject({ client_name: 'a script on build-7', address: expect.stringContaining('127.0.0.1') });
    expect(Math.abs(Date.parse(device.requested_at) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(shown.body)).not.toContain(body.device_code);
  });

  it.each(['secretKey', 'publishableKey', 'customerToken'] as const)('refuses a %s', async (kind) => {
    const { body } = await start();
    expect((await preview(body.user_code, harness.tenant[kind])).status).toBe(403);
    expect((await decide(body.user_code, 'approve', harness.tenant[kind])).status).toBe(403);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });

  it('finds the decision, the sign-in and its end in the audit log', async () => {
    const user = await readUserId();
    const { access_token } = await signInDevice();
    const [device] = (await listSignIns()).sign_ins;
    await ask('delete', `/sign-ins/${device?.id}`, { token: harness.tenant.ownerToken });
    expect((await me(access_token)).status).toBe(401);
    expect((await readActions()).slice(-3)).toEqual([
      { action: 'session.device_approved', actor_id: user, subject_id: null },
      { action: 'session.started', actor_id: user, subject_id: device?.id },
      { action: 'session.ended', actor_id: user, subject_id: device?.id },
    ]);
    const { body } = await start();
    await decide(body.user_code, 'deny');
    expect((await readActions()).at(-1)).toMatchObject({ action: 'session.device_denied', actor_id: user });
  });
});

describe('the sign-ins of a user', () => {
  it('lists them newest first in pages, with name and address of devices', async () => {
    await signInDevice();
    const { sign_ins: all } = await listSignIns();
    expect(all[0]).toMatchObject({ client_name: NAME, address: expect.stringContaining('127.0.0.1') });
    expect(all.at(-1)).not.toHaveProperty('client_name');
    const ids: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await listSignIns(undefined, `?limit=1${cursor && `&cursor=${cursor}`}`);
      ids.push(...page.sign_ins.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it('ends a device at once: its access token and its refresh token', async () => {
    const { access_token, refresh_token } = await signInDevice();
    const id = (await listSignIns()).sign_ins[0]?.id;
    const token = harness.tenant.ownerToken;
    expect((await ask('delete', `/sign-ins/${id}`, { token })).status).toBe(204);
    expect((await me(access_token)).status).toBe(401);
    expect((await ask('post', '/refresh', { body: { refresh_token } })).status).toBe(401);
    expect((await ask('delete', `/sign-ins/${id}`, { token })).status).toBe(404);
    expect((await listSignIns()).sign_ins.map((each) => each.id)).not.toContain(id);
  });

  it("hides other users' sign-ins", async () => {
    await signInDevice();
    const theirs = await listSignIns();
    const { ownerToken: token } = await makeTenant(harness.ctx);
    const ids = theirs.sign_ins.map(({ id }) => id);
    expect(ids).not.toContain((await listSignIns(token)).sign_ins[0]?.id);
    expect((await listSignIns(token)).sign_ins.length).toBe(1);
    for (const id of [...ids, 'x']) expect((await ask('delete', `/sign-ins/${id}`, { token })).status).toBe(404);
    expect(await listSignIns()).toEqual(theirs);
  });
});

it('bounds how often one user tries codes, whatever the address', async () => {
  const strict = await startRouteTest(`${import.meta.url}-strict`, [authRouter], [], {
    env: { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000', SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: '3' },
  });
  try {
    const guess = (path: string, token: string) =>
      request(strict.app)
        .post(`/api/v1/auth/owner-device/${path}`)
        .set('Authorization', `Bearer ${token}`)
        .send({ user_code: 'BBBB-BBBB', decision: 'approve' });
    const statuses: number[] = [];
    for (const path of ['preview', 'approve', 'preview', 'approve', 'preview']) {
      statuses.push((await guess(path, strict.tenant.ownerToken)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    expect((await guess('preview', strict.stranger.ownerToken)).status).toBe(404);
  } finally {
    await strict.stop();
  }
});
