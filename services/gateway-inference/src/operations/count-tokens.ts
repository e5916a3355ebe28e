import { likelyInputTokens } from '@tollgate/catalog';
import type { CountTokensRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { dialectOf } from '../dialects/dialects.js';
import { parseBody } from './parse-body.js';

/** Input tokens by our own count. @throws AppError NOT_FOUND for a model that the catalog does not have */
export function countTokens(ctx: Context, { dialect, body, model: name }: CountTokensRequest): number {
  const model = ctx.catalog.find(name);
  if (model) return likelyInputTokens(model, dialectOf(dialect).input(parseBody(body)));
  throw new AppError('NOT_FOUND', `the model ${name} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${name}` }],
  });
}
