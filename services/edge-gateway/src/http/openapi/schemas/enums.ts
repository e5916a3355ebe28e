import { subscriptionSchema } from '@tollgate/api/billing';
import { connectionModes } from '@tollgate/api/connections';
import {
  mcpServerTestStatuses,
  toolHookFailBehaviors,
  toolHookStatuses,
  toolHookTypes,
  webhookDeliveryStatuses,
  webhookEventTypes,
  webhookRetrySchedules,
  webhookSignatureForms,
} from '@tollgate/api/hooks';
import { PROVIDER_IDS } from '@tollgate/api/model-requests';
import { NODE_STATUSES, RUN_STATUSES, toolFailurePolicies, WORKFLOW_INPUT_TYPES } from '@tollgate/api/runs';
import { sqlDialects } from '@tollgate/api/state';
import { apiErrorSchema } from '@tollgate/api/values';
import { mapSubschemas, refTo, type Schema, type Schemas } from './schema.js';

const lists: readonly [string, readonly string[]][] = [
  ['RunStatus', RUN_STATUSES],
  ['NodeStatus', NODE_STATUSES],
  ['ToolFailurePolicy', toolFailurePolicies],
  ['WorkflowInputType', WORKFLOW_INPUT_TYPES],
  ['Provider', PROVIDER_IDS],
  ['SqlDialect', sqlDialects],
  ['WebhookEventType', webhookEventTypes],
  ['WebhookSignatureForm', webhookSignatureForms],
  ['WebhookRetrySchedule', webhookRetrySchedules],
  ['WebhookDeliveryStatus', webhookDeliveryStatuses],
  ['ConnectionMode', connectionModes],
  ['McpServerTestStatus', mcpServerTestStatuses],
  ['ToolHookType', toolHookTypes],
  ['ToolHookFailBehavior', toolHookFailBehaviors],
  ['ToolHookStatus', toolHookStatuses],
  ['SubscriptionStatus', subscriptionSchema.shape.subscription_status.options],
  ['ErrorLayer', apiErrorSchema.shape.layer.options],
  ['ErrorCause', apiErrorSchema.shape.cause.options],
];

const named = new Map(lists.map(([name, values]) => [JSON.stringify(values), name]));

/** Replaces the lists of values that several schemas share by references to one schema each. */
export function nameEnums(schema: Schema): Schema {
  const name = schema.enum && Object.keys(schema).length === 2 ? named.get(JSON.stringify(schema.enum)) : undefined;
  return name === undefined ? mapSubschemas(schema, nameEnums) : refTo(name);
}

export function enumSchemas(): Schemas {
  return Object.fromEntries(lists.map(([name, values]) => [name, { type: 'string', enum: [...values] }]));
}
