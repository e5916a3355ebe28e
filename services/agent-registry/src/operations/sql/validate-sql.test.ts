import { describe, expect, it } from '@jest/globals';
import { type SqlDialect, sqlLimits } from '@tollgate/api/state';
import { startSqlValidation } from '../../testing/sql-validation.js';

const { valid, refusal } = startSqlValidation();

const dialects: SqlDialect[] = ['sqlite', 'postgres', 'mysql', 'sqlserver'];

describe('queries', () => {
  it.each<[SqlDialect, string]>([
    ['postgres', 'SELECT 1'],
    [
      'postgres',
      'SELECT DISTINCT ON (a) a, b AS c FROM t WHERE a BETWEEN 1 AND 2 AND b IS NOT NULL ORDER BY a DESC NULLS LAST',
    ],
    [
      'postgres',
      'SELECT count(*), count(DISTINCT a), sum(b) FILTER (WHERE c > 1) FROM t GROUP BY d HAVING count(*) > 2',
    ],
    ['postgres', "SELECT a::TEXT, CAST(b AS INT), c ->> 'x', d @> '{}', e ILIKE '%x%', f ~ 'y' FROM t"],
    ['postgres', "SELECT date_trunc('day', a), EXTRACT(YEAR FROM b), now() - INTERVAL '1 day' FROM t"],
    ['postgres', 'SELECT rank() OVER (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t'],
    ['postgres', 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n'],
    ['postgres', 'SELECT x.a FROM t CROSS JOIN LATERAL (SELECT u.a FROM u WHERE u.id = t.id) x'],
    ['postgres', 'SELECT a FROM t WHERE b IN (SELECT c FROM u) AND EXISTS (SELECT 1 FROM v WHERE v.id = t.id)'],
    ['postgres', 'SELECT CASE WHEN a THEN 1 ELSE 2 END, ARRAY[1, 2], COALESCE(b, 0), (a, b) = (1, 2) FROM t'],
    ['postgres', 'SELECT g FROM generate_series(1, 10) AS g'],
    ['postgres', '(SELECT a FROM t) UNION ALL (SELECT a FROM u) ORDER BY 1'],
    ['postgres', 'SELECT a FROM t WHERE b = $1'],
    ['postgres', "SELECT string_agg(a, ',' ORDER BY b), percentile_cont(0.5) WITHIN GROUP (ORDER BY c) FROM t"],
    ['postgres', 'SELECT a FROM "Weird name" WHERE "weird column" = 1'],
    ['postgres', 'VALUES (1, 2), (3, 4)'],
    ['mysql', "SELECT `a`, IFNULL(b, 0), GROUP_CONCAT(DISTINCT c ORDER BY d SEPARATOR ',') FROM t LIMIT 3, 4"],
    ['mysql', "SELECT DATE_ADD(NOW(), INTERVAL 1 DAY), a REGEXP 'x', b <=> c FROM t"],
    [
      'sqlserver',
      'SELECT TOP 5 [a b], ISNULL(c, 0), CONVERT(VARCHAR(10), d, 120), IIF(e > 1, 1, 2) FROM dbo.[t] WITH (NOLOCK)',
    ],
    ['sqlserver', 'SELECT a FROM t OUTER APPLY (SELECT TOP 1 b FROM u WHERE u.id = t.id ORDER BY b) x WHERE c = @p1'],
    ['sqlserver', 'SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH FIRST 10 ROWS ONLY'],
    [
      'sqlite',
      "SELECT strftime('%Y', a), json_extract(b, '$.x'), total(c), printf('%d', d) FROM t WHERE e = ?1 LIMIT 5 OFFSET 2",
    ],
    ['sqlite', "SELECT value FROM json_each('[1]')"],
  ])('accepts a %s query unchanged: %s', async (dialect, sql) => {
    const { normalizedSql, isReadOnly } = await valid(sql, { dialect });
    expect([normalizedSql, isReadOnly]).toEqual([sql, true]);
  });

  it('returns queries in one spelling, without comments', async () => {
    const { normalizedSql, tables, limit, timeoutMs } = await valid(
      'select  u.id -- the id\n from Public.Users u /* all */ join orders o using (id);',
      { limits: { timeout_ms: 500 } },
    );
    expect(normalizedSql).toBe('SELECT u.id FROM Public.Users u JOIN orders o USING(id)');
    expect({ tables, limit, timeoutMs }).toEqual({
      tables: ['Public.Users', 'orders'],
      limit: undefined,
      timeoutMs: 500,
    });
  });
});

describe('text that is not a single statement', () => {
  it.each([
    ['', /no statement/],
    [' ;; ', /no statement/],
    ['-- nothing', /no statement/],
    ['select 1; select 2', /more than one statement/],
    ['select 1; -- \n drop table users', /more than one statement/],
    ['selec 1', /Expected: an SQL statement/],
    ['select a from', /Expected: identifier/],
    ['select (1', /Expected: \)/],
    ["select 'open", /Unterminated string/],
    [`select ${'('.repeat(5_000)}1${')'.repeat(5_000)}`, /nested too deeply/],
    [`select '${'x'.repeat(sqlLimits.sqlLength)}'`, /is longer than/],
  ])('reports the reason for refusing: %.40s', async (sql, reason) => {
    expect(await refusal(sql)).toMatch(reason);
    expect((await valid('SELECT 1')).normalizedSql).toBe('SELECT 1');
  });
});

