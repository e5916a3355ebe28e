import { type Capability, capabilities, toPublicModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';

/** Returns catalog records in their public form. @throws AppError VALIDATION_ERROR for an unknown capability */
export function listModels(ctx: Pick<Context, 'catalog'>, provider: string, capability: string): string {
  if (capability !== '' && !isCapability(capability)) {
    const message = `capability must be one of ${capabilities.join(', ')}`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'capability', message }] });
  }
  const models = ctx.catalog.list({
    ...(provider === '' ? {} : { provider }),
    ...(capability === '' ? {} : { capability }),
  });
  return JSON.stringify(models.map(toPublicModel));
}

function isCapability(value: string): value is Capability {
  return (capabilities as readonly string[]).includes(value);
}
