import { isUuid } from '@tollgate/runtime/uuid';
import type { SealedSecret } from '../domain/secret-box.js';
import type { DisabledReason } from '../domain/webhooks/endpoint-health.js';
import type { WebhookEventType } from '../domain/webhooks/event-types.js';
import type { RetryScheduleName } from '../domain/webhooks/retry-policy.js';
import type { SignatureForm } from '../domain/webhooks/signature.js';
import type { Webhook } from '../domain/webhooks/webhook.js';
import type { PrismaClient, Webhook as Row } from './generated/client.js';

export async function insertWebhook(prisma: PrismaClient, webhook: Webhook): Promise<void> {
  const { secret, ...fields } = webhook;
  await prisma.webhook.create({
    data: {
      ...fields,
      disabledReason: fields.disabledReason ?? null,
      secretKeyId: secret.keyId,
      secretSealed: Uint8Array.from(secret.bytes),
    },
  });
}

export async function countWebhooks(prisma: PrismaClient, projectId: string): Promise<number> {
  return await prisma.webhook.count({ where: { projectId, deletedAt: null } });
}

export async function findWebhook(prisma: PrismaClient, projectId: string, id: string): Promise<Webhook | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await prisma.webhook.findFirst({ where: { id, projectId, deletedAt: null } });
  return row ? toWebhook(row) : undefined;
}

/** Oldest first. */
export async function selectWebhooks(
  prisma: PrismaClient,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<Webhook[]> {
  const rows = await prisma.webhook.findMany({
    where: { projectId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: page.limit,
    skip: page.offset,
  });
  return rows.map(toWebhook);
}

/** Undefined fields keep their current value. */
export interface WebhookChange {
  endpointUrl: string;
  eventTypes: WebhookEventType[];
  signatureForm: SignatureForm | undefined;
  retrySchedule: RetryScheduleName | undefined;
  secret: SealedSecret | undefined;
  updatedAt: Date;
}

/** The columns that change when a webhook is enabled or disabled. */
export type EnabledChange = { enabled: true } | { enabled: false; disabledReason: DisabledReason };

/** Returns undefined when the webhook was deleted. */
export async function updateWebhook(
  prisma: PrismaClient,
  projectId: string,
  id: string,
  { secret, ...fields }: WebhookChange,
): Promise<Webhook | undefined> {
  const [row] = await prisma.webhook.updateManyAndReturn({
    where: { id, projectId, deletedAt: null },
    data: {
      ...omitUndefined(fields),
      ...(secret && { secretKeyId: secret.keyId, secretSealed: Uint8Array.from(secret.bytes) }),
    },
  });
  return row ? toWebhook(row) : undefined;
}

/**
 * Enables the webhook, which resets its failures, or disables it. Does not change a webhook that is already in that
 * state, which keeps the reason for disabling and the failure count.
 */
export async function setWebhookEnabled(prisma: PrismaClient, id: string, change: EnabledChange): Promise<void> {
  await prisma.webhook.updateMany({
    where: { id, enabled: !change.enabled, deletedAt: null },
    data: change.enabled
      ? { enabled: true, disabledReason: null, failedDeliveries: 0, failedAttempts: 0 }
      : { enabled: false, disabledReason: change.disabledReason },
  });
}

/** Returns false when no such webhook exists. */
export async function markWebhookDeleted(
  prisma: PrismaClient,
  projectId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { count } = await prisma.webhook.updateMany({
    where: { id, projectId, deletedAt: null },
    data: { deletedAt: now },
  });
  return count === 1;
}

export async function markWebhooksDeleted(prisma: PrismaClient, projectId: string, now: Date): Promise<void> {
  await prisma.webhook.updateMany({ where: { projectId, deletedAt: null }, data: { deletedAt: now } });
}

/** Returns secrets that one of these keys sealed. */
export async function selectSecretsOfKeys(
  prisma: PrismaClient,
  keyIds: string[],
  limit: number,
): Promise<{ id: string; secret: SealedSecret }[]> {
  const rows = await prisma.webhook.findMany({
    where: { secretKeyId: { in: keyIds }, deletedAt: null },
    select: { id: true, secretKeyId: true, secretSealed: true },
    take: limit,
  });
  return rows.map((row) => ({ id: row.id, secret: toSealed(row) }));
}

/** Counts secrets that none of these keys sealed. */
export async function countSecretsBeyondKeys(prisma: PrismaClient, keyIds: string[]): Promise<number> {
  return await prisma.webhook.count({ where: { secretKeyId: { notIn: keyIds }, deletedAt: null } });
}

/** Replaces the sealed form unless the secret was rotated since it was read. */
export async function replaceSealedSecret(
  prisma: PrismaClient,
  id: string,
  before: SealedSecret,
  after: SealedSecret,
): Promise<void> {
  await prisma.webhook.updateMany({
    where: { id, secretSealed: Uint8Array.from(before.bytes) },
    data: { secretKeyId: after.keyId, secretSealed: Uint8Array.from(after.bytes) },
  });
}

/** Removes undefined fields, which Prisma's exact optional types reject. */
function omitUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    projectId: row.projectId,
    endpointUrl: row.endpointUrl,
    eventTypes: row.eventTypes as WebhookEventType[],
    enabled: row.enabled,
    disabledReason: (row.disabledReason ?? undefined) as DisabledReason | undefined,
    signatureForm: row.signatureForm as SignatureForm,
    retrySchedule: row.retrySchedule as RetryScheduleName,
    secret: toSealed(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function toSealed(row: Pick<Row, 'secretKeyId' | 'secretSealed'>): SealedSecret {
  return { keyId: row.secretKeyId, bytes: Buffer.from(row.secretSealed) };
}
