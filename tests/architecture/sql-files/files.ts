import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '@tollgate/postgres';
import { GENERATED_FOLDER, generateSqlModules } from '@tollgate/postgres/sql-files';
import { ROOT } from '../run-tool.js';

/** Services with statements in `.sql` files. */
export function listServicesWithSql(): string[] {
  return readdirSync(join(ROOT, 'services')).filter((service) => listFiles(storeFolder(service), '.sql').length > 0);
}

/** The folder of a service's `.sql` files. */
function storeFolder(service: string): string {
  return join(ROOT, 'services', service, 'src/store');
}

/** The folder of the modules that are made of a service's `.sql` files. */
export function generatedFolder(service: string): string {
  return join(storeFolder(service), GENERATED_FOLDER);
}

/** Returns the modules of a service's `.sql` files as its migrated schema describes them, by path. */
export async function generateModules(service: string): Promise<Map<string, string>> {
  const migrations = join(ROOT, 'services', service, 'prisma/migrations');
  const database = await testDatabase(`sql-${service}`, { migrations });
  const client = await database.pool.connect();
  try {
    return await generateSqlModules(storeFolder(service), client);
  } finally {
    client.release();
    await database.drop();
  }
}

/** Returns the modules that are in the tree, by path. */
export function readModules(service: string): Map<string, string> {
  const folder = generatedFolder(service);
  return new Map(listFiles(folder, '.ts').map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function listFiles(folder: string, extension: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .sort();
}
