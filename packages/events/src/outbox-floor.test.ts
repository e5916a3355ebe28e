import { describe, expect, it } from '@jest/globals';
import { createOutboxFloor, type OutboxPass } from './outbox-floor.js';

const never = 3_600_000;

function pass(facts: Partial<OutboxPass>): OutboxPass {
  return { lastSeq: undefined, isComplete: true, oldestRunning: 0n, laterTransaction: undefined, ...facts };
}

describe('createOutboxFloor', () => {
  it('stays while a transaction that may hold a lower seq is running, and follows when it has ended', () => {
    const floor = createOutboxFloor(never);
    floor.passed(pass({ lastSeq: 100n, oldestRunning: 40n, laterTransaction: 50n }));
    floor.passed(pass({ oldestRunning: 49n }));
    expect(floor.start()).toBe(0n);
    floor.passed(pass({ oldestRunning: 50n }));
    expect(floor.start()).toBe(100n);
  });

  it('stays below the rows that a full batch left behind', () => {
    const floor = createOutboxFloor(never);
    floor.passed(pass({ lastSeq: 100n, laterTransaction: 50n }));
    // A late transaction brought rows 1 to 90; this batch took only the lowest of them.
    floor.passed(pass({ lastSeq: 20n, isComplete: false, oldestRunning: 60n, laterTransaction: 61n }));
    expect(floor.start()).toBe(20n);
  });

  it('does not go back when a late row is published', () => {
    const floor = createOutboxFloor(never);
    floor.passed(pass({ lastSeq: 100n, laterTransaction: 50n }));
    floor.passed(pass({ lastSeq: 7n, oldestRunning: 60n, laterTransaction: 61n }));
    expect(floor.start()).toBe(100n);
  });

  it('reads everything periodically', () => {
    const floor = createOutboxFloor(0);
    floor.passed(pass({ lastSeq: 100n, laterTransaction: 50n }));
    floor.passed(pass({ oldestRunning: 50n }));
    expect(floor.start()).toBe(0n);
  });
});
