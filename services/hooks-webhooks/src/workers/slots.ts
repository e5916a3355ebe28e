import type { FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { Lease } from '../domain/webhooks/delivery.js';

/** Attempts of one process, from claim to record. */
export interface Slots {
  free(): FreeSlots;
  take(lease: Lease, isEndpointFailing: boolean): void;
  release(lease: Lease): void;
}

/** Kept per lease: a delivery whose lease was lost may be under way twice. */
export function createSlots(max: number): Slots {
  const taken = new Map<Lease, boolean>();
  const failingMax = Math.ceil(max / 2);
  let failing = 0;
  return {
    free: () => ({ total: max - taken.size, failing: failingMax - failing }),
    take(lease, isEndpointFailing) {
      taken.set(lease, isEndpointFailing);
      if (isEndpointFailing) failing += 1;
    },
    release(lease) {
      if (taken.get(lease)) failing -= 1;
      taken.delete(lease);
    },
  };
}
