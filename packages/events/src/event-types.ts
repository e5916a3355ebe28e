import type { DescMessage } from '@bufbuild/protobuf';
import { AgentChangedSchema } from '@tollgate/contracts/events/v1/agents_pb.js';
import {
  AdmissionBlockedSchema,
  AutoTopUpFailedSchema,
  DisputeOpenedSchema,
  PaymentFailedSchema,
  PaymentRefundedSchema,
  PaymentSucceededSchema,
  SubscriptionChangedSchema,
  ThresholdExceededSchema,
} from '@tollgate/contracts/events/v1/billing_pb.js';
import { CustomerChangedSchema } from '@tollgate/contracts/events/v1/customers_pb.js';
import { RequestCompletedSchema } from '@tollgate/contracts/events/v1/requests_pb.js';
import { RunChangedSchema } from '@tollgate/contracts/events/v1/runs_pb.js';
import { UsageRecordedSchema } from '@tollgate/contracts/events/v1/usage_pb.js';
import type { EventDefinition } from './event.js';

/** Every event of the system. `proto/tollgate/events/v1` states the key of each message. */
export const eventTypes = {
  usageRecorded: event('usage.recorded', 'tollgate.usage.v1', UsageRecordedSchema),
  usageCorrected: event('usage.corrected', 'tollgate.usage.v1', UsageRecordedSchema),
  requestCompleted: event('request.completed', 'tollgate.requests.v1', RequestCompletedSchema),
  customerCreated: event('customer.created', 'tollgate.customers.v1', CustomerChangedSchema),
  customerUpdated: event('customer.updated', 'tollgate.customers.v1', CustomerChangedSchema),
  customerDeleted: event('customer.deleted', 'tollgate.customers.v1', CustomerChangedSchema),
  subscriptionChanged: event('billing.subscription_changed', 'tollgate.billing.v1', SubscriptionChangedSchema),
  paymentSucceeded: event('billing.payment_succeeded', 'tollgate.billing.v1', PaymentSucceededSchema),
  disputeOpened: event('billing.dispute_opened', 'tollgate.billing.v1', DisputeOpenedSchema),
  paymentRefunded: event('billing.payment_refunded', 'tollgate.billing.v1', PaymentRefundedSchema),
  paymentFailed: event('billing.payment_failed', 'tollgate.billing.v1', PaymentFailedSchema),
  thresholdExceeded: event('usage.threshold_exceeded', 'tollgate.billing.v1', ThresholdExceededSchema),
  admissionBlocked: event('account.admission_blocked', 'tollgate.accounts.v1', AdmissionBlockedSchema),
  autoTopUpFailed: event('account.auto_topup_failed', 'tollgate.accounts.v1', AutoTopUpFailedSchema),
  runStarted: event('run.started', 'tollgate.runs.v1', RunChangedSchema),
  runWaiting: event('run.waiting', 'tollgate.runs.v1', RunChangedSchema),
  runSucceeded: event('run.succeeded', 'tollgate.runs.v1', RunChangedSchema),
  runFailed: event('run.failed', 'tollgate.runs.v1', RunChangedSchema),
  runCanceled: event('run.canceled', 'tollgate.runs.v1', RunChangedSchema),
  agentCreated: event('agent.created', 'tollgate.agents.v1', AgentChangedSchema),
  agentUpdated: event('agent.updated', 'tollgate.agents.v1', AgentChangedSchema),
  agentRevised: event('agent.revised', 'tollgate.agents.v1', AgentChangedSchema),
  agentDeleted: event('agent.deleted', 'tollgate.agents.v1', AgentChangedSchema),
} as const;

function event<Desc extends DescMessage>(type: string, topic: string, message: Desc): EventDefinition<Desc> {
  return { type, topic, message };
}
