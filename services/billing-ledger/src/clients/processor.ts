import { AppError } from '@tollgate/errors';
import Stripe from 'stripe';

/** The card processor: its library, and what its notices are signed with. */
export interface Processor {
  stripe: Stripe;
  noticeSecret: string;
  noticeToleranceSeconds: number;
}

export interface ProcessorOptions {
  secretKey: string;
  noticeSecret: string;
  noticeToleranceMs: number;
  /** Another place than the processor's own, for example the double of the local stack. */
  apiBase: string | undefined;
}

/** Well within the time that the edge gives a request, with the repeats. */
const TIMEOUT_MS = 10_000;
const REPEATS_MAX = 1;

export function createProcessor(options: ProcessorOptions): Processor {
  const base = options.apiBase === undefined ? undefined : new URL(options.apiBase);
  return {
    stripe: new Stripe(options.secretKey, {
      maxNetworkRetries: REPEATS_MAX,
      timeout: TIMEOUT_MS,
      telemetry: false,
      appInfo: { name: 'tollgate' },
      ...(base && {
        host: base.hostname,
        port: base.port || (base.protocol === 'http:' ? 80 : 443),
        protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
      }),
    }),
    noticeSecret: options.noticeSecret,
    noticeToleranceSeconds: Math.ceil(options.noticeToleranceMs / 1_000),
  };
}

/** What may have happened to a call that failed: declined and malformed calls had no effect; of the rest nobody knows. */
export type ProcessorFailure = 'declined' | 'missing' | 'refused' | 'unknown';

export function failureOf(error: unknown): ProcessorFailure {
  if (error instanceof Stripe.errors.StripeCardError) return 'declined';
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return error.code === 'resource_missing' ? 'missing' : 'refused';
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'refused';
  if (error instanceof Stripe.errors.StripePermissionError) return 'refused';
  return 'unknown';
}

/** The processor's answer, or its failure as an error of the contract. */
export async function ask<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw contractError(error);
  }
}

/** Undefined: the processor has no such object. */
export async function askForMaybe<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (failureOf(error) === 'missing') return undefined;
    throw contractError(error);
  }
}

export function contractError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  switch (failureOf(error)) {
    case 'declined':
      return new AppError('PAYMENT_REQUIRED', error.message || 'the card was declined', { cause: error });
    case 'unknown':
      return new AppError('SERVICE_UNAVAILABLE', 'the payment processor does not answer right now', {
        retryable: true,
        cause: error,
      });
    // A request that the processor refuses for its form is our mistake, or a price that it does not know.
    default:
      return new AppError('INTERNAL_ERROR', 'the payment processor refused the request', { cause: error });
  }
}

/** The id of a reference that may be expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  if (reference === null || reference === undefined) return undefined;
  return typeof reference === 'string' ? reference : reference.id;
}
