import type { Delivery } from '@tollgate/testkit';

/** Returns the first delivery of each event: delivery is at least once, and an endpoint drops what it has seen. */
export function firstOfEach(deliveries: readonly Delivery[]): Delivery[] {
  const seen = new Set<unknown>();
  return deliveries.filter(({ headers }) => {
    const id = headers['x-service-event-id'];
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
