import { timestampDate } from '@bufbuild/protobuf/wkt';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { closeProject } from '../operations/close-project.js';
import { listDeliveries } from '../operations/webhooks/list-deliveries.js';
import { readWebhookStatistics } from '../operations/webhooks/read-statistics.js';
import { readRecovery, recoverWebhook } from '../operations/webhooks/recover-webhook.js';
import { redeliver } from '../operations/webhooks/redeliver.js';
import { testWebhook } from '../operations/webhooks/test-webhook.js';
import { createWebhook, deleteWebhook, requireWebhook, updateWebhook } from '../operations/webhooks/webhooks.js';
import { selectWebhooks } from '../store/webhooks.js';
import { deliveryToProto, recoveryToProto, statisticsToProto, webhookToProto } from './mapping.js';
import { readPage, toPage } from './paging.js';
import { requireOwnedProject } from './require-project.js';

export function hookService(ctx: Context): Registration {
  return register(HookService, {
    async createWebhook(req, call) {
      const { webhook, signingSecret } = await createWebhook(ctx, requireOwnedProject(call), req);
      return { webhook: webhookToProto(webhook, signingSecret) };
    },
    async getWebhook({ webhookId }, call) {
      return { webhook: webhookToProto(await requireWebhook(ctx, requireOwnedProject(call), webhookId)) };
    },
    async listWebhooks(req, call) {
      const projectId = requireOwnedProject(call);
      const { rows, hasMore } = await readPage(toPage(req), (page) => selectWebhooks(ctx.pool, projectId, page));
      return { webhooks: rows.map((webhook) => webhookToProto(webhook)), hasMore };
    },
    async updateWebhook(req, call) {
      const { webhook, signingSecret } = await updateWebhook(ctx, requireOwnedProject(call), req.webhookId, req);
      return { webhook: webhookToProto(webhook, signingSecret) };
    },
    async deleteWebhook({ webhookId }, call) {
      await deleteWebhook(ctx, requireOwnedProject(call), webhookId);
      return {};
    },
    async closeProject(_req, call) {
      await closeProject(ctx, requireOwnedProject(call));
      return {};
    },
    async testWebhook({ webhookId, eventType }, call) {
      const test = { webhookId, eventType: eventType || undefined };
      return await testWebhook(ctx, requireOwnedProject(call), test, call.signal);
    },
    async listWebhookDeliveries(req, call) {
      const { webhookId, eventType, status } = req;
      const filter = { webhookId, eventType: eventType || undefined, status: status || undefined };
      const read = await listDeliveries(ctx, requireOwnedProject(call), filter);
      const { rows, hasMore } = await readPage(toPage(req), read);
      return { deliveries: rows.map(deliveryToProto), hasMore };
    },
    async redeliverWebhookDelivery({ webhookId, deliveryId }, call) {
      return { delivery: deliveryToProto(await redeliver(ctx, requireOwnedProject(call), webhookId, deliveryId)) };
    },
    async getWebhookStatistics(req, call) {
      return statisticsToProto(await readWebhookStatistics(ctx, requireOwnedProject(call), req));
    },
    async recoverWebhook({ webhookId, since }, call) {
      const request = { webhookId, since: since && timestampDate(since) };
      return { recovery: recoveryToProto(await recoverWebhook(ctx, requireOwnedProject(call), request)) };
    },
    async getWebhookRecovery(req, call) {
      return { recovery: recoveryToProto(await readRecovery(ctx, requireOwnedProject(call), req)) };
    },
  });
}
