import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { startCall } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import { hashJson } from '../domain/idempotency.js';
import { beginIdempotent, type IdempotentStart } from './begin-idempotent.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});

afterAll(() => database.drop());

const answer = { status: 201, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{"id":1}') };
const newKey = () => ({ scope: 'project:p', path: 'POST /api/v1/things', key: randomUUID() });
const begin = (
  key: ReturnType<typeof newKey>,
  body: unknown = { a: 1 },
  timeoutMs = 5_000,
  lease?: { leaseMs: number; renewMs: number },
  attemptId = randomUUID(),
) => beginIdempotent(database.pool, key, hashJson(body), attemptId, startCall({ timeoutMs }), lease);

async function leaseLeftMs({ key }: ReturnType<typeof newKey>): Promise<number> {
  const { rows } = await database.pool.query(
    'SELECT extract(epoch FROM claimed_until - now())::float * 1000 AS left FROM idempotency_records WHERE key = $1',
    [key],
  );
  return rows[0].left;
}

function running(start: IdempotentStart) {
  if (start.kind !== 'run') throw new Error('expected the request to run');
  return start;
}

describe('beginIdempotent', () => {
  it('gives a repeat the first answer', async () => {
    const key = newKey();
    await running(await begin(key)).finish(answer);
    expect(await begin(key)).toEqual({ kind: 'replay', answer });
  });

  it('refuses another body under the same key, also while the first one runs', async () => {
    const key = newKey();
    const first = running(await begin(key));
    await expect(begin(key, { a: 2 })).rejects.toMatchObject({ code: 'CONFLICT' });
    await first.finish(answer);
    await expect(begin(key, { a: 2 })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('runs exactly one of many at once and gives the others its answer', async () => {
    const key = newKey();
    const starts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const start = await begin(key);
        if (start.kind === 'run') await start.finish(answer);
        return start;
      }),
    );
    expect(starts.filter((start) => start.kind === 'run')).toHaveLength(1);
    expect(starts.filter((start) => start.kind === 'replay')).toHaveLength(9);
  });

  it('lets a repeat wait no longer than its own deadline', async () => {
    const key = newKey();
    running(await begin(key));
    await expect(begin(key, { a: 1 }, 300)).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  });

  it.each([402, 429, 500, 503])('runs a repeat anew after %i', async (status) => {
    const key = newKey();
    await running(await begin(key)).finish({ ...answer, status });
    expect((await begin(key)).kind).toBe('run');
  });

  it('runs a repeat anew when the first came to nothing', async () => {
    const key = newKey();
    await running(await begin(key)).abandon();
    expect((await begin(key, { another: 'body' })).kind).toBe('run');
  });

  it('takes over from a process that died, and ignores the dead one’s late answer', async () => {
    const key = newKey();
    const deadId = randomUUID();
    const dead = running(await begin(key, { a: 1 }, 5_000, undefined, deadId));
    await database.pool.query("UPDATE idempotency_records SET claimed_until = now() - interval '1 s' WHERE key = $1", [
      key.key,
    ]);
    const heir = running(await begin(key));
    expect([dead.supersedes, heir.supersedes]).toEqual([undefined, deadId]);
    await dead.finish({ ...answer, body: Buffer.from('late') });
    await heir.finish(answer);
    expect(await begin(key)).toMatchObject({ kind: 'replay', answer });
  });

  it('keeps its claim as long as its request runs, and no longer than half a minute when its process dies', async () => {
    const key = newKey();
    const dayMs = 86_400_000;
    await begin(key, { a: 1 }, dayMs);
    expect(await leaseLeftMs(key)).toBeLessThanOrEqual(30_000);
    const other = newKey();
    const long = running(await begin(other, { a: 1 }, dayMs, { leaseMs: 1_000, renewMs: 20 }));
    await database.pool.query(
      "UPDATE idempotency_records SET claimed_until = now() + interval '10 ms' WHERE key = $1",
      [other.key],
    );
    await waitUntil(async () => (await leaseLeftMs(other)) > 500, { what: 'the renewal' });
    await expect(begin(other, { a: 1 }, 300)).rejects.toMatchObject({ code: 'CONFLICT' });
    await long.finish(answer);
    expect((await begin(other)).kind).toBe('replay');
  });

  it('forgets after a day', async () => {
    const key = newKey();
    await running(await begin(key)).finish(answer);
    await database.pool.query("UPDATE idempotency_records SET expires_at = now() - interval '1 s' WHERE key = $1", [
      key.key,
    ]);
    expect((await begin(key, { another: 'body' })).kind).toBe('run');
  });

  it('keeps scopes and paths apart', async () => {
    const key = newKey();
    await running(await begin(key)).finish(answer);
    expect((await begin({ ...key, scope: 'project:q' })).kind).toBe('run');
    expect((await begin({ ...key, path: 'POST /api/v1/others' })).kind).toBe('run');
  });

  it('never repeats the effect of an answer that was too large to keep', async () => {
    const key = newKey();
    await running(await begin(key)).finish({ ...answer, body: Buffer.alloc(9 * 1024 * 1024) });
    expect(await begin(key)).toMatchObject({ kind: 'replay', answer: { status: 409 } });
  });
});
