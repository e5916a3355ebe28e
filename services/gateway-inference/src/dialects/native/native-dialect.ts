import { inputOfResponses, type ResponsesBody } from '@tollgate/api';
import type { Dialect } from '../dialect.js';
import { nativeAnswer } from './native-answer.js';
import { capabilitiesOf, toModelRequest } from './native-request.js';
import { NativeStream } from './native-stream.js';

/** `POST /responses`. */
export const nativeDialect: Dialect<ResponsesBody> = {
  forwardable: undefined,
  capabilities: capabilitiesOf,
  toModelRequest,
  input: inputOfResponses,
  modelName: (_body, modelId) => modelId,
  writeAnswer: nativeAnswer,
  openStream: (facts) => new NativeStream(facts),
};