describe('read_only', () => {
  const writes: [SqlDialect, string][] = [
    ['postgres', 'INSERT INTO t (a) VALUES (1)'],
    ['postgres', 'UPDATE t SET a = 1 WHERE b = 2'],
    ['postgres', 'DELETE FROM t WHERE a = 1'],
    ['postgres', 'WITH d AS (DELETE FROM t RETURNING a) SELECT a FROM d'],
    ['postgres', 'WITH d AS (INSERT INTO t (a) VALUES (1) RETURNING a) SELECT a FROM d'],
    ['postgres', 'WITH d AS (SELECT 1) UPDATE t SET a = 1'],
    ['postgres', 'SELECT a FROM t FOR UPDATE'],
    ['mysql', 'REPLACE INTO t VALUES (1)'],
    ['sqlite', 'INSERT OR REPLACE INTO t (a) VALUES (1)'],
    ['sqlserver', 'WITH x AS (SELECT 1 AS a) DELETE FROM t'],
  ];

  it.each(writes)('rejects in %s: %s', async (dialect, sql) => {
    expect(await refusal(sql, { dialect })).toMatch(/is not allowed/);
  });

  it.each(writes)('accepts without it in %s: %s', async (dialect, sql) => {
    expect((await valid(sql, { dialect, read_only: false })).isReadOnly).toBe(false);
  });

  it.each<[SqlDialect, string]>([
    ['postgres', 'SELECT a INTO t2 FROM t'],
    ['sqlserver', 'SELECT a INTO #t2 FROM t'],
    ['mysql', "SELECT a FROM t INTO OUTFILE '/tmp/x'"],
    ['postgres', 'DROP TABLE t'],
    ['postgres', 'TRUNCATE t'],
    ['postgres', 'CREATE TABLE t (a INT)'],
    ['postgres', 'ALTER TABLE t ADD b INT'],
    ['postgres', 'GRANT ALL ON t TO bob'],
    ['postgres', "COPY t TO PROGRAM 'rm'"],
    ['postgres', 'EXPLAIN ANALYZE DELETE FROM t'],
    ['postgres', 'EXPLAIN SELECT 1'],
    ['postgres', 'CALL f()'],
    ['postgres', 'DO $$ BEGIN END $$'],
    ['postgres', 'SET ROLE admin'],
    ['postgres', 'BEGIN'],
    ['postgres', 'COMMIT'],
    ['postgres', 'LISTEN x'],
    ['postgres', 'VACUUM t'],
    ['postgres', 'PREPARE p AS DELETE FROM t'],
    ['postgres', 'MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE'],
    ['mysql', 'LOAD DATA INFILE "x" INTO TABLE t'],
    ['mysql', 'SHOW TABLES'],
    ['mysql', 'SELECT @a := 5'],
    ['sqlserver', "EXEC xp_cmdshell 'dir'"],
    ['sqlserver', 'IF 1 = 1 DELETE FROM t'],
    ['sqlserver', 'DECLARE @x INT'],
    ['sqlserver', 'SELECT @x = 5'],
    ['sqlite', "ATTACH DATABASE 'x' AS y"],
    ['sqlite', 'PRAGMA writable_schema = 1'],
  ])('rejects with and without it in %s: %s', async (dialect, sql) => {
    for (const read_only of [true, false]) await refusal(sql, { dialect, read_only });
  });
});

