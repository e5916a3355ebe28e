/** The slots that one endpoint could use now. */
export interface EndpointDemand {
  webhookId: string;
  /** Queues whose head is due. */
  ready: number;
  /** Running attempts of all workers. */
  busy: number;
  /** Its latest attempt failed. */
  isFailing: boolean;
}

export interface FreeSlots {
  total: number;
  /** Of these, how many may go to failing endpoints; healthy ones keep the rest even when many endpoints hang. */
  failing: number;
}

export interface Allotment {
  /** Attempts granted per endpoint, without zeros. */
  quotas: Map<string, number>;
  /** The last endpoint that was considered, after which the next round starts; undefined when there was none. */
  lastServed: string | undefined;
}

/**
 * Allots free slots to endpoints one by one in the given order, so that each has one before any has two. A failing
 * endpoint gets one attempt at a time: enough to detect recovery without exhausting the worker's slots.
 */
export function allotSlots(demands: readonly EndpointDemand[], free: FreeSlots, endpointMax: number): Allotment {
  const quotas = new Map<string, number>();
  let { total, failing } = free;
  let lastServed: string | undefined;
  for (let round = 1, granted = true; granted; round++) {
    granted = false;
    for (const demand of demands) {
      if (total === 0) return { quotas, lastServed };
      if (round === 1) lastServed = demand.webhookId;
      const limit = demand.isFailing ? 1 : endpointMax;
      if (round > demand.ready || demand.busy + round > limit) continue;
      if (demand.isFailing && failing === 0) continue;
      quotas.set(demand.webhookId, round);
      total -= 1;
      if (demand.isFailing) failing -= 1;
      granted = true;
    }
  }
  return { quotas, lastServed };
}
