import { apiAddress, formatAddress } from '../domain/address.js';
import type { Message } from '../domain/message.js';
import type { Scope } from '../domain/scope.js';
import type { Prisma, PrismaClient, Message as Row } from './generated/client.js';

/** The client itself or an open transaction. */
type Db = PrismaClient | Prisma.TransactionClient;

export interface MessageFilter {
  to?: string | undefined;
  threadId?: string | undefined;
  unreadOnly: boolean;
}

/** A message under its key is sent once, unless it is older than `since`. */
export interface Dedupe {
  key: string;
  since: Date;
}

/** Inserts, or returns the message that an earlier call with the same key has sent. */
export async function insertMessage(prisma: PrismaClient, message: Message, dedupe?: Dedupe): Promise<Message> {
  const data = {
    id: message.id,
    projectId: message.projectId,
    customerId: message.customerId ?? null,
    fromAddress: message.from,
    toAddress: message.to,
    subject: message.subject,
    body: message.bodyJson,
    threadId: message.threadId,
    createdAt: message.createdAt,
    dedupeKey: dedupe?.key ?? null,
  };
  if (!dedupe) return toMessage(await prisma.message.create({ data }));
  const key = { projectId: message.projectId, dedupeKey: dedupe.key };
  await prisma.message.updateMany({
    where: { ...key, createdAt: { lt: dedupe.since } },
    data: { dedupeKey: null },
  });
  await prisma.message.createMany({ data: [data], skipDuplicates: true });
  return toMessage(await prisma.message.findUniqueOrThrow({ where: { projectId_dedupeKey: key } }));
}

export async function findMessage(prisma: PrismaClient, scope: Scope, id: string): Promise<Message | undefined> {
  const row = await prisma.message.findFirst({ where: { ...inScope(scope), id } });
  return row ? toMessage(row) : undefined;
}

/** The oldest message of a thread that the scope can see. */
export async function findThreadStart(
  prisma: PrismaClient,
  scope: Scope,
  threadId: string,
): Promise<Message | undefined> {
  const row = await prisma.message.findFirst({ where: { ...inScope(scope), threadId }, orderBy: { seq: 'asc' } });
  return row ? toMessage(row) : undefined;
}

/** Oldest first. */
export async function listMessages(
  prisma: PrismaClient,
  scope: Scope,
  filter: MessageFilter,
  page: { take: number; skip: number },
): Promise<Message[]> {
  const where: Prisma.MessageWhereInput = inScope(scope);
  if (filter.to !== undefined) where.toAddress = filter.to;
  if (filter.threadId !== undefined) where.threadId = filter.threadId;
  if (filter.unreadOnly) where.readAt = null;
  const rows = await prisma.message.findMany({ where, orderBy: { seq: 'asc' }, ...page });
  return rows.map(toMessage);
}

/** Until the transaction ends, others who would read an inbox with this key wait. */
export async function lockReadKey(tx: Prisma.TransactionClient, { projectId }: Scope, readKey: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${projectId}/${readKey}`}, 0))`;
}

/** Oldest first: what an inbox call with this key has taken. */
export async function listTakenMessages(prisma: Db, scope: Scope, to: string, readKey: string): Promise<Message[]> {
  const where = { ...inScope(scope), toAddress: to, readKey };
  const rows = await prisma.message.findMany({ where, orderBy: { seq: 'asc' } });
  return rows.map(toMessage);
}

/**
 * Marks the oldest unread messages of a mailbox read and returns them, oldest first. A concurrent call passes over the
 * rows that this one holds, so no message is handed out twice.
 */
export async function takeUnreadMessages(
  prisma: Db,
  scope: Scope,
  take: { to: string; limit: number; at: Date; readKey: string | undefined },
): Promise<Message[]> {
  const taken = await prisma.$queryRaw<{ id: string }[]>`
    UPDATE messages SET read_at = ${take.at}, read_key = ${take.readKey ?? null}
    WHERE id IN (
      SELECT id FROM messages
      WHERE project_id = ${scope.projectId}::uuid AND to_address = ${take.to} AND read_at IS NULL
        AND (${scope.customerId ?? null}::uuid IS NULL OR customer_id = ${scope.customerId ?? null}::uuid)
      ORDER BY seq LIMIT ${take.limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING id`;
  const ids = taken.map((row) => row.id);
  const rows = await prisma.message.findMany({ where: { id: { in: ids } }, orderBy: { seq: 'asc' } });
  return rows.map(toMessage);
}

/** Sets the time of the first reading; an earlier one stands. */
export async function setMessageRead(prisma: PrismaClient, scope: Scope, id: string, at: Date): Promise<void> {
  await prisma.message.updateMany({ where: { ...inScope(scope), id, readAt: null }, data: { readAt: at } });
}

/** Moves what the project itself has sent to a customer's run into that customer's scope. */
export async function assignMailboxToCustomer(
  prisma: PrismaClient,
  projectId: string,
  to: string,
  customerId: string,
): Promise<void> {
  await prisma.message.updateMany({ where: { projectId, toAddress: to, customerId: null }, data: { customerId } });
}

function inScope({ projectId, customerId, isCustomerClient }: Scope): Prisma.MessageWhereInput {
  return { projectId, ...(customerId && { customerId }), ...(isCustomerClient && { OR: hasOwnSide(projectId) }) };
}

/** A message to or from a customer's own addresses; the mail between agents on its behalf is the project's. */
function hasOwnSide(projectId: string): Prisma.MessageWhereInput[] {
  const own: Prisma.StringFilter[] = [{ startsWith: 'run:' }, { equals: formatAddress(apiAddress(projectId)) }];
  return own.flatMap((address) => [{ fromAddress: address }, { toAddress: address }]);
}

function toMessage(row: Row): Message {
  return {
    id: row.id,
    projectId: row.projectId,
    customerId: row.customerId ?? undefined,
    from: row.fromAddress,
    to: row.toAddress,
    subject: row.subject,
    bodyJson: row.body,
    threadId: row.threadId,
    readAt: row.readAt ?? undefined,
    createdAt: row.createdAt,
  };
}
