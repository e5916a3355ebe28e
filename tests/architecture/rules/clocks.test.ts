import { describe, expect, it } from '@jest/globals';
import type { SourceFile } from '../source-files.js';
import { findClockReads, findWallDurations } from './clocks.js';

const file = (text: string, path = 'services/a/src/b.ts'): SourceFile => ({ path, text });

describe('findClockReads', () => {
  it.each(['const a = Date.now();', 'const a = new Date();', 'const a = performance.now();', 'process.hrtime();'])(
    'finds a read of a clock: %s',
    (text) => {
      expect(findClockReads([file(text)])).toHaveLength(1);
      expect(findClockReads([file(text, 'packages/runtime/src/time/clock.ts')])).toEqual([]);
      expect(findClockReads([file(text, 'services/a/src/b.test.ts')])).toEqual([]);
    },
  );

  it('permits dates that are made from a value', () => {
    expect(findClockReads([file('const at = new Date(row.at); const b = Date.parse(text);')])).toEqual([]);
  });
});

describe('findWallDurations', () => {
  it.each([
    'const ms = clock.nowMs() - startedAt;',
    'const ms = this.#clock.nowMs() - this.#loadedMs;',
    'const left = endMs - ctx.clock.nowMs();',
    'while (nowMs() < deadline) f();',
    'if (entry.until <= this.#nowMs()) f();',
    'this.#startedAt = ctx.clock.nowMs();',
    'const ms = clock.now().getTime() - since;',
  ])('finds time that is measured by the wall clock: %s', (text) => {
    expect(findWallDurations([file(text)])).toHaveLength(1);
  });

  it.each([
    'const since = new Date(clock.nowMs() - KEPT_MS);',
    'const age = clock.nowMs() - row.created_at.getTime();',
    'const isOld = known.expiresAt.getTime() <= clock.nowMs();',
    'const ms = clock.elapsed() - startedAt;',
    'this.#startedAt = clock.elapsed();',
  ])('permits dates of others and the monotonic clock: %s', (text) => {
    expect(findWallDurations([file(text)])).toEqual([]);
  });
});
