import { AppError } from '@tollgate/errors';
import type { Processor } from '../../clients/processor.js';
import type { Context } from '../../context.js';

/** The parts of the context that operations on payments use together: no ledger writer, catalog or event transport. */
export type PaymentContext = Pick<
  Context,
  'clock' | 'config' | 'logger' | 'metrics' | 'orders' | 'pool' | 'processor' | 'relay' | 'subjects'
>;

/** @throws AppError SERVICE_UNAVAILABLE if no processor is configured */
export function requireProcessor(ctx: Pick<Context, 'processor'>): Processor {
  if (ctx.processor) return ctx.processor;
  throw new AppError('SERVICE_UNAVAILABLE', 'card payments are not configured', { retryable: false });
}
