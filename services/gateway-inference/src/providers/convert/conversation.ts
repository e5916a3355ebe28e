import { AppError } from '@tollgate/errors';

/** Some vendors have the system prompt apart, and refuse a request that says nothing beside it. @throws AppError */
export function requireTurns<Turn>(turns: Turn[]): Turn[] {
  if (turns.length > 0) return turns;
  const message = 'this model needs something said beside the system prompt';
  throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'input', message }] });
}
