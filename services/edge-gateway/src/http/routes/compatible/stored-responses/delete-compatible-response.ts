import { deleteCompatibleResponseResponse } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { storedResponseParams } from './params.js';

export const deleteCompatibleResponse = defineRoute({
  method: 'DELETE',
  path: '/v1/responses/:response_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a stored response',
  operationId: 'deleteOpenAiResponse',
  description: 'Responses that continue it keep its items until they are deleted or expire.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  success: { status: 200, schema: deleteCompatibleResponseResponse },
  errorShape: 'openai',
  handler: async ({ params: { response_id: id }, call }, ctx) => {
    await ctx.clients.storedResponses.deleteResponse({ responseId: id }, call);
    return { body: { id, object: 'response', deleted: true } };
  },
});
