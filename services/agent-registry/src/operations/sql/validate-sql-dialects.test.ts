// What each database can run and what it calls its own tables.
import { describe, expect, it } from '@jest/globals';
import { type SqlDialect, sqlDialects, sqlPolicySchema } from '@tollgate/api/state';
import { isAppError } from '@tollgate/errors';
import { loadSqlParser } from '../../clients/sql-parser.js';
import { validateSql } from './validate-sql.js';

const parser = await loadSqlParser();

/** `valid`, or the reason of the refusal. */
async function judge(dialect: SqlDialect, sql: string, rules: object = {}): Promise<string> {
  const policy = sqlPolicySchema.parse({ dialect, read_only: true, ...rules });
  try {
    validateSql(parser, sql, policy);
    return 'valid';
  } catch (error) {
    if (isAppError(error) && error.code === 'INVALID_INPUT') return error.message;
    throw error;
  }
}

describe('a query', () => {
  it.each<[string, string]>([
    ['SELECT a FROM t LIMIT 5', 'sqlite postgres mysql'],
    ['SELECT a FROM t LIMIT 5 OFFSET 2', 'sqlite postgres mysql'],
    ['SELECT a FROM t LIMIT 2, 5', 'sqlite mysql'],
    ['SELECT a FROM t WHERE b IN (SELECT b FROM u LIMIT 5)', 'sqlite postgres mysql'],
    ['WITH x AS (SELECT a FROM t LIMIT 5) SELECT a FROM x', 'sqlite postgres mysql'],
    ['SELECT TOP 5 a FROM t', 'sqlserver'],
    ['SELECT a FROM (SELECT TOP 5 a FROM t) x', 'sqlserver'],
    ['SELECT a FROM t ORDER BY a OFFSET 5', 'postgres'],
    ['SELECT a FROM t ORDER BY a OFFSET 5 ROWS', 'postgres sqlserver'],
    ['SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 6 ROWS ONLY', 'postgres sqlserver'],
    ['SELECT a FROM t OFFSET 5 ROWS FETCH NEXT 6 ROWS ONLY', 'postgres'],
    ['SELECT a FROM t ORDER BY a FETCH FIRST 6 ROWS ONLY', 'postgres'],
    ['SELECT a FROM t ORDER BY a OFFSET 0 ROWS FETCH FIRST 6 ROWS WITH TIES', 'postgres'],
    ['SELECT a FROM t FETCH FIRST 6 PERCENT ROWS ONLY', ''],
    ['SELECT TOP 5 a FROM t ORDER BY a OFFSET 5 ROWS', ''],
    ['SELECT DISTINCT ON (a) a FROM t', 'postgres'],
    ['SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1', ''],
    ['SELECT a FROM t GROUP BY ALL', ''],
    ["SELECT a FROM t WHERE a ILIKE 'x'", 'postgres'],
    ["SELECT a FROM t WHERE a SIMILAR TO 'x'", 'postgres'],
    ["SELECT a FROM t WHERE a ~ 'x'", 'postgres'],
    ["SELECT a FROM t WHERE a REGEXP 'x'", 'sqlite mysql'],
    ["SELECT a FROM t WHERE a RLIKE 'x'", 'mysql'],
    ['SELECT CAST(a AS INT) FROM t', 'sqlite postgres mysql sqlserver'],
    ['SELECT a::INT FROM t', 'postgres'],
    ['SELECT TRY_CAST(a AS INT) FROM t', 'sqlserver'],
    ['SELECT SAFE_CAST(a AS INT) FROM t', ''],
    ["SELECT a -> 'x' FROM t", 'sqlite postgres mysql'],
    ["SELECT a @> 'x' FROM t", 'postgres'],
    ['SELECT a || b FROM t', 'sqlite postgres mysql'],
    ['SELECT a <=> b FROM t', 'mysql'],
    ['SELECT a IS DISTINCT FROM b FROM t', 'sqlite postgres sqlserver'],
    ['SELECT a FROM t WHERE (b IS TRUE)', 'sqlite postgres mysql'],
    ['SELECT a FROM t WHERE (a, b) = (1, 2)', 'sqlite postgres mysql'],
    ['SELECT substring(a, 1, 2) FROM t', 'sqlite postgres mysql sqlserver'],
    ['SELECT substring(a FROM 1 FOR 2) FROM t', 'postgres mysql'],
    ["SELECT trim(BOTH 'x' FROM a) FROM t", 'postgres mysql sqlserver'],
    ["SELECT position('x' IN a) FROM t", 'postgres mysql'],
    ['SELECT extract(year FROM a) FROM t', 'postgres mysql'],
    ["SELECT DATE '2030-01-01'", 'postgres mysql'],
    ["SELECT a AT TIME ZONE 'UTC' FROM t", 'postgres sqlserver'],
    ['SELECT a FROM t ORDER BY a NULLS FIRST', 'sqlite postgres'],
    ['SELECT a FROM t ORDER BY a NULLS LAST', 'sqlite postgres'],
    ['SELECT a FROM t UNION ALL SELECT a FROM u', 'sqlite postgres mysql sqlserver'],
    ['SELECT a FROM t EXCEPT SELECT a FROM u', 'sqlite postgres mysql sqlserver'],
    ['SELECT a FROM t EXCEPT ALL SELECT a FROM u', 'postgres mysql'],
    ['SELECT a FROM t MINUS SELECT a FROM u', ''],
    ['SELECT t.a FROM t JOIN u ON t.a = u.a', 'sqlite postgres mysql sqlserver'],
    ['SELECT t.b FROM t JOIN u USING (a)', 'sqlite postgres mysql'],
    ['SELECT t.b FROM t NATURAL JOIN u', 'sqlite postgres mysql'],
    ['SELECT t.a FROM t FULL JOIN u ON t.a = u.a', 'sqlite postgres sqlserver'],
    ['SELECT t.a FROM t LEFT SEMI JOIN u ON t.a = u.a', ''],
    ['SELECT x.a FROM t CROSS JOIN LATERAL (SELECT u.a FROM u WHERE u.b = t.b) x', 'postgres mysql'],
    ['SELECT x.a FROM t CROSS APPLY (SELECT u.a FROM u WHERE u.b = t.b) x', 'sqlserver'],
    ['SELECT a FROM t WITH (NOLOCK)', 'sqlserver'],
    ['SELECT a FROM t TABLESAMPLE SYSTEM (5)', 'postgres sqlserver'],
    ['WITH RECURSIVE x AS (SELECT 1 AS a) SELECT a FROM x', 'sqlite postgres mysql'],
    ['SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t', 'postgres sqlserver'],
    ['VALUES (1)', 'sqlite postgres'],
    ['VALUES ROW(1)', 'mysql'],
  ])('accepts only the dialects that can run: %s', async (sql, runs) => {
    const outcomes = await Promise.all(sqlDialects.map((dialect) => judge(dialect, sql)));
    const accepted = sqlDialects.filter((_dialect, index) => outcomes[index] === 'valid');
    expect(accepted).toEqual(runs.split(' ').filter((name) => name !== ''));
  });

  it('names the syntax and the dialect in the refusal', async () => {
    expect(await judge('sqlserver', 'SELECT a FROM t LIMIT 5')).toMatch(/sqlserver has no LIMIT/);
  });
});

