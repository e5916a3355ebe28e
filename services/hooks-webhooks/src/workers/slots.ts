import type { FreeSlots } from '../domain/webhooks/allot-slots.js';
import type { Lease } from '../domain/webhooks/delivery.js';

/** Counts the attempts of one process, from claim to record. */
export interface Slots {
  free(): FreeSlots;
  take(lease: Lease, isEndpointFailing: boolean): void;
  release(lease: Lease): void;
}

/** Keyed by lease: a delivery whose lease was lost may be running twice. */
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
