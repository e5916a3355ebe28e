import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime';
import { LeasePool, type LeaseQueue } from './lease-pool.js';

interface Item {
  key: string;
  epoch: number;
}

interface Run {
  item: Item;
  signal: AbortSignal;
  end: () => void;
}

const WORK = { leaseMs: 60, heartbeatMs: 10, pollMs: 10, drainMs: 50 };

const pools: LeasePool<Item>[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

/** A pool that claims the batches of items one after the other. Runs end when the test ends them, or their pool stops. */
function start(...claims: Item[][]) {
  const runs: Run[] = [];
  const beats: Item[][] = [];
  const putBack: Item[] = [];
  let isFailing = false;
  const queue: LeaseQueue<Item> = {
    name: 'test',
    toKey: ({ key }) => key,
    claim: async () => ({ items: claims.shift() ?? [] }),
    async extend(held) {
      if (isFailing) throw new Error('no connection');
      beats.push([...held]);
      return new Set(held.map(({ key }) => key));
    },
    async putBack(item) {
      putBack.push(item);
    },
    run: (item, signal) => new Promise<void>((resolve) => runs.push({ item, signal, end: resolve })),
  };
  const pool = new LeasePool({ queue, logger: createLogger('lease-pool'), work: WORK });
  pools.push(pool);
  pool.start();
  const failExtensions = () => {
    isFailing = true;
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
  it('aborts its work once the lease has expired', async () => {
    const { runs, failExtensions } = start([{ key: 'a', epoch: 1 }]);
    await until(() => runs.length === 1);
    failExtensions();
    await until(() => runs[0]!.signal.aborted);
    expect(runs[0]!.signal.reason).toMatchObject({ name: 'AbortError' });
    runs[0]!.end();
  });
});
