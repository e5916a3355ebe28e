import type { AppError } from '@tollgate/errors';
import type { Settlement } from '../../clients/settlements.js';
import type { OutcomeState } from '../../domain/work-state.js';

/** The usage in the form that the ledger takes: tokens or the units of media, or images. Empty: nothing. */
export type HeldUsage = NonNullable<Settlement['usage']>;

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
