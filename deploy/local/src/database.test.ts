import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@tollgate/postgres';
import { waitUntil } from '@tollgate/testkit';
import { type LocalDatabase, startLocalDatabase } from './database.js';

let folder: string;
let database: LocalDatabase;
const lines: string[] = [];

beforeEach(async () => {
  lines.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'tollgate-local-'));
  chmodSync(folder, 0o755); // as root the server runs under another account, which has to enter
  database = await startLocalDatabase(join(folder, 'postgres'), (line) => void lines.push(line));
});
afterEach(async () => {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL of the local stack', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)('restarts at the same address after %s', async (signal) => {
    const pool = createPool({ url: database.url, schema: 'public', connectTimeoutMs: 1_000 });
    await pool.query('CREATE TABLE kept AS SELECT 7 AS n');
    const server = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid,
      pg_postmaster_start_time()::text AS since`;
    const { rows } = await pool.query<{ pid: string; since: string }>(server);
    process.kill(Number(rows[0]?.pid), signal);
    const hasRestarted = async () => (await pool.query(server)).rows[0].since !== rows[0]?.since;
    await waitUntil(hasRestarted, { what: 'the restart', timeoutMs: 60_000 });
    const { rows: kept } = await pool.query('SELECT n FROM kept');
    expect(kept).toEqual([{ n: 7 }]);
    await pool.end();
  });

  it('does not restart after a stop', async () => {
    await database.stop();
    const pool = createPool({ url: database.url, schema: 'public', connectTimeoutMs: 1_000 });
    expect(lines.filter((line) => line.includes('starting it again'))).toEqual([]);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await pool.end();
  });
});
