import { type CompatibleResponsesBody, toConversationId } from '@tollgate/api/compatible';
import type { AnswerState } from '../dialect.js';

type Json = Record<string, unknown>;

/** Events that have the whole response so far. */
const withResponse = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.completed',
  'response.incomplete',
]);

/** Providers are asked without state, so the answers that they write say that nothing is stored. */
export const responseState: AnswerState<CompatibleResponsesBody> = {
  isIn: ({ event }) => event !== undefined && withResponse.has(event),
  write(json, isEvent, body, { isStored, isInConversation, backgroundId }) {
    const whole = JSON.parse(json) as Json;
    const { conversation: _planned, ...response } = (isEvent ? whole.response : whole) as Json;
    const answer = {
      ...response,
      ...(backgroundId && { id: backgroundId, background: true }),
      previous_response_id: body.previous_response_id ?? null,
      ...(isInConversation && { conversation: { id: toConversationId(body) } }),
      store: isStored,
    };
    return { json: JSON.stringify(isEvent ? { ...whole, response: answer } : answer), answer };
  },
  continues: ({ previous_response_id: previous, conversation }) => Boolean(previous || conversation),
  input: ({ input }) => input,
};
