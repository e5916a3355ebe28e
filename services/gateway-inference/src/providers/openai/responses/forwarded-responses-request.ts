import type { ModelCall } from '../../contract/provider.js';
import { type Json, objectsOf } from '../../convert/answer-reading.js';

/**
 * The client's own body with what admission decided written over it. Nothing is kept at the vendor, so reasoning that did not
 * come whole cannot be referred to.
 *
 * Source: ResponseCreateParams of the `openai` client library 6.49.
 */
export function forwardedResponsesRequest(call: ModelCall, client: Readonly<Json>): Json {
  const { input } = client;
  return {
    ...client,
    model: call.upstreamModel,
    max_output_tokens: call.maxOutputTokens,
    store: false,
    input: Array.isArray(input) ? objectsOf(input).filter(isWhole) : input,
  };
}

function isWhole({ type, encrypted_content: content }: Json): boolean {
  return type !== 'reasoning' || typeof content === 'string';
}
