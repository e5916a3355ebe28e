import type { Queryable } from '@tollgate/postgres';

/** Returns the recorded answer to this question. */
export async function findAnswer(db: Queryable, question: Buffer): Promise<string | undefined> {
  const { rows } = await db.query<{ answer: string }>({
    name: 'tool_hook_journal.find',
    text: 'SELECT answer FROM tool_hook_journal WHERE question = $1',
    values: [question],
  });
  return rows[0]?.answer;
}

/**
 * Records the answer unless the question already has one, and returns the recorded answer: concurrent callers all use
 * the first.
 */
export async function keepAnswer(db: Queryable, question: Buffer, answer: string): Promise<string> {
  const { rowCount } = await db.query({
    name: 'tool_hook_journal.keep',
    text: 'INSERT INTO tool_hook_journal (question, answer) VALUES ($1, $2) ON CONFLICT (question) DO NOTHING',
    values: [question, answer],
  });
  return rowCount === 1 ? answer : ((await findAnswer(db, question)) ?? answer);
}
