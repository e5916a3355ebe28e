import pg from 'pg';

/**
 * A Prisma connection string: node-postgres takes everything but `schema`, which Prisma added.
 * @param {string} url
 */
export function parseUrl(url) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema') ?? undefined;
  parsed.searchParams.delete('schema');
  return { connectionString: parsed.toString(), schema, database: decodeURIComponent(parsed.pathname.slice(1)) };
}

/** @template T @param {string} connectionString @param {(client: pg.Client) => Promise<T>} use */
export async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs on the maintenance database of the same server, for statements about databases.
 * @template T @param {string} url @param {(client: pg.Client) => Promise<T>} use
 */
export function withAdmin(url, use) {
  const admin = new URL(parseUrl(url).connectionString);
  admin.pathname = '/postgres';
  return withClient(admin.toString(), use);
}

/** @param {string} url */
export async function createDatabase(url) {
  const { database } = parseUrl(url);
  await withAdmin(url, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  });
  return { databaseName: database };
}

/** @param {string} url */
export async function dropDatabase(url) {
  const { database } = parseUrl(url);
  await withAdmin(url, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(database)} WITH (FORCE)`),
  );
}