describe('statements without a semicolon between them', () => {
  it.each([
    'SELECT a FROM t SHUTDOWN',
    'SELECT a FROM t rollback WHERE a = 1',
    'SELECT a FROM t JOIN u COMMIT ON u.id = t.id',
    'SELECT a FROM t CROSS APPLY (SELECT 1 AS b) SHUTDOWN',
    'SELECT a FROM (SELECT 1 AS a) Shutdown',
    'SELECT value FROM generate_series(1, 2) CHECKPOINT',
    'SELECT 1 AS a UNION SELECT a FROM t RECONFIGURE',
    'SELECT a FROM t WHERE b IN (SELECT b FROM u SHUTDOWN)',
    'DELETE FROM t SHUTDOWN',
    'UPDATE t SET a = 1 FROM u SHUTDOWN',
  ])('rejects text that SQL Server reads as two statements: %s', async (sql) => {
    expect(await refusal(sql, { dialect: 'sqlserver', read_only: false })).toMatch(/must be quoted to be a name/);
  });

  it('accepts such words as quoted names, and in dialects that require a semicolon', async () => {
    await valid('SELECT a FROM t [shutdown]', { dialect: 'sqlserver' });
    for (const dialect of ['postgres', 'mysql', 'sqlite']) await valid('SELECT a FROM t shutdown', { dialect });
  });
});

describe('functions', () => {
  it.each<[SqlDialect, string]>([
    ['postgres', "SELECT nextval('s')"],
    ['postgres', "SELECT setval('s', 1)"],
    ['postgres', "SELECT set_config('a', 'b', false)"],
    ['postgres', "SELECT lo_import('/etc/passwd')"],
    ['postgres', "SELECT pg_read_file('/etc/passwd')"],
    ['postgres', 'SELECT pg_sleep(10)'],
    ['postgres', 'SELECT pg_terminate_backend(1)'],
    ['postgres', "SELECT query_to_xml('select 1', true, true, '')"],
    ['postgres', "SELECT * FROM dblink('x', 'y') AS t (a INT)"],
    ['postgres', 'SELECT a FROM t ORDER BY pg_sleep(1)'],
    ['postgres', 'SELECT a FROM t LIMIT pg_sleep(1)'],
    ['postgres', 'SELECT a FROM t GROUP BY pg_sleep(1)'],
    ['postgres', 'SELECT count(*) FILTER (WHERE pg_sleep(1)) FROM t'],
    ['postgres', 'SELECT sum(a) OVER (ORDER BY pg_sleep(1)) FROM t'],
    ['postgres', 'SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY pg_sleep(1))'],
    ['postgres', 'SELECT DISTINCT ON (pg_sleep(1)) a FROM t'],
    ['postgres', 'SELECT CASE WHEN pg_sleep(1) THEN 1 END'],
    ['postgres', 'SELECT a FROM t JOIN u ON pg_sleep(1)'],
    ['postgres', 'VALUES (pg_sleep(1))'],
    ['postgres', 'SELECT ARRAY[pg_sleep(1)]'],
    ['postgres', 'SELECT (pg_sleep(1))::TEXT'],
    ['postgres', "SELECT string_agg(a, ',' ORDER BY pg_sleep(1)) FROM t"],
    ['postgres', 'SELECT a FROM t WHERE a = ANY(SELECT pg_sleep(1))'],
    ['postgres', 'SELECT mine.lower(a) FROM t'],
    ['postgres', 'SELECT a OPERATOR(mine.+) b FROM t'],
    ['mysql', "SELECT LOAD_FILE('/etc/passwd')"],
    ['mysql', 'SELECT SLEEP(5)'],
    ['mysql', 'SELECT BENCHMARK(1000000, 1)'],
    ['mysql', "SELECT GET_LOCK('a', 1)"],
    ['mysql', 'SELECT @@datadir'],
    ['sqlserver', "SELECT * FROM OPENROWSET('x', 'y', 'z')"],
    ['sqlserver', 'SELECT a FROM t CROSS APPLY dbo.f(t.a) x'],
    ['sqlserver', 'SELECT OBJECT_DEFINITION(1)'],
    ['sqlite', "SELECT load_extension('x')"],
    ['sqlite', "SELECT writefile('x', 'y')"],
    ['sqlite', "SELECT * FROM pragma_table_info('users')"],
  ])('rejects in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect });
  });

  it('accepts functions of the allowlist by their full name', async () => {
    const functions = { allowlist: ['score', 'mine.rank_of'] };
    await valid('SELECT score(a), Score(b), mine.rank_of(a) FROM t', { functions });
    await refusal('SELECT other.score(a) FROM t', { functions });
    await refusal('SELECT rank_of(a) FROM t', { functions });
  });

  it.each<[SqlDialect, string]>([
    ['postgres', 'SELECT "LOWER"(a) FROM t'],
    ['postgres', 'SELECT lówer(a) FROM t'],
    ['postgres', 'SELECT "Score"(a) FROM t'],
    ['sqlserver', 'SELECT ｌｏｗｅｒ(a) FROM t'],
    ['mysql', 'SELECT scóre(a) FROM t'],
  ])('distinguishes from the allowed function in %s: %s', async (dialect, sql) => {
    expect(await refusal(sql, { dialect, functions: { allowlist: ['score'] } })).toMatch(/function \S+ is not allowed/);
  });

  it.each<[SqlDialect, string]>([
    ['postgres', 'SELECT LOWER(a), "lower"(b), Score(c) FROM t'],
    ['sqlserver', 'SELECT Lower(a), SCORE(b) FROM t'],
    ['mysql', 'SELECT Lower(a), SCORE(b) FROM t'],
    ['sqlite', 'SELECT Lower(a), SCORE(b) FROM t'],
  ])('ignores case in %s: %s', async (dialect, sql) => {
    await valid(sql, { dialect, functions: { allowlist: ['score'] } });
  });
});

