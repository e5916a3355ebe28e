import { type StoringContext, storeResponse } from '../responses/store-response.js';
import type { AnswerStore } from './turn-output.js';
import type { TurnPlan } from './turn-plan.js';

/** Returns how the answer of the turn is kept; undefined if it is not. */
export function openAnswerStore(ctx: StoringContext, plan: TurnPlan): AnswerStore | undefined {
  const { responseStorage, dialect, body, holdId, call } = plan;
  const { state } = dialect;
  if (!responseStorage || !state) return undefined;
  const { historyItems, previousKey, conversationKey, isUnlisted, backgroundId } = responseStorage;
  const planned = {
    isStored: !isUnlisted,
    isInConversation: conversationKey !== '',
    ...(backgroundId && { backgroundId }),
  };
  const place = {
    holdId,
    historyItems,
    previousKey: previousKey || undefined,
    conversationKey: conversationKey || undefined,
    isListed: !isUnlisted,
  };
  return {
    planned,
    store: (response) => storeResponse(ctx, { ...place, response, input: state.input(body) }, call),
  };
}
