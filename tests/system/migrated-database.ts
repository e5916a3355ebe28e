import { readdirSync } from 'node:fs';
import { emptyDatabase, migrate } from '@tollgate/postgres';
import pg from 'pg';

const SERVICES = new URL('../../services/', import.meta.url);
const LOCK = 7_108_001;

/**
 * Creates a database with every service's migrations, so that a system's services find nothing to apply. It is a copy of
 * a template, which the first caller of a test run makes; tests/setup names it. Outside of a test run it is empty.
 */
export async function migratedDatabase(name: string): Promise<{ url: string; drop(): Promise<void> }> {
  const template = process.env.TEST_TEMPLATE_DATABASE;
  const server = process.env.TEST_DATABASE_URL;
  if (template === undefined || server === undefined) return emptyDatabase(name);
  await ensureTemplate(server, template);
  return emptyDatabase(name, { template });
}

async function ensureTemplate(server: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = await emptyDatabase('template');
    for (const { schema, directory } of migrations()) await migrate({ url: draft.url, schema, directory });
    const made = pg.escapeIdentifier(new URL(draft.url).pathname.slice(1));
    await client.query(`ALTER DATABASE ${made} RENAME TO ${pg.escapeIdentifier(template)}`);
  } finally {
    await client.end(); // releases the lock
  }
}

function migrations(): { schema: string; directory: URL }[] {
  return readdirSync(SERVICES).map((service) => {
    const directory = new URL(`${service}/prisma/migrations/`, SERVICES);
    return { schema: service.replaceAll('-', '_'), directory };
  });
}
