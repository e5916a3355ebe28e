import type { Queryable } from '@tollgate/postgres';

/** The answer given to this question before. */
export async function findAnswer(db: Queryable, question: Buffer): Promise<string | undefined> {
  const { rows } = await db.query<{ answer: string }>({
    name: 'tool_hook_journal.find',
    text: 'SELECT answer FROM tool_hook_journal WHERE question = $1',
    values: [question],
  });
  return rows[0]?.answer;
}

/**
 * Records the answer, unless the question was answered in the meantime; returns the one that counts: of two that ask at
 * the same time both go by the first answer.
 */
export async function keepAnswer(db: Queryable, question: Buffer, answer: string): Promise<string> {
  const { rowCount } = await db.query({
    name: 'tool_hook_journal.keep',
    text: 'INSERT INTO tool_hook_journal (question, answer) VALUES ($1, $2) ON CONFLICT (question) DO NOTHING',
    values: [question, answer],
  });
  return rowCount === 1 ? answer : ((await findAnswer(db, question)) ?? answer);
}