describe('max_joins', () => {
  it.each([
    ['SELECT 1 FROM a', 0],
    ['SELECT 1 FROM a JOIN b ON true', 1],
    ['SELECT 1 FROM a, b', 1],
    ['SELECT 1 FROM a, b JOIN c ON true', 2],
    ['SELECT 1 FROM (a CROSS JOIN b) JOIN c ON true', 2],
    ['SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c ON true)', 1],
    ['WITH x AS (SELECT 1 FROM a, b) SELECT 1 FROM x, c', 2],
    ['SELECT 1 FROM a UNION SELECT 1 FROM b, c', 1],
  ])('counts the joins of %s as %i', async (sql, joins) => {
    await valid(sql, { joins: { max_joins: joins } });
    await valid(sql, { joins: {} });
    if (joins > 0) expect(await refusal(sql, { joins: { max_joins: joins - 1 } })).toMatch(`${joins} joins`);
  });
});

describe('subqueries', () => {
  it.each([
    'SELECT 1 FROM (SELECT 1) x',
    'SELECT (SELECT 1)',
    'SELECT 1 FROM a WHERE b IN (SELECT 1)',
    'SELECT 1 FROM a WHERE EXISTS (SELECT 1)',
    'SELECT 1 FROM a WHERE b = ANY(SELECT 1)',
    'SELECT ARRAY(SELECT 1)',
    'WITH x AS (SELECT 1) SELECT 1 FROM x',
    'SELECT 1 FROM a ORDER BY (SELECT 1)',
  ])('rejects %s when subqueries are not allowed', async (sql) => {
    await valid(sql, { subqueries: { allowed: true } });
    expect(await refusal(sql, { subqueries: { allowed: false } })).toMatch(/subqueries are not allowed/);
  });

  it('accepts joins and set operations', async () => {
    for (const sql of ['SELECT 1 FROM a, b', 'SELECT 1 UNION (SELECT 2)', 'VALUES (1)']) {
      await valid(sql, { subqueries: { allowed: false } });
    }
  });
});

