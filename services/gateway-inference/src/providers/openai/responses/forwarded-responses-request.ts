import { type CompatibleResponsesBody, isWebSearch, listResponsesTools } from '@tollgate/api/compatible';
import { PROVIDER_SEARCHES_MAX } from '@tollgate/catalog';
import type { ModelCall } from '../../contract/provider.js';
import { filterObjects, type Json } from '../../convert/answer-reading.js';

/**
 * Returns the client's own body with the decisions of admission. Nothing is stored at the vendor, or made in its background:
 * the input is the whole conversation, and incomplete reasoning, to which only an id refers, is left out. Calls of the
 * vendor's own tools are bounded by what the hold covers.
 *
 * Source: ResponseCreateParams of the `openai` client library 7.57.
 */
export function forwardedResponsesRequest(call: ModelCall, client: Readonly<Json>): Json {
  const { previous_response_id: _previous, conversation: _conversation, background: _background, ...rest } = client;
  const { input, max_tool_calls: asked } = rest;
  const searches = listResponsesTools(client as CompatibleResponsesBody).some(({ tool }) => isWebSearch(tool));
  const callsMax = typeof asked === 'number' ? Math.min(asked, PROVIDER_SEARCHES_MAX) : PROVIDER_SEARCHES_MAX;
  return {
    ...rest,
    ...(call.forward?.sealsReasoning ? { include: withReasoning(client.include) } : {}),
    ...(searches ? { max_tool_calls: callsMax } : {}),
    // Also where the client receives the whole answer of a provider that streams.
    ...(call.isStream ? { stream: true } : {}),
    model: call.upstreamModel,
    max_output_tokens: call.maxOutputTokens,
    store: false,
    input: Array.isArray(input) ? filterObjects(input).filter(isWhole) : input,
  };
}

function withReasoning(include: unknown): unknown[] {
  return [...new Set([...(Array.isArray(include) ? include : []), 'reasoning.encrypted_content'])];
}

function isWhole({ type, encrypted_content: content }: Json): boolean {
  return type !== 'reasoning' || typeof content === 'string';
}
