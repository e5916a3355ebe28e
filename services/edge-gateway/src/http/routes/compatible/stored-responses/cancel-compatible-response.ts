import { compatibleResponseSchema, fromBackgroundResponseId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../../exchange/route.js';
import { readResponse } from './background-response.js';
import { storedResponseParams } from './params.js';

export const cancelCompatibleResponse = defineRoute({
  method: 'POST',
  path: '/v1/responses/:response_id/cancel',
  tag: 'Compatible endpoints',
  summary: 'Cancel a background response',
  operationId: 'cancelOpenAiResponse',
  description:
    'Stops a response that was created with `background: true` and has not ended. What its provider has served until then is charged. A response that has ended is returned as it is.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  success: { status: 200, schema: compatibleResponseSchema },
  errorShape: 'openai',
  async handler({ params: { response_id: id }, call }, ctx) {
    const response = await readResponse(ctx, 'cancelBackgroundResponse', id, call);
    if (fromBackgroundResponseId(id) === undefined) throw notCancelable();
    return { body: response as never };
  },
});

function notCancelable(): AppError {
  const message = 'only responses that were created with background: true can be canceled';
  return new AppError('VALIDATION_ERROR', message, { vendorError: { shape: 'openai', type: 'invalid_request_error' } });
}
