import { Dialect as DialectId } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { messagesDialect } from './anthropic-messages/messages-dialect.js';
import { decisionDialect } from './decisions/decision-dialect.js';
import type { Dialect } from './dialect.js';
import { nativeDialect } from './native/native-dialect.js';
import { chatDialect } from './openai-chat/chat-dialect.js';
import { responsesDialect } from './openai-responses/responses-dialect.js';

// The edge validated each body with the schema of its dialect, so the casts are safe (see validated-bodies.test.ts).
const dialects: Partial<Record<DialectId, Dialect>> = {
  [DialectId.NATIVE]: nativeDialect as Dialect,
  [DialectId.OPENAI_CHAT]: chatDialect as Dialect,
  [DialectId.OPENAI_RESPONSES]: responsesDialect as Dialect,
  [DialectId.ANTHROPIC_MESSAGES]: messagesDialect as Dialect,
  [DialectId.DECISIONS]: decisionDialect as Dialect,
};

/** @throws AppError NOT_FOUND for an unknown dialect */
export function findDialect(id: DialectId): Dialect {
  const dialect = dialects[id];
  if (!dialect) throw new AppError('NOT_FOUND', 'this dialect is not supported');
  return dialect;
}
