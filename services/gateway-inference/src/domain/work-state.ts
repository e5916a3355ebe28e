import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SettleRequestSchema } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { AppError } from '@tollgate/errors';

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
type OutcomeState = 'served' | 'failed' | 'lost';

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

/** The usage in the form that the ledger takes: tokens or the units of media, or images. Empty: nothing. */
export type HeldUsage = NonNullable<MessageInitShape<typeof SettleRequestSchema>['usage']>;

/** How work under a hold ended: what the ledger charges and reports. */
export interface Outcome {
  state: OutcomeState;
  usage: HeldUsage;
  /** HTTP-like; 499 when the caller left. */
  status: number;
  errorCode: string;
  stopReason: string;
  /** The provider's id of the answer, if it has one. */
  responseId: string;
  /** The work was cut before its provider reported anything; the provider may still have served it. */
  isInDoubt: boolean;
}

export function served(usage: HeldUsage, stopReason = 'stop', responseId = ''): Outcome {
  return { state: 'served', usage, status: 200, errorCode: '', stopReason, responseId, isInDoubt: false };
}

export function failed(
  usage: HeldUsage,
  { status, code }: Pick<AppError, 'status' | 'code'>,
  stopReason = 'error',
  responseId = '',
): Outcome {
  return { state: 'failed', usage, status, errorCode: code, stopReason, responseId, isInDoubt: false };
}

/** The service cut the work: because of `error`, or else because the caller left or the process stops. */
export function lost(usage: HeldUsage, isInDoubt: boolean, error?: AppError): Outcome {
  const reason = error
    ? { status: error.status, errorCode: error.code, stopReason: 'error' }
    : { status: 499, errorCode: 'CANCELED', stopReason: 'canceled' };
  return { state: 'lost', usage, ...reason, responseId: '', isInDoubt };
}

export function isNothing({ inputTokens, outputTokens, images }: HeldUsage): boolean {
  return !inputTokens && !outputTokens && !images;
}
