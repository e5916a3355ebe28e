import {
  DECISION_OUTPUT_TOKENS,
  type DecisionsBody,
  decisionsBody,
  decisionsResponse,
  inputOfDecision,
} from '@tollgate/api';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toOpenAiError } from '@tollgate/errors';
import type { HotRoute } from './hot-route.js';
import { unknownCompatibleModel } from './spender.js';

/** `POST /v1/decisions`: a choice between options, made by a model. */
export const createDecision: HotRoute = {
  path: '/v1/decisions',
  dialect: Dialect.DECISIONS,
  errorShape: 'openai',
  body: decisionsBody,
  read(value) {
    const body = value as DecisionsBody;
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_output_tokens ?? DECISION_OUTPUT_TOKENS,
      input: inputOfDecision(body),
      format: undefined,
    };
  },
  requestIdHeaders: ['x-request-id', 'request-id'],
  keepaliveEvent: undefined,
  errorEvent: (error) => JSON.stringify({ error: toOpenAiError(error) }),
  unknownModel: unknownCompatibleModel,
  doc: {
    method: 'POST',
    path: '/v1/decisions',
    tag: 'Compatible endpoints',
    summary: 'Let a model choose between options',
    auth: ['secret_key', 'customer'],
    body: decisionsBody,
    success: { status: 200, schema: decisionsResponse },
    refusals: [402],
    errorShape: 'openai',
    idempotent: true,
  },
};
