// The rules of tables and columns.
import { describe, expect, it } from '@jest/globals';
import type { SqlDialect } from '@tollgate/api/state';
import { startSqlValidation } from '../../testing/sql-validation.js';

const { valid, refusal } = startSqlValidation();

describe('tables', () => {
  const allow = (...allowlist: string[]) => ({ tables: { allowlist } });
  const deny = (...denylist: string[]) => ({ tables: { denylist } });

  it.each<[string, object]>([
    ['SELECT a FROM users', allow('users')],
    ['SELECT a FROM USERS', allow('users')],
    ['SELECT a FROM "users"', allow('users')],
    ['SELECT a FROM "Users"', allow('"Users"')],
    ['SELECT a FROM public.users', allow('users')],
    ['SELECT a FROM users', allow('public.users')],
    ['SELECT a FROM sales.users', allow('sales.users')],
    ['SELECT a FROM sales.users', allow('sales.*')],
    ['SELECT a FROM users', allow('public.*')],
    ['SELECT u.a FROM users u JOIN orders o ON o.b = u.b', allow('users', 'orders')],
    ['WITH secrets AS (SELECT a FROM users) SELECT a FROM secrets', allow('users')],
    ['WITH x AS (SELECT a FROM users), y AS (SELECT a FROM x) SELECT a FROM y', allow('users')],
    ['SELECT a FROM (WITH x AS (SELECT a FROM users) SELECT a FROM x) z', allow('users')],
    ['SELECT a FROM information_schema.tables', allow('information_schema.tables')],
    ['SELECT a FROM users', deny('secrets', 'sales.*')],
    ['SELECT a FROM audit.users', deny('public.users')],
    ['SELECT a FROM users', { tables: { allowlist: null, denylist: [] } }],
  ])('accepts %s under %j', async (sql, rules) => {
    await valid(sql, rules);
  });

  it.each<[string, object]>([
    ['SELECT a FROM secrets', allow('users')],
    ['SELECT a FROM "USERS"', allow('users')],
    ['SELECT a FROM users', allow('"Users"')],
    ['SELECT a FROM other.users', allow('users')],
    ['SELECT a FROM users', allow('sales.users')],
    ['SELECT a FROM db.public.users', allow('public.users')],
    ['SELECT a FROM sales.users', allow('public.*')],
    ['SELECT a FROM a.b.c.users', {}],
    ['SELECT a FROM users, secrets', allow('users')],
    ['SELECT a FROM users WHERE b IN (SELECT b FROM secrets)', allow('users')],
    ['SELECT (SELECT max(a) FROM secrets) FROM users', allow('users')],
    ['SELECT a FROM users UNION SELECT a FROM secrets', allow('users')],
    ['SELECT a FROM users EXCEPT (SELECT a FROM secrets)', allow('users')],
    ['SELECT a FROM users ORDER BY (SELECT max(a) FROM secrets)', allow('users')],
    ['SELECT a FROM users LIMIT (SELECT max(a) FROM secrets)', allow('users')],
    ['SELECT a FROM (users JOIN secrets USING (id))', allow('users')],
    ['SELECT ARRAY(SELECT a FROM secrets)', allow('users')],
    ['SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM secrets)) FROM users', allow('users')],
    // The body of a common table expression means the table of its name, unless RECURSIVE is said.
    ['WITH secrets AS (SELECT a FROM secrets) SELECT a FROM secrets', allow('users')],
    // Its name ends where its query does.
    ['SELECT a FROM (WITH secrets AS (SELECT 1 AS a) SELECT a FROM secrets) x, secrets', allow('users')],
    ['WITH secrets AS (SELECT 1) SELECT a FROM public.secrets', allow('users')],
    ['WITH "Secrets" AS (SELECT 1) SELECT a FROM secrets', allow('users')],
    ['SELECT a FROM secrets', deny('secrets')],
    ['SELECT a FROM SECRETS', deny('secrets')],
    ['SELECT a FROM "Secrets"', deny('secrets')],
    ['SELECT a FROM any.secrets', deny('secrets')],
    ['SELECT a FROM secrets', deny('public.secrets')],
    ['SELECT a FROM db.public.secrets', deny('public.secrets')],
    ['SELECT a FROM sales.users', deny('sales.*')],
    ['SELECT a FROM users', { tables: { allowlist: ['users'], denylist: ['users'] } }],
    ['SELECT a FROM pg_catalog.pg_authid', {}],
    ['SELECT a FROM pg_shadow', {}],
    ['SELECT a FROM information_schema.columns', {}],
    // Read by the parser as a table `only` with an alias.
    ['SELECT a FROM ONLY secrets', deny('secrets')],
    ['TABLE secrets', {}],
  ])('rejects %s under %j', async (sql, rules) => {
    expect(await refusal(sql, rules)).not.toMatch(/accepted/);
  });

  it.each<[SqlDialect, string]>([
    ['sqlserver', 'SELECT a FROM [Secrets]'],
    ['sqlserver', 'SELECT a FROM db..secrets'],
    ['sqlserver', 'SELECT a FROM secrets OPTION (RECOMPILE)'],
    ['sqlserver', 'SELECT a FROM [ｓｅｃｒｅｔｓ]'],
    ['sqlserver', 'SELECT a FROM secrets\u00a0x'],
    ['sqlserver', 'SELECT a FROM [sec\u200brets]'],
    ['sqlserver', 'SELECT a FROM sys.objects'],
    ['mysql', 'SELECT a FROM `secrets`'],
    ['mysql', 'SELECT a FROM `sécrets`'],
    ['mysql', 'SELECT a FROM mysql.user'],
    ['mysql', 'SELECT a FROM users /*!50000 UNION SELECT a FROM secrets */'],
    ['sqlite', "SELECT a FROM 'secrets'"],
    ['sqlite', 'SELECT a FROM main.secrets'],
    ['sqlite', 'SELECT sql FROM sqlite_master'],
  ])('rejects with secrets denied in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect, ...deny('secrets') });
  });

  it("checks a write's tables like a query's", async () => {
    const rules = { read_only: false, ...allow('users') };
    await valid('INSERT INTO users (a) SELECT b FROM users', rules);
    for (const sql of [
      'INSERT INTO secrets (a) VALUES (1)',
      'INSERT INTO users (a) SELECT b FROM secrets',
      'UPDATE secrets SET a = 1',
      'UPDATE users SET a = (SELECT max(b) FROM secrets)',
      'UPDATE users SET a = s.b FROM secrets s',
      'DELETE FROM secrets',
      'DELETE FROM users USING secrets WHERE users.a = secrets.a',
      'DELETE FROM users WHERE a IN (SELECT a FROM secrets)',
    ]) {
      expect(await refusal(sql, rules)).toMatch(/table secrets is not allowed/);
    }
  });
});

