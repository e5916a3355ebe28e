import {
  type CompatibleResponsesBody,
  inputOfCompatibleResponses,
  listResponsesTools,
  type NamedTool,
} from '@tollgate/api/compatible';
import type { Dialect } from '../dialect.js';
import { isRefusedName } from '../refused-name.js';
import { responseAnswer, withUsage } from './response-resource.js';
import { responseState } from './response-state.js';
import { findCapabilities } from './responses-capabilities.js';
import { ResponsesStreamWriter } from './responses-stream-writer.js';
import { findParameters, toModelRequest } from './responses-to-model-request.js';

/** `POST /v1/responses`. */
export const responsesDialect: Dialect<CompatibleResponsesBody> = {
  forwardable: 'openai-responses',
  canForward: (body) => !listResponsesTools(body).some(hasRefusedName),
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning }) => reasoning?.effort === 'none',
  input: inputOfCompatibleResponses,
  modelName: (body, modelId) => body.model ?? modelId,
  writeAnswer: responseAnswer,
  withUsage,
  state: responseState,
  openStream: (info, body) => new ResponsesStreamWriter(info, body),
};

function hasRefusedName({ tool, namespace }: NamedTool): boolean {
  const names = [(tool as { name?: unknown }).name, namespace?.name];
  return names.some((name) => typeof name === 'string' && isRefusedName(name));
}
