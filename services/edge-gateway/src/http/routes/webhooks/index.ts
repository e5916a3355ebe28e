import { endpoints } from '../../server/endpoints.js';
import {
  getWebhookRecovery,
  getWebhookStatistics,
  listWebhookEvents,
  recoverWebhook,
  redeliverWebhookEvent,
} from './deliveries.js';
import { listWebhookEventTypes } from './list-webhook-event-types.js';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, testWebhook, updateWebhook } from './webhooks.js';

export const webhookRouter = endpoints(
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookEventTypes,
  listWebhookEvents,
  redeliverWebhookEvent,
  getWebhookStatistics,
  recoverWebhook,
  getWebhookRecovery,
);
