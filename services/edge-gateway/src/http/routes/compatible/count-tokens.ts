import type { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import type { RouteInput } from '../../exchange/route.js';

type Input = RouteInput<unknown, unknown, { model?: string | undefined }>;

/** Counts the input tokens of a body, free of charge; without a model, for the default model of the customer's tier. */
export async function countTokens(
  ctx: Pick<Context, 'clients' | 'tierLimits'>,
  { body, rawBody, principal, call }: Input,
  dialect: Dialect,
): Promise<number> {
  const model =
    body.model ?? (principal.tierCode === '' ? undefined : (await ctx.tierLimits.find(principal)).defaultModel);
  if (model === undefined) {
    const message = 'model is required';
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'model', message }] });
  }
  const { inputTokens } = await ctx.clients.compat.countTokens({ dialect, body: rawBody, model }, call);
  return Number(inputTokens);
}
