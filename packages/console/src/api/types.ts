// The records of the API, as its schemas describe them. Only types: no schema is part of the bundle.
import type {
  accountStatementSchema,
  balanceHistorySchema,
  balanceSchema,
  customerEnvelopeSchema,
  customerSchema,
  paymentDetailSchema,
  paymentListSchema,
  priceMigrationSchema,
  refundSchema,
  statementSchema,
  statementsSchema,
  subscriptionSchema,
  tierChangePreviewSchema,
  tierSchema,
  unchargedUsageSchema,
  usageSchema,
} from '@tollgate/api/billing';
import type { connectionSchema, testConnectionResponse } from '@tollgate/api/connections';
import type {
  listWebhookEventTypesResponse,
  mcpServerSchema,
  testMcpServerResponse,
  toolHookEventSchema,
  toolHookSchema,
  webhookDeliverySchema,
  webhookRecoverySchema,
  webhookSchema,
  webhookStatisticsResponse,
} from '@tollgate/api/hooks';
import type {
  accountBalanceSchema,
  apiKeySchema,
  auditEventSchema,
  customerDeviceSchema,
  invitationPreviewResponse,
  invitationSchema,
  memberSchema,
  ownerDeviceSchema,
  portalSessionResponse,
  projectSchema,
  signInSchema,
  userSchema,
} from '@tollgate/api/identity';
import type { modelRouteSchema, modelSchema, responseEventSchema } from '@tollgate/api/model-requests';
import type { projectUsageSchema, requestDetailSchema, requestSchema } from '@tollgate/api/reports';
import type {
  agentMemorySchema,
  agentSnapshotSchema,
  agentVersionSchema,
  listRunStepsResponse,
  listRunsResponse,
  pendingToolsResponse,
  runEventSchema,
  runSnapshotSchema,
} from '@tollgate/api/runs';
import type {
  mailboxSchema,
  messageSchema,
  sessionMessageSchema,
  sessionSchema,
  sessionWithMessagesSchema,
  sqlProfileSchema,
  stateHandleDataResponse,
  stateHandleSchema,
  validateSqlResponse,
} from '@tollgate/api/state';
import type { z } from 'zod';

export type User = z.output<typeof userSchema>;
export type Project = z.output<typeof projectSchema>;
export type Member = z.output<typeof memberSchema>;
export type Invitation = z.output<typeof invitationSchema>;
export type InvitationPreview = z.output<typeof invitationPreviewResponse>;
export type OwnerDevice = z.output<typeof ownerDeviceSchema>;
export type SignIn = z.output<typeof signInSchema>;
export type ApiKey = z.output<typeof apiKeySchema>;
export type AuditEvent = z.output<typeof auditEventSchema>;
export type AccountBalance = z.output<typeof accountBalanceSchema>;

export type Customer = z.output<typeof customerSchema>;
export type CustomerEnvelope = z.output<typeof customerEnvelopeSchema>;
export type CustomerUsage = z.output<typeof usageSchema>;
export type Subscription = z.output<typeof subscriptionSchema>;
export type Wallet = z.output<typeof balanceSchema>;
export type WalletEntry = z.output<typeof balanceHistorySchema>['entries'][number];
export type Payment = z.output<typeof paymentListSchema>['payments'][number];
export type PaymentTotals = NonNullable<z.output<typeof paymentListSchema>['totals']>[number];
export type PaymentDetail = z.output<typeof paymentDetailSchema>;
export type UnchargedUsage = z.output<typeof unchargedUsageSchema>['usage'][number];
export type StatementMonth = z.output<typeof statementsSchema>['statements'][number];
export type Statement = z.output<typeof statementSchema>['statement'];
export type AccountStatement = z.output<typeof accountStatementSchema>['statement'];
export type Refund = z.output<typeof refundSchema>;
export type TierChangePreview = z.output<typeof tierChangePreviewSchema>;
export type Device = z.output<typeof customerDeviceSchema>;
export type PortalSession = z.output<typeof portalSessionResponse>;
export type PriceMigration = z.output<typeof priceMigrationSchema>;
export type Tier = z.output<typeof tierSchema>;
export type TierModel = Tier['models'][number];

export type RequestRow = z.output<typeof requestSchema>;
export type RequestDetail = z.output<typeof requestDetailSchema>;
export type CheckedLimit = NonNullable<RequestDetail['admission']>['limits'][number];
export type RouteAttempt = NonNullable<RequestDetail['attempts']>[number];
export type UnitPrices = NonNullable<RequestDetail['prices']>['owner'];
export type ProjectUsage = z.output<typeof projectUsageSchema>;
export type UsageFigures = ProjectUsage['totals'];

export type Model = z.output<typeof modelSchema>;
export type ModelRoute = z.output<typeof modelRouteSchema>;
export type ResponseEvent = z.output<typeof responseEventSchema>;

export type Run = z.output<typeof listRunsResponse>['runs'][number];
export type RunSnapshot = z.output<typeof runSnapshotSchema>;
export type RunNode = RunSnapshot['nodes'][number];
export type PendingTools = z.output<typeof pendingToolsResponse>;
export type RunStep = z.output<typeof listRunStepsResponse>['steps'][number];
export type RunEvent = z.output<typeof runEventSchema>;
export type Agent = z.output<typeof agentSnapshotSchema>;
export type AgentMemory = z.output<typeof agentMemorySchema>;
export type AgentVersion = z.output<typeof agentVersionSchema>;

export type Session = z.output<typeof sessionSchema>;
export type SessionMessage = z.output<typeof sessionMessageSchema>;
export type SessionWithMessages = z.output<typeof sessionWithMessagesSchema>;

export type StateHandle = z.output<typeof stateHandleSchema>;
export type StateHandleData = z.output<typeof stateHandleDataResponse>;
export type SqlProfile = z.output<typeof sqlProfileSchema>;
export type SqlVerdict = z.output<typeof validateSqlResponse>;

export type Message = z.output<typeof messageSchema>;
export type Mailbox = z.output<typeof mailboxSchema>;

export type Webhook = z.output<typeof webhookSchema>;
export type WebhookEventType = z.output<typeof listWebhookEventTypesResponse>['event_types'][number];
export type WebhookStatistics = z.output<typeof webhookStatisticsResponse>;
export type WebhookRecovery = z.output<typeof webhookRecoverySchema>;
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
export type Connection = z.output<typeof connectionSchema>;
export type ConnectionTest = z.output<typeof testConnectionResponse>;
export type McpServer = z.output<typeof mcpServerSchema>;
export type McpServerTest = z.output<typeof testMcpServerResponse>;
export type ToolHook = z.output<typeof toolHookSchema>;
export type ToolHookEvent = z.output<typeof toolHookEventSchema>;
