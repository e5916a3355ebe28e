import { AppError } from '@tollgate/errors';
import Stripe from 'stripe';

/** The card processor: its client library and the secret that its webhook events are signed with. */
export interface Processor {
  stripe: Stripe;
  webhookSecret: string;
  webhookToleranceSeconds: number;
}

export interface ProcessorOptions {
  secretKey: string;
  webhookSecret: string;
  webhookToleranceMs: number;
  /** Overrides the processor's address, for example with the simulated processor of the local stack. */
  apiBase: string | undefined;
}

/** Call and retry together fit into the time that the edge gives a request. */
const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 1;

export function createProcessor(options: ProcessorOptions): Processor {
  const base = options.apiBase === undefined ? undefined : new URL(options.apiBase);
  return {
    stripe: new Stripe(options.secretKey, {
      maxNetworkRetries: RETRIES_MAX,
      timeout: TIMEOUT_MS,
      telemetry: false,
      appInfo: { name: 'tollgate' },
      ...(base && {
        host: base.hostname,
        port: base.port || (base.protocol === 'http:' ? 80 : 443),
        protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
      }),
    }),
    webhookSecret: options.webhookSecret,
    webhookToleranceSeconds: Math.ceil(options.webhookToleranceMs / 1_000),
  };
}

/** Class of a failed call. Only `unknown` may have had an effect at the processor. */
export type ProcessorFailure = 'declined' | 'missing' | 'refused' | 'unknown';

export function classifyFailure(error: unknown): ProcessorFailure {
  if (error instanceof Stripe.errors.StripeCardError) return 'declined';
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return error.code === 'resource_missing' ? 'missing' : 'refused';
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'refused';
  if (error instanceof Stripe.errors.StripePermissionError) return 'refused';
  return 'unknown';
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
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  switch (classifyFailure(error)) {
    case 'declined':
      return new AppError('PAYMENT_REQUIRED', error.message || 'the card was declined', { cause: error });
    case 'unknown':
      return new AppError('SERVICE_UNAVAILABLE', 'the payment processor is unavailable', {
        retryable: true,
        cause: error,
      });
    // The processor rejects malformed requests and unknown prices: a defect or a wrong setting, not the caller's fault.
    default:
      return new AppError('INTERNAL_ERROR', 'the payment processor refused the request', { cause: error });
  }
}

/** Returns the id of a reference, expanded or not. */
export function toId(reference: string | { id: string } | null | undefined): string | undefined {
  if (reference === null || reference === undefined) return undefined;
  return typeof reference === 'string' ? reference : reference.id;
}
