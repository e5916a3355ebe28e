import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Thrown when the migrations on disk and in the database contradict each other; an operator must repair them. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface MigrationFile {
  name: string;
  sql: string;
  /** Hex sha256 of the file's bytes, as the Prisma CLI computes it. */
  checksum: string;
  /** False when the first line is `-- no transaction`. */
  isInTransaction: boolean;
}

/** Reads `<directory>/<name>/migration.sql` in the order of the names, which start with a time stamp. */
export async function readMigrations(directory: string | URL): Promise<MigrationFile[]> {
  const root = directory instanceof URL || directory.startsWith('file:') ? fileURLToPath(directory) : directory;
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  names.sort();
  return await Promise.all(names.map((name) => readMigration(root, name)));
}

async function readMigration(root: string, name: string): Promise<MigrationFile> {
  const bytes = await readFile(join(root, name, 'migration.sql')).catch((error: NodeJS.ErrnoException) => {
    throw new MigrationError(`Migration ${name} has no readable migration.sql (${error.code})`);
  });
  const sql = bytes.toString('utf8');
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { name, sql, checksum, isInTransaction: !/^-- no transaction\s*$/m.test(sql.split('\n', 1)[0] ?? '') };
}
