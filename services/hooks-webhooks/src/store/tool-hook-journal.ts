import type { Queryable } from '@tollgate/postgres';
import { z } from 'zod';
import type { HookVerdict } from '../domain/tool-hooks/hook-answer.js';
import type { PhaseAnswer } from '../domain/tool-hooks/hook-chain.js';

const error = z.string();
const resultJson = z.string();
const isRetryable = z.boolean();
const block = z.object({ kind: z.literal('block'), error });
const result = z.object({ kind: z.literal('result'), resultJson });
const call = { toolName: z.string(), argumentsJson: z.string() };

/** The recorded form of one hook's decision. */
export const hookVerdictSchema: z.ZodType<HookVerdict> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allow') }),
  block,
  z.object({ kind: z.literal('call'), ...call }),
  result,
  z.object({ kind: z.literal('failed'), error, isTimeout: z.boolean(), isRetryable }),
]);

/** The recorded form of a phase's outcome. */
export const phaseAnswerSchema: z.ZodType<PhaseAnswer> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('allow'), ...call, resultJson: resultJson.optional(), failure: error.optional() }),
  block,
  result,
  z.object({ kind: z.literal('failed'), error, isRetryable }),
  z.object({ kind: z.literal('unavailable'), error }),
]);

/** Returns the recorded answer to this question. @throws ZodError when it is stored in another form */
export async function findAnswer<T>(db: Queryable, question: Buffer, schema: z.ZodType<T>): Promise<T | undefined> {
  const { rows } = await db.query<{ answer: string }>({
    name: 'tool_hook_journal.find',
    text: 'SELECT answer FROM tool_hook_journal WHERE question = $1',
    values: [question],
  });
  return rows[0] && schema.parse(JSON.parse(rows[0].answer));
}

/**
 * Records the answer unless the question already has one, and returns the recorded answer: concurrent callers all use
 * the first.
 */
export async function keepAnswer<T>(db: Queryable, question: Buffer, answer: T, schema: z.ZodType<T>): Promise<T> {
  const { rowCount } = await db.query({
    name: 'tool_hook_journal.keep',
    text: 'INSERT INTO tool_hook_journal (question, answer) VALUES ($1, $2) ON CONFLICT (question) DO NOTHING',
    values: [question, JSON.stringify(answer)],
  });
  return rowCount === 1 ? answer : ((await findAnswer(db, question, schema)) ?? answer);
}
