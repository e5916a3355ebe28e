import {
  listWebhookEventTypesResponse,
  webhookEventDescriptions,
  webhookEventSchemas,
  webhookEventTypes,
} from '@tollgate/api/hooks';
import { lazy } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { buildExample } from '../../openapi/examples/example-builder.js';
import type { Schema } from '../../openapi/schemas/schema.js';

export const listWebhookEventTypes = defineRoute({
  method: 'GET',
  path: '/webhook-event-types',
  tag: 'Webhooks',
  summary: 'List the event types that a webhook can receive, with the schema and an example of each body',
  operationId: 'listWebhookEventTypes',
  description:
    'The same for every project. Receivers ignore members that they do not know: bodies may get more of them.',
  auth: ['owner', 'secret_key'],
  success: { status: 200, schema: listWebhookEventTypesResponse },
  handler: async () => ({ body: { event_types: eventTypes() } }),
});

const eventTypes = lazy(() => webhookEventTypes.map(toEventType));

function toEventType(type: (typeof webhookEventTypes)[number]) {
  const { $schema: _, ...schema } = z.toJSONSchema(webhookEventSchemas[type], { io: 'output', unrepresentable: 'any' });
  const example = buildExample(schema as Schema, {}, false) as Record<string, unknown>;
  return { type, description: webhookEventDescriptions[type], schema, example };
}
