import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool, migrate, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Clock, silentLogger, systemClock } from '@tollgate/runtime';
import type pg from 'pg';
import type { ImageStorage } from '../clients/image-storage.js';
import { findImage, insertImages } from '../store/images.js';
import { expireImages } from './expire-images.js';

const DAY_MS = 86_400_000;
const start = Date.now();

let database: TestDatabase;
let pool: pg.Pool;
let nowMs = start;
const files = new Set<string>();
/** Files that cannot be deleted. */
const stuck = new Set<string>();

const clock: Clock = { ...systemClock, now: () => new Date(nowMs), nowMs: () => nowMs };
const imageStorage: ImageStorage = {
  put: async (key) => void files.add(key),
  get: async () => undefined,
  delete: async (key) => {
    if (stuck.has(key)) throw new Error('the storage is unavailable');
    files.delete(key);
  },
};
const pass = () => expireImages({ pool, imageStorage, clock, logger: silentLogger });

beforeAll(async () => {
  database = await testDatabase('expire_images');
  const { url, schema } = database;
  await migrate({ url, schema, directory: new URL('../../prisma/migrations', import.meta.url) });
  pool = createPool({ url, schema, max: 2, onIdleError: () => undefined });
});
afterAll(async () => {
  if (!pool.ending) await pool.end();
  await database.drop();
});
beforeEach(async () => {
  nowMs = start;
  files.clear();
  stuck.clear();
  await pool.query('DELETE FROM images');
});

async function countRows(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM images');
  return rows[0]!.count;
}

/** An image that expires after this many days; null if pinned. */
async function keep(...days: (number | null)[]): Promise<string[]> {
  const images = days.map((day) => ({
    ...{ id: randomUUID(), projectId: randomUUID(), customerId: null, modelId: 'm', mimeType: 'image/png' },
    ...{ fileToken: 't', createdAt: new Date(start) },
    expiresAt: day === null ? null : new Date(start + day * DAY_MS),
  }));
  await insertImages(pool, images);
  for (const { id } of images) files.add(id);
  return images.map(({ id }) => id);
}

describe('expired images', () => {
  it('deletes the files of expired images only', async () => {
    const [over, later, pinned] = await keep(1, 3, null);
    nowMs = start + 2 * DAY_MS;
    expect(await pass()).toBe(false);
    expect(files).toEqual(new Set([later, pinned]));
    expect((await findImage(pool, over!))?.deletedAt).toEqual(new Date(nowMs));
    expect((await findImage(pool, later!))?.deletedAt).toBeNull();
  });

  it('deletes the rows a month later', async () => {
    const [id] = await keep(1);
    nowMs = start + 2 * DAY_MS;
    await pass();
    nowMs += 29 * DAY_MS;
    await pass();
    expect(await findImage(pool, id!)).toBeDefined();
    nowMs += 2 * DAY_MS;
    await pass();
    expect(await findImage(pool, id!)).toBeUndefined();
  });

  it('skips a file that cannot be deleted, and retries it later', async () => {
    const [first, second] = await keep(1, 2);
    stuck.add(first!);
    nowMs = start + 3 * DAY_MS;
    expect(await pass()).toBe(false);
    expect(files).toEqual(new Set([first]));
    expect((await findImage(pool, first!))?.deletedAt).toBeNull();
    expect((await findImage(pool, second!))?.deletedAt).not.toBeNull();
    stuck.clear();
    await pass();
    expect(files.size).toBe(0);
  });

  it('reports that more images are left when there are many', async () => {
    await keep(...Array<number>(130).fill(1));
    nowMs = start + 2 * DAY_MS;
    expect([await pass(), await pass()]).toEqual([true, false]);
    expect(files.size).toBe(0);
  });

  it('deletes rows in bounded batches and reports that more are left', async () => {
    const passed = new Date(start - 31 * DAY_MS);
    const images = Array.from({ length: 1_200 }, () => ({
      ...{ id: randomUUID(), projectId: randomUUID(), customerId: null, modelId: 'm', mimeType: 'image/png' },
      ...{ fileToken: 't', createdAt: passed, expiresAt: passed },
    }));
    await insertImages(pool, images);
    await pool.query('UPDATE images SET deleted_at = $1', [passed]);
    expect(await pass()).toBe(true);
    expect(await countRows()).toBe(200);
    expect(await pass()).toBe(false);
    expect(await countRows()).toBe(0);
  });

  it.each([
    ['rows to delete', 'images_deleted_at_idx', 'deleted_at < now() ORDER BY deleted_at'],
    ['expired images', 'images_expiring_idx', 'deleted_at IS NULL AND expires_at <= now() ORDER BY expires_at'],
  ])('finds %s through an index', async (_, index, condition) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
      const { rows } = await client.query(`EXPLAIN SELECT id FROM images WHERE ${condition} LIMIT 100`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
