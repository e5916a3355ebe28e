import {
  countResponseTokensResponse,
  expandedInputTokensBody,
  isSelfContained,
  responsesInputTokensBody,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { BODY_BYTES_MAX, BodyShare, tooLarge } from '../../exchange/body/read-body.js';
import { defineRoute } from '../../exchange/route.js';
import { validate } from '../../exchange/validate.js';
import { expandResponsesBody } from '../../turns/expand-responses-body.js';
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
