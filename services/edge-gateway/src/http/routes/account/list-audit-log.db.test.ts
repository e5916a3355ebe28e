import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditLogResponse } from '@tollgate/api/identity';
import request from 'supertest';
import { insertAuditEvent } from '../../../store/audit-events.js';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { listAuditLog } from './account.js';

let harness: RouteTest;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [listAuditLog], []);
  await record(harness.tenant.projectId, 'project.created', 0);
  await record(harness.tenant.projectId, 'project.updated', 1);
  await record(harness.tenant.projectId, 'project.updated', 2);
  await record(harness.stranger.projectId, 'project.deleted', 3);
});

afterAll(() => harness.stop());

/** Stores an event of the project's account without a project of its own. */
async function record(projectId: string, action: string, second: number): Promise<void> {
  const project = await harness.ctx.directory.project(projectId);
  await insertAuditEvent(harness.ctx.pool, {
    id: randomUUID(),
    accountId: project!.accountId,
    projectId: null,
    action,
    actorKind: 'user',
    actorId: 'u',
    subjectId: null,
    changes: action === 'project.updated' ? [{ field: 'name', before: 'Old', after: 'New' }] : [],
    address: '127.0.0.1',
    requestId: 'r',
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, second, 5)),
  });
}

async function list(query = '') {
  const response = await request(harness.app)
    .get(`/api/v1/account/audit-log${query}`)
    .set('Authorization', `Bearer ${harness.tenant.ownerToken}`);
  expect(response.status).toBe(200);
  auditLogResponse.parse(response.body);
  return response.body;
}

describe('GET /account/audit-log', () => {
  it('lists only the account’s events, newest first, in pages', async () => {
    const first = await list('?limit=2');
    expect(first.events[0].changes).toEqual([{ field: 'name', before: 'Old', after: 'New' }]);
    expect(first.events.map((event: { at: string }) => event.at)).toEqual([
      '2026-01-01T00:00:02.005Z',
      '2026-01-01T00:00:01.005Z',
    ]);
    const second = await list(`?limit=2&offset=${first.next_cursor}`);
    expect(second).toEqual({
      events: [
        {
          id: expect.any(String),
          action: 'project.created',
          actor: { kind: 'user', id: 'u' },
          address: '127.0.0.1',
          request_id: 'r',
          at: '2026-01-01T00:00:00.005Z',
        },
      ],
    });
  });

  it('returns only events of the action that the query names', async () => {
    expect((await list('?action=project.updated')).events).toHaveLength(2);
    expect((await list('?action=project.deleted')).events).toEqual([]);
  });
});
