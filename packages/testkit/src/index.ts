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
export { type ControllableClock, controllableClock } from './controllable-clock.js';
export { type Behaviour, behaviourOf } from './fake-provider/behaviour.js';
export { type InstantProvider, startInstantProvider } from './fake-provider/instant-provider.js';
export { type CallOutcome, type Journal, type JournalEntry, readJournal, totalsOf } from './fake-provider/journal.js';
export {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
  type UpstreamRequest,
} from './fake-provider/start-fake-provider.js';
export { freePort } from './http-server.js';
export { type WaitOptions, waitUntil } from './wait-until.js';
export {
  type Delivery,
  jsonOf,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
} from './webhook-receiver.js';
