// How many mails invitations send to one address.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { insertProject } from '../../../store/projects.js';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { memberRouter } from './index.js';

let harness: RouteTest;
beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [memberRouter], []);
});
afterAll(() => harness.stop());

/** Returns the id of a new project of the tenant's account. */
async function makeProject(): Promise<string> {
  const { rows } = await harness.ctx.pool.query('SELECT account_id, owner_id FROM projects WHERE id = $1', [
    harness.tenant.projectId,
  ]);
  const { account_id: accountId, owner_id: ownerId } = rows[0];
  const id = randomUUID();
  await insertProject(harness.ctx.pool, { id, accountId, ownerId, name: 'Shared', createdAt: new Date() });
  return id;
}

/** Returns the status and whether the answer has a link. */
async function invite(projectId: string, email: string): Promise<[number, boolean]> {
  const { status, body } = await request(harness.app)
    .post(`/api/v1/projects/${projectId}/invitations`)
    .set('Authorization', `Bearer ${harness.tenant.ownerToken}`)
    .send({ email, role: 'viewer' });
  return [status, body.invitation?.url.includes('#')];
}

async function resendInvitations(projectId: string): Promise<number> {
  const path = `/api/v1/projects/${projectId}/invitations`;
  const credential = `Bearer ${harness.tenant.ownerToken}`;
  const { body } = await request(harness.app).get(path).set('Authorization', credential);
  const { id } = body.invitations[0];
  return (await request(harness.app).post(`${path}/${id}/resend`).set('Authorization', credential)).status;
}

async function countMails(email: string): Promise<number> {
  const { rows } = await harness.ctx.pool.query('SELECT FROM mails WHERE lower(recipient) = $1', [email]);
  return rows.length;
}

it('sends one address five mails a day, over all projects, and always returns the link', async () => {
  const email = `${randomUUID()}@example.com`;
  for (let i = 0; i < 4; i++) {
    expect(await invite(await makeProject(), i % 2 ? email : email.toUpperCase())).toEqual([201, true]);
  }
  const last = await makeProject();
  expect(await invite(last, email)).toEqual([201, true]);
  expect(await resendInvitations(last)).toBe(200);
  expect(await countMails(email)).toBe(5);
  await harness.ctx.pool.query("UPDATE mails SET created_at = created_at - interval '24 hours'");
  expect(await invite(await makeProject(), email)).toEqual([201, true]);
  expect(await countMails(email)).toBe(6);
});

it('sends one address five mails for concurrent requests', async () => {
  const email = `${randomUUID()}@example.com`;
  const projects = await Promise.all(Array.from({ length: 8 }, makeProject));
  const sent = await Promise.all(projects.map((id) => invite(id, email)));
  expect(sent).toEqual(sent.map(() => [201, true]));
  expect(await countMails(email)).toBe(5);
});

it('limits the invitations of one address per minute', async () => {
  const email = `${randomUUID()}@example.com`;
  const projectId = await makeProject();
  const statuses = [];
  for (let i = 0; i < 12; i++) statuses.push((await invite(projectId, email))[0]);
  expect(statuses).toEqual([201, ...Array(9).fill(409), 429, 429]);
});
