import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@tollgate/postgres';
import { type LocalDatabase, startLocalDatabase } from './database.js';

let folder: string;
let database: LocalDatabase;
const lines: string[] = [];

beforeEach(async () => {
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
    const { rows } = await pool.query<{ pid: string }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
    );
    process.kill(Number(rows[0]?.pid), signal);
    await sleep(200);
    const deadline = Date.now() + 60_000;
    let kept: unknown;
    while (kept === undefined && Date.now() < deadline) {
      kept = await pool.query('SELECT n FROM kept').then(
        (result) => result.rows,
        () => undefined,
      );
      await sleep(50);
    }
    expect(kept).toEqual([{ n: 7 }]);
    await pool.end();
  });

  it('does not restart after a stop', async () => {
    await database.stop();
    const pool = createPool({ url: database.url, schema: 'public', connectTimeoutMs: 1_000 });
    await sleep(1_000);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await pool.end();
  });
});
