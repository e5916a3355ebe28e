import {
  DECISION_OUTPUT_TOKENS,
  decisionsBody,
  decisionsResponse,
  inputOfDecision,
} from '@tollgate/api/model-requests';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toOpenAiError } from '@tollgate/errors';
import { unknownModel } from '@tollgate/spending';
import { defineTurn } from './run-turn.js';

/** `POST /v1/decisions`: lets a model choose between options. */
export const createDecision = defineTurn({
  path: '/v1/decisions',
  tag: 'Compatible endpoints',
  summary: 'Let a model choose between options',
  operationId: 'createDecision',
  description: 'The model chooses one of the given options for the input.',
  success: { status: 200, schema: decisionsResponse },
  dialect: Dialect.DECISIONS,
  errorShape: 'openai',
  body: decisionsBody,
  read(body) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_output_tokens ?? DECISION_OUTPUT_TOKENS,
      input: inputOfDecision(body),
      format: undefined,
    };
  },
  errorEvent: (error) => JSON.stringify({ error: toOpenAiError(error) }),
  unknownModel,
});
