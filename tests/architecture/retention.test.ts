// Every table that a migration creates has a row in deploy/data-retention.md, and every file and setting there exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, emptyDatabase, migrate } from '@tollgate/postgres';
import { ROOT } from './run-tool.js';

const services = readdirSync(join(ROOT, 'services'));
const sections = readSections(readFileSync(join(ROOT, 'deploy/data-retention.md'), 'utf8'));

interface Entry {
  table: string;
  kept: string;
  removedBy: string;
}

describe('deploy/data-retention.md', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  beforeAll(async () => {
    database = await emptyDatabase('retention');
  });
  afterAll(() => database.drop());

  it('has a section for every service', () => {
    expect([...sections.keys()].sort()).toEqual(services.sort());
  });

  it.each(services)('lists for every table of %s how long its rows are kept', async (service) => {
    const tables = await migratedTables(database.url, service);
    expect(sections.get(service)?.map(({ table }) => table)).toEqual(tables);
    expect(sections.get(service)?.filter(({ kept }) => kept.length < 5)).toEqual([]);
  });

  it.each(services)('names only files and settings that %s has', (service) => {
    const folder = join(ROOT, 'services', service, 'src');
    const known = readFileSync(join(folder, 'config.ts'), 'utf8');
    const events = readFileSync(join(ROOT, 'packages/events/src/config-fields.ts'), 'utf8');
    const missing = (sections.get(service) ?? []).flatMap(({ kept, removedBy }) => [
      ...quoted(removedBy).filter((path) => !existsSync(join(folder, path))),
      ...quoted(kept)
        .filter((text) => /^[A-Z_]+/.test(text))
        .map((text) => text.replace(/=.*/, ''))
        .filter((name) => !known.includes(`${name}:`) && !events.includes(`${name}:`)),
    ]);
    expect(missing).toEqual([]);
  });
});

/** Returns the names of the tables that the service's migrations create, sorted. */
async function migratedTables(url: string, service: string): Promise<string[]> {
  const folders = ['prisma/migrations', 'migrations'].map((folder) => join(ROOT, 'services', service, folder));
  const schema = service.replaceAll('-', '_');
  await migrate({ url, schema, directory: folders.find((folder) => existsSync(folder)) as string });
  const pool = createPool({ url, schema, max: 1 });
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> '_prisma_migrations' ORDER BY tablename COLLATE "C"`,
    [schema],
  );
  await pool.end();
  return rows.map(({ name }) => name);
}

function readSections(text: string): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const section of text.split(/^## /m).slice(1)) {
    const rows = section.split('\n').flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      const [table] = quoted(cells[1] ?? '');
      return table === undefined ? [] : [{ table, kept: cells[3] ?? '', removedBy: cells[4] ?? '' }];
    });
    found.set(section.split('\n', 1)[0] as string, rows);
  }
  return found;
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
}
