import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { awaitDatabase } from './await-database.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const rejected = Object.assign(new Error('password authentication failed'), { code: '28P01' });

/** Fails with the given errors one after the other, then succeeds. Records what readiness says after each attempt. */
function start(errors: Error[], options: { waitMs?: number; signal?: AbortSignal } = {}) {
  const reasons: (string | undefined)[] = [];
  const health = { startsWithout: (reason: string | undefined) => void reasons.push(reason) };
  const work = async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'migrated';
  };
  return { reasons, done: awaitDatabase(work, { health, logger: silentLogger, ...options }) };
}

describe('awaitDatabase', () => {
  it('repeats the work while the database is unavailable and reports the reason until it succeeds', async () => {
    const { reasons, done } = start([refused, refused]);
    expect(await done).toBe('migrated');
    expect(reasons).toEqual(['database: connection refused', 'database: connection refused', undefined]);
  });

  it('rejects with the last error once the time is over', async () => {
    await expect(start([refused], { waitMs: 0 }).done).rejects.toBe(refused);
  });

  it('rejects at once when the credentials are wrong', async () => {
    const { reasons, done } = start([rejected]);
    await expect(done).rejects.toBe(rejected);
    expect(reasons).toEqual([]);
  });

  it('rejects with the error of a failed migration also when the process begins to stop', async () => {
    const { done } = start([rejected], { signal: AbortSignal.abort() });
    await expect(done).rejects.toBe(rejected);
  });

  it('stops waiting when the process begins to stop', async () => {
    const stopping = new AbortController();
    const { done } = start([refused, refused, refused, refused, refused, refused], { signal: stopping.signal });
    stopping.abort();
    await expect(done).rejects.toBe(stopping.signal.reason);
  });
});