describe('limits', () => {
  const limits = { default_limit: 100, max_limit: 1_000 };
  const bounded = async (dialect: SqlDialect, sql: string, given: object = limits) => {
    const { normalizedSql, limit } = await valid(sql, { dialect, limits: given });
    return [normalizedSql, limit];
  };

  it.each<[SqlDialect, string, string, number]>([
    ['postgres', 'SELECT a FROM t', 'SELECT a FROM t LIMIT 100', 100],
    ['sqlite', 'SELECT a FROM t', 'SELECT a FROM t LIMIT 100', 100],
    ['mysql', 'SELECT a FROM t', 'SELECT a FROM t LIMIT 100', 100],
    ['sqlserver', 'SELECT a FROM t', 'SELECT TOP (100) a FROM t', 100],
    ['sqlserver', 'SELECT DISTINCT a FROM t', 'SELECT DISTINCT TOP (100) a FROM t', 100],
    [
      'sqlserver',
      'WITH x AS (SELECT 1 AS a) SELECT a FROM x',
      'WITH x AS (SELECT 1 AS a) SELECT TOP (100) a FROM x',
      100,
    ],
    [
      'sqlserver',
      'SELECT a FROM t ORDER BY a OFFSET 5 ROWS',
      'SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH FIRST 100 ROWS ONLY',
      100,
    ],
    [
      'sqlserver',
      'SELECT 1 AS a UNION SELECT 2',
      'SELECT 1 AS a UNION SELECT 2 ORDER BY 1 OFFSET 0 ROWS FETCH FIRST 100 ROWS ONLY',
      100,
    ],
    ['postgres', 'SELECT a FROM t ORDER BY b OFFSET 7', 'SELECT a FROM t ORDER BY b LIMIT 100 OFFSET 7', 100],
    ['postgres', 'SELECT a FROM t UNION SELECT b FROM u', 'SELECT a FROM t UNION SELECT b FROM u LIMIT 100', 100],
    [
      'postgres',
      'SELECT a FROM (SELECT a FROM t LIMIT 5000) x',
      'SELECT a FROM (SELECT a FROM t LIMIT 5000) x LIMIT 100',
      100,
    ],
    ['postgres', 'SELECT a FROM t LIMIT ALL', 'SELECT a FROM t LIMIT 100', 100],
    ['postgres', "SELECT 'ä\n\u{1F600} LIMIT 5' FROM t", "SELECT 'ä\n\u{1F600} LIMIT 5' FROM t LIMIT 100", 100],
  ])('adds the default limit in %s: %s', async (dialect, sql, normalized, limit) => {
    expect(await bounded(dialect, sql)).toEqual([normalized, limit]);
  });

  it.each<[SqlDialect, string, string, number]>([
    ['postgres', 'SELECT a FROM t LIMIT 10', 'SELECT a FROM t LIMIT 10', 10],
    ['postgres', 'SELECT a FROM t LIMIT 1000', 'SELECT a FROM t LIMIT 1000', 1000],
    ['postgres', 'SELECT a FROM t LIMIT 1001 OFFSET 3', 'SELECT a FROM t LIMIT 1000 OFFSET 3', 1000],
    ['postgres', "SELECT 'ä\n\u{1F600}' FROM t LIMIT 5000", "SELECT 'ä\n\u{1F600}' FROM t LIMIT 1000", 1000],
    ['postgres', 'SELECT a FROM t FETCH FIRST 5000 ROWS ONLY', 'SELECT a FROM t FETCH FIRST 1000 ROWS ONLY', 1000],
    ['postgres', 'SELECT a FROM t FETCH FIRST ROW ONLY', 'SELECT a FROM t FETCH FIRST ROWS ONLY', 1],
    ['mysql', 'SELECT a FROM t LIMIT 5, 5000', 'SELECT a FROM t LIMIT 5, 1000', 1000],
    ['sqlite', 'SELECT a FROM t LIMIT (2000)', 'SELECT a FROM t LIMIT (1000)', 1000],
    ['sqlserver', 'SELECT TOP 5000 a FROM t', 'SELECT TOP 1000 a FROM t', 1000],
    ['sqlserver', 'SELECT TOP (5000) a FROM t', 'SELECT TOP (1000) a FROM t', 1000],
    ['sqlserver', 'SELECT DISTINCT TOP 5000 a FROM t', 'SELECT DISTINCT TOP 1000 a FROM t', 1000],
    ['sqlserver', 'SELECT TOP 50 a FROM t', 'SELECT TOP 50 a FROM t', 50],
    [
      'sqlserver',
      'SELECT a FROM t ORDER BY a OFFSET 0 ROWS FETCH NEXT 9999 ROWS ONLY',
      'SELECT a FROM t ORDER BY a OFFSET 0 ROWS FETCH FIRST 1000 ROWS ONLY',
      1000,
    ],
  ])('lowers a limit to the maximum or keeps it in %s: %s', async (dialect, sql, normalized, limit) => {
    expect(await bounded(dialect, sql)).toEqual([normalized, limit]);
  });

  it.each<[SqlDialect, string]>([
    ['postgres', 'SELECT a FROM t LIMIT $1'],
    ['postgres', 'SELECT a FROM t LIMIT 500 + 600'],
    ['postgres', 'SELECT a FROM t LIMIT -1'],
    ['postgres', 'SELECT a FROM t LIMIT NULL'],
    ['postgres', "SELECT a FROM t LIMIT '5'"],
    ['postgres', 'SELECT a FROM t LIMIT 1e3'],
    ['postgres', 'SELECT a FROM t LIMIT (SELECT 5)'],
    ['postgres', 'SELECT a FROM t LIMIT 5 FETCH FIRST 5 ROWS ONLY'],
    ['postgres', 'SELECT a FROM t ORDER BY a FETCH FIRST 5 ROWS WITH TIES'],
    ['sqlite', 'SELECT a FROM t LIMIT -1'],
    ['sqlite', 'SELECT a FROM t OFFSET 5'],
    ['mysql', 'SELECT a FROM t LIMIT 5, 18446744073709551615'],
    ['sqlserver', 'SELECT TOP 50 PERCENT a FROM t'],
    ['sqlserver', 'SELECT TOP 5 WITH TIES a FROM t ORDER BY a'],
    ['sqlserver', 'SELECT TOP (@n) a FROM t'],
  ])('rejects a limit that is not a constant in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect, limits });
  });

  it('applies the maximum without a default, and no limit without both', async () => {
    expect(await bounded('postgres', 'SELECT a FROM t', { max_limit: 7 })).toEqual(['SELECT a FROM t LIMIT 7', 7]);
    expect(await bounded('postgres', 'SELECT a FROM t LIMIT 9', { default_limit: 7 })).toEqual([
      'SELECT a FROM t LIMIT 9',
      9,
    ]);
    expect(await bounded('postgres', 'SELECT a FROM t LIMIT $1', { default_limit: 7 })).toEqual([
      'SELECT a FROM t LIMIT $1',
      undefined,
    ]);
    expect(await bounded('postgres', 'SELECT a FROM t', {})).toEqual(['SELECT a FROM t', undefined]);
  });

  it('adds no limit to writes', async () => {
    const { normalizedSql, limit } = await valid('DELETE FROM t', { read_only: false, limits });
    expect([normalizedSql, limit]).toEqual(['DELETE FROM t', undefined]);
  });
});

