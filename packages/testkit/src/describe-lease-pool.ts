// The rules of leases, for each queue whose items a lease pool runs.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from './wait-until.js';

/** How a run ended, which the user of the pool records as it does in production. */
export type LeasedOutcome = 'done' | 'failed' | 'aborted';

/** A process with a pool of its own, on its own connections. */
export interface LeasePoolProcess {
  start(): void;
  /** Claims soon. */
  wake(): void;
  stop(): Promise<void>;
  /** Loses the database for good. */
  cut(): void;
}

export interface LeasePoolUser {
  /** Removes all items. */
  reset(): Promise<void>;
  /** Queues due items of one caller, which is a new one unless it is named. */
  enqueue(count: number, caller?: string): Promise<void>;
  open(options: {
    slots: number;
    drainMs: number;
    heartbeatMs: number;
    leaseMs: number;
    run: (signal: AbortSignal, caller: string) => Promise<LeasedOutcome>;
  }): Promise<LeasePoolProcess>;
  countLeased(): Promise<number>;
  countUnfinished(): Promise<number>;
  /** Returns the time until the only item is due; undefined while it is leased. */
  readPauseMs(): Promise<number | undefined>;
  /** Makes all waiting items due. */
  makeDue(): Promise<void>;
  /** When the lease of the only item ends, if leases are extended. */
  readLeaseEndMs?(): Promise<number>;
  /** The longest pause after a first failure. The pause is longer after `failures` in a row. */
  firstPauseMs: number;
  failures: number;
}

const LEASE_MS = 3_000;
/** Late in the lease: a process that is slow for less than half of it does not count as paused. */
const RARE_HEARTBEAT_MS = 2_700;
const HEARTBEAT_MS = 500;
const WAIT_MS = 60_000;
const BACKLOG = 5_000;

function moveWallClock(stepMs: number): void {
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + stepMs);
}

interface Run {
  process: string;
  caller: string;
  signal: AbortSignal;
  end(outcome: LeasedOutcome): void;
}

/** Registers the suite. A rule that is broken makes two processes run an item, or none. */
export function describeLeasePool(name: string, user: LeasePoolUser): void {
  let runs: Run[] = [];
  let processes: LeasePoolProcess[] = [];
  const until = (condition: () => boolean | Promise<boolean>, what: string) =>
    waitUntil(condition, { what, timeoutMs: WAIT_MS });
  const running = (count: number) => until(() => runs.length >= count, `run ${count}`);

  /** Waits until the only item is not leased, and returns the time until it is due. */
  async function readPause(): Promise<number> {
    let pauseMs: number | undefined;
    const isBack = async () => {
      pauseMs = await user.readPauseMs();
      return pauseMs !== undefined;
    };
    await until(isBack, 'a pause');
    return pauseMs!;
  }

  /** Starts a process whose runs end when the test ends them, or their lease is lost. */
  async function start(process: string, options: { slots?: number; drainMs?: number; heartbeatMs?: number } = {}) {
    const run = (signal: AbortSignal, caller: string) =>
      new Promise<LeasedOutcome>((end) => {
        runs.push({ process, caller, signal, end });
        signal.addEventListener('abort', () => end('aborted'), { once: true });
      });
    const defaults = { slots: 4, drainMs: 0, heartbeatMs: HEARTBEAT_MS, leaseMs: LEASE_MS };
    const opened = await user.open({ ...defaults, ...options, run });
    processes.push(opened);
    opened.start();
    return opened;
  }

  describe(`leases of ${name}`, () => {
    beforeEach(() => user.reset());
    afterEach(async () => {
      jest.restoreAllMocks();
      for (const { end } of runs) end('done');
      await Promise.all(processes.map((process) => process.stop()));
      runs = [];
      processes = [];
    });

    it.each([0, -3_600_000])(
      'aborts work whose lease cannot be extended before another process runs it, as the wall clock moves by %d ms',
      async (stepMs) => {
        await user.enqueue(1);
        const first = await start('first', { heartbeatMs: RARE_HEARTBEAT_MS });
        await running(1);
        first.cut();
        moveWallClock(stepMs);
        await start('second');
        await running(2);
        expect(runs.map(({ process }) => process)).toEqual(['first', 'second']);
        expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
        expect(runs[0]!.signal.reason).toMatchObject({ name: 'AbortError' });
      },
    );

    it('claims no more items than it has free slots', async () => {
      await user.enqueue(5);
      await start('only', { slots: 2 });
      await running(2);
      expect(await user.countLeased()).toBe(2);
      runs[0]!.end('done');
      await running(3);
      expect(await user.countLeased()).toBe(2);
      expect(runs).toHaveLength(3);
    });

    it('runs the first item of a caller in its turn, however many another caller has queued', async () => {
      const [busy, other] = [randomUUID(), randomUUID()];
      await user.enqueue(BACKLOG, busy);
      await start('only', { slots: 2 });
      await running(2);
      await user.enqueue(1, other);
      for (const next of [3, 4]) {
        runs[next - 3]!.end('done');
        await running(next);
      }
      expect(runs.map(({ caller }) => caller).slice(0, 4)).toContain(other);
    });

    it('stores pauses that grow with the failures in a row', async () => {
      await user.enqueue(1);
      const only = await start('only');
      const pauses: number[] = [];
      for (let failures = 1; failures <= user.failures; failures++) {
        await running(failures);
        runs[failures - 1]!.end('failed');
        pauses.push(await readPause());
        if (failures === user.failures) break;
        await user.makeDue();
        only.wake();
      }
      expect(pauses[0]).toBeLessThanOrEqual(user.firstPauseMs);
      expect(pauses.at(-1)).toBeGreaterThan(user.firstPauseMs);
    });

    it('lets active work end before it stops, and starts no other', async () => {
      await user.enqueue(3);
      const only = await start('only', { slots: 2, drainMs: WAIT_MS });
      await running(2);
      const stopped = only.stop();
      for (const { end } of runs) end('done');
      await stopped;
      expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false]);
      expect([await user.countUnfinished(), await user.countLeased()]).toEqual([1, 0]);
    });

    it('returns work that outlasts the drain to the queue, which another process runs at once', async () => {
      await user.enqueue(1);
      const first = await start('first');
      await running(1);
      await first.stop();
      expect(runs[0]!.signal.aborted).toBe(true);
      expect(await user.countLeased()).toBe(0);
      expect(await user.readPauseMs()).toBeLessThanOrEqual(0);
      await start('second');
      await running(2);
    });

    it.each([3_600_000, -3_600_000])('keeps work and claims when the wall clock moves by %d ms', async (stepMs) => {
      await user.enqueue(1);
      await start('first');
      await running(1);
      const before = await user.readLeaseEndMs?.();
      moveWallClock(stepMs);
      await start('second');
      if (before !== undefined) {
        const isExtended = async () => (await user.readLeaseEndMs!()) > before + LEASE_MS;
        await until(isExtended, 'leases beyond the first one');
      }
      await user.enqueue(1);
      await running(2);
      expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    });
  });
}
