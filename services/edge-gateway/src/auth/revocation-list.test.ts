import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '@tollgate/postgres';
import { controllableClock } from '@tollgate/testkit';
import { RevocationList } from './revocation-list.js';

const NOW = new Date('2026-01-15T12:00:00Z');
const HOUR_MS = 3_600_000;

/** A database that returns these revocations to every poll. */
function holding(...subjectIds: string[]): Queryable {
  const rows = subjectIds.map((id) => ({ subject_id: id, at: NOW, expires_at: new Date(NOW.getTime() + HOUR_MS) }));
  return { query: async () => ({ rows }) } as unknown as Queryable;
}

describe('RevocationList', () => {
  it('keeps a revocation for as long as tokens of its subject may be valid', async () => {
    const clock = controllableClock(NOW);
    const list = new RevocationList(clock);
    list.add('own', HOUR_MS);
    await list.poll(holding('read'));
    clock.advance({ ms: HOUR_MS - 1 });
    await list.poll(holding());
    expect([list.has('own'), list.hasAny(['x', 'read']), list.hasAny(['x'])]).toEqual([true, true, false]);
    clock.advance({ ms: 1 });
    await list.poll(holding());
    expect([list.has('own'), list.hasAny(['read'])]).toEqual([false, false]);
  });

  it('keeps a revocation while the wall clock is ahead, because its tokens are valid again afterwards', async () => {
    const clock = controllableClock(NOW);
    const list = new RevocationList(clock);
    list.add('own', HOUR_MS);
    clock.set(new Date(NOW.getTime() + 2 * HOUR_MS));
    await list.poll(holding());
    clock.set(NOW);
    expect(list.has('own')).toBe(true);
  });

  it('stays current for five seconds after a poll, whatever steps the wall clock takes', async () => {
    const clock = controllableClock(NOW);
    const list = new RevocationList(clock);
    expect(list.isCurrent()).toBe(false);
    await list.poll(holding());
    for (const hours of [1, -1]) {
      clock.set(new Date(NOW.getTime() + hours * HOUR_MS));
      expect(list.isCurrent()).toBe(true);
    }
    clock.advance({ seconds: 5 });
    expect(list.isCurrent()).toBe(true);
    clock.set(NOW);
    clock.advance({ ms: 1 });
    expect(list.isCurrent()).toBe(false);
  });
});
