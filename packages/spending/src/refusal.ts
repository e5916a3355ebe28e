import type { CatalogModel } from '@tollgate/catalog';
import { AppError, type Audience, isErrorCode, isRefusalCode, refusalError } from '@tollgate/errors';
import type { Refused } from './admit.js';

/**
 * Returns the refusal as the error that this audience may see: a limit of the owner's reaches a customer as a neutral,
 * retryable 503. A code that this build does not know is a refusal to spend: PAYMENT_REQUIRED.
 */
export function refusal({ code, message }: Refused, audience: Audience): AppError {
  if (isRefusalCode(code)) return refusalError(code, audience);
  return new AppError(isErrorCode(code) ? code : 'PAYMENT_REQUIRED', message);
}

/** Returns the error of a model that the client named and that does not exist, as vendors give it. */
export function unknownModel(name: string): AppError {
  return new AppError('NOT_FOUND', `the model ${name} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${name}` }],
  });
}

/** Whether the ledger refused because the model that the client named does not exist. `known` is the catalog's answer. */
export function namesUnknownModel(
  { code }: Refused,
  named: string | undefined,
  known: CatalogModel | undefined,
): named is string {
  return code === 'INVALID_INPUT' && named !== undefined && known === undefined;
}
