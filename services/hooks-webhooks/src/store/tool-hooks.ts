import { isUuid } from '@tollgate/runtime/uuid';
import type { SealedSecret } from '../domain/secret-box.js';
import type { FailBehavior, ToolHook, ToolHookSettings, ToolHookType } from '../domain/tool-hooks/tool-hook.js';
import type { PrismaClient, ToolHook as Row } from './generated/client.js';

export async function insertToolHook(prisma: PrismaClient, hook: ToolHook): Promise<void> {
  const { secret, ...fields } = hook;
  await prisma.toolHook.create({ data: { ...fields, ...sealedColumns(secret) } });
}

export async function countToolHooks(prisma: PrismaClient, projectId: string): Promise<number> {
  return await prisma.toolHook.count({ where: { projectId, deletedAt: null } });
}

export async function findToolHook(prisma: PrismaClient, projectId: string, id: string): Promise<ToolHook | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await prisma.toolHook.findFirst({ where: { id, projectId, deletedAt: null } });
  return row ? toToolHook(row) : undefined;
}

export async function selectToolHooksById(prisma: PrismaClient, projectId: string, ids: string[]): Promise<ToolHook[]> {
  const rows = await prisma.toolHook.findMany({ where: { projectId, id: { in: ids }, deletedAt: null } });
  return rows.map(toToolHook);
}

/** Oldest first: the order in which hooks are called. */
const inOrder = [{ createdAt: 'asc' }, { seq: 'asc' }] as const;

export async function selectToolHooks(
  prisma: PrismaClient,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<ToolHook[]> {
  const rows = await prisma.toolHook.findMany({
    where: { projectId, deletedAt: null },
    orderBy: [...inOrder],
    take: page.limit,
    skip: page.offset,
  });
  return rows.map(toToolHook);
}

/** Returns the enabled hooks of one type, in the order in which they are called. */
export async function selectActiveHooks(
  prisma: PrismaClient,
  projectId: string,
  hookType: ToolHookType,
): Promise<ToolHook[]> {
  const rows = await prisma.toolHook.findMany({
    where: { projectId, hookType, enabled: true, deletedAt: null },
    orderBy: [...inOrder],
  });
  return rows.map(toToolHook);
}

export interface ToolHookChange extends ToolHookSettings {
  secret: SealedSecret | undefined;
  updatedAt: Date;
}

/** Returns undefined when the hook was deleted. */
export async function updateToolHook(
  prisma: PrismaClient,
  projectId: string,
  id: string,
  { secret, ...fields }: ToolHookChange,
): Promise<ToolHook | undefined> {
  const [row] = await prisma.toolHook.updateManyAndReturn({
    where: { id, projectId, deletedAt: null },
    data: { ...fields, ...(secret && sealedColumns(secret)) },
  });
  return row ? toToolHook(row) : undefined;
}

/** Returns false when no such hook exists. */
export async function markToolHookDeleted(
  prisma: PrismaClient,
  projectId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { count } = await prisma.toolHook.updateMany({
    where: { id, projectId, deletedAt: null },
    data: { deletedAt: now },
  });
  return count === 1;
}

export async function markToolHooksDeleted(prisma: PrismaClient, projectId: string, now: Date): Promise<void> {
  await prisma.toolHook.updateMany({ where: { projectId, deletedAt: null }, data: { deletedAt: now } });
}

/** Returns secrets that one of these keys sealed. */
export async function selectHookSecretsOfKeys(
  prisma: PrismaClient,
  keyIds: string[],
  limit: number,
): Promise<{ id: string; secret: SealedSecret }[]> {
  const rows = await prisma.toolHook.findMany({
    where: { secretKeyId: { in: keyIds }, deletedAt: null },
    select: { id: true, secretKeyId: true, secretSealed: true },
    take: limit,
  });
  return rows.map((row) => ({ id: row.id, secret: toSealed(row) }));
}

/** Counts secrets that none of these keys sealed. */
export async function countHookSecretsBeyondKeys(prisma: PrismaClient, keyIds: string[]): Promise<number> {
  return await prisma.toolHook.count({ where: { secretKeyId: { notIn: keyIds }, deletedAt: null } });
}

/** Replaces the sealed form unless the secret was rotated since it was read. */
export async function replaceSealedHookSecret(
  prisma: PrismaClient,
  id: string,
  before: SealedSecret,
  after: SealedSecret,
): Promise<void> {
  await prisma.toolHook.updateMany({
    where: { id, secretSealed: Uint8Array.from(before.bytes) },
    data: sealedColumns(after),
  });
}

function sealedColumns(secret: SealedSecret) {
  return { secretKeyId: secret.keyId, secretSealed: Uint8Array.from(secret.bytes) };
}

function toToolHook(row: Row): ToolHook {
  return {
    id: row.id,
    projectId: row.projectId,
    hookType: row.hookType as ToolHookType,
    endpointUrl: row.endpointUrl,
    enabled: row.enabled,
    timeoutMs: row.timeoutMs,
    failBehavior: row.failBehavior as FailBehavior,
    toolsAllowlist: row.toolsAllowlist,
    allowMutation: row.allowMutation,
    secret: toSealed(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function toSealed(row: Pick<Row, 'secretKeyId' | 'secretSealed'>): SealedSecret {
  return { keyId: row.secretKeyId, bytes: Buffer.from(row.secretSealed) };
}
