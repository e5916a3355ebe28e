/** Final statuses: the processor only keeps the record. */
const ENDED = new Set(['canceled', 'incomplete_expired']);

/** The first payment is missing: bought, but not yet in force. */
const PENDING = 'incomplete';

/** An ended subscription never becomes active again. */
export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/** Returns true if the customer has the subscription, even if a payment is late or paused. Admission checks the status. */
export function isHeld(status: string): boolean {
  return !isEnded(status) && status !== PENDING;
}
