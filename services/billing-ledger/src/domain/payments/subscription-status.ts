/** Final statuses: the processor only keeps the record. */
export const ENDED_STATUSES = ['canceled', 'incomplete_expired'];

/** The first payment is missing: bought, but not yet in force. */
export const PENDING_STATUS = 'incomplete';

/** An ended subscription never becomes active again. */
export function isEnded(status: string): boolean {
  return ENDED_STATUSES.includes(status);
}

/** Returns true if the customer has the subscription, even if a payment is late or paused. Admission checks the status. */
export function isHeld(status: string): boolean {
  return !isEnded(status) && status !== PENDING_STATUS;
}
