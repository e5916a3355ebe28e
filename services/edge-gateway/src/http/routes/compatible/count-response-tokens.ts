import { countResponseTokensResponse, responsesInputTokensBody } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { countTokens } from './count-tokens.js';

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
  errorShape: 'openai',
  handler: async (input, ctx) => ({
    body: { object: 'response.input_tokens', input_tokens: await countTokens(ctx, input, Dialect.OPENAI_RESPONSES) },
  }),
});
