import { compatibleResponseSchema, getCompatibleResponseQuery } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { readResponse } from './background-response.js';
import { storedResponseParams } from './params.js';

export const getCompatibleResponse = defineRoute({
  method: 'GET',
  path: '/v1/responses/:response_id',
  tag: 'Compatible endpoints',
  summary: 'Get a stored response',
  operationId: 'getOpenAiResponse',
  description:
    'Returns the response as it was answered. A background response is `queued` or `in_progress` until it has ended. A customer reads its own responses, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  query: getCompatibleResponseQuery,
  success: { status: 200, schema: compatibleResponseSchema },
  errorShape: 'openai',
  handler: async ({ params, call }, ctx) => ({
    body: (await readResponse(ctx, 'getBackgroundResponse', params.response_id, call)) as never,
  }),
});