describe('a write', () => {
  it.each<[string, string]>([
    ['INSERT INTO t (a) VALUES (1)', 'sqlite postgres mysql sqlserver'],
    ['INSERT INTO t (a) VALUES (1) RETURNING a', 'sqlite postgres'],
    ['INSERT INTO t (a) OUTPUT inserted.a VALUES (1)', 'sqlserver'],
    ['INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING', 'sqlite postgres'],
    ['INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 2', 'mysql'],
    ['INSERT OR IGNORE INTO t (a) VALUES (1)', 'sqlite'],
    ['UPDATE t SET a = 1', 'sqlite postgres mysql sqlserver'],
    ['UPDATE t SET a = u.a FROM u WHERE u.b = t.b', 'sqlite postgres sqlserver'],
    ['UPDATE t SET a = 1 LIMIT 5', 'sqlite mysql'],
    ['DELETE FROM t', 'sqlite postgres mysql sqlserver'],
    ['DELETE FROM t USING u WHERE u.b = t.b', 'postgres mysql'],
    ['DELETE FROM t ORDER BY a LIMIT 5', 'sqlite mysql'],
    ['SELECT a FROM t FOR UPDATE', 'postgres mysql'],
  ])('accepts only the dialects that can run: %s', async (sql, runs) => {
    const outcomes = await Promise.all(sqlDialects.map((dialect) => judge(dialect, sql, { read_only: false })));
    const accepted = sqlDialects.filter((_dialect, index) => outcomes[index] === 'valid');
    expect(accepted).toEqual(runs.split(' ').filter((name) => name !== ''));
  });
});

