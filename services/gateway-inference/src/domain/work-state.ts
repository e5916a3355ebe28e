/**
 * The states of work under a hold, each with the states that may follow it.
 *
 * - `waiting`: no provider is working; a route is about to be asked, or tools run between two model calls.
 * - `asked`: a provider has been asked and has not started to answer.
 * - `open`: the provider has started to answer.
 * - `served`, `failed`, `lost`: the outcome is decided and is being settled. `lost` means that the service cut the work:
 *   its caller left, its hold expired, or the process stops.
 * - `settled`: the ledger has acknowledged the outcome.
 */
const nextStates = {
  waiting: ['asked', 'served', 'failed', 'lost'],
  asked: ['waiting', 'open', 'served', 'failed', 'lost'],
  open: ['waiting', 'served', 'failed', 'lost'],
  served: ['settled'],
  failed: ['settled'],
  lost: ['settled'],
  settled: [],
} as const;

export type WorkState = keyof typeof nextStates;

/** How work can end. */
export type OutcomeState = 'served' | 'failed' | 'lost';

export const workStates = Object.keys(nextStates) as WorkState[];

/** Returns `to`. @throws Error when it cannot follow `from`: the caller has a defect, and money may depend on it */
export function nextState(from: WorkState, to: WorkState): WorkState {
  if (!canFollow(from, to)) throw new Error(`illegal transition of held work: ${from} to ${to}`);
  return to;
}

export function canFollow(from: WorkState, to: WorkState): boolean {
  return (nextStates[from] as readonly WorkState[]).includes(to);
}

/** Whether the outcome is still to be decided. */
export function isUndecided(state: WorkState): boolean {
  return state === 'waiting' || state === 'asked' || state === 'open';
}
