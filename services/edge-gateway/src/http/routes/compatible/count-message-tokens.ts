import { countMessageTokensBody, countMessageTokensResponse } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { countTokens } from './count-tokens.js';

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
