import { Dialect as DialectId } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { messagesDialect } from './anthropic-messages/messages-dialect.js';
import { decisionDialect } from './decisions/decision-dialect.js';
import type { Dialect } from './dialect.js';
import { generateDialect } from './google-generate/generate-dialect.js';
import { nativeDialect } from './native/native-dialect.js';
import { chatDialect } from './openai-chat/chat-dialect.js';
import { completionsDialect } from './openai-completions/completions-dialect.js';
import { responsesDialect } from './openai-responses/responses-dialect.js';

/** Each dialect reads bodies of its own type; `never` is the type that all of them accept. */
const dialects: Partial<Record<DialectId, Dialect<never>>> = {
  [DialectId.NATIVE]: nativeDialect,
  [DialectId.OPENAI_CHAT]: chatDialect,
  [DialectId.OPENAI_RESPONSES]: responsesDialect,
  [DialectId.ANTHROPIC_MESSAGES]: messagesDialect,
  [DialectId.DECISIONS]: decisionDialect,
  [DialectId.GOOGLE_GENERATE]: generateDialect,
  [DialectId.OPENAI_COMPLETIONS]: completionsDialect,
};

/**
 * Returns a dialect. The compiler accepts the wider body type without a cast, because it compares the parameters of
 * methods in both directions. It is safe because the edge validated each body with the schema of its dialect (see
 * validated-bodies.test.ts).
 *
 * @throws AppError NOT_FOUND for an unknown dialect
 */
export function findDialect(id: DialectId): Dialect {
  const dialect = dialects[id];
  if (!dialect) throw new AppError('NOT_FOUND', 'this dialect is not supported');
  return dialect;
}
