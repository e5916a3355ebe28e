import { AppError } from '@tollgate/errors';

/** Rejects a request that has only a system prompt, for vendors that need another message. @throws AppError */
export function requireTurns<Turn>(turns: Turn[]): Turn[] {
  if (turns.length > 0) return turns;
  const message = 'this model needs a message in addition to the system prompt';
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'input', message }] });
}
