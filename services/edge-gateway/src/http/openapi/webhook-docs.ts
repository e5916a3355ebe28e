import { webhookEventDescriptions, webhookEventSchemas, type webhookEventTypes } from '@tollgate/api/hooks';
import type { JsonObject } from '@tollgate/runtime';
import { toPascalCase } from './schemas/schema.js';
import type { SchemaWriter } from './schemas/schema-writer.js';

type EventType = (typeof webhookEventTypes)[number];

const SIGNATURES =
  'Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the ' +
  'webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.';

/** Describes the requests that Tollgate sends to webhook endpoints. */
export function describeWebhooks(writer: SchemaWriter): JsonObject {
  const entries = Object.entries(webhookEventSchemas).map(([type, schema]) => {
    const name = toPascalCase(type);
    const body = writer.write(schema, 'output', `${name}WebhookEvent`);
    return [type, { post: describeEvent(type as EventType, name, body) }];
  });
  return Object.fromEntries(entries);
}

function describeEvent(type: EventType, name: string, schema: JsonObject): JsonObject {
  return {
    tags: ['Webhooks'],
    operationId: `on${name}`,
    summary: webhookEventDescriptions[type],
    description: SIGNATURES,
    security: [],
    parameters: headers.map((header) => ({ ...header, in: 'header' })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Delivered' },
      '408': { description: 'Repeated later' },
      '410': { description: 'Not repeated; the webhook is disabled' },
      '429': { description: 'Repeated later; `Retry-After` may delay the next attempt, by at most 15 minutes' },
      '4XX': { description: 'Not repeated' },
      '5XX': { description: 'Repeated later, at most five attempts; `Retry-After` as for 429' },
    },
  };
}

const headers: readonly JsonObject[] = [
  { name: 'X-Service-Event-Type', required: true, description: 'The type of the event', schema: { type: 'string' } },
  {
    name: 'X-Service-Event-Id',
    required: true,
    description: 'The id of the event',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'X-Service-Signature',
    description:
      '`body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret.',
    schema: { type: 'string' },
  },
  { name: 'webhook-id', description: '`standard`: the id of the event', schema: { type: 'string' } },
  { name: 'webhook-timestamp', description: '`standard`: Unix seconds', schema: { type: 'string' } },
  {
    name: 'webhook-signature',
    description: '`standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks',
    schema: { type: 'string' },
  },
];
