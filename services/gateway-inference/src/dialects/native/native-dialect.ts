import { inputOfResponses, type ResponsesBody } from '@tollgate/api/model-requests';
import type { Dialect } from '../dialect.js';
import { nativeAnswer } from './native-answer.js';
import { findCapabilities, findParameters, toModelRequest } from './native-request.js';
import { NativeStream } from './native-stream.js';
import { NativeStructuredStream } from './native-structured-stream.js';
import { findOnlyProvider, toStorage, toTurnTools } from './native-tools.js';

/** `POST /responses`. */
export const nativeDialect: Dialect<ResponsesBody> = {
  forwardable: undefined,
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  isReasoningOff: ({ reasoning_effort: effort }) => effort === 'none',
  input: inputOfResponses,
  tools: toTurnTools,
  storage: toStorage,
  onlyProvider: findOnlyProvider,
  modelName: (_body, modelId) => modelId,
  writeAnswer: nativeAnswer,
  openStream: (info, { output_format: format }) =>
    format && format.type !== 'text' ? new NativeStructuredStream(info) : new NativeStream(info),
};
