import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';

/** The card processor: its client library and the secret that its webhook events are signed with. */
export interface Processor {
  stripe: Stripe;
  webhookSecret: string;
  webhookToleranceSeconds: number;
}

/** Class of a failed call. Only `unknown` may have had an effect at the processor. */
export type ProcessorFailure = 'declined' | 'missing' | 'refused' | 'unknown';

export function classifyFailure(error: unknown): ProcessorFailure {
  if (!isProcessorError(error)) return 'unknown';
  switch (error.type) {
    case 'StripeCardError':
      return 'declined';
    case 'StripeInvalidRequestError':
      return error.code === 'resource_missing' ? 'missing' : 'refused';
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return 'refused';
    default:
      return 'unknown';
  }
}

/** Whether the client library has thrown it. Tested without its classes: the library is loaded only where a key is set. */
export function isProcessorError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'rawType' in error && 'type' in error;
}

/** Awaits the processor's response. @throws AppError for its failures */
export async function ask<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw contractError(error);
  }
}

/** Like `ask`, but returns undefined if the processor has no such object. */
export async function askForMaybe<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (classifyFailure(error) === 'missing') return undefined;
    throw contractError(error);
  }
}

export function contractError(error: unknown): unknown {
  if (!isProcessorError(error)) return error;
  if (error.type === 'StripeAuthenticationError' || error.type === 'StripePermissionError')
    return new AppError('SERVICE_UNAVAILABLE', 'the payment processor refuses the configured key', {
      retryable: false,
      cause: error,
    });
  switch (classifyFailure(error)) {
    case 'declined':
      return new AppError('PAYMENT_REQUIRED', error.message || 'the card was declined', { cause: error });
    case 'unknown':
      return new AppError('SERVICE_UNAVAILABLE', 'the payment processor is unavailable', {
        retryable: true,
        cause: error,
      });
    // Repeating the request does not help: the processor's objects do not allow it.
    default:
      return new AppError('CONFLICT', `the payment processor refused the request: ${error.message}`, { cause: error });
  }
}

/** Returns the id of a reference, expanded or not. */
export function toId(reference: string | { id: string } | null | undefined): string | undefined {
  if (reference === null || reference === undefined) return undefined;
  return typeof reference === 'string' ? reference : reference.id;
}
