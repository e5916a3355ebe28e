import { googleCountTokensBody, googleCountTokensResponse } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { defineRoute } from '../../exchange/route.js';
import { googleModelParams } from './models.js';

export const countGoogleTokens = defineRoute({
  method: 'POST',
  path: '/v1beta/models/:model:countTokens',
  tag: 'Compatible endpoints',
  summary: "Count the input tokens of a request in Google's format with Tollgate's tokenizer",
  operationId: 'countGoogleTokens',
  description: 'Free of charge. The provider may count a few tokens more or less.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleCountTokensBody,
  bodyClass: 'generating',
  success: { status: 200, schema: googleCountTokensResponse },
  errorShape: 'google',
  async handler({ params: { model }, body, call }, ctx) {
    const { contents, generateContentRequest: request = { contents } } = body;
    const counted = { dialect: Dialect.GOOGLE_GENERATE, body: Buffer.from(JSON.stringify(request)), model };
    const { inputTokens } = await ctx.clients.compat.countTokens(counted, call);
    return { body: { totalTokens: Number(inputTokens) } };
  },
});
