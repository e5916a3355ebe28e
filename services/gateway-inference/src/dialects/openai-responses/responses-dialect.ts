import {
  type CompatibleResponsesBody,
  calledName,
  inputOfCompatibleResponses,
  listResponsesTools,
} from '@tollgate/api/compatible';
import type { Dialect } from '../dialect.js';
import { responseAnswer, withUsage } from './response-resource.js';
import { responseState } from './response-state.js';
import { findCapabilities } from './responses-capabilities.js';
import { ResponsesStreamWriter } from './responses-stream-writer.js';
import { toModelRequest } from './responses-to-model-request.js';

/** `POST /v1/responses`. */
export const responsesDialect: Dialect<CompatibleResponsesBody> = {
  forwardable: 'openai-responses',
  // The vendor does not allow dots in tool names.
  canForward: (body) => !listResponsesTools(body).some((named) => calledName(named).includes('.')),
  capabilities: findCapabilities,
  toModelRequest,
  input: inputOfCompatibleResponses,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: responseAnswer,
  withUsage,
  state: responseState,
  openStream: (info, body) => new ResponsesStreamWriter(info, body),
};
