import type { Scope } from '../domain/scope.js';
import type { StateHandle } from '../domain/state-handle.js';
import type { Db } from './db.js';
import type { Prisma, StateHandle as Row } from './generated/client.js';

export async function insertStateHandle(db: Db, handle: StateHandle): Promise<void> {
  await db.stateHandle.create({ data: handle });
}

export async function findStateHandle(db: Db, scope: Scope, id: string, now: Date): Promise<StateHandle | undefined> {
  const row = await db.stateHandle.findFirst({ where: { ...living(scope, now), id } });
  return row ? toStateHandle(row) : undefined;
}

/** Newest first. */
export async function listStateHandles(
  db: Db,
  scope: Scope,
  now: Date,
  page: { take: number; skip: number },
): Promise<StateHandle[]> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const rows = await db.stateHandle.findMany({ where: living(scope, now), orderBy, ...page });
  return rows.map(toStateHandle);
}

/** False when there is no such living handle in scope. */
export async function deleteStateHandle(db: Db, scope: Scope, id: string, now: Date): Promise<boolean> {
  const { count } = await db.stateHandle.deleteMany({ where: { ...living(scope, now), id } });
  return count === 1;
}

/** Removes at most `limit` expired handles and says how many. Rows that another sweeper holds are left to it. */
export async function deleteExpiredStateHandles(db: Db, now: Date, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM state_handles WHERE id IN (
      SELECT id FROM state_handles WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`;
}

function living(scope: Scope, now: Date): Prisma.StateHandleWhereInput {
  return {
    projectId: scope.projectId,
    ...(scope.customerId && { customerId: scope.customerId }),
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
}

function toStateHandle(row: Row): StateHandle {
  return { ...row, customerId: row.customerId ?? undefined, expiresAt: row.expiresAt ?? undefined };
}
