import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Role } from '@tollgate/api/identity';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import request from 'supertest';
import { registerOwner } from '../../../operations/sign-in/register-owner.js';
import { startSession } from '../../../operations/tokens/start-session.js';
import { insertMember } from '../../../store/members/members.js';
import { insertProject } from '../../../store/projects.js';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { apiKeyRouter } from '../api-keys/index.js';
import { authRouter } from '../auth/index.js';
import { projectRouter } from '../projects/index.js';
import { memberRouter } from './index.js';

interface Person {
  id: string;
  email: string;
  token: string;
}

let harness: RouteTest;
let owner: string;
let projectId: string;

beforeAll(async () => {
  const billing = peer(BillingService, { getAccountUsage: () => ({ rows: [], hasMore: false }) });
  const routes = [memberRouter, projectRouter, apiKeyRouter, authRouter];
  harness = await startRouteTest(import.meta.url, routes, [billing], {
    env: { SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000' },
  });
  owner = harness.tenant.ownerToken;
});
afterAll(() => harness.stop());
beforeEach(async () => {
  const { id } = await makeProject();
  projectId = id;
});

/** A second project of the tenant's account, so that tests do not see each other's members. */
async function makeProject(): Promise<{ id: string }> {
  const { rows } = await harness.ctx.pool.query('SELECT account_id, owner_id FROM projects WHERE id = $1', [
    harness.tenant.projectId,
  ]);
  const { account_id: accountId, owner_id: ownerId } = rows[0];
  const createdAt = new Date();
  return insertProject(harness.ctx.pool, { id: randomUUID(), accountId, ownerId, name: 'Shared', createdAt });
}

/** A user with an account of its own. */
async function makePerson(email = `${randomUUID()}@example.com`): Promise<Person> {
  const { user, project } = await registerOwner(harness.ctx, { email, password: randomUUID() });
  const { accessToken: token } = await startSession(harness.ctx, user.id, project.id);
  return { id: user.id, email, token };
}

async function makeMember(role: Role, of = projectId): Promise<Person> {
  const person = await makePerson();
  await insertMember(harness.ctx.pool, { projectId: of, userId: person.id, role, createdAt: new Date() });
  return person;
}

function ask(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, token = owner, body: object = {}) {
  const sent = request(harness.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
  return method === 'get' ? sent : sent.send(body);
}

const VIEWER = { role: 'viewer' };
const inProject = (rest: string) => `/projects/${projectId}${rest}`;
const toCode = (url: string) => new URL(url).hash.slice(1);

async function invite(email: string, role: Role = 'developer', token = owner) {
  return ask('post', inProject('/invitations'), token, { email, role });
}

async function auditActions(): Promise<string[]> {
  const { rows } = await harness.ctx.pool.query(
    'SELECT action FROM audit_events WHERE project_id = $1 ORDER BY at, action',
    [projectId],
  );
  return rows.map(({ action }) => action);
}

describe('an invitation', () => {
  it('makes the user of its address a member, once', async () => {
    const person = await makePerson();
    expect((await ask('get', inProject(''), person.token)).status).toBe(404);
    const { status, body } = await invite(person.email.toUpperCase());
    expect(status).toBe(201);
    const code = toCode(body.invitation.url);
    const preview = await ask('post', '/invitations/preview', '', { code });
    expect(preview.body).toMatchObject({ project: { name: 'Shared' }, role: 'developer' });
    const accepted = await ask('post', '/invitations/accept', person.token, { code });
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { project: { id: projectId, name: 'Shared' }, role: 'developer' },
    ]);
    expect((await ask('get', inProject(''), person.token)).body.project.role).toBe('developer');
    expect((await ask('post', '/invitations/accept', person.token, { code })).status).toBe(404);
    expect((await ask('get', inProject('/invitations'))).body.invitations).toEqual([]);
    expect(await auditActions()).toEqual(['member.invited', 'member.joined']);
  });

  it('does not work for the user of another address', async () => {
    const [invited, other] = [await makePerson(), await makePerson()];
    const { body } = await invite(invited.email);
    const answer = await ask('post', '/invitations/accept', other.token, { code: toCode(body.invitation.url) });
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(invited.email)]);
    expect((await ask('get', inProject(''), other.token)).status).toBe(404);
  });

  it('ends when it is revoked or sent again, and its new link works', async () => {
    const person = await makePerson();
    const first = (await invite(person.email)).body.invitation;
    const again = await ask('post', inProject(`/invitations/${first.id}/resend`));
    expect(again.status).toBe(200);
    const use = (url: string) => ask('post', '/invitations/accept', person.token, { code: toCode(url) });
    expect((await use(first.url)).status).toBe(404);
    expect((await ask('delete', inProject(`/invitations/${first.id}`))).status).toBe(204);
    expect((await use(again.body.invitation.url)).status).toBe(404);
    const fresh = (await invite(person.email)).body.invitation;
    expect((await use(fresh.url)).status).toBe(200);
  });

  it.each([
    ['was removed', (admin: Person) => ask('delete', inProject(`/members/${admin.id}`))],
    ['has left', (admin: Person) => ask('delete', inProject('/membership'), admin.token)],
    ['may no longer invite', (admin: Person) => ask('patch', inProject(`/members/${admin.id}`), owner, VIEWER)],
  ])('ends when its sender %s', async (_reason, end) => {
    const [admin, person] = [await makeMember('admin'), await makePerson()];
    const { url } = (await invite(person.email, 'admin', admin.token)).body.invitation;
    expect((await end(admin)).status).toBeLessThan(300);
    expect((await ask('post', '/invitations/accept', person.token, { code: toCode(url) })).status).toBe(404);
    expect((await ask('get', inProject(''), person.token)).status).toBe(404);
  });

  it('ends when its sender may no longer give its role', async () => {
    const [second, person] = [await makeMember('owner'), await makePerson()];
    const { url } = (await invite(person.email, 'owner', second.token)).body.invitation;
    expect((await ask('patch', inProject(`/members/${second.id}`), owner, { role: 'admin' })).status).toBe(200);
    expect((await ask('post', '/invitations/accept', person.token, { code: toCode(url) })).status).toBe(404);
  });

  it('stores no code', async () => {
    const { body } = await invite(`${randomUUID()}@example.com`);
    const code = toCode(body.invitation.url);
    const { rows } = await harness.ctx.pool.query('SELECT to_jsonb(c)::text AS c FROM one_time_codes c');
    expect(rows.map(({ c }) => c).join()).not.toContain(code);
    const listed = await ask('get', inProject('/invitations'));
    expect(JSON.stringify(listed.body)).not.toContain(code);
  });

  it('expires after seven days', async () => {
    const person = await makePerson();
    const { body } = await invite(person.email);
    await harness.ctx.pool.query("UPDATE project_invitations SET expires_at = now() - interval '1 minute'");
    const code = toCode(body.invitation.url);
    expect((await ask('post', '/invitations/accept', person.token, { code })).status).toBe(404);
    expect((await invite(person.email)).status).toBe(201);
  });

  it('refuses a member, an address that is invited, and more than 500 members', async () => {
    const member = await makeMember('viewer');
    expect((await invite(member.email)).status).toBe(409);
    const email = `${randomUUID()}@example.com`;
    expect((await invite(email)).status).toBe(201);
    expect((await invite(email)).status).toBe(409);
    await harness.ctx.pool.query(
      `INSERT INTO project_invitations (id, project_id, email, email_key, role, invited_by, created_at, expires_at)
       SELECT gen_random_uuid(), $1, n || '@x.example', n || '@x.example', 'viewer', gen_random_uuid(), now(), now() + interval '1 day'
         FROM generate_series(1, 498) n`,
      [projectId],
    );
    expect((await invite(`${randomUUID()}@example.com`)).status).toBe(409);
  });

  it('lets one of two concurrent requests accept', async () => {
    const person = await makePerson();
    const code = toCode((await invite(person.email)).body.invitation.url);
    const answers = await Promise.all([1, 2].map(() => ask('post', '/invitations/accept', person.token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('members', () => {
  it('lists them in pages, the account first', async () => {
    const people = [await makeMember('admin'), await makeMember('viewer')];
    const first = (await ask('get', inProject('/members?limit=1'))).body;
    expect(first.members[0]).toMatchObject({ role: 'owner', account_owner: true });
    const rest = (await ask('get', inProject(`/members?cursor=${first.next_cursor}`))).body;
    expect(rest.members.map((it: { user_id: string }) => it.user_id)).toEqual(people.map(({ id }) => id));
    expect(rest.next_cursor).toBeUndefined();
  });

  it('applies a new role and the end of a membership at once', async () => {
    const member = await makeMember('viewer');
    const rename = () => ask('put', inProject(''), member.token, { name: 'Renamed' });
    expect((await rename()).status).toBe(403);
    const changed = await ask('patch', inProject(`/members/${member.id}`), owner, { role: 'admin' });
    expect([changed.status, changed.body.member.role]).toEqual([200, 'admin']);
    expect((await rename()).status).toBe(200);
    expect((await ask('delete', inProject(`/members/${member.id}`))).status).toBe(204);
    expect((await rename()).status).toBe(404);
    expect(await auditActions()).toEqual(['member.updated', 'project.updated', 'member.removed']);
  });

  it('lets them leave the project', async () => {
    const member = await makeMember('billing');
    expect((await ask('delete', inProject('/membership'), member.token)).status).toBe(204);
    expect((await ask('get', inProject(''), member.token)).status).toBe(404);
    expect(await auditActions()).toEqual(['member.left']);
  });

  it('keeps the last owner, the account of the project', async () => {
    const second = await makeMember('owner');
    const { body } = await ask('get', inProject('/members'));
    const account = body.members.find((it: { account_owner: boolean }) => it.account_owner).user_id;
    expect((await ask('delete', inProject(`/members/${account}`), second.token)).status).toBe(409);
    expect((await ask('patch', inProject(`/members/${account}`), second.token, { role: 'viewer' })).status).toBe(409);
    expect((await ask('delete', inProject('/membership'))).status).toBe(409);
  });

  it('rejects admins who make or change owners', async () => {
    const [admin, second, viewer] = [await makeMember('admin'), await makeMember('owner'), await makeMember('viewer')];
    const as = admin.token;
    expect((await invite(`${randomUUID()}@example.com`, 'owner', as)).status).toBe(403);
    expect((await ask('patch', inProject(`/members/${viewer.id}`), as, { role: 'owner' })).status).toBe(403);
    expect((await ask('patch', inProject(`/members/${second.id}`), as, { role: 'viewer' })).status).toBe(403);
    expect((await ask('delete', inProject(`/members/${second.id}`), as)).status).toBe(403);
    expect((await ask('patch', inProject(`/members/${viewer.id}`), as, { role: 'admin' })).status).toBe(200);
    const { id } = (await invite(`${randomUUID()}@example.com`, 'owner')).body.invitation;
    expect((await ask('post', inProject(`/invitations/${id}/resend`), as)).status).toBe(403);
    expect((await ask('delete', inProject(`/invitations/${id}`), as)).status).toBe(403);
    expect((await ask('delete', inProject(`/invitations/${id}`))).status).toBe(204);
  });

  it.each([
    [403, "UPDATE project_members SET role = 'viewer' WHERE project_id = $1 AND user_id = $2"],
    [404, 'DELETE FROM project_members WHERE project_id = $1 AND user_id = $2'],
  ])('rejects with %i a user whose role another edge has just changed', async (status, change) => {
    const [admin, viewer] = [await makeMember('admin'), await makeMember('viewer')];
    const { id } = (await invite(`${randomUUID()}@example.com`)).body.invitation;
    expect((await ask('get', inProject('/members'), admin.token)).status).toBe(200);
    await harness.ctx.pool.query(change, [projectId, admin.id]);
    const answers = [
      await invite(`${randomUUID()}@example.com`, 'viewer', admin.token),
      await ask('post', inProject(`/invitations/${id}/resend`), admin.token),
      await ask('delete', inProject(`/invitations/${id}`), admin.token),
      await ask('patch', inProject(`/members/${viewer.id}`), admin.token, { role: 'admin' }),
      await ask('delete', inProject(`/members/${viewer.id}`), admin.token),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
    const { body } = await ask('get', inProject('/members'));
    expect(body.members.find((it: { user_id: string }) => it.user_id === viewer.id).role).toBe('viewer');
  });

  it('shows them the project in their list, with their role', async () => {
    const member = await makeMember('developer');
    const { body } = await ask('get', '/projects', member.token);
    const seen = body.projects.map(({ id, role }: { id: string; role: string }) => [id, role]);
    expect(seen).toEqual([
      [expect.any(String), 'owner'],
      [projectId, 'developer'],
    ]);
  });

  it('conceals the other projects of the account', async () => {
    const member = await makeMember('admin');
    const { id: other } = await makeProject();
    expect((await ask('get', `/projects/${other}`, member.token)).status).toBe(404);
    const key = { label: 'x', project_id: other };
    expect((await ask('post', inProject('/api-keys'), member.token, key)).status).toBe(404);
    expect((await ask('post', '/api-keys', member.token, { label: 'x', project_id: projectId })).status).toBe(404);
  });
});

describe('the keys of a project', () => {
  it('opens them to its developers, and conceals those of other projects', async () => {
    const developer = await makeMember('developer');
    const elsewhere = await ask('post', '/api-keys', owner, { label: 'elsewhere' });
    const made = await ask('post', inProject('/api-keys'), developer.token, { label: 'mine', kind: 'publishable' });
    expect([made.status, made.body.api_key.project_id]).toEqual([201, projectId]);
    const listed = await ask('get', inProject('/api-keys'), developer.token);
    expect(listed.body.api_keys.map(({ label }: { label: string }) => label)).toEqual(['mine']);
    const path = (id: string) => inProject(`/api-keys/${id}`);
    const foreign = elsewhere.body.api_key.id;
    expect((await ask('patch', path(foreign), developer.token, { label: 'x' })).status).toBe(404);
    expect((await ask('post', `${path(foreign)}/rotate`, developer.token)).status).toBe(404);
    expect((await ask('delete', path(foreign), developer.token)).status).toBe(404);
    expect((await ask('patch', path(made.body.api_key.id), developer.token, { label: 'y' })).status).toBe(200);
    expect((await ask('delete', path(made.body.api_key.id), developer.token)).status).toBe(204);
  });
});
