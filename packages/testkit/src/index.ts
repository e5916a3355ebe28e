export {
  type ApiClient,
  type ApiCredential,
  type ApiResponse,
  type ApiStream,
  apiClient,
  type Json,
  type SseEvent,
} from './api-client.js';
export {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.js';
export {
  agentBody,
  anthropicBody,
  chatBody,
  customerBody,
  functionTool,
  paygoTierBody,
  registerBody,
  responsesBody,
  runBody,
  tierBody,
  uniqueCode,
  userMessage,
  webhookBody,
} from './builders.js';
export { collectRejections } from './collect-rejections.js';
export { type ControllableClock, controllableClock } from './controllable-clock.js';
export { countTurns } from './count-turns.js';
export { packArchive, packBomb, type Tree, type TreeEntry, toCommitId } from './fake-github/archive.js';
export { markdown, pluginTrees } from './fake-github/plugin-trees.js';
export {
  type FakeGithub,
  type GithubAnswer,
  type GithubRequest,
  startFakeGithub,
} from './fake-github/start-fake-github.js';
export { type Behavior, parseBehavior } from './fake-provider/behavior.js';
export { type InstantProvider, startInstantProvider } from './fake-provider/instant-provider.js';
export { type CallOutcome, type Journal, type JournalEntry, readJournal, sumEntries } from './fake-provider/journal.js';
export type { RealtimeResponseEntry } from './fake-provider/realtime/response-parts.js';
export type { FakeRealtime } from './fake-provider/realtime/serve-realtime.js';
export type { RealtimeTranscriptEntry } from './fake-provider/realtime/transcripts.js';
export {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
  type UpstreamRequest,
} from './fake-provider/start-fake-provider.js';
export { type FoldedRun, foldEvents, type RunEvent } from './fold-events.js';
export {
  type McpTestServer,
  type McpTestServerOptions,
  type McpTool,
  type McpToolCall,
  startMcpServer,
} from './mcp-server.js';
export { type MetricFamily, type MetricSample, parseMetrics } from './parse-metrics.js';
export type { Faults } from './payment-processor/api/faults.js';
export type { Payer } from './payment-processor/pages/complete-session.js';
export {
  type PaymentProcessor,
  type PaymentProcessorOptions,
  type ProcessorRequest,
  startPaymentProcessor,
} from './payment-processor/start-payment-processor.js';
export type { WebhookSender, WebhookTarget } from './payment-processor/webhook-sender.js';
export type {
  SubscriptionStatus,
  WireDispute,
  WireEvent,
  WireInvoice,
  WirePaymentIntent,
  WireRefund,
  WireSession,
  WireSubscription,
} from './payment-processor/wire.js';
export { scrapeMetrics } from './scrape-metrics.js';
export {
  type McpExchange,
  type McpMessage,
  type ScriptedMcpServer,
  startScriptedMcpServer,
} from './scripted-mcp-server.js';
export { type StatelessMcpServer, startStatelessMcpServer } from './stateless-mcp-server.js';
export { type WaitOptions, waitUntil } from './wait-until.js';
export {
  type Delivery,
  parseDelivery,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
} from './webhook-receiver.js';
