import { type GoogleGenerateBody, inputOfGoogle } from '@tollgate/api/compatible';
import type { Dialect } from '../dialect.js';
import { generateAnswer, withUsage } from './generate-answer.js';
import { findCapabilities } from './generate-capabilities.js';
import { GenerateStreamWriter } from './generate-stream-writer.js';
import { findParameters, toModelRequest } from './generate-to-model-request.js';

/** `POST /v1beta/models/…:generateContent` and `:streamGenerateContent`. The model is named by the path. */
export const generateDialect: Dialect<GoogleGenerateBody> = {
  forwardable: 'google-generate',
  capabilities: findCapabilities,
  toModelRequest,
  parameters: findParameters,
  countStops: ({ generationConfig }) => generationConfig?.stopSequences?.length ?? 0,
  input: inputOfGoogle,
  modelName: (_body, modelId) => modelId,
  writeAnswer: generateAnswer,
  withUsage,
  openStream: (info) => new GenerateStreamWriter(info),
};
