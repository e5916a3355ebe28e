import { likelyInputTokens } from '@tollgate/catalog';
import type { CountTokensRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { findDialect } from '../dialects/dialects.js';
import { parseBody } from './parse-body.js';

/** Counts the input tokens of a request, without asking a provider. @throws AppError NOT_FOUND for an unknown model */
export function countTokens(ctx: Pick<Context, 'catalog'>, { dialect, body, model: name }: CountTokensRequest): number {
  const model = ctx.catalog.find(name);
  if (model) return likelyInputTokens(model, findDialect(dialect).input(parseBody(body)));
  throw new AppError('NOT_FOUND', `the model ${name} does not exist`, {
    fields: [{ field: 'model', message: `unknown model ${name}` }],
  });
}
