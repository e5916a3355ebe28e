import { isUuid } from '@tollgate/runtime/uuid';
import type { DeliveryStatus } from '../domain/webhooks/delivery.js';
import type { Prisma, PrismaClient } from './generated/client.js';

export interface DeliveryFilter {
  webhookId: string;
  eventType: string | undefined;
  status: DeliveryStatus | undefined;
}

/** A delivery with its event and all its attempts. */
export type DeliveryRecord = Prisma.WebhookDeliveryGetPayload<{ include: typeof withLog }>;

const withLog = {
  event: true,
  attempts: { orderBy: [{ round: 'asc' }, { attempt: 'asc' }] },
} satisfies Prisma.WebhookDeliveryInclude;

/** Newest first. */
export async function selectDeliveries(
  prisma: PrismaClient,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<DeliveryRecord[]> {
  const { webhookId, eventType, status } = filter;
  return await prisma.webhookDelivery.findMany({
    where: { webhookId, ...(status && { status }), ...(eventType && { event: { eventType } }) },
    include: withLog,
    orderBy: { seq: 'desc' },
    take: page.limit,
    skip: page.offset,
  });
}

export async function findDelivery(
  prisma: PrismaClient,
  webhookId: string,
  id: string,
): Promise<DeliveryRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await prisma.webhookDelivery.findFirst({ where: { id, webhookId }, include: withLog });
  return row ?? undefined;
}

export interface TestDelivery {
  deliveryId: string;
  webhookId: string;
  event: { id: string; projectId: string; eventType: string; payload: Uint8Array; occurredAt: Date };
  outcome: 'delivered' | 'failed';
  responseStatus: number | undefined;
  latencyMs: number;
  error: string | undefined;
}

/** Writes a finished test delivery to the log; it never enters a queue. */
export async function insertTestDelivery(prisma: PrismaClient, test: TestDelivery): Promise<void> {
  const { event, outcome, responseStatus = null, latencyMs, error = null } = test;
  await prisma.webhookDelivery.create({
    data: {
      id: test.deliveryId,
      orderingKey: test.deliveryId,
      status: outcome,
      attemptCount: 1,
      responseStatus,
      latencyMs,
      error,
      webhook: { connect: { id: test.webhookId } },
      event: { create: { ...event, payload: Uint8Array.from(event.payload) } },
      attempts: {
        create: { round: 0, attempt: 1, outcome, responseStatus, latencyMs, error, startedAt: event.occurredAt },
      },
    },
  });
}
