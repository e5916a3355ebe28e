import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { startCall } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import { bodyDigest, hashJson } from '../domain/idempotency.js';
import { type Attempt, beginIdempotent, type IdempotentStart } from './begin-idempotent.js';

let database: TestDatabase;

beforeAll(async () => {
  const migrations = new URL('../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
});

afterAll(() => database.drop());

const answer = { status: 201, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{"id":1}') };
const newKey = () => ({ scope: 'project:p', path: 'POST /api/v1/things', key: randomUUID() });
/** Attempts that were superseded, in order. */
let superseded: string[] = [];
let supersede = async (attemptId: string): Promise<void> => void superseded.push(attemptId);
beforeEach(() => {
  superseded = [];
  supersede = async (attemptId) => void superseded.push(attemptId);
});

const begin = (
  key: ReturnType<typeof newKey>,
  body: unknown = { a: 1 },
  timeoutMs = 5_000,
  lease?: { leaseMs: number; renewMs: number },
  attempt: Partial<Attempt> = {},
) =>
  beginIdempotent(
    { pool: database.pool, supersede: (attemptId) => supersede(attemptId) },
    key,
    computeDigest(body),
    { id: randomUUID(), isUndispatched: () => false, isAbandoned: () => false, ...attempt },
    startCall({ timeoutMs }),
    lease,
  );
const computeDigest = (body: unknown) => bodyDigest(Buffer.from(JSON.stringify(body)), () => body);

/** Simulates a process that was dead or paused for longer than its lease. */
const lapse = (key: ReturnType<typeof newKey>) =>
  database.pool.query("UPDATE idempotency_records SET claimed_until = now() - interval '1 s' WHERE key = $1", [
    key.key,
  ]);

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
  it('returns the first response to a repeat', async () => {
    const key = newKey();
    await running(await begin(key)).end(answer);
    expect(await begin(key)).toEqual({ kind: 'replay', answer });
  });

  it('rejects another body under the same key, even while the first request runs', async () => {
    const key = newKey();
    const first = running(await begin(key));
    await expect(begin(key, { a: 2 })).rejects.toMatchObject({ code: 'CONFLICT' });
    await first.end(answer);
    await expect(begin(key, { a: 2 })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('runs exactly one of many concurrent requests and returns its response to the others', async () => {
    const key = newKey();
    const starts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const start = await begin(key);
        if (start.kind === 'run') await start.end(answer);
        return start;
      }),
    );
    expect(starts.filter((start) => start.kind === 'run')).toHaveLength(1);
    expect(starts.filter((start) => start.kind === 'replay')).toHaveLength(9);
  });

  it('ends the wait of a repeat at its own deadline', async () => {
    const key = newKey();
    running(await begin(key));
    await expect(begin(key, { a: 1 }, 300)).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  });

  it.each([402, 429, 500, 503, undefined])(
    'runs a repeat after %s and first supersedes the attempt',
    async (status) => {
      const key = newKey();
      const id = randomUUID();
      await running(await begin(key, { a: 1 }, 5_000, undefined, { id })).end(
        status === undefined ? undefined : { ...answer, status },
      );
      const repeat = running(await begin(key));
      expect(superseded).toEqual([id]);
      await repeat.end(answer);
      expect((await begin(key)).kind).toBe('replay');
    },
  );

  it('frees the key, even for another body, after an attempt that provably spent nothing', async () => {
    const key = newKey();
    const first = running(await begin(key, { a: 1 }, 5_000, undefined, { isUndispatched: () => true }));
    await first.end({ ...answer, status: 402 });
    expect((await begin(key, { another: 'body' })).kind).toBe('run');
    expect(superseded).toEqual([]);
  });

  it('takes over from a crashed or paused process and ignores its late response', async () => {
    const key = newKey();
    const id = randomUUID();
    const paused = running(await begin(key, { a: 1 }, 5_000, undefined, { id }));
    await lapse(key);
    const next = running(await begin(key));
    expect(superseded).toEqual([id]);
    expect(await paused.end({ ...answer, body: Buffer.from('late') })).toBe(false);
    expect(await next.end(answer)).toBe(true);
    expect(await begin(key)).toMatchObject({ kind: 'replay', answer });
  });

  it('supersedes every earlier attempt, even after crashes while superseding', async () => {
    const key = newKey();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    await begin(key, { a: 1 }, 5_000, undefined, { id: ids[0]! });
    await lapse(key);
    for (const id of ids.slice(1)) {
      const dying = new Promise<void>((resolve) => {
        supersede = () => {
          resolve();
          return new Promise(() => {});
        };
      });
      void begin(key, { a: 1 }, 5_000, undefined, { id });
      await dying;
      await lapse(key);
    }
    supersede = async (attemptId) => void superseded.push(attemptId);
    const last = running(await begin(key));
    expect(superseded).toEqual(ids);
    await last.end(undefined);
    superseded = [];
    await begin(key);
    expect(superseded).toHaveLength(1);
  });

  it('starts no attempt while an earlier one cannot be superseded, and keeps only that one', async () => {
    const key = newKey();
    const id = randomUUID();
    await running(await begin(key, { a: 1 }, 5_000, undefined, { id })).end(undefined);
    supersede = () => Promise.reject(new Error('unreachable'));
    for (let i = 0; i < 20; i++) await expect(begin(key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    supersede = async (attemptId) => void superseded.push(attemptId);
    expect((await begin(key)).kind).toBe('run');
    expect(superseded).toEqual([id]);
  });

  it('starts no attempt that was taken over while it superseded an earlier one', async () => {
    const key = newKey();
    await running(await begin(key)).end(undefined);
    let resume = (): void => {};
    const isPaused = new Promise<void>((paused) => {
      supersede = () => {
        paused();
        return new Promise<void>((resolve) => {
          resume = resolve;
        });
      };
    });
    const overtaken = begin(key);
    await isPaused;
    await lapse(key);
    supersede = async (attemptId) => void superseded.push(attemptId);
    expect((await begin(key)).kind).toBe('run');
    resume();
    await expect(overtaken).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
  });

  it('keeps the claim while its request runs, and for at most 30 s after a crash', async () => {
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
    await long.end(answer);
    expect((await begin(other)).kind).toBe('replay');
  });

  it('expires after a day', async () => {
    const key = newKey();
    await running(await begin(key)).end(answer);
    await database.pool.query("UPDATE idempotency_records SET expires_at = now() - interval '1 s' WHERE key = $1", [
      key.key,
    ]);
    expect((await begin(key, { another: 'body' })).kind).toBe('run');
  });

  it('separates scopes and paths', async () => {
    const key = newKey();
    await running(await begin(key)).end(answer);
    expect((await begin({ ...key, scope: 'project:q' })).kind).toBe('run');
    expect((await begin({ ...key, path: 'POST /api/v1/others' })).kind).toBe('run');
  });

  it('replays 409 for a request whose response was too large to store', async () => {
    const key = newKey();
    await running(await begin(key)).end({ ...answer, body: Buffer.alloc(9 * 1024 * 1024) });
    expect(await begin(key)).toMatchObject({ kind: 'replay', answer: { status: 409 } });
  });
});

describe('a key that an earlier version stored', () => {
  const storeAsBefore = (key: ReturnType<typeof newKey>, body: unknown, status: number | null) =>
    database.pool.query(
      `INSERT INTO idempotency_records (scope, path, key, body_hash, claim_id, claimed_until, expires_at, status, headers, body)
       VALUES ($1, $2, $3, $4, $5, now() - interval '1 s', now() + interval '1 h', $6, '{}', '')`,
      [key.scope, key.path, key.key, hashJson(body), randomUUID(), status],
    );

  it('returns its response for the same JSON', async () => {
    const key = newKey();
    await storeAsBefore(key, { b: 1, a: 2 }, 201);
    expect(await begin(key, { a: 2, b: 1 })).toMatchObject({ kind: 'replay', answer: { status: 201 } });
    await expect(begin(key, { a: 2, b: 2 })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('takes the key over from a crashed process and supersedes its attempt', async () => {
    const key = newKey();
    await storeAsBefore(key, { a: 1 }, null);
    running(await begin(key));
    expect(superseded).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});