describe('writes to a common table expression', () => {
  it.each([
    'WITH secrets AS (SELECT 1) INSERT INTO secrets (a) VALUES (1)',
    'WITH secrets AS (SELECT 1) UPDATE secrets SET a = 1',
    'WITH secrets AS (SELECT 1) DELETE FROM secrets',
  ])('rejects a write that databases apply to the table of the same name: %s', async (sql) => {
    const reason = await refusal(sql, { read_only: false, tables: { denylist: ['secrets'] } });
    expect(reason).toMatch(/secrets/);
  });

  it('accepts a write that reads from one', async () => {
    await valid('WITH x AS (SELECT 1 AS a) UPDATE users SET a = x.a FROM x', { read_only: false });
    await valid('WITH x AS (SELECT 1 AS a) INSERT INTO users (a) SELECT a FROM x', { read_only: false });
  });
});

describe('hidden columns', () => {
  const ofUsers = { columns: { hidden: ['users.password'] } };
  const everywhere = { columns: { hidden: ['password'] } };
  const allOfUsers = { columns: { hidden: ['users.*'] } };

  it.each<[string, object]>([
    ['SELECT id FROM users', ofUsers],
    ['SELECT password FROM resets', ofUsers],
    ['SELECT r.password FROM users u JOIN resets r ON r.id = u.id', ofUsers],
    ['SELECT * FROM orders', ofUsers],
    ['SELECT o.* FROM users u JOIN orders o ON o.id = u.id', ofUsers],
    ['SELECT * FROM (SELECT id FROM users) x', ofUsers],
    ['WITH x AS (SELECT id FROM users) SELECT * FROM x', everywhere],
    ['SELECT old, new FROM orders', ofUsers],
    ['SELECT count(*) FROM users', allOfUsers],
    ['SELECT id FROM orders', allOfUsers],
    ['SELECT count(*) FROM users', everywhere],
    ['SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)', ofUsers],
    ['SELECT password FROM other.users', { columns: { hidden: ['public.users.password'] } }],
    ['SELECT x.password FROM (SELECT 1 AS password) x JOIN users u ON u.id = x.password', ofUsers],
  ])('accepts %s', async (sql, rules) => {
    await valid(sql, rules);
  });

  it.each<[string, object]>([
    ['SELECT password FROM users', ofUsers],
    ['SELECT PASSWORD FROM users', ofUsers],
    ['SELECT "password" FROM users', ofUsers],
    ['SELECT u.password FROM users u', ofUsers],
    ['SELECT users.password FROM users', ofUsers],
    ['SELECT public.users.password FROM public.users', ofUsers],
    ['SELECT password FROM public.users', { columns: { hidden: ['public.users.password'] } }],
    ['SELECT password FROM users', { columns: { hidden: ['public.users.password'] } }],
    ['SELECT password FROM anything', everywhere],
    ['SELECT * FROM users', ofUsers],
    ['SELECT u.* FROM users u', ofUsers],
    ['SELECT * FROM orders', everywhere],
    ['SELECT * FROM orders o JOIN users u ON u.id = o.id', ofUsers],
    ['SELECT * FROM (SELECT * FROM users) x', ofUsers],
    ['WITH x AS (SELECT * FROM users) SELECT * FROM x', ofUsers],
    ['SELECT 1, 2 UNION SELECT * FROM users', ofUsers],
    ["SELECT id FROM users WHERE password LIKE 'a%'", ofUsers],
    ['SELECT id FROM users ORDER BY password', ofUsers],
    ['SELECT count(*) FROM users GROUP BY password', ofUsers],
    ["SELECT count(*) FROM users HAVING max(password) > 'a'", ofUsers],
    ["SELECT count(*) FILTER (WHERE password = 'a') FROM users", ofUsers],
    ['SELECT rank() OVER (ORDER BY password) FROM users', ofUsers],
    ["SELECT CASE WHEN password = 'a' THEN 1 END FROM users", ofUsers],
    ['SELECT upper(password) FROM users', ofUsers],
    ['SELECT password AS p FROM users', ofUsers],
    ['SELECT (password)::TEXT FROM users', ofUsers],
    ['SELECT (u.password).x FROM users u', ofUsers],
    ['SELECT o.id FROM orders o JOIN users u ON u.password = o.note', ofUsers],
    ['SELECT o.id FROM orders o JOIN users u USING (password)', ofUsers],
    ['SELECT o.id FROM orders o NATURAL JOIN users u', ofUsers],
    ['SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM users u WHERE u.password = o.note)', ofUsers],
    ['SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.note = password)', ofUsers],
    ['SELECT x.a FROM users u CROSS JOIN LATERAL (SELECT password AS a) x', ofUsers],
    ['SELECT c FROM users AS u (a, b, c)', ofUsers],
    ['SELECT id FROM users', allOfUsers],
    ['SELECT u.id FROM users u JOIN orders o ON true', allOfUsers],
    ['SELECT 1 FROM users WHERE id = 1', allOfUsers],
    ['SELECT * FROM users', allOfUsers],
    ['SELECT id FROM anything', { columns: { hidden: ['*'] } }],
    // Whole rows of PostgreSQL.
    ['SELECT u FROM users u', ofUsers],
    ['SELECT users FROM users', ofUsers],
    ['SELECT row_to_json(u) FROM users u', ofUsers],
    ['SELECT u::TEXT FROM users u', ofUsers],
    ['SELECT json_agg(u.*) FROM users u', ofUsers],
    ['SELECT row(u.*) FROM users u', ofUsers],
    ['SELECT u.to_json FROM users u', ofUsers],
    ['SELECT users.row_to_json FROM users', ofUsers],
    ['SELECT (SELECT u FROM users u LIMIT 1)', ofUsers],
    // Names that are the same to some database.
    ['SELECT u."PassWord" FROM users u', ofUsers],
    ['SELECT ｐａｓｓｗｏｒｄ FROM users', ofUsers],
    ['SELECT "pass\u200bword" FROM users', ofUsers],
    ['SELECT pa\u017f\u017fword FROM users', ofUsers],
    ['SELECT U&"\\0070assword" FROM users', ofUsers],
  ])('rejects %s', async (sql, rules) => {
    await refusal(sql, rules);
  });

  it.each<[SqlDialect, string]>([
    ['sqlite', "SELECT u.'password' FROM users u"],
    ['sqlite', 'SELECT [password] FROM users'],
    ['sqlite', 'SELECT `password` FROM users'],
    ['sqlite', "SELECT highlight(users, 1, '', '') FROM users"],
    ['sqlite', "SELECT snippet(u, -1, '', '', '', 9) FROM users u"],
    ['mysql', 'SELECT pässword FROM users'],
    ['mysql', 'SELECT "password" FROM users'],
    ['mysql', 'SELECT id FROM users u WHERE "password" LIKE "a%"'],
    ['mysql', 'SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM users WHERE note = "password")'],
    ['mysql', "SELECT MATCH (password) AGAINST ('a') FROM users"],
    ['mysql', 'SELECT 1 /*!, password */ FROM users'],
    ['sqlserver', 'SELECT [password] FROM users'],
    ['sqlserver', 'SELECT [u].[PASSWORD] FROM users AS u'],
    ['sqlserver', 'SELECT id FROM users FOR JSON AUTO'],
    ['sqlserver', 'SELECT x FROM users UNPIVOT (x FOR y IN (id, password)) p'],
  ])('rejects hidden columns in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect, ...ofUsers });
  });

  it.each<[SqlDialect, string]>([
    ['postgres', "UPDATE users SET password = 'x'"],
    ['postgres', 'UPDATE users SET a = 1 RETURNING password'],
    ['postgres', 'UPDATE users SET a = 1 RETURNING *'],
    ['postgres', "DELETE FROM users WHERE password = 'x'"],
    ['postgres', 'DELETE FROM users RETURNING users.password'],
    ['postgres', 'UPDATE users SET a = 1 RETURNING old'],
    ['postgres', 'DELETE FROM users u RETURNING old::TEXT'],
    ['postgres', 'INSERT INTO users (id) VALUES (1) RETURNING new'],
    ['postgres', 'INSERT INTO users (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = excluded::TEXT'],
    ['postgres', 'INSERT INTO users VALUES (1, 2)'],
    ['postgres', 'INSERT INTO users (id, password) VALUES (1, 2)'],
    ['postgres', "INSERT INTO users (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET password = 'x'"],
    ['postgres', 'INSERT INTO other (a) SELECT password FROM users'],
    ['sqlserver', 'UPDATE users SET a = 1 OUTPUT deleted.password'],
    ['sqlserver', 'DELETE FROM users OUTPUT deleted.* WHERE id = 1'],
    ['mysql', "INSERT INTO users (id) VALUES (1) ON DUPLICATE KEY UPDATE password = 'x'"],
  ])('rejects writes of hidden columns in %s: %s', async (dialect, sql) => {
    await refusal(sql, { dialect, read_only: false, ...ofUsers });
  });
});
