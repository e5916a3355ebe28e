import {
  countMessageTokensBody,
  countMessageTokensResponse,
  countResponseTokensResponse,
  expandedInputTokensBody,
  isSelfContained,
  responsesInputTokensBody,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { BODY_BYTES_MAX, BodyShare, tooLarge } from '../../exchange/body/read-body.js';
import { defineRoute, type RouteInput } from '../../exchange/route.js';
import { validate } from '../../exchange/validate.js';
import { expandResponsesBody } from '../../turns/run-stateful-turn.js';

type Input = RouteInput<unknown, unknown, { model?: string | undefined }>;

/** Counts the input tokens of a body, free of charge; without a model, for the default model of the customer's tier. */
async function countTokens(
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

export const countMessageTokens = defineRoute({
  method: 'POST',
  path: '/v1/messages/count_tokens',
  tag: 'Compatible endpoints',
  summary: "Count the input tokens of a request in Anthropic's messages format with Tollgate's tokenizer",
  operationId: 'countMessageTokens',
  description: 'Free of charge. The provider may count a few tokens more or less.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-api-key',
  body: countMessageTokensBody,
  bodyClass: 'generating',
  success: { status: 200, schema: countMessageTokensResponse },
  errorShape: 'anthropic',
  handler: async (input, ctx) => ({
    body: { input_tokens: await countTokens(ctx, input, Dialect.ANTHROPIC_MESSAGES) },
  }),
});

export const countResponseTokens = defineRoute({
  method: 'POST',
  path: '/v1/responses/input_tokens',
  tag: 'Compatible endpoints',
  summary: "Count the input tokens of a request in OpenAI's responses format with Tollgate's tokenizer",
  operationId: 'countResponseTokens',
  description: 'Free of charge. The provider may count a few tokens more or less.',
  auth: ['secret_key', 'customer'],
  body: responsesInputTokensBody,
  bodyClass: 'generating',
  success: { status: 200, schema: countResponseTokensResponse },
  refusals: [404],
  errorShape: 'openai',
  async handler(input, ctx) {
    const { body, principal, call } = input;
    const count = async (rawBody: Buffer) => {
      const tokens = await countTokens(ctx, { ...input, rawBody }, Dialect.OPENAI_RESPONSES);
      return { body: { object: 'response.input_tokens' as const, input_tokens: tokens } };
    };
    if (isSelfContained(body)) return count(input.rawBody);
    const share = new BodyShare(ctx.bodies, principal);
    try {
      const { expanded } = await expandResponsesBody(ctx, body, share, call);
      const wholeBytes = Buffer.from(JSON.stringify(validate(expandedInputTokensBody, expanded)));
      if (wholeBytes.length > BODY_BYTES_MAX.generating) throw tooLarge(BODY_BYTES_MAX.generating);
      return await count(wholeBytes);
    } finally {
      share.giveBack();
    }
  },
});
