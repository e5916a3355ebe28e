import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { systemClock } from '../time/clock.js';

const RANDOM_BYTES = 16;

// One request to the system for 256 ids: one for each id costs more than the rest of it.
const pool = new Uint8Array(256 * RANDOM_BYTES);
let usedBytes = pool.length;

/** Returns a UUID of version 7. It starts with the time, so indexes of ids grow at one end; 74 of its bits are random. */
export function newOrderedId(nowMs: number = systemClock.nowMs()): string {
  return v7({ msecs: nowMs, random: takeRandom() });
}

function takeRandom(): Uint8Array {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  usedBytes += RANDOM_BYTES;
  return pool.subarray(usedBytes - RANDOM_BYTES, usedBytes);
}
