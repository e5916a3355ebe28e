import { afterAll, describe, expect, it } from '@jest/globals';
import { sqlPolicySchema } from '@tollgate/api/state';
import { SqlCheckThread } from '../../clients/sql-check-thread.js';

const thread = new SqlCheckThread();
afterAll(() => thread.stop());

/** Checks a statement of a project; returns it, or why it is refused. */
async function check(sql: string, project = 'project'): Promise<string> {
  const policy = sqlPolicySchema.parse({ dialect: 'postgres', read_only: true });
  try {
    return (await thread.check(project, sql, policy)).normalizedSql;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe('concurrent statements', () => {
  it('checks each one separately, even when the parser fails on one', async () => {
    const deep = `SELECT 1${'+1'.repeat(20_000)}`;
    const sqls = Array.from({ length: 12 }, (_, i) => (i % 4 === 1 ? deep : `SELECT ${i}`));
    const outcomes = await Promise.all(sqls.map((sql) => check(sql)));
    expect(outcomes).toEqual(
      sqls.map((sql) => (sql === deep ? expect.stringMatching(/^refused: .*nested too deeply/) : sql)),
    );
  });

  it('refuses calls that nest too deeply for the parser', async () => {
    expect(await check(`SELECT ${'f('.repeat(40)}1${')'.repeat(40)}`)).toMatch(/^refused: .*nests more than 14 calls/);
  });

  it.each([
    ['joins', `SELECT 1 FROM t ${Array.from({ length: 2_500 }, (_, i) => `JOIN t${i} ON a = b`).join(' ')}`],
    ['common tables', `WITH ${Array.from({ length: 2_000 }, (_, i) => `x${i} AS (SELECT 1)`).join(', ')} SELECT 1`],
  ])('accepts thousands of %s', async (_what, sql) => {
    expect(await check(sql)).not.toMatch(/^refused/);
  });
});
