import type { ModelCall } from '../../contract/provider.js';
import { filterObjects, type Json } from '../../convert/answer-reading.js';

/**
 * Returns the client's own body with the decisions of admission. Nothing is stored at the vendor, so incomplete reasoning, to
 * which only an id refers, is left out.
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
    input: Array.isArray(input) ? filterObjects(input).filter(isWhole) : input,
  };
}

function isWhole({ type, encrypted_content: content }: Json): boolean {
  return type !== 'reasoning' || typeof content === 'string';
}
