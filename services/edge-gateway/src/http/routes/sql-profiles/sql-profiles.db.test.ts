import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { SqlService } from '@tollgate/contracts/agents/v1/sql_pb.js';
import { AppError } from '@tollgate/errors';
import { type Endpoint, useRecordedPeers, useRoutes } from '../../../testing/use-routes.js';
import { sqlProfileRouter } from './index.js';

const at = timestampFromDate(new Date('2030-01-01T00:00:00.000Z'));
const time = '2030-01-01T00:00:00.000Z';
const id = randomUUID();
const policy = { dialect: 'sqlite', read_only: true };
const profile = {
  id,
  projectId: id,
  name: 'Reports',
  policyJson: JSON.stringify(policy),
  createdAt: at,
  updatedAt: at,
};
const profileJson = { id, project_id: id, name: 'Reports', policy, created_at: time, updated_at: time };
const valid = { normalizedSql: 'SELECT 1 LIMIT 5', readOnly: true, tables: ['t'], limit: 5n, timeoutMs: 250n };

const { asked, refuseWith, recordedPeer } = useRecordedPeers();
const registry = recordedPeer(SqlService, {
  createSqlProfile: { profile },
  getSqlProfile: { profile },
  listSqlProfiles: { profiles: [profile], hasMore: true },
  updateSqlProfile: { profile },
  deleteSqlProfile: {},
  validateSql: valid,
});

const { harness, send } = useRoutes(import.meta.url, [sqlProfileRouter], [registry], {
  path: () => '',
  credential: 'secretKey',
});
const profiles = (rest = '', projectId = harness.tenant.projectId) => `/projects/${projectId}/sql-profiles${rest}`;

const endpoints: Endpoint[] = [
  ['post', '', { name: 'a', policy }],
  ['get', '', undefined],
  ['get', `/${id}`, undefined],
  ['put', `/${id}`, { name: 'b' }],
  ['delete', `/${id}`, undefined],
];

describe('profiles', () => {
  it('answers 201 and creates a profile', async () => {
    const res = await send('post', profiles(), { name: ' Reports ', policy: { ...policy, unknown: 1 } });
    expect([res.status, res.body]).toEqual([201, { profile: profileJson }]);
    expect(asked[0]?.req).toEqual({ name: 'Reports', policyJson: JSON.stringify(policy) });
  });

  it('answers 200 for lists, reads and updates', async () => {
    const list = await send('get', profiles('?limit=1'));
    expect([list.status, list.body]).toEqual([200, { profiles: [profileJson], next_cursor: '1' }]);
    const read = await send('get', profiles(`/${id}`));
    expect([read.status, read.body]).toEqual([200, { profile: profileJson }]);
    const changed = await send('put', profiles(`/${id}`), { policy });
    expect([changed.status, changed.body]).toEqual([200, { profile: profileJson }]);
    expect(asked.at(-1)?.req).toEqual({ id, name: '', policyJson: JSON.stringify(policy) });
  });

  it('answers 204 and deletes a profile', async () => {
    const res = await send('delete', profiles(`/${id}`));
    expect([res.status, asked[0]?.req]).toEqual([204, { id }]);
  });

  it.each<[object, string]>([
    [{ policy }, 'name'],
    [{ name: 'a' }, 'policy'],
    [{ name: 'a', policy: { read_only: true } }, 'policy.dialect'],
    [{ name: 'a', policy: { ...policy, dialect: 'oracle' } }, 'policy.dialect'],
    [{ name: 'a', policy: { dialect: 'mysql' } }, 'policy.read_only'],
    [{ name: 'a', policy: { ...policy, joins: { max_joins: -1 } } }, 'policy.joins.max_joins'],
    [{ name: 'a', policy: { ...policy, tables: { allowlist: 'users' } } }, 'policy.tables.allowlist'],
    [{ name: 'a', policy: { ...policy, tables: { denylist: ['a', 'secret_*'] } } }, 'policy.tables.denylist[1]'],
    [{ name: 'a', policy: { ...policy, columns: { hidden: ['*.password'] } } }, 'policy.columns.hidden[0]'],
    ...['a..b', '.b', 'a.', '.', 'a. .b', 'a."".b', 'a"b', 'a.b"', '[].b', 'a..*'].map((hidden): [object, string] => [
      { name: 'a', policy: { ...policy, columns: { hidden: [hidden] } } },
      'policy.columns.hidden[0]',
    ]),
    [{ name: 'a', policy: { ...policy, tables: { allowlist: ['a..b'] } } }, 'policy.tables.allowlist[0]'],
    [{ name: 'a', policy: { ...policy, limits: { default_limit: 5, max_limit: 4 } } }, 'policy.limits.default_limit'],
  ])('answers 400 for %j naming %s', async (body, field) => {
    const res = await send('post', profiles(), body);
    expect([res.status, res.body.fields]).toEqual([400, [expect.objectContaining({ field })]]);
    expect(asked).toEqual([]);
  });

  it.each(endpoints)('answers 401, 403 and 404 on %s %s for other callers', async (method, path, body) => {
    const { publishableKey, customerToken } = harness.tenant;
    expect((await send(method, profiles(path), body, '')).status).toBe(401);
    expect((await send(method, profiles(path), body, publishableKey)).status).toBe(403);
    expect((await send(method, profiles(path), body, customerToken)).status).toBe(403);
    const { secretKey, ownerToken } = harness.stranger;
    for (const credential of [secretKey, ownerToken]) {
      expect((await send(method, profiles(path), body, credential)).status).toBe(404);
    }
    expect(asked).toEqual([]);
    refuseWith(new AppError('NOT_FOUND', 'SQL profile not found'));
    expect((await send(method, profiles(path), body)).status).toBe(404);
  });
});

