import { deleteCompatibleResponseResponse } from '@tollgate/api/compatible';
import { defineRoute } from '../../../exchange/route.js';
import { removeResponse } from './background-response.js';
import { storedResponseParams } from './params.js';

export const deleteCompatibleResponse = defineRoute({
  method: 'DELETE',
  path: '/v1/responses/:response_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a stored response',
  operationId: 'deleteOpenAiResponse',
  description:
    'Responses that continue it keep its items until they are deleted or expire. A background response is stopped first.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  success: { status: 200, schema: deleteCompatibleResponseResponse },
  errorShape: 'openai',
  handler: async ({ params: { response_id: id }, call }, ctx) => {
    await removeResponse(ctx, id, call);
    return { body: { id, object: 'response', deleted: true } };
  },
});
