/** Over for good: the processor keeps the record, nobody is on it. */
const ENDED = new Set(['canceled', 'incomplete_expired']);

/** The first payment is still missing: bought, but not yet in force. */
const PENDING = 'incomplete';

/** Ended subscriptions never come back to life at the processor. */
export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/** In force, also while its payment is late or paused: the customer has it, and admission judges the status. */
export function isHeld(status: string): boolean {
  return !isEnded(status) && status !== PENDING;
}
