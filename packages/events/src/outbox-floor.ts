import { elapsed } from '@tollgate/runtime';

/**
 * The `seq` at which a pass over the outbox starts. Publishing leaves dead index entries below the live ones until the
 * next vacuum; a relay that starts at zero reads all of them in every pass (three quarters of its cost at 8,000 events a
 * second, and growing). Starting after the last published row would skip rows that commit late. The floor is in between:
 * it rises only when every transaction that could still add a lower `seq` has ended.
 */
export interface OutboxFloor {
  /** Rows up to this `seq` are skipped. Zero from time to time, as a safeguard. */
  start(): bigint;
  /** Reports a pass that started above `start()`. */
  passed(pass: OutboxPass): void;
}

export interface OutboxPass {
  /** Highest `seq` among the rows taken; undefined when there was none. */
  lastSeq: bigint | undefined;
  /** Whether all visible rows were taken, not only a batch of the lowest. */
  isComplete: boolean;
  /** Oldest transaction that was running when the rows were read. */
  oldestRunning: bigint;
  /** Id of a transaction that started after the rows were read; undefined when none is known. */
  laterTransaction: bigint | undefined;
}

/** @param sweepEveryMs how often `start()` is zero */
export function createOutboxFloor(sweepEveryMs = 10_000): OutboxFloor {
  let floor = 0n;
  let candidate: { seq: bigint; safeFrom: bigint } | undefined;
  let sweepAt = elapsed() + sweepEveryMs;

  return {
    start() {
      const now = elapsed();
      if (now < sweepAt) return floor;
      sweepAt = now + sweepEveryMs;
      return 0n;
    },
    passed({ lastSeq, isComplete, oldestRunning, laterTransaction }) {
      // Every transaction that drew a seq below the candidate had its id by then: all of them have ended, and this pass
      // saw what they left.
      if (candidate && oldestRunning >= candidate.safeFrom) {
        const reached = isComplete ? candidate.seq : min(candidate.seq, lastSeq ?? 0n);
        if (reached > floor) floor = reached;
        candidate = undefined;
      }
      if (!candidate && lastSeq !== undefined && laterTransaction !== undefined && lastSeq > floor) {
        candidate = { seq: lastSeq, safeFrom: laterTransaction };
      }
    },
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
