import { v7 } from 'uuid';

/** A UUID of version 7: starts with the time, so indexes of ids grow at one end. */
export function newEventId(nowMs: number = Date.now()): string {
  return v7({ msecs: nowMs });
}
