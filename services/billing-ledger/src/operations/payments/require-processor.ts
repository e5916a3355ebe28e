import { AppError } from '@tollgate/errors';
import type { Processor } from '../../clients/processor.js';
import type { Context } from '../../context.js';

/** @throws AppError SERVICE_UNAVAILABLE if no processor is configured */
export function requireProcessor(ctx: Pick<Context, 'processor'>): Processor {
  if (ctx.processor) return ctx.processor;
  throw new AppError('SERVICE_UNAVAILABLE', 'card payments are not configured', { retryable: false });
}
