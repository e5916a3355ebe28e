import { afterAll, describe, expect, it } from '@jest/globals';
import { sqlPolicySchema } from '@tollgate/api/state';
import { createSqlParser } from '../../clients/sql-parser.js';
import { validateSql } from './validate-sql.js';

const parsers = createSqlParser();
afterAll(() => parsers.stop());

/** Checks a statement of a project; returns it, or why it is refused. */
async function check(sql: string, project = 'project'): Promise<string> {
  const policy = sqlPolicySchema.parse({ dialect: 'postgres', read_only: true });
  try {
    return (await validateSql(parsers.of(project), sql, policy)).normalizedSql;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe('concurrent statements', () => {
  it('checks each one separately, even when the parser fails on one', async () => {
    const deep = `SELECT 1${'+1'.repeat(20_000)}`;
    const sqls = Array.from({ length: 12 }, (_, i) => (i % 4 === 1 ? deep : `SELECT ${i}`));
    const outcomes = await Promise.all(sqls.map((sql) => check(sql)));
    expect(outcomes).toEqual(sqls.map((sql) => (sql === deep ? expect.stringMatching(/^refused: /) : sql)));
  });

  it('aborts statements that parse too long and checks the next ones', async () => {
    const endless = `SELECT ${'f('.repeat(40)}1${')'.repeat(40)}`;
    const slow = [check(endless), check(endless)];
    expect(await check('SELECT 1', 'other')).toBe('SELECT 1');
    for (const outcome of await Promise.all(slow)) expect(outcome).toMatch(/^refused: .*too complex/);
    expect(await check('SELECT 2')).toBe('SELECT 2');
  });
});
