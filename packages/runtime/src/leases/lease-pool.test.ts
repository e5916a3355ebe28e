import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../observing/logger.js';
import { elapsed } from '../time/clock.js';
import { LeasePool } from './lease-pool.js';
import type { LeaseQueue } from './lease-queue.js';

interface Item {
  key: string;
  epoch: number;
}

interface Run {
  item: Item;
  signal: AbortSignal;
  end: () => void;
}

const OPTIONS = { slots: 4, leaseMs: 200, heartbeatMs: 20, pollMs: 10, drainMs: 50 };

const pools: LeasePool<Item, string>[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

/** A pool that claims the batches of items one after the other. Runs end when the test ends them, or their pool stops. */
function start(...claims: Item[][]) {
  const runs: Run[] = [];
  const beats: Item[][] = [];
  const putBack: Item[] = [];
  let failure: 'refused' | 'silent' | undefined;
  const queue: LeaseQueue<Item, string> = {
    name: 'test',
    toKey: ({ key }) => key,
    toFields: ({ key }) => ({ key }),
    claim: async () => ({ items: claims.shift() ?? [] }),
    async extend(held) {
      if (failure === 'refused') throw new Error('no connection');
      if (failure === 'silent') await new Promise(() => undefined);
      beats.push([...held]);
      return new Set(held.map(({ key }) => key));
    },
    async putBack(item) {
      putBack.push(item);
      return 0;
    },
    run: (item, signal) => new Promise<void>((resolve) => runs.push({ item, signal, end: resolve })),
  };
  const pool = new LeasePool({ ...OPTIONS, queue, logger: silentLogger });
  pools.push(pool);
  pool.start();
  const failExtensions = (how: 'refused' | 'silent') => {
    failure = how;
  };
  return { pool, runs, beats, putBack, failExtensions };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('an item that its own process claims again', () => {
  it('aborts the earlier run and keeps the lease of the later one', async () => {
    const { pool, runs, beats, putBack } = start([{ key: 'a', epoch: 1 }], [{ key: 'a', epoch: 2 }]);
    await until(() => runs.length === 2);
    const [earlier, later] = runs as [Run, Run];
    expect([earlier.signal.aborted, later.signal.aborted]).toEqual([true, false]);
    earlier.end();
    await until(() => beats.length > 0);
    const seen = beats.length;
    await until(() => beats.length > seen + 1);
    expect(beats.at(-1)).toEqual([{ key: 'a', epoch: 2 }]);
    await pool.stop();
    expect(later.signal.aborted).toBe(true);
    expect(putBack).toEqual([{ key: 'a', epoch: 2 }]);
  });
});

describe('an item whose lease cannot be extended', () => {
  it.each(['refused', 'silent'] as const)(
    'aborts its work before the lease ends when the database is %s',
    async (how) => {
      const { runs, failExtensions } = start([{ key: 'a', epoch: 1 }]);
      await until(() => runs.length === 1);
      failExtensions(how);
      await until(() => runs[0]!.signal.aborted);
      expect(runs[0]!.signal.reason).toMatchObject({ name: 'AbortError' });
      runs[0]!.end();
    },
  );
});

describe('an item that its transaction leases', () => {
  it('runs in a reserved slot, which no claim fills', async () => {
    const { pool, runs } = start();
    expect(pool.reserve(9)).toBe(4);
    expect(pool.countFree(1)).toBe(0);
    pool.release(3);
    pool.accept([{ key: 'a', epoch: 1 }], elapsed());
    await until(() => runs.length === 1);
    expect(pool.countFree(9)).toBe(3);
    runs[0]!.end();
  });
});

describe('what an item depends on', () => {
  it('limits how many items start', async () => {
    const asked: number[] = [];
    const queue: LeaseQueue<Item, string> = {
      name: 'test',
      toKey: ({ key }) => key,
      toFields: () => ({}),
      async claim(_held, { max }) {
        asked.push(max);
        return { items: [] };
      },
      run: async () => undefined,
      putBack: async () => 0,
    };
    const admitted = [0, 2, 0];
    const dependencies = [{ admit: (max: number) => Math.min(max, admitted.shift() ?? 3) }];
    const pool = new LeasePool({ ...OPTIONS, queue, logger: silentLogger, dependencies });
    pools.push(pool);
    pool.start();
    await until(() => asked.length === 2);
    expect(asked).toEqual([2, 3]);
  });
});
