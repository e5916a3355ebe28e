import { type StoringContext, storeResponse } from '../responses/store-response.js';
import type { AnswerStore } from './turn-output.js';
import type { TurnPlan } from './turn-plan.js';

/** Returns how the answer of the turn is stored; undefined if it is not. */
export function openAnswerStore(ctx: StoringContext, plan: TurnPlan): AnswerStore | undefined {
  const { responseStorage, dialect, body, holdId, call } = plan;
  const { state } = dialect;
  if (!responseStorage || !state) return undefined;
  const { historyItems, previousKey } = responseStorage;
  return (response) =>
    storeResponse(
      ctx,
      { holdId, response, input: state.input(body), historyItems, previousKey: previousKey || undefined },
      call,
    );
}
