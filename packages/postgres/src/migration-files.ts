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
  /** Of a file whose first line is `-- no transaction`: the index that it builds or drops, with its quotes. */
  index: string | undefined;
  /** The earlier migrations that the file stands for: its lines `-- replaces NAME`. */
  replaces: string[];
  /** The version that has all of them: its line `-- upgrade through VERSION`. */
  replacesUntil: string;
}

/** One concurrent build or removal of an index after comment lines. */
const INDEX_CHANGE =
  /^(?:--[^\n]*\n|\s)*(?:CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT|DROP\s+INDEX\s+CONCURRENTLY\s+IF)\s+EXISTS\s+("[^"]+"|\w+)[^;]*;\s*$/i;

/** Reads `<directory>/<name>/migration.sql` in the order of the names, which start with a time stamp. */
export async function readMigrations(directory: string | URL): Promise<MigrationFile[]> {
  const root = directory instanceof URL || directory.startsWith('file:') ? fileURLToPath(directory) : directory;
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(names.sort().map((name) => readMigration(root, name)));
}

async function readMigration(root: string, name: string): Promise<MigrationFile> {
  const bytes = await readFile(join(root, name, 'migration.sql'));
  const sql = bytes.toString('utf8');
  const index = /^-- no transaction\s*\n/.test(sql) ? INDEX_CHANGE.exec(sql) : undefined;
  if (index === null) {
    throw new MigrationError(
      `Migration ${name} has no transaction: it must hold CREATE INDEX CONCURRENTLY IF NOT EXISTS or ` +
        'DROP INDEX CONCURRENTLY IF EXISTS, and nothing else',
    );
  }
  const replaces = [...sql.matchAll(/^-- replaces (\S+)$/gm)].map(([, replaced = '']) => replaced);
  const replacesUntil = /^-- upgrade through (.+)$/m.exec(sql)?.[1] ?? '';
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { name, sql, checksum, index: index?.[1], replaces, replacesUntil };
}
