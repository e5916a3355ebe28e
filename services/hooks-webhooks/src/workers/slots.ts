import type { FreeSlots } from '../domain/allot-slots.js';

/** Attempts of one process, from claim to record. */
export interface Slots {
  free(): FreeSlots;
  take(deliveryId: string, isEndpointFailing: boolean): void;
  release(deliveryId: string): void;
}

export function createSlots(max: number): Slots {
  const taken = new Map<string, boolean>();
  const failingMax = Math.ceil(max / 2);
  let failing = 0;
  return {
    free: () => ({ total: max - taken.size, failing: failingMax - failing }),
    take(deliveryId, isEndpointFailing) {
      taken.set(deliveryId, isEndpointFailing);
      if (isEndpointFailing) failing += 1;
    },
    release(deliveryId) {
      if (taken.get(deliveryId)) failing -= 1;
      taken.delete(deliveryId);
    },
  };
}
