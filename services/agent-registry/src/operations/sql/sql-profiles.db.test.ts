import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SqlService } from '@tollgate/contracts/agents/v1/sql_pb.js';
import type { Call, Client } from '@tollgate/rpc';
import { newCallers, startTestService, type TestService } from '../../testing/test-service.js';

let service: TestService;
let sql: Client<typeof SqlService>;

beforeAll(async () => {
  service = await startTestService(import.meta.url);
  sql = service.network.client(SqlService);
});

afterAll(() => service.stop());

const policy = { dialect: 'postgres', read_only: true, tables: { allowlist: ['users'] } };
const other = { dialect: 'mysql', read_only: false };

async function make(call: Call, rules: object = policy) {
  return (await sql.createSqlProfile({ name: 'Reports', policyJson: JSON.stringify(rules) }, call)).profile!;
}

describe('SQL profiles', () => {
  it('creates and reads profiles, lists them oldest first, updates them partly and deletes them', async () => {
    const { byProject, projectId } = newCallers();
    const made = await make(byProject);
    expect(made).toMatchObject({ projectId, name: 'Reports' });
    expect(JSON.parse(made.policyJson)).toEqual(policy);
    const second = await make(byProject, other);
    const renamed = (await sql.updateSqlProfile({ id: made.id, name: 'Weekly' }, byProject)).profile!;
    expect([renamed.name, JSON.parse(renamed.policyJson)]).toEqual(['Weekly', policy]);
    const changed = await sql.updateSqlProfile({ id: made.id, policyJson: JSON.stringify(other) }, byProject);
    expect([changed.profile!.name, JSON.parse(changed.profile!.policyJson)]).toEqual(['Weekly', other]);
    expect((await sql.getSqlProfile({ id: made.id }, byProject)).profile).toEqual(changed.profile);
    const first = await sql.listSqlProfiles({ limit: 1 }, byProject);
    const next = await sql.listSqlProfiles({ limit: 1, offset: 1 }, byProject);
    expect([...first.profiles, ...next.profiles].map(({ id }) => id)).toEqual([made.id, second.id]);
    expect([first.hasMore, next.hasMore]).toEqual([true, false]);
    await sql.deleteSqlProfile({ id: made.id }, byProject);
    await expect(sql.getSqlProfile({ id: made.id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['no name', { name: ' ', policyJson: JSON.stringify(policy) }],
    ['no JSON', { name: 'a', policyJson: '{' }],
    ['no dialect', { name: 'a', policyJson: '{"read_only":true}' }],
    ['an unknown dialect', { name: 'a', policyJson: '{"read_only":true,"dialect":"oracle"}' }],
    ['read_only left out', { name: 'a', policyJson: '{"dialect":"mysql"}' }],
    [
      'a default above the maximum',
      { name: 'a', policyJson: '{"dialect":"mysql","read_only":true,"limits":{"default_limit":9,"max_limit":5}}' },
    ],
  ])('rejects a profile with %s', async (_, request) => {
    await expect(sql.createSqlProfile(request, newCallers().byProject)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it.each([
    ['read_only left out', { dialect: 'postgres' }],
    ['a denylist that is not a list', { dialect: 'postgres', read_only: false, tables: { denylist: {} } }],
    ['an unknown dialect', { dialect: 'oracle', read_only: false }],
  ])('refuses to validate by a profile that is stored with %s', async (_, rules) => {
    const { byProject } = newCallers();
    const { id } = await make(byProject, other);
    const stored = JSON.stringify(rules);
    await service.database.pool.query('UPDATE sql_profiles SET policy = $2 WHERE id = $1', [id, stored]);
    const judged = sql.validateSql({ sql: 'DELETE FROM secrets', by: { case: 'profileId', value: id } }, byProject);
    await expect(judged).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.updateSqlProfile({ id, policyJson: JSON.stringify(policy) }, byProject);
    expect(JSON.parse((await sql.getSqlProfile({ id }, byProject)).profile!.policyJson)).toEqual(policy);
  });

  it('hides profiles from other projects and from customers', async () => {
    const { byProject, byStranger, byAnn } = newCallers();
    const { id } = await make(byProject);
    for (const [profile, call, code] of [
      [id, byStranger, 'NOT_FOUND'],
      [randomUUID(), byProject, 'NOT_FOUND'],
      ['nothing', byProject, 'NOT_FOUND'],
      [id, byAnn, 'FORBIDDEN'],
    ] as const) {
      await expect(sql.getSqlProfile({ id: profile }, call)).rejects.toMatchObject({ code });
      await expect(sql.updateSqlProfile({ id: profile, name: 'x' }, call)).rejects.toMatchObject({ code });
      await expect(sql.deleteSqlProfile({ id: profile }, call)).rejects.toMatchObject({ code });
    }
    expect((await sql.listSqlProfiles({ limit: 5 }, byStranger)).profiles).toEqual([]);
    expect((await sql.getSqlProfile({ id }, byProject)).profile!.name).toBe('Reports');
  });
});

describe('validating', () => {
  const statement = (by: object, text = 'select a from users') => ({ sql: text, ...by }) as object;
  const byPolicy = { by: { case: 'policyJson', value: JSON.stringify(policy) } };

  it('validates by a profile of the project, including for its customers, or by a policy', async () => {
    const { byProject, byAnn } = newCallers();
    const { id } = await make(byProject, { ...policy, limits: { default_limit: 5, timeout_ms: 250 } });
    for (const call of [byProject, byAnn]) {
      const answer = await sql.validateSql(statement({ by: { case: 'profileId', value: id } }), call);
      expect(answer).toMatchObject({
        normalizedSql: 'SELECT a FROM users LIMIT 5',
        readOnly: true,
        tables: ['users'],
        limit: 5n,
        timeoutMs: 250n,
      });
    }
    const plain = await sql.validateSql(statement(byPolicy), byProject);
    expect([plain.limit, plain.timeoutMs]).toEqual([undefined, undefined]);
  });

  it('reports the reason for a refusal', async () => {
    const refused = sql.validateSql(statement(byPolicy, 'select a from secrets'), newCallers().byProject);
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'the statement is refused: table secrets is not allowed',
    });
  });

  it("rejects another project's profile, and a request without profile and policy", async () => {
    const { byProject, byStranger } = newCallers();
    const { id } = await make(byProject);
    const foreign = sql.validateSql(statement({ by: { case: 'profileId', value: id } }), byStranger);
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(sql.validateSql({ sql: 'select 1' }, byProject)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
