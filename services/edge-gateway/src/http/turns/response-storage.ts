import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';

/** Whether the caller's project stores responses and conversations. */
export function allowsStorage(ctx: Pick<Context, 'config'>, principal: Principal | undefined): boolean {
  return principal?.responseStorage ?? ctx.config.responseStorage;
}

/** @throws AppError VALIDATION_ERROR that names `field` when the project stores nothing */
export function requireStorage(
  ctx: Pick<Context, 'config'>,
  principal: Principal | undefined,
  field: string,
  instead = 'send the whole conversation as input',
): void {
  if (allowsStorage(ctx, principal)) return;
  const message = `this project does not store responses: ${instead}, or enable response_storage in the project`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