describe('a system table', () => {
  it.each<[SqlDialect, string, string?]>([
    ['postgres', 'pg_shadow'],
    ['postgres', 'PG_CATALOG.pg_class'],
    ['postgres', 'information_schema.columns'],
    ['postgres', 'db.information_schema.columns'],
    ['postgres', 'pg_toast.pg_toast_1'],
    ['mysql', 'mysql.user'],
    ['mysql', 'INFORMATION_SCHEMA.TABLES'],
    ['mysql', 'performance_schema.threads'],
    ['mysql', 'sys.processlist'],
    ['sqlserver', 'sys.objects'],
    ['sqlserver', 'db.sys.objects'],
    ['sqlserver', 'INFORMATION_SCHEMA.TABLES'],
    ['sqlserver', 'sysobjects'],
    ['sqlserver', '[SysObjects]'],
    ['sqlserver', 'dbo.sysobjects'],
    ['sqlserver', 'db..syscolumns', 'db.dbo.syscolumns'],
    ['sqlserver', 'syslogins'],
    ['sqlserver', 'master.dbo.spt_values'],
    ['sqlserver', 'msdb..sysjobs', 'msdb.dbo.sysjobs'],
    ['sqlite', 'sqlite_master'],
    ['sqlite', 'main.sqlite_schema'],
    ['sqlite', 'temp.sqlite_temp_master'],
    ['sqlite', 'sqlite_stat1'],
    ['sqlite', 'sqlite_dbpage'],
    ['sqlite', 'dbstat'],
    ['sqlite', '"DBSTAT"'],
    ['sqlite', 'pragma_table_list'],
    ['sqlite', 'tables_used'],
  ])('rejects in %s unless it is allowed by name: %s', async (dialect, table, name = table) => {
    const sql = `SELECT a FROM ${table}`;
    const rules: object[] = [
      {},
      { tables: { denylist: ['secrets'] } },
      { tables: { allowlist: ['public.*', 'dbo.*', 'main.*', 'temp.*', 'db.dbo.*', '*'] } },
    ];
    for (const rule of rules) expect(await judge(dialect, sql, rule)).toMatch(/table .* is not allowed/);
    expect(await judge(dialect, sql, { tables: { allowlist: [name] } })).toBe('valid');
  });

  it.each<[SqlDialect, string]>([
    ['postgres', 'information_schema.*'],
    ['sqlserver', 'sys.*'],
    ['mysql', 'sys.*'],
  ])('accepts in %s when its schema is allowed: %s', async (dialect, rule) => {
    const sql = `SELECT a FROM ${rule.replace('*', 'columns')}`;
    expect(await judge(dialect, sql, { tables: { allowlist: [rule] } })).toBe('valid');
  });

  it.each<[SqlDialect, string]>([
    ['sqlserver', 'systems'],
    ['sqlserver', 'sys_events'],
    ['sqlserver', 'app.sysobjects'],
    ['postgres', 'sysobjects'],
    ['postgres', 'model.users'],
    ['mysql', 'dbstat'],
    ['sqlite', 'pragmas'],
  ])("does not count as a user's table: %s has %s", async (dialect, table) => {
    expect(await judge(dialect, `SELECT a FROM ${table}`)).toBe('valid');
  });
});

describe('an allowlist', () => {
  it.each(sqlDialects)('allows no table of %s when it is empty, and every table when it is absent', async (dialect) => {
    const empty = { tables: { allowlist: [] } };
    expect(await judge(dialect, 'SELECT a FROM t', empty)).toMatch(/table t is not allowed/);
    expect(await judge(dialect, 'SELECT 1', empty)).toBe('valid');
    expect(await judge(dialect, 'WITH x AS (SELECT 1 AS a) SELECT a FROM x', empty)).toBe('valid');
    for (const rules of [{}, { tables: {} }, { tables: { allowlist: null } }]) {
      expect(await judge(dialect, 'SELECT a FROM t', rules)).toBe('valid');
    }
  });
});