describe('POST /sql/validate', () => {
  it('answers 200 with the statement to run', async () => {
    const res = await send('post', '/sql/validate', { sql: 'select 1', profile_id: id });
    expect([res.status, res.body]).toEqual([
      200,
      {
        valid: true,
        normalized_sql: 'SELECT 1 LIMIT 5',
        read_only: true,
        tables: ['t'],
        limit: 5,
        timeout_ms: 250,
      },
    ]);
    expect(asked[0]?.req).toEqual({ sql: 'select 1', by: { case: 'profileId', value: id } });
  });

  it('answers 200 for a policy from every credential of the project', async () => {
    const { ownerToken, customerToken, projectId } = harness.tenant;
    for (const credential of [ownerToken, customerToken]) {
      const res = await send('post', '/sql/validate', { sql: 'select 1', policy }, credential);
      expect(res.status).toBe(200);
    }
    const req = { sql: 'select 1', by: { case: 'policyJson', value: JSON.stringify(policy) } };
    expect(asked).toMatchObject([
      { req, projectId },
      { req, projectId },
    ]);
  });

  it('answers 400 with the reason', async () => {
    const refusal = new AppError('INVALID_INPUT', 'the statement is refused: table t is not allowed');
    refuseWith(refusal);
    const res = await send('post', '/sql/validate', { sql: 'select 1', policy });
    expect([res.status, res.body.code, res.body.message]).toEqual([400, 'INVALID_INPUT', refusal.message]);
  });

  it.each<[object, string]>([
    [{ policy }, 'sql'],
    [{ sql: '', policy }, 'sql'],
    [{ sql: 'select 1' }, 'profile_id'],
    [{ sql: 'select 1', policy, profile_id: id }, 'profile_id'],
    [{ sql: 'select 1', profile_id: 'x' }, 'profile_id'],
  ])('answers 400 for %j naming %s', async (body, field) => {
    const res = await send('post', '/sql/validate', body);
    expect([res.status, res.body.fields]).toEqual([400, [expect.objectContaining({ field })]]);
  });

  it('answers 401 and 403 for other credentials', async () => {
    const body = { sql: 'select 1', policy };
    expect((await send('post', '/sql/validate', body, '')).status).toBe(401);
    expect((await send('post', '/sql/validate', body, harness.tenant.publishableKey)).status).toBe(403);
  });
});
