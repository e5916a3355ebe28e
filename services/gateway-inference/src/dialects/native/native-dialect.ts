import { inputOfResponses, type ResponsesBody } from '@tollgate/api';
import type { Dialect } from '../dialect.js';
import { nativeAnswer } from './native-answer.js';
import { capabilitiesOf, toModelRequest } from './native-request.js';
import { NativeStream } from './native-stream.js';
import { NativeStructuredStream } from './native-structured-stream.js';
import { onlyProviderOf, storageOf, turnToolsOf } from './native-tools.js';

/** `POST /responses`. */
export const nativeDialect: Dialect<ResponsesBody> = {
  forwardable: undefined,
  capabilities: capabilitiesOf,
  toModelRequest,
  input: inputOfResponses,
  tools: turnToolsOf,
  storage: storageOf,
  onlyProvider: onlyProviderOf,
  modelName: (_body, modelId) => modelId,
  writeAnswer: nativeAnswer,
  openStream: (info, { output_format: format }) =>
    format && format.type !== 'text' ? new NativeStructuredStream(info) : new NativeStream(info),
};
