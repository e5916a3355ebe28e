import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { closeProject } from '../operations/close-project.js';
import { createWebhook } from '../operations/webhooks/create-webhook.js';
import { deleteWebhook } from '../operations/webhooks/delete-webhook.js';
import { listDeliveries } from '../operations/webhooks/list-deliveries.js';
import { redeliver } from '../operations/webhooks/redeliver.js';
import { requireWebhook } from '../operations/webhooks/require-webhook.js';
import { testWebhook } from '../operations/webhooks/test-webhook.js';
import { updateWebhook } from '../operations/webhooks/update-webhook.js';
import { selectWebhooks } from '../store/webhooks.js';
import { deliveryToProto, webhookToProto } from './mapping.js';
import { pageOf, readPage } from './paging.js';
import { ownedProjectOf } from './project-of.js';

export function hookService(ctx: Context): Registration {
  return register(HookService, {
    async createWebhook(req, call) {
      const { webhook, signingSecret } = await createWebhook(ctx, ownedProjectOf(call), req);
      return { webhook: webhookToProto(webhook, signingSecret) };
    },
    async getWebhook({ webhookId }, call) {
      return { webhook: webhookToProto(await requireWebhook(ctx, ownedProjectOf(call), webhookId)) };
    },
    async listWebhooks(req, call) {
      const projectId = ownedProjectOf(call);
      const { rows, hasMore } = await readPage(pageOf(req), (page) => selectWebhooks(ctx.prisma, projectId, page));
      return { webhooks: rows.map((webhook) => webhookToProto(webhook)), hasMore };
    },
    async updateWebhook(req, call) {
      const { webhook, signingSecret } = await updateWebhook(ctx, ownedProjectOf(call), req.webhookId, req);
      return { webhook: webhookToProto(webhook, signingSecret) };
    },
    async deleteWebhook({ webhookId }, call) {
      await deleteWebhook(ctx, ownedProjectOf(call), webhookId);
      return {};
    },
    async closeProject(_req, call) {
      await closeProject(ctx, ownedProjectOf(call));
      return {};
    },
    async testWebhook({ webhookId, eventType }, call) {
      return await testWebhook(ctx, ownedProjectOf(call), webhookId, eventType || undefined, call.signal);
    },
    async listWebhookDeliveries(req, call) {
      const { webhookId, eventType, status } = req;
      const filter = { webhookId, eventType: eventType || undefined, status: status || undefined };
      const read = await listDeliveries(ctx, ownedProjectOf(call), filter);
      const { rows, hasMore } = await readPage(pageOf(req), read);
      return { deliveries: rows.map(deliveryToProto), hasMore };
    },
    async redeliverWebhookDelivery({ webhookId, deliveryId }, call) {
      return { delivery: deliveryToProto(await redeliver(ctx, ownedProjectOf(call), webhookId, deliveryId)) };
    },
  });
}
