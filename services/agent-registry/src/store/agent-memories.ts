import type { Db } from './db.js';

/** Empty = nothing was written yet. */
export async function findMemory(db: Db, agentId: string): Promise<string> {
  return (await db.agentMemory.findUnique({ where: { agentId } }))?.content ?? '';
}

export async function writeMemory(db: Db, agentId: string, content: string, now: Date): Promise<void> {
  const values = { content, updatedAt: now };
  await db.agentMemory.upsert({ where: { agentId }, create: { agentId, ...values }, update: values });
}
