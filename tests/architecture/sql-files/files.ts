import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '@tollgate/postgres';
import { GENERATED_FOLDER, generateSqlModules } from '@tollgate/postgres/sql-files';
import { ROOT } from '../run-tool.js';

/** Packages with statements, by a service that has the tables. */
const PACKAGES: Readonly<Record<string, string>> = { events: 'billing-ledger', 'ledger-audit': 'billing-ledger' };

/** Services and packages with statements in `.sql` files. */
export function listOwnersOfSql(): string[] {
  return [...readdirSync(join(ROOT, 'services')), ...Object.keys(PACKAGES)].filter(
    (owner) => listFiles(storeFolder(owner), '.sql').length > 0,
  );
}

/** The folder of the `.sql` files of a service or package. */
function storeFolder(owner: string): string {
  return join(ROOT, owner in PACKAGES ? 'packages' : 'services', owner, 'src/store');
}

/** The folder of the modules that are made of its `.sql` files. */
export function generatedFolder(owner: string): string {
  return join(storeFolder(owner), GENERATED_FOLDER);
}

/** Returns the modules of the `.sql` files as the migrated schema describes them, by path. */
export async function generateModules(owner: string): Promise<Map<string, string>> {
  const migrations = join(ROOT, 'services', PACKAGES[owner] ?? owner, 'prisma/migrations');
  const database = await testDatabase(`sql-${owner}`, { migrations });
  const client = await database.pool.connect();
  try {
    return await generateSqlModules(storeFolder(owner), client);
  } finally {
    client.release();
    await database.drop();
  }
}

/** Returns the modules that are in the tree, by path. */
export function readModules(owner: string): Map<string, string> {
  const folder = generatedFolder(owner);
  return new Map(listFiles(folder, '.ts').map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function listFiles(folder: string, extension: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .sort();
}