describe('the normalized statement', () => {
  it.each<[SqlDialect, string]>([
    // The parser writes the bracket only once, which would end the name.
    ['sqlserver', 'SELECT [a]], b FROM secrets --] FROM t'],
    ['sqlserver', 'SELECT a AS [x]]; DROP TABLE t --] FROM t'],
    // The parser writes the backslash only once, which would hide the quote.
    ['mysql', "SELECT '\\\\' FROM t WHERE a = ' UNION SELECT 1 -- '"],
    ['mysql', "SELECT '\\\\'"],
  ])('keeps the meaning of the checked statement in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect, tables: { denylist: ['secrets'] } });
  });

  it.each(dialects)('passes the same checks again in %s', async (dialect) => {
    const { normalizedSql } = await valid("SELECT a, 'it''s' FROM t WHERE b = 'x;y' -- c", { dialect });
    expect(normalizedSql).toBe("SELECT a, 'it''s' FROM t WHERE b = 'x;y'");
  });
});

describe('a refusal', () => {
  it('lists every reason, up to a bound', async () => {
    const reason = await refusal('SELECT password, pg_sleep(1) FROM secrets', {
      tables: { denylist: ['secrets'] },
      columns: { hidden: ['password'] },
    });
    expect(reason).toBe(
      'the statement is refused: table secrets is not allowed; column password is hidden; function pg_sleep is not allowed',
    );
    const many = Array.from({ length: 500 }, (_, i) => `f${i}()`).join(', ');
    expect((await refusal(`SELECT ${many}`)).split('; ')).toHaveLength(20);
  });
});

describe('types whose values name objects of the database', () => {
  it.each([
    "SELECT 'secrets'::regclass",
    "SELECT CAST('secrets' AS regclass)",
    "SELECT 'secrets'::pg_catalog.regclass",
    "SELECT ARRAY['secrets']::regclass[]",
    "SELECT regclass 'secrets'",
    "SELECT a FROM t WHERE 'admin'::REGROLE IS NOT NULL",
    'SELECT a::"regtype" FROM t',
  ])('refuses %s', async (sql) => {
    expect(await refusal(sql, {})).toMatch(/names objects of the database|no plain name|is not supported/);
  });
});
