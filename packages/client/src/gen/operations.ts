// Generated from the OpenAPI document. Do not edit: `npx pnpm --filter @tollgate/client run generate-core`.
import type { Caller, EventStream } from '../core/caller.js';
import type { Answer, Body, EventIn, Query } from '../core/operation-types.js';
import type { PageItem, Pages } from '../core/pages.js';
import { fillPath, withField } from '../core/request.js';
import type { CallOptions } from '../core/settings.js';
import type { components } from './schema.js';

/** What a webhook delivers; branch on `event_type`. */
export type WebhookEvent =
  | components['schemas']['AccountAdmissionBlockedWebhookEvent']
  | components['schemas']['BillingDisputeOpenedWebhookEvent']
  | components['schemas']['BillingPaymentFailedWebhookEvent']
  | components['schemas']['BillingPaymentRefundedWebhookEvent']
  | components['schemas']['BillingPaymentSucceededWebhookEvent']
  | components['schemas']['BillingSubscriptionChangedWebhookEvent']
  | components['schemas']['CustomerCreatedWebhookEvent']
  | components['schemas']['CustomerDeletedWebhookEvent']
  | components['schemas']['CustomerUpdatedWebhookEvent']
  | components['schemas']['RequestCompletedWebhookEvent']
  | components['schemas']['UsageThresholdExceededWebhookEvent'];

/** One method per operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Become a member of the project that an invitation is for. */
  acceptInvitation(body: Body<'acceptInvitation'>, options?: CallOptions): Promise<Answer<'acceptInvitation', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/invitations/accept', body }, options);
  }

  /** Add items to a conversation. */
  addConversationItems(conversationId: string, body: Body<'addConversationItems'>, options?: CallOptions): Promise<Answer<'addConversationItems', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1/conversations/{conversation_id}/items', [conversationId]), body, keyIn: 'header' }, options);
  }

  /** Append a message to a session; by the owner's session. */
  appendProjectSessionMessage(projectId: string, sessionId: string, body: Body<'appendProjectSessionMessage'>, options?: CallOptions): Promise<Answer<'appendProjectSessionMessage', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/sessions/{session_id}/messages', [projectId, sessionId]), body, keyIn: 'header' }, options);
  }

  /** Append a message to a session. */
  appendSessionMessage(id: string, body: Body<'appendSessionMessage'>, options?: CallOptions): Promise<Answer<'appendSessionMessage', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/sessions/{id}/messages', [id]), body, keyIn: 'header' }, options);
  }

  /** Approve or deny a device by the code it shows. */
  approveDevice(body: Body<'approveDevice'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/device/approve', body }, options);
  }

  /** Approve or deny a device that asks to be signed in as you. */
  approveOwnerDevice(body: Body<'approveOwnerDevice'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/owner-device/approve', body }, options);
  }

  /** Approve or deny a device by the code it shows; by the owner's session. */
  approveProjectDevice(projectId: string, body: Body<'approveProjectDevice'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/auth/device/approve', [projectId]), body }, options);
  }

  /** Start connecting an MCP server to an account (OAuth). */
  authorizeMcpServer(projectId: string, mcpServerId: string, body?: Body<'authorizeMcpServer'>, options?: CallOptions): Promise<Answer<'authorizeMcpServer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorize', [projectId, mcpServerId]), body }, options);
  }

  /** Create embeddings of texts in Google's format. */
  batchEmbedGoogleContents(model: string, body: Body<'batchEmbedGoogleContents'>, options?: CallOptions): Promise<Answer<'batchEmbedGoogleContents', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1beta/models/{model}:batchEmbedContents', [model]), body, keyIn: 'header' }, options);
  }

  /** Refuse a customer's requests until it is unblocked. */
  blockCustomer(id: string, options?: CallOptions): Promise<Answer<'blockCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/block', [id]) }, options);
  }

  /** Refuse a customer's requests until it is unblocked; by the owner's session. */
  blockProjectCustomer(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'blockProjectCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/block', [projectId, customerId]) }, options);
  }

  /** Cancel a customer's subscription at the end of its period. */
  cancelCustomerSubscription(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/customers/{id}/subscription', [id]) }, options);
  }

  /** Cancel a batch. */
  cancelFileBatch(batchId: string, options?: CallOptions): Promise<Answer<'cancelFileBatch', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1/batches/{batch_id}/cancel', [batchId]) }, options);
  }

  /** Cancel a background response. */
  cancelOpenAiResponse(responseId: string, options?: CallOptions): Promise<Answer<'cancelOpenAiResponse', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1/responses/{response_id}/cancel', [responseId]) }, options);
  }

  /** Cancel a customer's subscription at the end of its period; by the owner's session. */
  cancelProjectCustomerSubscription(projectId: string, customerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/subscription', [projectId, customerId]) }, options);
  }

  /** Cancel a run; by the owner's session. */
  cancelProjectRun(projectId: string, runId: string, options?: CallOptions): Promise<Answer<'cancelProjectRun', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/cancel', [projectId, runId]) }, options);
  }

  /** Cancel a run. */
  cancelRun(id: string, options?: CallOptions): Promise<Answer<'cancelRun', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/runs/{id}/cancel', [id]) }, options);
  }

  /** Move your subscription to another tier. */
  changeMyTier(body: Body<'changeMyTier'>, options?: CallOptions): Promise<Answer<'changeMyTier', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/me/change-tier', body, keyIn: 'header' }, options);
  }

  /** Link an external identity to the customer with this email. */
  claimCustomer(body: Body<'claimCustomer'>, options?: CallOptions): Promise<Answer<'claimCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/claim', body }, options);
  }

  /** Link an external identity to the customer with this email; by the owner's session. */
  claimProjectCustomer(projectId: string, body: Body<'claimProjectCustomer'>, options?: CallOptions): Promise<Answer<'claimProjectCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/claim', [projectId]), body }, options);
  }

  /** Delete all messages of a session; keeps metadata and tool state; by the owner's session. */
  clearProjectSession(projectId: string, sessionId: string, options?: CallOptions): Promise<Answer<'clearProjectSession', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/sessions/{session_id}/clear', [projectId, sessionId]) }, options);
  }

  /** Delete all messages of a session; keeps metadata and tool state. */
  clearSession(id: string, options?: CallOptions): Promise<Answer<'clearSession', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/sessions/{id}/clear', [id]) }, options);
  }

  /** Compile a plugin into a workflow spec. */
  compilePlugin(body?: Body<'compilePlugin'>, options?: CallOptions): Promise<Answer<'compilePlugin', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/plugins/compile', body, keyIn: 'header' }, options);
  }

  /** Compile a plugin into a workflow spec; by the owner's session. */
  compileProjectPlugin(projectId: string, body?: Body<'compileProjectPlugin'>, options?: CallOptions): Promise<Answer<'compileProjectPlugin', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/plugins/compile', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Compile a skill into a workflow.v1 spec; by the owner's session. */
  compileProjectSkill(projectId: string, body?: Body<'compileProjectSkill'>, options?: CallOptions): Promise<Answer<'compileProjectSkill', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/skills/compile', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Compile a workflow spec; its plan_hash can start runs; by the owner's session. */
  compileProjectWorkflow(projectId: string, body?: Body<'compileProjectWorkflow'>, options?: CallOptions): Promise<Answer<'compileProjectWorkflow', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/workflows/compile', [projectId]), body }, options);
  }

  /** Compile a skill into a workflow.v1 spec. */
  compileSkill(body?: Body<'compileSkill'>, options?: CallOptions): Promise<Answer<'compileSkill', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/skills/compile', body, keyIn: 'header' }, options);
  }

  /** Compile a workflow spec; its plan_hash can start runs. */
  compileWorkflow(body?: Body<'compileWorkflow'>, options?: CallOptions): Promise<Answer<'compileWorkflow', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/workflows/compile', body }, options);
  }

  /** Complete the connection of an MCP server to an account. */
  completeMcpAuthorization(projectId: string, mcpServerId: string, body: Body<'completeMcpAuthorization'>, options?: CallOptions): Promise<Answer<'completeMcpAuthorization', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization', [projectId, mcpServerId]), body }, options);
  }

  /** Set a new password with the code from a reset email; every session of the user ends. */
  completePasswordReset(body: Body<'completePasswordReset'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/password-reset/complete', body }, options);
  }

  /** Store the card of a finished setup. */
  confirmCardSetup(body: Body<'confirmCardSetup'>, options?: CallOptions): Promise<Answer<'confirmCardSetup', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/billing/auto-topup/confirm', body }, options);
  }

  /** Finish a card verification; 409 while its checkout is unfinished, 422 for a prepaid card. */
  confirmCardVerification(body: Body<'confirmCardVerification'>, options?: CallOptions): Promise<Answer<'confirmCardVerification', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/card-verification/confirm', body }, options);
  }

  /** Connect an MCP server with client credentials (OAuth). */
  connectMcpClient(projectId: string, mcpServerId: string, body: Body<'connectMcpClient'>, options?: CallOptions): Promise<Answer<'connectMcpClient', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/client-credentials', [projectId, mcpServerId]), body }, options);
  }

  /** Count the input tokens of a request in Google's format with Tollgate's tokenizer. */
  countGoogleTokens(model: string, body: Body<'countGoogleTokens'>, options?: CallOptions): Promise<Answer<'countGoogleTokens', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1beta/models/{model}:countTokens', [model]), body }, options);
  }

  /** Count the input tokens of a request in Anthropic's messages format with Tollgate's tokenizer. */
  countMessageTokens(body: Body<'countMessageTokens'>, options?: CallOptions): Promise<Answer<'countMessageTokens', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/messages/count_tokens', body }, options);
  }

  /** Count the input tokens of a request in OpenAI's responses format with Tollgate's tokenizer. */
  countResponseTokens(body: Body<'countResponseTokens'>, options?: CallOptions): Promise<Answer<'countResponseTokens', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/responses/input_tokens', body }, options);
  }

  /** Create a checkout that tops up the owner's prepaid balance. */
  createAccountTopUp(body: Body<'createAccountTopUp'>, options?: CallOptions): Promise<Answer<'createAccountTopUp', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/topup', body, keyIn: 'header' }, options);
  }

  /** Create an agent. */
  createAgent(projectId: string, body: Body<'createAgent'>, options?: CallOptions): Promise<Answer<'createAgent', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Ask a model in Anthropic's messages dialect; the key may come as x-api-key. */
  createAnthropicMessage(body: Omit<Body<'createAnthropicMessage'>, 'stream'>, options?: CallOptions): Promise<Answer<'createAnthropicMessage', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/messages', body, keyIn: 'header' }, options);
  }

  /** Ask a model in Anthropic's messages dialect; the key may come as x-api-key. The answer is streamed. */
  createAnthropicMessageStream(body: Omit<Body<'createAnthropicMessage'>, 'stream'>, options?: CallOptions): EventStream<EventIn<'createAnthropicMessage', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/messages', body: { ...body, stream: true }, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Create a key; only this response contains its value. */
  createApiKey(body: Body<'createApiKey'>, options?: CallOptions): Promise<Answer<'createApiKey', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/api-keys', body }, options);
  }

  /** Create a checkout that stores a card for automatic top-ups. */
  createCardSetupCheckout(body?: Body<'createCardSetupCheckout'>, options?: CallOptions): Promise<Answer<'createCardSetupCheckout', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/billing/auto-topup/checkout', body, keyIn: 'header' }, options);
  }

  /** Ask a model in OpenAI's chat-completions dialect. */
  createChatCompletion(body: Omit<Body<'createChatCompletion'>, 'stream'>, options?: CallOptions): Promise<Answer<'createChatCompletion', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/chat/completions', body, keyIn: 'header' }, options);
  }

  /** Ask a model in OpenAI's chat-completions dialect. The answer is streamed. */
  createChatCompletionStream(body: Omit<Body<'createChatCompletion'>, 'stream'>, options?: CallOptions): EventStream<EventIn<'createChatCompletion', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/chat/completions', body: { ...body, stream: true }, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Complete a text in OpenAI's older dialect. */
  createCompletion(body: Omit<Body<'createCompletion'>, 'stream'>, options?: CallOptions): Promise<Answer<'createCompletion', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/completions', body, keyIn: 'header' }, options);
  }

  /** Complete a text in OpenAI's older dialect. The answer is streamed. */
  createCompletionStream(body: Omit<Body<'createCompletion'>, 'stream'>, options?: CallOptions): EventStream<EventIn<'createCompletion', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/completions', body: { ...body, stream: true }, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Add a connection with your own key. */
  createConnection(projectId: string, body: Body<'createConnection'>, options?: CallOptions): Promise<Answer<'createConnection', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/connections', [projectId]), body }, options);
  }

  /** Create a conversation. */
  createConversation(body?: Body<'createConversation'>, options?: CallOptions): Promise<Answer<'createConversation', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/conversations', body, keyIn: 'header' }, options);
  }

  /** Create a customer. */
  createCustomer(body: Body<'createCustomer'>, options?: CallOptions): Promise<Answer<'createCustomer', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers', body, keyIn: 'header' }, options);
  }

  /** Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once. */
  createCustomerCredit(id: string, body: Body<'createCustomerCredit'>, options?: CallOptions): Promise<Answer<'createCustomerCredit', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/credit', [id]), body, keyIn: 'header' }, options);
  }

  /** Let a model choose between options. */
  createDecision(body: Body<'createDecision'>, options?: CallOptions): Promise<Answer<'createDecision', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/decisions', body, keyIn: 'header' }, options);
  }

  /** Create embeddings of texts or token lists. */
  createEmbeddings(body: Body<'createEmbeddings'>, options?: CallOptions): Promise<Answer<'createEmbeddings', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/embeddings', body, keyIn: 'header' }, options);
  }

  /** Upload a file. */
  createFile(body: FormData, options?: CallOptions): Promise<Answer<'createFile', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/files', body, keyIn: 'header' }, options);
  }

  /** Run the requests of an uploaded file. */
  createFileBatch(body: Body<'createFileBatch'>, options?: CallOptions): Promise<Answer<'createFileBatch', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/batches', body, keyIn: 'header' }, options);
  }

  /** Generate images in OpenAI's dialect; billed per image. */
  createImages(body: Body<'createImages'>, options?: CallOptions): Promise<Answer<'createImages', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/images/generations', body, keyIn: 'header' }, options);
  }

  /** Invite an address to the project in a role. */
  createInvitation(projectId: string, body: Body<'createInvitation'>, options?: CallOptions): Promise<Answer<'createInvitation', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/invitations', [projectId]), body }, options);
  }

  /** Register an MCP server. */
  createMcpServer(projectId: string, body?: Body<'createMcpServer'>, options?: CallOptions): Promise<Answer<'createMcpServer', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/mcp-servers', [projectId]), body }, options);
  }

  /** Classify texts and images by harmful content. */
  createModeration(body: Body<'createModeration'>, options?: CallOptions): Promise<Answer<'createModeration', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/moderations', body, keyIn: 'header' }, options);
  }

  /** Open the payment processor's page for your cards, invoices and cancellation. */
  createMyBillingPortal(body: Body<'createMyBillingPortal'>, options?: CallOptions): Promise<Answer<'createMyBillingPortal', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/me/billing-portal', body, keyIn: 'header' }, options);
  }

  /** Create a checkout of a paid tier for yourself. */
  createMyCheckout(body: Body<'createMyCheckout'>, options?: CallOptions): Promise<Answer<'createMyCheckout', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/me/checkout', body, keyIn: 'header' }, options);
  }

  /** Ask a model in OpenAI's responses dialect. */
  createOpenAiResponse(body: Omit<Body<'createOpenAiResponse'>, 'stream'>, options?: CallOptions): Promise<Answer<'createOpenAiResponse', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/responses', body, keyIn: 'header' }, options);
  }

  /** Ask a model in OpenAI's responses dialect. The answer is streamed. */
  createOpenAiResponseStream(body: Omit<Body<'createOpenAiResponse'>, 'stream'>, options?: CallOptions): EventStream<EventIn<'createOpenAiResponse', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/responses', body: { ...body, stream: true }, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Create a link that opens the customer portal once. */
  createPortalSession(id: string, body?: Body<'createPortalSession'>, options?: CallOptions): Promise<Answer<'createPortalSession', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/portal-session', [id]), body }, options);
  }

  /** Create a project. */
  createProject(body: Body<'createProject'>, options?: CallOptions): Promise<Answer<'createProject', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/projects', body, keyIn: 'header' }, options);
  }

  /** Create a key; only this response contains its value. */
  createProjectApiKey(projectId: string, body: Body<'createProjectApiKey'>, options?: CallOptions): Promise<Answer<'createProjectApiKey', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/api-keys', [projectId]), body }, options);
  }

  /** Create a customer (dashboard). */
  createProjectCustomer(projectId: string, body: Body<'createProjectCustomer'>, options?: CallOptions): Promise<Answer<'createProjectCustomer', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once; by the owner's session. */
  createProjectCustomerCredit(projectId: string, customerId: string, body: Body<'createProjectCustomerCredit'>, options?: CallOptions): Promise<Answer<'createProjectCustomerCredit', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/credit', [projectId, customerId]), body, keyIn: 'header' }, options);
  }

  /** Create a link that opens the customer portal once; by the owner's session. */
  createProjectPortalSession(projectId: string, customerId: string, body?: Body<'createProjectPortalSession'>, options?: CallOptions): Promise<Answer<'createProjectPortalSession', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/portal-session', [projectId, customerId]), body }, options);
  }

  /** Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header; by the owner's session. */
  createProjectResponse(projectId: string, body: Body<'createProjectResponse'>, options?: CallOptions): Promise<Answer<'createProjectResponse', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/responses', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header; by the owner's session. The answer is streamed. */
  createProjectResponseStream(projectId: string, body: Body<'createProjectResponse'>, options?: CallOptions): EventStream<EventIn<'createProjectResponse', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'POST', path: fillPath('/api/v1/projects/{id}/responses', [projectId]), body, keyIn: 'header', accept: 'application/x-ndjson' }, options);
  }

  /** Run several requests in one call, each with its own result; by the owner's session. */
  createProjectResponseBatch(projectId: string, body: Body<'createProjectResponseBatch'>, options?: CallOptions): Promise<Answer<'createProjectResponseBatch', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/responses/batch', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Start a workflow run; by the owner's session. */
  createProjectRun(projectId: string, body: Body<'createProjectRun'>, options?: CallOptions): Promise<Answer<'createProjectRun', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/runs', [projectId]), body, keyIn: 'options' }, options);
  }

  /** Create a session for messages, metadata, and the state of the key-value and task tools; by the owner's session. */
  createProjectSession(projectId: string, body?: Body<'createProjectSession'>, options?: CallOptions): Promise<Answer<'createProjectSession', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/sessions', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Create a state handle for the key-value and task tools; by the owner's session. */
  createProjectStateHandle(projectId: string, body?: Body<'createProjectStateHandle'>, options?: CallOptions): Promise<Answer<'createProjectStateHandle', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/state-handles', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Create a checkout of a paid tier for a new customer; by the owner's session. */
  createProjectTierCheckout(projectId: string, tierId: string, body: Body<'createProjectTierCheckout'>, options?: CallOptions): Promise<Answer<'createProjectTierCheckout', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/tiers/{tier_id}/checkout', [projectId, tierId]), body, keyIn: 'header' }, options);
  }

  /** Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header. */
  createResponse(body: Body<'createResponse'>, options?: CallOptions): Promise<Answer<'createResponse', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/responses', body, keyIn: 'header' }, options);
  }

  /** Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header. The answer is streamed. */
  createResponseStream(body: Body<'createResponse'>, options?: CallOptions): EventStream<EventIn<'createResponse', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'POST', path: '/api/v1/responses', body, keyIn: 'header', accept: 'application/x-ndjson' }, options);
  }

  /** Run several requests in one call, each with its own result. */
  createResponseBatch(body: Body<'createResponseBatch'>, options?: CallOptions): Promise<Answer<'createResponseBatch', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/responses/batch', body, keyIn: 'header' }, options);
  }

  /** Start a workflow run. */
  createRun(body: Body<'createRun'>, options?: CallOptions): Promise<Answer<'createRun', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/runs', body, keyIn: 'options' }, options);
  }

  /** Create a session for messages, metadata, and the state of the key-value and task tools. */
  createSession(body?: Body<'createSession'>, options?: CallOptions): Promise<Answer<'createSession', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/sessions', body, keyIn: 'header' }, options);
  }

  /** Generate spoken audio from text. */
  createSpeech(body: Body<'createSpeech'>, options?: CallOptions): Promise<Blob> {
    return this.caller.call({ method: 'POST', path: '/v1/audio/speech', body, keyIn: 'header', accept: '*/*' }, options);
  }

  /** Generate spoken audio from text. The answer is streamed. */
  createSpeechStream(body: Body<'createSpeech'>, options?: CallOptions): EventStream<EventIn<'createSpeech', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/audio/speech', body: { ...body, stream_format: 'sse' }, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Create a SQL profile, a policy for statements. */
  createSqlProfile(projectId: string, body: Body<'createSqlProfile'>, options?: CallOptions): Promise<Answer<'createSqlProfile', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/sql-profiles', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Create a state handle for the key-value and task tools. */
  createStateHandle(body?: Body<'createStateHandle'>, options?: CallOptions): Promise<Answer<'createStateHandle', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/state-handles', body, keyIn: 'header' }, options);
  }

  /** Create a tier (dashboard). */
  createTier(projectId: string, body: Body<'createTier'>, options?: CallOptions): Promise<Answer<'createTier', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/tiers', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Create a checkout of a paid tier for a new customer. */
  createTierCheckout(id: string, body: Body<'createTierCheckout'>, options?: CallOptions): Promise<Answer<'createTierCheckout', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/tiers/{id}/checkout', [id]), body, keyIn: 'header' }, options);
  }

  /** Create a tool hook. */
  createToolHook(projectId: string, body?: Body<'createToolHook'>, options?: CallOptions): Promise<Answer<'createToolHook', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/tool-hooks', [projectId]), body }, options);
  }

  /** Transcribe a recording. */
  createTranscription(body: FormData, options?: CallOptions): Promise<Answer<'createTranscription', 200> | string> {
    return this.caller.call({ method: 'POST', path: '/v1/audio/transcriptions', body, keyIn: 'header' }, options);
  }

  /** Transcribe a recording. The answer is streamed. */
  createTranscriptionStream(body: FormData, options?: CallOptions): EventStream<EventIn<'createTranscription', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/audio/transcriptions', body: withField(body, 'stream', 'true'), keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Translate a recording into English text. */
  createTranslation(body: FormData, options?: CallOptions): Promise<Answer<'createTranslation', 200> | string> {
    return this.caller.call({ method: 'POST', path: '/v1/audio/translations', body, keyIn: 'header' }, options);
  }

  /** Create a webhook. */
  createWebhook(projectId: string, body?: Body<'createWebhook'>, options?: CallOptions): Promise<Answer<'createWebhook', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/webhooks', [projectId]), body }, options);
  }

  /** Delete an agent; runs that have pinned a revision continue. */
  deleteAgent(projectId: string, slug: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/agents/{slug}', [projectId, slug]) }, options);
  }

  /** Revoke a key; every edge rejects it within five seconds. */
  deleteApiKey(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/api-keys/{id}', [id]) }, options);
  }

  /** Delete the settings of automatic top-ups and their card. */
  deleteAutoTopUp(options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: '/api/v1/account/billing/auto-topup' }, options);
  }

  /** Delete a connection. */
  deleteConnection(projectId: string, connectionId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/connections/{connection_id}', [projectId, connectionId]) }, options);
  }

  /** Delete a conversation with its items. */
  deleteConversation(conversationId: string, options?: CallOptions): Promise<Answer<'deleteConversation', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/v1/conversations/{conversation_id}', [conversationId]) }, options);
  }

  /** Delete an item of a conversation. */
  deleteConversationItem(conversationId: string, itemId: string, options?: CallOptions): Promise<Answer<'deleteConversationItem', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/v1/conversations/{conversation_id}/items/{item_id}', [conversationId, itemId]) }, options);
  }

  /** Delete a customer; expires its open checkouts and forfeits its wallet; a processor subscription is canceled only with cancel_subscription=true. */
  deleteCustomer(id: string, query?: Query<'deleteCustomer'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/customers/{id}', [id]), query }, options);
  }

  /** Delete a file. */
  deleteFile(fileId: string, options?: CallOptions): Promise<Answer<'deleteFile', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/v1/files/{file_id}', [fileId]) }, options);
  }

  /** Delete an MCP server. */
  deleteMcpServer(projectId: string, mcpServerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}', [projectId, mcpServerId]) }, options);
  }

  /** Delete a stored response. */
  deleteOpenAiResponse(responseId: string, options?: CallOptions): Promise<Answer<'deleteOpenAiResponse', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/v1/responses/{response_id}', [responseId]) }, options);
  }

  /** Delete a project; its keys, customer tokens and open checkouts end, its webhooks and tool hooks are deleted; 409 while its customers have running subscriptions. */
  deleteProject(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}', [id]) }, options);
  }

  /** Revoke a key; every edge rejects it within five seconds. */
  deleteProjectApiKey(projectId: string, keyId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/api-keys/{key_id}', [projectId, keyId]) }, options);
  }

  /** Delete a customer (dashboard). */
  deleteProjectCustomer(projectId: string, customerId: string, query?: Query<'deleteProjectCustomer'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}', [projectId, customerId]), query }, options);
  }

  /** Delete a session with its messages; by the owner's session. */
  deleteProjectSession(projectId: string, sessionId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/sessions/{session_id}', [projectId, sessionId]) }, options);
  }

  /** Delete a state handle; by the owner's session. */
  deleteProjectStateHandle(projectId: string, stateId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/state-handles/{state_id}', [projectId, stateId]) }, options);
  }

  /** Delete a session with its messages. */
  deleteSession(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/sessions/{id}', [id]) }, options);
  }

  /** Delete a SQL profile. */
  deleteSqlProfile(projectId: string, profileId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/sql-profiles/{profile_id}', [projectId, profileId]) }, options);
  }

  /** Delete a state handle. */
  deleteStateHandle(stateId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/state-handles/{state_id}', [stateId]) }, options);
  }

  /** Delete a tier without subscribers (dashboard). */
  deleteTier(projectId: string, tierId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/tiers/{tier_id}', [projectId, tierId]) }, options);
  }

  /** Delete a tool hook. */
  deleteToolHook(projectId: string, hookId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/tool-hooks/{hook_id}', [projectId, hookId]) }, options);
  }

  /** Delete a webhook and cancel its pending deliveries. */
  deleteWebhook(projectId: string, webhookId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}', [projectId, webhookId]) }, options);
  }

  /** Sign in as the demo owner; only with DEV_MODE=1. */
  devLogin(options?: CallOptions): Promise<Answer<'devLogin', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/dev-login' }, options);
  }

  /** Disconnect an MCP server from its account. */
  disconnectMcpServer(projectId: string, mcpServerId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization', [projectId, mcpServerId]) }, options);
  }

  /** Generate images from other images in OpenAI's dialect; billed per generated image. */
  editImages(body: FormData, options?: CallOptions): Promise<Answer<'editImages', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/images/edits', body, keyIn: 'header' }, options);
  }

  /** Create the embedding of a text in Google's format. */
  embedGoogleContent(model: string, body: Body<'embedGoogleContent'>, options?: CallOptions): Promise<Answer<'embedGoogleContent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1beta/models/{model}:embedContent', [model]), body, keyIn: 'header' }, options);
  }

  /** End the session in the cookie of this browser. */
  endBrowserSession(options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: '/api/v1/auth/browser-session' }, options);
  }

  /** End one of your sign-ins. */
  endMySignIn(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/auth/sign-ins/{id}', [id]) }, options);
  }

  /** Ask a model in Google's generateContent dialect; the key comes as x-goog-api-key. */
  generateGoogleContent(model: string, body: Body<'generateGoogleContent'>, options?: CallOptions): Promise<Answer<'generateGoogleContent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1beta/models/{model}:generateContent', [model]), body, keyIn: 'header' }, options);
  }

  /** Generate images; billed per image. */
  generateImage(body: Body<'generateImage'>, options?: CallOptions): Promise<Answer<'generateImage', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/images/generate', body, keyIn: 'header' }, options);
  }

  /** Generate images; billed per image; by the owner's session. */
  generateProjectImage(projectId: string, body: Body<'generateProjectImage'>, options?: CallOptions): Promise<Answer<'generateProjectImage', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/images/generate', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Get the owner's prepaid balance. */
  getAccountBalance(options?: CallOptions): Promise<Answer<'getAccountBalance', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/account/balance' }, options);
  }

  /** Get what moved in the owner's prepaid balance in one month. */
  getAccountStatement(month: string, query?: Query<'getAccountStatement'>, options?: CallOptions): Promise<Answer<'getAccountStatement', 200> | string> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/account/statements/{month}', [month]), query }, options);
  }

  /** Get one of the owner's top-ups. */
  getAccountTopUp(id: string, options?: CallOptions): Promise<Answer<'getAccountTopUp', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/account/topups/{id}', [id]) }, options);
  }

  /** Get the usage of all the owner's projects by day, model, customer or key. */
  getAccountUsage(query?: Query<'getAccountUsage'>, options?: CallOptions): Pages<Answer<'getAccountUsage', 200>, PageItem<Answer<'getAccountUsage', 200>, 'usage'>> {
    return this.caller.pages<Answer<'getAccountUsage', 200>, 'usage'>({ method: 'GET', path: '/api/v1/account/usage', query }, 'usage', 'offset', options);
  }

  /** Get an agent with its current or a named revision. */
  getAgent(projectId: string, slug: string, query?: Query<'getAgent'>, options?: CallOptions): Promise<Answer<'getAgent', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/agents/{slug}', [projectId, slug]), query }, options);
  }

  /** Get the memory of an agent, or its memory about a customer. */
  getAgentMemory(projectId: string, slug: string, query?: Query<'getAgentMemory'>, options?: CallOptions): Promise<Answer<'getAgentMemory', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/agents/{slug}/memory', [projectId, slug]), query }, options);
  }

  /** Get the settings of automatic top-ups. */
  getAutoTopUp(options?: CallOptions): Promise<Answer<'getAutoTopUp', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/account/billing/auto-topup' }, options);
  }

  /** Get the status of the owner's card verification. */
  getCardVerification(options?: CallOptions): Promise<Answer<'getCardVerification', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/account/card-verification' }, options);
  }

  /** Get a model by its percent-encoded catalog id. */
  getCompatibleModel(model: string, options?: CallOptions): Promise<Answer<'getCompatibleModel', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/models/{model}', [model]) }, options);
  }

  /** Get a model by its catalog id. */
  getCompatibleModelOfProvider(provider: string, model: string, options?: CallOptions): Promise<Answer<'getCompatibleModelOfProvider', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/models/{provider}/{model}', [provider, model]) }, options);
  }

  /** Get a connection. */
  getConnection(projectId: string, connectionId: string, options?: CallOptions): Promise<Answer<'getConnection', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/connections/{connection_id}', [projectId, connectionId]) }, options);
  }

  /** Get a conversation. */
  getConversation(conversationId: string, options?: CallOptions): Promise<Answer<'getConversation', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/conversations/{conversation_id}', [conversationId]) }, options);
  }

  /** Get an item of a conversation. */
  getConversationItem(conversationId: string, itemId: string, options?: CallOptions): Promise<Answer<'getConversationItem', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/conversations/{conversation_id}/items/{item_id}', [conversationId, itemId]) }, options);
  }

  /** Get the signed-in user. */
  getCurrentUser(options?: CallOptions): Promise<Answer<'getCurrentUser', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/auth/me' }, options);
  }

  /** Get a customer. */
  getCustomer(id: string, options?: CallOptions): Promise<Answer<'getCustomer', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/customers/{id}', [id]) }, options);
  }

  /** Get a customer's prepaid wallet. */
  getCustomerBalance(id: string, options?: CallOptions): Promise<Answer<'getCustomerBalance', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/customers/{id}/balance', [id]) }, options);
  }

  /** Get a customer by the owner's identifier. */
  getCustomerByExternalId(externalId: string, options?: CallOptions): Promise<Answer<'getCustomerByExternalId', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/customers/by-external-id/{external_id}', [externalId]) }, options);
  }

  /** Get a customer's subscription. */
  getCustomerSubscription(id: string, options?: CallOptions): Promise<Answer<'getCustomerSubscription', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/customers/{id}/subscription', [id]) }, options);
  }

  /** Get a file without its content. */
  getFile(fileId: string, options?: CallOptions): Promise<Answer<'getFile', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/files/{file_id}', [fileId]) }, options);
  }

  /** Get a batch. */
  getFileBatch(batchId: string, options?: CallOptions): Promise<Answer<'getFileBatch', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/batches/{batch_id}', [batchId]) }, options);
  }

  /** Download a file. */
  getFileContent(fileId: string, options?: CallOptions): Promise<Blob> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/files/{file_id}/content', [fileId]) }, options);
  }

  /** Get a model in Google's format. */
  getGoogleModel(model: string, options?: CallOptions): Promise<Answer<'getGoogleModel', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1beta/models/{model}', [model]) }, options);
  }

  /** Get the URL of a stored image and when it expires. */
  getImage(id: string, options?: CallOptions): Promise<Answer<'getImage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/images/{id}', [id]) }, options);
  }

  /** Get the file behind an image URL; the token in the URL is the only credential. */
  getImageFile(id: string, query: Query<'getImageFile'>, options?: CallOptions): Promise<Blob> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/images/{id}/file', [id]), query, accept: '*/*' }, options);
  }

  /** Describe how clients authenticate at `/v1/mcp` (RFC 9728). */
  getMcpMetadata(options?: CallOptions): Promise<Answer<'getMcpMetadata', 200>> {
    return this.caller.call({ method: 'GET', path: '/.well-known/oauth-protected-resource/v1/mcp' }, options);
  }

  /** Get an MCP server. */
  getMcpServer(projectId: string, mcpServerId: string, options?: CallOptions): Promise<Answer<'getMcpServer', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}', [projectId, mcpServerId]) }, options);
  }

  /** Get your profile, subscription and tier. */
  getMe(options?: CallOptions): Promise<Answer<'getMe', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me' }, options);
  }

  /** Get a message. */
  getMessage(messageId: string, options?: CallOptions): Promise<Answer<'getMessage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/messages/{message_id}', [messageId]) }, options);
  }

  /** Get your prepaid wallet. */
  getMyBalance(options?: CallOptions): Promise<Answer<'getMyBalance', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/balance' }, options);
  }

  /** Get your subscription. */
  getMySubscription(options?: CallOptions): Promise<Answer<'getMySubscription', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/subscription' }, options);
  }

  /** Get your usage in the current billing window. */
  getMyUsage(options?: CallOptions): Promise<Answer<'getMyUsage', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/usage' }, options);
  }

  /** Get a stored response. */
  getOpenAiResponse(responseId: string, query?: Query<'getOpenAiResponse'>, options?: CallOptions): Promise<Answer<'getOpenAiResponse', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/responses/{response_id}', [responseId]), query }, options);
  }

  /** Get a stored response. The answer is streamed. */
  getOpenAiResponseStream(responseId: string, query?: Query<'getOpenAiResponse'>, options?: CallOptions): EventStream<EventIn<'getOpenAiResponse', 'text/event-stream'>> {
    return this.caller.stream({ method: 'GET', path: fillPath('/v1/responses/{response_id}', [responseId]), query, accept: 'text/event-stream' }, options);
  }

  /** This API as an OpenAPI 3.1 document. */
  getOpenApiDocument(options?: CallOptions): Promise<Answer<'getOpenApiDocument', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/openapi.json' }, options);
  }

  /** Get a purchase with its refunds and the amount that can be refunded. */
  getPayment(id: string, options?: CallOptions): Promise<Answer<'getPayment', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/payments/{id}', [id]) }, options);
  }

  /** Get a project. */
  getProject(id: string, options?: CallOptions): Promise<Answer<'getProject', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}', [id]) }, options);
  }

  /** Get the owner's prepaid balance; by the owner's session. */
  getProjectAccountBalance(projectId: string, options?: CallOptions): Promise<Answer<'getProjectAccountBalance', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/account/balance', [projectId]) }, options);
  }

  /** Get what moved in the owner's prepaid balance in one month; by the owner's session. */
  getProjectAccountStatement(projectId: string, month: string, query?: Query<'getProjectAccountStatement'>, options?: CallOptions): Promise<Answer<'getProjectAccountStatement', 200> | string> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/account/statements/{month}', [projectId, month]), query }, options);
  }

  /** Get the usage of all the owner's projects by day, model, customer or key; by the owner's session. */
  getProjectAccountUsage(projectId: string, query?: Query<'getProjectAccountUsage'>, options?: CallOptions): Pages<Answer<'getProjectAccountUsage', 200>, PageItem<Answer<'getProjectAccountUsage', 200>, 'usage'>> {
    return this.caller.pages<Answer<'getProjectAccountUsage', 200>, 'usage'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/account/usage', [projectId]), query }, 'usage', 'offset', options);
  }

  /** Get a customer (dashboard). */
  getProjectCustomer(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'getProjectCustomer', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}', [projectId, customerId]) }, options);
  }

  /** Get a customer's prepaid wallet; by the owner's session. */
  getProjectCustomerBalance(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'getProjectCustomerBalance', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/balance', [projectId, customerId]) }, options);
  }

  /** Get a customer by the owner's identifier; by the owner's session. */
  getProjectCustomerByExternalId(projectId: string, externalId: string, options?: CallOptions): Promise<Answer<'getProjectCustomerByExternalId', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/by-external-id/{external_id}', [projectId, externalId]) }, options);
  }

  /** Get a customer's subscription; by the owner's session. */
  getProjectCustomerSubscription(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'getProjectCustomerSubscription', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/subscription', [projectId, customerId]) }, options);
  }

  /** Get a customer's usage in the current billing window (dashboard). */
  getProjectCustomerUsage(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'getProjectCustomerUsage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/usage', [projectId, customerId]) }, options);
  }

  /** Get the URL of a stored image and when it expires; by the owner's session. */
  getProjectImage(projectId: string, imageId: string, options?: CallOptions): Promise<Answer<'getProjectImage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/images/{image_id}', [projectId, imageId]) }, options);
  }

  /** Get a message; by the owner's session. */
  getProjectMessage(projectId: string, messageId: string, options?: CallOptions): Promise<Answer<'getProjectMessage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/messages/{message_id}', [projectId, messageId]) }, options);
  }

  /** Get a purchase with its refunds and the amount that can be refunded; by the owner's session. */
  getProjectPayment(projectId: string, paymentId: string, options?: CallOptions): Promise<Answer<'getProjectPayment', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/payments/{payment_id}', [projectId, paymentId]) }, options);
  }

  /** Get one model request of a project, with its admission, hold, prices and the providers that were asked. */
  getProjectRequest(projectId: string, requestId: string, options?: CallOptions): Promise<Answer<'getProjectRequest', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/requests/{request_id}', [projectId, requestId]) }, options);
  }

  /** Get a snapshot of a run; by the owner's session. */
  getProjectRun(projectId: string, runId: string, options?: CallOptions): Promise<Answer<'getProjectRun', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs/{run_id}', [projectId, runId]) }, options);
  }

  /** Get a session with its messages, oldest first; by the owner's session. */
  getProjectSession(projectId: string, sessionId: string, options?: CallOptions): Promise<Answer<'getProjectSession', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/sessions/{session_id}', [projectId, sessionId]) }, options);
  }

  /** Get a state handle with its values and tasks; by the owner's session. */
  getProjectStateHandle(projectId: string, stateId: string, options?: CallOptions): Promise<Answer<'getProjectStateHandle', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/state-handles/{state_id}', [projectId, stateId]) }, options);
  }

  /** Get a tier; by the owner's session. */
  getProjectTier(projectId: string, tierId: string, options?: CallOptions): Promise<Answer<'getProjectTier', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/tiers/{tier_id}', [projectId, tierId]) }, options);
  }

  /** Add up a project's requests by hour or day and by model, customer, key, tier or status. */
  getProjectUsage(projectId: string, query?: Query<'getProjectUsage'>, options?: CallOptions): Promise<Answer<'getProjectUsage', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/usage', [projectId]), query }, options);
  }

  /** Get a snapshot of a run. */
  getRun(id: string, options?: CallOptions): Promise<Answer<'getRun', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/runs/{id}', [id]) }, options);
  }

  /** Get the JSON Schema of run events. */
  getRunEventSchema(options?: CallOptions): Promise<Answer<'getRunEventSchema', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/schemas/run_event.schema.json' }, options);
  }

  /** Get a session with its messages, oldest first. */
  getSession(id: string, options?: CallOptions): Promise<Answer<'getSession', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/sessions/{id}', [id]) }, options);
  }

  /** Get the ways to sign in that this deployment offers. */
  getSignInOptions(options?: CallOptions): Promise<Answer<'getSignInOptions', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/auth/sign-in-options' }, options);
  }

  /** Get a SQL profile. */
  getSqlProfile(projectId: string, profileId: string, options?: CallOptions): Promise<Answer<'getSqlProfile', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/sql-profiles/{profile_id}', [projectId, profileId]) }, options);
  }

  /** Get a state handle with its values and tasks. */
  getStateHandle(stateId: string, options?: CallOptions): Promise<Answer<'getStateHandle', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/state-handles/{state_id}', [stateId]) }, options);
  }

  /** Get what moved in the wallets of a project's customers in one month. */
  getStatement(projectId: string, month: string, query?: Query<'getStatement'>, options?: CallOptions): Promise<Answer<'getStatement', 200> | string> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/statements/{month}', [projectId, month]), query }, options);
  }

  /** Get the current status of each area, as JSON or a page. */
  getStatus(options?: CallOptions): Promise<Answer<'getStatus', 200>> {
    return this.caller.call({ method: 'GET', path: '/status' }, options);
  }

  /** Get a tier. */
  getTier(id: string, options?: CallOptions): Promise<Answer<'getTier', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/tiers/{id}', [id]) }, options);
  }

  /** Get a tool hook. */
  getToolHook(projectId: string, hookId: string, options?: CallOptions): Promise<Answer<'getToolHook', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/tool-hooks/{hook_id}', [projectId, hookId]) }, options);
  }

  /** Get a webhook. */
  getWebhook(projectId: string, webhookId: string, options?: CallOptions): Promise<Answer<'getWebhook', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}', [projectId, webhookId]) }, options);
  }

  /** Get the progress of a recovery. */
  getWebhookRecovery(projectId: string, webhookId: string, recoveryId: string, options?: CallOptions): Promise<Answer<'getWebhookRecovery', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/recoveries/{recovery_id}', [projectId, webhookId, recoveryId]) }, options);
  }

  /** Count a webhook's deliveries by status, with success rate and latency. */
  getWebhookStatistics(projectId: string, webhookId: string, query?: Query<'getWebhookStatistics'>, options?: CallOptions): Promise<Answer<'getWebhookStatistics', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/statistics', [projectId, webhookId]), query }, options);
  }

  /** Get the JSON Schema of workflow specs. */
  getWorkflowSchema(options?: CallOptions): Promise<Answer<'getWorkflowSchema', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/schemas/workflow.schema.json' }, options);
  }

  /** Move a session into a cookie of this browser that scripts cannot read. */
  keepBrowserSession(body: Body<'keepBrowserSession'>, options?: CallOptions): Promise<Answer<'keepBrowserSession', 200>> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/auth/browser-session', body }, options);
  }

  /** End your own membership of a project. */
  leaveProject(projectId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/membership', [projectId]) }, options);
  }

  /** List all issues of a workflow spec; by the owner's session. */
  lintProjectWorkflow(projectId: string, body?: Body<'lintProjectWorkflow'>, options?: CallOptions): Promise<Answer<'lintProjectWorkflow', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/workflows/lint', [projectId]), body }, options);
  }

  /** List all issues of a workflow spec. */
  lintWorkflow(body?: Body<'lintWorkflow'>, options?: CallOptions): Promise<Answer<'lintWorkflow', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/workflows/lint', body }, options);
  }

  /** List the months of the owner's statements, newest first. */
  listAccountStatements(query?: Query<'listAccountStatements'>, options?: CallOptions): Pages<Answer<'listAccountStatements', 200>, PageItem<Answer<'listAccountStatements', 200>, 'statements'>> {
    return this.caller.pages<Answer<'listAccountStatements', 200>, 'statements'>({ method: 'GET', path: '/api/v1/account/statements', query }, 'statements', 'cursor', options);
  }

  /** List the owner's top-ups, including automatic ones, newest first. */
  listAccountTopUps(query?: Query<'listAccountTopUps'>, options?: CallOptions): Pages<Answer<'listAccountTopUps', 200>, PageItem<Answer<'listAccountTopUps', 200>, 'topups'>> {
    return this.caller.pages<Answer<'listAccountTopUps', 200>, 'topups'>({ method: 'GET', path: '/api/v1/account/topups', query }, 'topups', 'offset', options);
  }

  /** List an agent's revisions, newest first. */
  listAgentVersions(projectId: string, slug: string, query?: Query<'listAgentVersions'>, options?: CallOptions): Pages<Answer<'listAgentVersions', 200>, PageItem<Answer<'listAgentVersions', 200>, 'versions'>> {
    return this.caller.pages<Answer<'listAgentVersions', 200>, 'versions'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/agents/{slug}/versions', [projectId, slug]), query }, 'versions', 'offset', options);
  }

  /** List agents with their current revisions, oldest first. */
  listAgents(projectId: string, query?: Query<'listAgents'>, options?: CallOptions): Pages<Answer<'listAgents', 200>, PageItem<Answer<'listAgents', 200>, 'agents'>> {
    return this.caller.pages<Answer<'listAgents', 200>, 'agents'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/agents', [projectId]), query }, 'agents', 'offset', options);
  }

  /** List the account’s keys, newest first. */
  listApiKeys(query?: Query<'listApiKeys'>, options?: CallOptions): Pages<Answer<'listApiKeys', 200>, PageItem<Answer<'listApiKeys', 200>, 'api_keys'>> {
    return this.caller.pages<Answer<'listApiKeys', 200>, 'api_keys'>({ method: 'GET', path: '/api/v1/api-keys', query }, 'api_keys', 'offset', options);
  }

  /** List the account's security-relevant actions, newest first. */
  listAuditLog(query?: Query<'listAuditLog'>, options?: CallOptions): Pages<Answer<'listAuditLog', 200>, PageItem<Answer<'listAuditLog', 200>, 'events'>> {
    return this.caller.pages<Answer<'listAuditLog', 200>, 'events'>({ method: 'GET', path: '/api/v1/account/audit-log', query }, 'events', 'offset', options);
  }

  /** List models in OpenAI's format, or in Anthropic's, paginated, when `anthropic-version` is sent. */
  listCompatibleModels(query?: Query<'listCompatibleModels'>, options?: CallOptions): Promise<Answer<'listCompatibleModels', 200>> {
    return this.caller.call({ method: 'GET', path: '/v1/models', query }, options);
  }

  /** List connections, oldest first, which is the order in which they are asked. */
  listConnections(projectId: string, query?: Query<'listConnections'>, options?: CallOptions): Pages<Answer<'listConnections', 200>, PageItem<Answer<'listConnections', 200>, 'connections'>> {
    return this.caller.pages<Answer<'listConnections', 200>, 'connections'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/connections', [projectId]), query }, 'connections', 'offset', options);
  }

  /** List the items of a conversation. */
  listConversationItems(conversationId: string, query?: Query<'listConversationItems'>, options?: CallOptions): Promise<Answer<'listConversationItems', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/conversations/{conversation_id}/items', [conversationId]), query }, options);
  }

  /** List the transactions of a customer's wallet, newest first. */
  listCustomerBalanceHistory(id: string, query?: Query<'listCustomerBalanceHistory'>, options?: CallOptions): Pages<Answer<'listCustomerBalanceHistory', 200>, PageItem<Answer<'listCustomerBalanceHistory', 200>, 'entries'>> {
    return this.caller.pages<Answer<'listCustomerBalanceHistory', 200>, 'entries'>({ method: 'GET', path: fillPath('/api/v1/customers/{id}/balance/history', [id]), query }, 'entries', 'offset', options);
  }

  /** List the project's customers, oldest first, or search them. */
  listCustomers(query?: Query<'listCustomers'>, options?: CallOptions): Pages<Answer<'listCustomers', 200>, PageItem<Answer<'listCustomers', 200>, 'customers'>> {
    return this.caller.pages<Answer<'listCustomers', 200>, 'customers'>({ method: 'GET', path: '/api/v1/customers', query }, 'customers', 'cursor or offset', options);
  }

  /** List batches, newest first. */
  listFileBatches(query?: Query<'listFileBatches'>, options?: CallOptions): Promise<Answer<'listFileBatches', 200>> {
    return this.caller.call({ method: 'GET', path: '/v1/batches', query }, options);
  }

  /** List uploaded files and files of batches. */
  listFiles(query?: Query<'listFiles'>, options?: CallOptions): Promise<Answer<'listFiles', 200>> {
    return this.caller.call({ method: 'GET', path: '/v1/files', query }, options);
  }

  /** List models in Google's format. */
  listGoogleModels(query?: Query<'listGoogleModels'>, options?: CallOptions): Promise<Answer<'listGoogleModels', 200>> {
    return this.caller.call({ method: 'GET', path: '/v1beta/models', query }, options);
  }

  /** List a project's open invitations, oldest first. */
  listInvitations(projectId: string, query?: Query<'listInvitations'>, options?: CallOptions): Pages<Answer<'listInvitations', 200>, PageItem<Answer<'listInvitations', 200>, 'invitations'>> {
    return this.caller.pages<Answer<'listInvitations', 200>, 'invitations'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/invitations', [projectId]), query }, 'invitations', 'cursor', options);
  }

  /** List the mailboxes that received messages, by address. */
  listMailboxes(query?: Query<'listMailboxes'>, options?: CallOptions): Pages<Answer<'listMailboxes', 200>, PageItem<Answer<'listMailboxes', 200>, 'mailboxes'>> {
    return this.caller.pages<Answer<'listMailboxes', 200>, 'mailboxes'>({ method: 'GET', path: '/api/v1/mailboxes', query }, 'mailboxes', 'cursor', options);
  }

  /** List MCP servers, oldest first. */
  listMcpServers(projectId: string, query?: Query<'listMcpServers'>, options?: CallOptions): Pages<Answer<'listMcpServers', 200>, PageItem<Answer<'listMcpServers', 200>, 'servers'>> {
    return this.caller.pages<Answer<'listMcpServers', 200>, 'servers'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/mcp-servers', [projectId]), query }, 'servers', 'offset', options);
  }

  /** List a project's members and their roles, the first to join first. */
  listMembers(projectId: string, query?: Query<'listMembers'>, options?: CallOptions): Pages<Answer<'listMembers', 200>, PageItem<Answer<'listMembers', 200>, 'members'>> {
    return this.caller.pages<Answer<'listMembers', 200>, 'members'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/members', [projectId]), query }, 'members', 'cursor', options);
  }

  /** List messages of a mailbox or a thread, oldest first, or search all, newest first. */
  listMessages(query?: Query<'listMessages'>, options?: CallOptions): Pages<Answer<'listMessages', 200>, PageItem<Answer<'listMessages', 200>, 'messages'>> {
    return this.caller.pages<Answer<'listMessages', 200>, 'messages'>({ method: 'GET', path: '/api/v1/messages', query }, 'messages', 'cursor or offset', options);
  }

  /** List the routes of the models with the state of their circuits. */
  listModelRoutes(projectId: string, options?: CallOptions): Promise<Answer<'listModelRoutes', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/model-routes', [projectId]) }, options);
  }

  /** List models with their capabilities and prices; with a customer's token, those of its tier. */
  listModels(query?: Query<'listModels'>, options?: CallOptions): Promise<Answer<'listModels', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/models', query }, options);
  }

  /** List the transactions of your wallet, newest first. */
  listMyBalanceHistory(query?: Query<'listMyBalanceHistory'>, options?: CallOptions): Pages<Answer<'listMyBalanceHistory', 200>, PageItem<Answer<'listMyBalanceHistory', 200>, 'entries'>> {
    return this.caller.pages<Answer<'listMyBalanceHistory', 200>, 'entries'>({ method: 'GET', path: '/api/v1/customers/me/balance/history', query }, 'entries', 'offset', options);
  }

  /** List the devices that are signed in for you, newest first. */
  listMyDevices(options?: CallOptions): Promise<Answer<'listMyDevices', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/devices' }, options);
  }

  /** List your payments, newest first. */
  listMyPayments(query?: Query<'listMyPayments'>, options?: CallOptions): Promise<Answer<'listMyPayments', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/payments', query }, options);
  }

  /** List where you are signed in, newest first. */
  listMySignIns(query?: Query<'listMySignIns'>, options?: CallOptions): Pages<Answer<'listMySignIns', 200>, PageItem<Answer<'listMySignIns', 200>, 'sign_ins'>> {
    return this.caller.pages<Answer<'listMySignIns', 200>, 'sign_ins'>({ method: 'GET', path: '/api/v1/auth/sign-ins', query }, 'sign_ins', 'cursor', options);
  }

  /** List the tiers that you can choose, and your own. */
  listMyTiers(options?: CallOptions): Promise<Answer<'listMyTiers', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/tiers' }, options);
  }

  /** List tool calls that wait for results. */
  listPendingToolCalls(id: string, options?: CallOptions): Promise<Answer<'listPendingToolCalls', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/runs/{id}/pending-tools', [id]) }, options);
  }

  /** List the months of the owner's statements, newest first; by the owner's session. */
  listProjectAccountStatements(projectId: string, query?: Query<'listProjectAccountStatements'>, options?: CallOptions): Pages<Answer<'listProjectAccountStatements', 200>, PageItem<Answer<'listProjectAccountStatements', 200>, 'statements'>> {
    return this.caller.pages<Answer<'listProjectAccountStatements', 200>, 'statements'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/account/statements', [projectId]), query }, 'statements', 'cursor', options);
  }

  /** List the project’s keys, newest first. */
  listProjectApiKeys(projectId: string, query?: Query<'listProjectApiKeys'>, options?: CallOptions): Pages<Answer<'listProjectApiKeys', 200>, PageItem<Answer<'listProjectApiKeys', 200>, 'api_keys'>> {
    return this.caller.pages<Answer<'listProjectApiKeys', 200>, 'api_keys'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/api-keys', [projectId]), query }, 'api_keys', 'offset', options);
  }

  /** List the transactions of a customer's wallet, newest first; by the owner's session. */
  listProjectCustomerBalanceHistory(projectId: string, customerId: string, query?: Query<'listProjectCustomerBalanceHistory'>, options?: CallOptions): Pages<Answer<'listProjectCustomerBalanceHistory', 200>, PageItem<Answer<'listProjectCustomerBalanceHistory', 200>, 'entries'>> {
    return this.caller.pages<Answer<'listProjectCustomerBalanceHistory', 200>, 'entries'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/balance/history', [projectId, customerId]), query }, 'entries', 'offset', options);
  }

  /** List a project's customers, oldest first, or search them (dashboard). */
  listProjectCustomers(projectId: string, query?: Query<'listProjectCustomers'>, options?: CallOptions): Pages<Answer<'listProjectCustomers', 200>, PageItem<Answer<'listProjectCustomers', 200>, 'customers'>> {
    return this.caller.pages<Answer<'listProjectCustomers', 200>, 'customers'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/customers', [projectId]), query }, 'customers', 'cursor or offset', options);
  }

  /** List the mailboxes that received messages, by address; by the owner's session. */
  listProjectMailboxes(projectId: string, query?: Query<'listProjectMailboxes'>, options?: CallOptions): Pages<Answer<'listProjectMailboxes', 200>, PageItem<Answer<'listProjectMailboxes', 200>, 'mailboxes'>> {
    return this.caller.pages<Answer<'listProjectMailboxes', 200>, 'mailboxes'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/mailboxes', [projectId]), query }, 'mailboxes', 'cursor', options);
  }

  /** List messages of a mailbox or a thread, oldest first, or search all, newest first; by the owner's session. */
  listProjectMessages(projectId: string, query?: Query<'listProjectMessages'>, options?: CallOptions): Pages<Answer<'listProjectMessages', 200>, PageItem<Answer<'listProjectMessages', 200>, 'messages'>> {
    return this.caller.pages<Answer<'listProjectMessages', 200>, 'messages'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/messages', [projectId]), query }, 'messages', 'cursor or offset', options);
  }

  /** List the payments of a project's customers, newest first. */
  listProjectPayments(projectId: string, query?: Query<'listProjectPayments'>, options?: CallOptions): Promise<Answer<'listProjectPayments', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/payments', [projectId]), query }, options);
  }

  /** List tool calls that wait for results; by the owner's session. */
  listProjectPendingToolCalls(projectId: string, runId: string, options?: CallOptions): Promise<Answer<'listProjectPendingToolCalls', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/pending-tools', [projectId, runId]) }, options);
  }

  /** List a project's model requests, newest first, with outcome, tokens, cost and latency; seconds late. */
  listProjectRequests(projectId: string, query?: Query<'listProjectRequests'>, options?: CallOptions): Pages<Answer<'listProjectRequests', 200>, PageItem<Answer<'listProjectRequests', 200>, 'requests'>> {
    return this.caller.pages<Answer<'listProjectRequests', 200>, 'requests'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/requests', [projectId]), query }, 'requests', 'cursor', options);
  }

  /** List the model calls of a run with their requests, answers and tools; by the owner's session. */
  listProjectRunSteps(projectId: string, runId: string, query?: Query<'listProjectRunSteps'>, options?: CallOptions): Pages<Answer<'listProjectRunSteps', 200>, PageItem<Answer<'listProjectRunSteps', 200>, 'steps'>> {
    return this.caller.pages<Answer<'listProjectRunSteps', 200>, 'steps'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/steps', [projectId, runId]), query }, 'steps', 'offset', options);
  }

  /** List the tasks of a run; by the owner's session. */
  listProjectRunTasks(projectId: string, runId: string, options?: CallOptions): Promise<Answer<'listProjectRunTasks', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/tasks', [projectId, runId]) }, options);
  }

  /** List runs, newest first; by the owner's session. */
  listProjectRuns(projectId: string, query?: Query<'listProjectRuns'>, options?: CallOptions): Pages<Answer<'listProjectRuns', 200>, PageItem<Answer<'listProjectRuns', 200>, 'runs'>> {
    return this.caller.pages<Answer<'listProjectRuns', 200>, 'runs'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs', [projectId]), query }, 'runs', 'offset', options);
  }

  /** List sessions without their messages, newest first; by the owner's session. */
  listProjectSessions(projectId: string, query?: Query<'listProjectSessions'>, options?: CallOptions): Pages<Answer<'listProjectSessions', 200>, PageItem<Answer<'listProjectSessions', 200>, 'sessions'>> {
    return this.caller.pages<Answer<'listProjectSessions', 200>, 'sessions'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/sessions', [projectId]), query }, 'sessions', 'offset', options);
  }

  /** List state handles that have not expired, newest first; by the owner's session. */
  listProjectStateHandles(projectId: string, query?: Query<'listProjectStateHandles'>, options?: CallOptions): Pages<Answer<'listProjectStateHandles', 200>, PageItem<Answer<'listProjectStateHandles', 200>, 'state_handles'>> {
    return this.caller.pages<Answer<'listProjectStateHandles', 200>, 'state_handles'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/state-handles', [projectId]), query }, 'state_handles', 'offset', options);
  }

  /** List a project's tiers (dashboard). */
  listProjectTiers(projectId: string, options?: CallOptions): Promise<Answer<'listProjectTiers', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/tiers', [projectId]) }, options);
  }

  /** List the event types that a webhook can receive, with the schema and an example of each body; by the owner's session. */
  listProjectWebhookEventTypes(projectId: string, options?: CallOptions): Promise<Answer<'listProjectWebhookEventTypes', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhook-event-types', [projectId]) }, options);
  }

  /** List your projects: the account’s, then those of which you are a member; oldest first. */
  listProjects(query?: Query<'listProjects'>, options?: CallOptions): Pages<Answer<'listProjects', 200>, PageItem<Answer<'listProjects', 200>, 'projects'>> {
    return this.caller.pages<Answer<'listProjects', 200>, 'projects'>({ method: 'GET', path: '/api/v1/projects', query }, 'projects', 'offset', options);
  }

  /** List the items that a stored response was made of. */
  listResponseInputItems(responseId: string, query?: Query<'listResponseInputItems'>, options?: CallOptions): Promise<Answer<'listResponseInputItems', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/v1/responses/{response_id}/input_items', [responseId]), query }, options);
  }

  /** List the model calls of a run with their requests, answers and tools. */
  listRunSteps(id: string, query?: Query<'listRunSteps'>, options?: CallOptions): Pages<Answer<'listRunSteps', 200>, PageItem<Answer<'listRunSteps', 200>, 'steps'>> {
    return this.caller.pages<Answer<'listRunSteps', 200>, 'steps'>({ method: 'GET', path: fillPath('/api/v1/runs/{id}/steps', [id]), query }, 'steps', 'offset', options);
  }

  /** List the tasks of a run. */
  listRunTasks(id: string, options?: CallOptions): Promise<Answer<'listRunTasks', 200>> {
    return this.caller.call({ method: 'GET', path: fillPath('/api/v1/runs/{id}/tasks', [id]) }, options);
  }

  /** List runs, newest first. */
  listRuns(query?: Query<'listRuns'>, options?: CallOptions): Pages<Answer<'listRuns', 200>, PageItem<Answer<'listRuns', 200>, 'runs'>> {
    return this.caller.pages<Answer<'listRuns', 200>, 'runs'>({ method: 'GET', path: '/api/v1/runs', query }, 'runs', 'offset', options);
  }

  /** List sessions without their messages, newest first. */
  listSessions(query?: Query<'listSessions'>, options?: CallOptions): Pages<Answer<'listSessions', 200>, PageItem<Answer<'listSessions', 200>, 'sessions'>> {
    return this.caller.pages<Answer<'listSessions', 200>, 'sessions'>({ method: 'GET', path: '/api/v1/sessions', query }, 'sessions', 'offset', options);
  }

  /** Get the public keys of tokens; two during a key rotation. */
  listSigningKeys(options?: CallOptions): Promise<Answer<'listSigningKeys', 200>> {
    return this.caller.call({ method: 'GET', path: '/.well-known/jwks.json' }, options);
  }

  /** List SQL profiles, oldest first. */
  listSqlProfiles(projectId: string, query?: Query<'listSqlProfiles'>, options?: CallOptions): Pages<Answer<'listSqlProfiles', 200>, PageItem<Answer<'listSqlProfiles', 200>, 'profiles'>> {
    return this.caller.pages<Answer<'listSqlProfiles', 200>, 'profiles'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/sql-profiles', [projectId]), query }, 'profiles', 'offset', options);
  }

  /** List state handles that have not expired, newest first. */
  listStateHandles(query?: Query<'listStateHandles'>, options?: CallOptions): Pages<Answer<'listStateHandles', 200>, PageItem<Answer<'listStateHandles', 200>, 'state_handles'>> {
    return this.caller.pages<Answer<'listStateHandles', 200>, 'state_handles'>({ method: 'GET', path: '/api/v1/state-handles', query }, 'state_handles', 'offset', options);
  }

  /** List the months of a project's statements, newest first. */
  listStatements(projectId: string, query?: Query<'listStatements'>, options?: CallOptions): Pages<Answer<'listStatements', 200>, PageItem<Answer<'listStatements', 200>, 'statements'>> {
    return this.caller.pages<Answer<'listStatements', 200>, 'statements'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/statements', [projectId]), query }, 'statements', 'cursor', options);
  }

  /** List the project's tiers. */
  listTiers(options?: CallOptions): Promise<Answer<'listTiers', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/tiers' }, options);
  }

  /** List a tool hook's calls, newest first. */
  listToolHookEvents(projectId: string, hookId: string, query?: Query<'listToolHookEvents'>, options?: CallOptions): Pages<Answer<'listToolHookEvents', 200>, PageItem<Answer<'listToolHookEvents', 200>, 'events'>> {
    return this.caller.pages<Answer<'listToolHookEvents', 200>, 'events'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/tool-hooks/{hook_id}/events', [projectId, hookId]), query }, 'events', 'offset', options);
  }

  /** List tool hooks, oldest first, which is the order in which they are called. */
  listToolHooks(projectId: string, query?: Query<'listToolHooks'>, options?: CallOptions): Pages<Answer<'listToolHooks', 200>, PageItem<Answer<'listToolHooks', 200>, 'hooks'>> {
    return this.caller.pages<Answer<'listToolHooks', 200>, 'hooks'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/tool-hooks', [projectId]), query }, 'hooks', 'offset', options);
  }

  /** List requests with usage that no customer paid for, newest first. */
  listUnchargedUsage(projectId: string, query?: Query<'listUnchargedUsage'>, options?: CallOptions): Pages<Answer<'listUnchargedUsage', 200>, PageItem<Answer<'listUnchargedUsage', 200>, 'usage'>> {
    return this.caller.pages<Answer<'listUnchargedUsage', 200>, 'usage'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/uncharged-usage', [projectId]), query }, 'usage', 'cursor', options);
  }

  /** List the event types that a webhook can receive, with the schema and an example of each body. */
  listWebhookEventTypes(options?: CallOptions): Promise<Answer<'listWebhookEventTypes', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/webhook-event-types' }, options);
  }

  /** List a webhook's deliveries, newest first. */
  listWebhookEvents(projectId: string, webhookId: string, query?: Query<'listWebhookEvents'>, options?: CallOptions): Pages<Answer<'listWebhookEvents', 200>, PageItem<Answer<'listWebhookEvents', 200>, 'events'>> {
    return this.caller.pages<Answer<'listWebhookEvents', 200>, 'events'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/events', [projectId, webhookId]), query }, 'events', 'offset', options);
  }

  /** List webhooks, oldest first. */
  listWebhooks(projectId: string, query?: Query<'listWebhooks'>, options?: CallOptions): Pages<Answer<'listWebhooks', 200>, PageItem<Answer<'listWebhooks', 200>, 'webhooks'>> {
    return this.caller.pages<Answer<'listWebhooks', 200>, 'webhooks'>({ method: 'GET', path: fillPath('/api/v1/projects/{id}/webhooks', [projectId]), query }, 'webhooks', 'offset', options);
  }

  /** Sign in with email and password. */
  login(body: Body<'login'>, options?: CallOptions): Promise<Answer<'login', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/login', body }, options);
  }

  /** End the session of a refresh token. */
  logout(body: Body<'logout'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/logout', body }, options);
  }

  /** Mark a message as read; idempotent. */
  markMessageRead(messageId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/messages/{message_id}/read', [messageId]) }, options);
  }

  /** Mark a message as read; idempotent; by the owner's session. */
  markProjectMessageRead(projectId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/messages/{message_id}/read', [projectId, messageId]) }, options);
  }

  /** Move a tier's subscribers to its present price (dashboard). */
  migrateTierPrice(projectId: string, tierId: string, body?: Body<'migrateTierPrice'>, options?: CallOptions): Promise<Answer<'migrateTierPrice', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/tiers/{tier_id}/migrate-price', [projectId, tierId]), body, keyIn: 'header' }, options);
  }

  /** Mint a token for one customer. */
  mintCustomerToken(body: Body<'mintCustomerToken'>, options?: CallOptions): Promise<Answer<'mintCustomerToken', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/customer-token', body }, options);
  }

  /** Mint a token for one customer; by the owner's session. */
  mintProjectCustomerToken(projectId: string, body: Body<'mintProjectCustomerToken'>, options?: CallOptions): Promise<Answer<'mintProjectCustomerToken', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/auth/customer-token', [projectId]), body }, options);
  }

  /** Keep an image beyond its expiry. */
  pinImage(id: string, options?: CallOptions): Promise<Answer<'pinImage', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/images/{id}/pin', [id]) }, options);
  }

  /** Keep an image beyond its expiry; by the owner's session. */
  pinProjectImage(projectId: string, imageId: string, options?: CallOptions): Promise<Answer<'pinProjectImage', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/images/{image_id}/pin', [projectId, imageId]) }, options);
  }

  /** Poll for the token of a device sign-in. */
  pollDeviceToken(body: Body<'pollDeviceToken'>, options?: CallOptions): Promise<Answer<'pollDeviceToken', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/device/token', body }, options);
  }

  /** Poll for the tokens of an owner whose device sign-in was approved. */
  pollOwnerDeviceToken(body: Body<'pollOwnerDeviceToken'>, options?: CallOptions): Promise<Answer<'pollOwnerDeviceToken', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/owner-device/token', body }, options);
  }

  /** Poll for the token of a device sign-in; by the owner's session. */
  pollProjectDeviceToken(projectId: string, body: Body<'pollProjectDeviceToken'>, options?: CallOptions): Promise<Answer<'pollProjectDeviceToken', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/auth/device/token', [projectId]), body }, options);
  }

  /** Show what the link of an invitation is for. */
  previewInvitation(body: Body<'previewInvitation'>, options?: CallOptions): Promise<Answer<'previewInvitation', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/invitations/preview', body }, options);
  }

  /** Preview a move of your subscription to another tier. */
  previewMyTierChange(query: Query<'previewMyTierChange'>, options?: CallOptions): Promise<Answer<'previewMyTierChange', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/customers/me/change-tier', query }, options);
  }

  /** Show which device asks to be signed in as you. */
  previewOwnerDevice(body: Body<'previewOwnerDevice'>, options?: CallOptions): Promise<Answer<'previewOwnerDevice', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/owner-device/preview', body }, options);
  }

  /** Send a webhook's failed deliveries since a time again. */
  recoverWebhook(projectId: string, webhookId: string, body: Body<'recoverWebhook'>, options?: CallOptions): Promise<Answer<'recoverWebhook', 202>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/recover', [projectId, webhookId]), body, keyIn: 'header' }, options);
  }

  /** Redeliver an event. */
  redeliverWebhookEvent(projectId: string, webhookId: string, eventId: string, options?: CallOptions): Promise<Answer<'redeliverWebhookEvent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/events/{event_id}/redeliver', [projectId, webhookId, eventId]) }, options);
  }

  /** Exchange a refresh token for a new pair, once. */
  refreshSession(body: Body<'refreshSession'>, options?: CallOptions): Promise<Answer<'refreshSession', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/refresh', body }, options);
  }

  /** Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once. */
  refundPayment(id: string, body?: Body<'refundPayment'>, options?: CallOptions): Promise<Answer<'refundPayment', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/payments/{id}/refund', [id]), body, keyIn: 'header' }, options);
  }

  /** Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once; by the owner's session. */
  refundProjectPayment(projectId: string, paymentId: string, body?: Body<'refundProjectPayment'>, options?: CallOptions): Promise<Answer<'refundProjectPayment', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/payments/{payment_id}/refund', [projectId, paymentId]), body, keyIn: 'header' }, options);
  }

  /** Create an account with a first project and its first secret key. */
  register(body: Body<'register'>, options?: CallOptions): Promise<Answer<'register', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/register', body }, options);
  }

  /** Remove a member; every edge refuses it within five seconds. */
  removeMember(projectId: string, userId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/members/{user_id}', [projectId, userId]) }, options);
  }

  /** Rerun an agent with recorded answers and tool results, or with mocked tools. */
  replayAgent(projectId: string, slug: string, body: Body<'replayAgent'>, options?: CallOptions): Promise<Answer<'replayAgent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/replay', [projectId, slug]), body, keyIn: 'header' }, options);
  }

  /** Rerun an agent with recorded answers and tool results, or with mocked tools. The answer is streamed. */
  replayAgentStream(projectId: string, slug: string, body: Body<'replayAgent'>, options?: CallOptions): EventStream<EventIn<'replayAgent', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/replay', [projectId, slug]), body, keyIn: 'header', accept: 'application/x-ndjson' }, options);
  }

  /** Send an email with a link that resets the password. */
  requestPasswordReset(body: Body<'requestPasswordReset'>, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/password-reset', body }, options);
  }

  /** Send an invitation again with a new link. */
  resendInvitation(projectId: string, invitationId: string, options?: CallOptions): Promise<Answer<'resendInvitation', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/invitations/{invitation_id}/resend', [projectId, invitationId]) }, options);
  }

  /** Get an access token for the session in the cookie of this browser. */
  resumeBrowserSession(options?: CallOptions): Promise<Answer<'resumeBrowserSession', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/browser-session' }, options);
  }

  /** Take the scheduled cancellation of your subscription back. */
  resumeMySubscription(options?: CallOptions): Promise<Answer<'resumeMySubscription', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/me/subscription/resume', keyIn: 'header' }, options);
  }

  /** Revoke an invitation; its links end. */
  revokeInvitation(projectId: string, invitationId: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/invitations/{invitation_id}', [projectId, invitationId]) }, options);
  }

  /** Replace a key by a new one of the same label and kind; the old one keeps working for the overlap. */
  rotateApiKey(id: string, body?: Body<'rotateApiKey'>, options?: CallOptions): Promise<Answer<'rotateApiKey', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/api-keys/{id}/rotate', [id]), body }, options);
  }

  /** Replace a key by a new one of the same label and kind; the old one keeps working for the overlap. */
  rotateProjectApiKey(projectId: string, keyId: string, body?: Body<'rotateProjectApiKey'>, options?: CallOptions): Promise<Answer<'rotateProjectApiKey', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/api-keys/{key_id}/rotate', [projectId, keyId]), body }, options);
  }

  /** Run an agent and return its result, or stream its events with options.stream. */
  runAgent(projectId: string, slug: string, body: Body<'runAgent'>, options?: CallOptions): Promise<Answer<'runAgent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/run', [projectId, slug]), body, keyIn: 'header' }, options);
  }

  /** Run an agent and return its result, or stream its events with options.stream. The answer is streamed. */
  runAgentStream(projectId: string, slug: string, body: Body<'runAgent'>, options?: CallOptions): EventStream<EventIn<'runAgent', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/run', [projectId, slug]), body, keyIn: 'header', accept: 'application/x-ndjson' }, options);
  }

  /** Serve the project's agents as tools of the Model Context Protocol. */
  sendMcpMessage(body: Body<'sendMcpMessage'>, options?: CallOptions): Promise<Answer<'sendMcpMessage', 200>> {
    return this.caller.call({ method: 'POST', path: '/v1/mcp', body }, options);
  }

  /** Serve the project's agents as tools of the Model Context Protocol. The answer is streamed. */
  sendMcpMessageStream(body: Body<'sendMcpMessage'>, options?: CallOptions): EventStream<EventIn<'sendMcpMessage', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: '/v1/mcp', body, accept: 'text/event-stream' }, options);
  }

  /** Send a message to an agent or a run. */
  sendMessage(body: Body<'sendMessage'>, options?: CallOptions): Promise<Answer<'sendMessage', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/messages', body, keyIn: 'header' }, options);
  }

  /** Send a message to an agent or a run; by the owner's session. */
  sendProjectMessage(projectId: string, body: Body<'sendProjectMessage'>, options?: CallOptions): Promise<Answer<'sendProjectMessage', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/messages', [projectId]), body, keyIn: 'header' }, options);
  }

  /** Set up automatic top-ups; 409 when no card is stored. */
  setAutoTopUp(body: Body<'setAutoTopUp'>, options?: CallOptions): Promise<Answer<'setAutoTopUp', 200>> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/account/billing/auto-topup', body }, options);
  }

  /** Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier. */
  setCustomerSubscription(id: string, body: Body<'setCustomerSubscription'>, options?: CallOptions): Promise<Answer<'setCustomerSubscription', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/customers/{id}/subscription', [id]), body }, options);
  }

  /** Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier; by the owner's session. */
  setProjectCustomerSubscription(projectId: string, customerId: string, body: Body<'setProjectCustomerSubscription'>, options?: CallOptions): Promise<Answer<'setProjectCustomerSubscription', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/subscription', [projectId, customerId]), body }, options);
  }

  /** Sign one of your devices out. */
  signOutMyDevice(id: string, options?: CallOptions): Promise<void> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/customers/me/devices/{id}', [id]) }, options);
  }

  /** Create an account and sign this browser in. */
  signUpInBrowser(body: Body<'signUpInBrowser'>, options?: CallOptions): Promise<Answer<'signUpInBrowser', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/browser-session/sign-up', body }, options);
  }

  /** Start storing a card for automatic top-ups. */
  startCardSetup(options?: CallOptions): Promise<Answer<'startCardSetup', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/billing/auto-topup/setup' }, options);
  }

  /** Create a checkout that verifies a card of the owner; 409 when a card is verified. */
  startCardVerification(body?: Body<'startCardVerification'>, options?: CallOptions): Promise<Answer<'startCardVerification', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/account/card-verification', body, keyIn: 'header' }, options);
  }

  /** Start a device sign-in (RFC 8628). */
  startDevice(options?: CallOptions): Promise<Answer<'startDevice', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/device/start' }, options);
  }

  /** Start a sign-in with GitHub or Google; returns the URL to open in a browser. */
  startOAuth(query: Query<'startOAuth'>, options?: CallOptions): Promise<Answer<'startOAuth', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/oauth/start', query }, options);
  }

  /** Start signing an owner in on a device (RFC 8628). */
  startOwnerDevice(body: Body<'startOwnerDevice'>, options?: CallOptions): Promise<Answer<'startOwnerDevice', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/auth/owner-device/start', body }, options);
  }

  /** Exchange the code of a link to the portal for a session. */
  startPortalSession(body: Body<'startPortalSession'>, options?: CallOptions): Promise<Answer<'startPortalSession', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/portal/session', body }, options);
  }

  /** Start a device sign-in (RFC 8628); by the owner's session. */
  startProjectDevice(projectId: string, options?: CallOptions): Promise<Answer<'startProjectDevice', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/auth/device/start', [projectId]) }, options);
  }

  /** Ask a model in Google's generateContent dialect, with a streamed answer. */
  streamGoogleContent(model: string, body: Body<'streamGoogleContent'>, query?: Query<'streamGoogleContent'>, options?: CallOptions): Promise<Answer<'streamGoogleContent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1beta/models/{model}:streamGenerateContent', [model]), query, body, keyIn: 'header' }, options);
  }

  /** Ask a model in Google's generateContent dialect, with a streamed answer. The answer is streamed. */
  streamGoogleContentStream(model: string, body: Body<'streamGoogleContent'>, query?: Query<'streamGoogleContent'>, options?: CallOptions): EventStream<EventIn<'streamGoogleContent', 'text/event-stream'>> {
    return this.caller.stream({ method: 'POST', path: fillPath('/v1beta/models/{model}:streamGenerateContent', [model]), query, body, keyIn: 'header', accept: 'text/event-stream' }, options);
  }

  /** Stream a project's requests as they end: those of the last minute, then, with wait=true, new ones. */
  streamProjectRequests(projectId: string, query?: Query<'streamProjectRequests'>, options?: CallOptions): EventStream<EventIn<'streamProjectRequests', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'GET', path: fillPath('/api/v1/projects/{id}/requests/live', [projectId]), query, accept: 'application/x-ndjson' }, options);
  }

  /** Stream the event log of a run: stored events, then new ones; by the owner's session. */
  streamProjectRunEvents(projectId: string, runId: string, query?: Query<'streamProjectRunEvents'>, options?: CallOptions): EventStream<EventIn<'streamProjectRunEvents', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'GET', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/events', [projectId, runId]), query, accept: 'application/x-ndjson' }, options);
  }

  /** Stream the event log of a run: stored events, then new ones. */
  streamRunEvents(id: string, query?: Query<'streamRunEvents'>, options?: CallOptions): EventStream<EventIn<'streamRunEvents', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'GET', path: fillPath('/api/v1/runs/{id}/events', [id]), query, accept: 'application/x-ndjson' }, options);
  }

  /** Submit results for the tool calls of a waiting node; by the owner's session. */
  submitProjectToolResults(projectId: string, runId: string, body: Body<'submitProjectToolResults'>, options?: CallOptions): Promise<Answer<'submitProjectToolResults', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/runs/{run_id}/tool-results', [projectId, runId]), body }, options);
  }

  /** Submit results for the tool calls of a waiting node. */
  submitToolResults(id: string, body: Body<'submitToolResults'>, options?: CallOptions): Promise<Answer<'submitToolResults', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/runs/{id}/tool-results', [id]), body }, options);
  }

  /** Create a checkout of a paid tier for a customer. */
  subscribeCustomer(id: string, body: Body<'subscribeCustomer'>, options?: CallOptions): Promise<Answer<'subscribeCustomer', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/subscribe', [id]), body, keyIn: 'header' }, options);
  }

  /** Create a checkout of a paid tier for a customer; by the owner's session. */
  subscribeProjectCustomer(projectId: string, customerId: string, body: Body<'subscribeProjectCustomer'>, options?: CallOptions): Promise<Answer<'subscribeProjectCustomer', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/subscribe', [projectId, customerId]), body, keyIn: 'header' }, options);
  }

  /** Run an agent with mocked tools. */
  testAgent(projectId: string, slug: string, body: Body<'testAgent'>, options?: CallOptions): Promise<Answer<'testAgent', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/test', [projectId, slug]), body, keyIn: 'header' }, options);
  }

  /** Run an agent with mocked tools. The answer is streamed. */
  testAgentStream(projectId: string, slug: string, body: Body<'testAgent'>, options?: CallOptions): EventStream<EventIn<'testAgent', 'application/x-ndjson'>> {
    return this.caller.stream({ method: 'POST', path: fillPath('/api/v1/projects/{id}/agents/{slug}/test', [projectId, slug]), body, keyIn: 'header', accept: 'application/x-ndjson' }, options);
  }

  /** Ask a connection now. */
  testConnection(projectId: string, connectionId: string, options?: CallOptions): Promise<Answer<'testConnection', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/connections/{connection_id}/test', [projectId, connectionId]) }, options);
  }

  /** List the tools of an MCP server now. */
  testMcpServer(projectId: string, mcpServerId: string, options?: CallOptions): Promise<Answer<'testMcpServer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/test', [projectId, mcpServerId]) }, options);
  }

  /** Send a sample call to the hook now. */
  testToolHook(projectId: string, hookId: string, options?: CallOptions): Promise<Answer<'testToolHook', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/tool-hooks/{hook_id}/test', [projectId, hookId]) }, options);
  }

  /** Send a sample event now. */
  testWebhook(projectId: string, webhookId: string, body?: Body<'testWebhook'>, options?: CallOptions): Promise<Answer<'testWebhook', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}/test', [projectId, webhookId]), body }, options);
  }

  /** Create a checkout that tops up a customer's wallet. */
  topUpCustomerWallet(id: string, body: Body<'topUpCustomerWallet'>, options?: CallOptions): Promise<Answer<'topUpCustomerWallet', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/topup', [id]), body, keyIn: 'header' }, options);
  }

  /** Create a checkout that tops up the customer's wallet. */
  topUpMyWallet(body: Body<'topUpMyWallet'>, options?: CallOptions): Promise<Answer<'topUpMyWallet', 201>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/customers/me/topup', body, keyIn: 'header' }, options);
  }

  /** Create a checkout that tops up a customer's wallet; by the owner's session. */
  topUpProjectCustomerWallet(projectId: string, customerId: string, body: Body<'topUpProjectCustomerWallet'>, options?: CallOptions): Promise<Answer<'topUpProjectCustomerWallet', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/topup', [projectId, customerId]), body, keyIn: 'header' }, options);
  }

  /** Accept a blocked customer's requests again. */
  unblockCustomer(id: string, options?: CallOptions): Promise<Answer<'unblockCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/unblock', [id]) }, options);
  }

  /** Accept a blocked customer's requests again; by the owner's session. */
  unblockProjectCustomer(projectId: string, customerId: string, options?: CallOptions): Promise<Answer<'unblockProjectCustomer', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/unblock', [projectId, customerId]) }, options);
  }

  /** Unpin an image; it expires after its full lifetime from now. */
  unpinImage(id: string, options?: CallOptions): Promise<Answer<'unpinImage', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/images/{id}/pin', [id]) }, options);
  }

  /** Unpin an image; it expires after its full lifetime from now; by the owner's session. */
  unpinProjectImage(projectId: string, imageId: string, options?: CallOptions): Promise<Answer<'unpinProjectImage', 200>> {
    return this.caller.call({ method: 'DELETE', path: fillPath('/api/v1/projects/{id}/images/{image_id}/pin', [projectId, imageId]) }, options);
  }

  /** Update an agent; a changed configuration makes a new revision. */
  updateAgent(projectId: string, slug: string, body?: Body<'updateAgent'>, options?: CallOptions): Promise<Answer<'updateAgent', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/agents/{slug}', [projectId, slug]), body }, options);
  }

  /** Replace the memory of an agent, or its memory about a customer. */
  updateAgentMemory(projectId: string, slug: string, body: Body<'updateAgentMemory'>, options?: CallOptions): Promise<Answer<'updateAgentMemory', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/agents/{slug}/memory', [projectId, slug]), body }, options);
  }

  /** Change a key's label or expiry; edges apply it within five seconds. */
  updateApiKey(id: string, body: Body<'updateApiKey'>, options?: CallOptions): Promise<Answer<'updateApiKey', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/api-keys/{id}', [id]), body }, options);
  }

  /** Update a connection or its keys. */
  updateConnection(projectId: string, connectionId: string, body?: Body<'updateConnection'>, options?: CallOptions): Promise<Answer<'updateConnection', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/connections/{connection_id}', [projectId, connectionId]), body }, options);
  }

  /** Replace the metadata of a conversation. */
  updateConversation(conversationId: string, body: Body<'updateConversation'>, options?: CallOptions): Promise<Answer<'updateConversation', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/v1/conversations/{conversation_id}', [conversationId]), body }, options);
  }

  /** Change a customer's email or metadata. */
  updateCustomer(id: string, body: Body<'updateCustomer'>, options?: CallOptions): Promise<Answer<'updateCustomer', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/customers/{id}', [id]), body }, options);
  }

  /** Update an MCP server or its credentials. */
  updateMcpServer(projectId: string, mcpServerId: string, body?: Body<'updateMcpServer'>, options?: CallOptions): Promise<Answer<'updateMcpServer', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/mcp-servers/{mcp_server_id}', [projectId, mcpServerId]), body }, options);
  }

  /** Change a member's role; edges apply it within five seconds. */
  updateMember(projectId: string, userId: string, body: Body<'updateMember'>, options?: CallOptions): Promise<Answer<'updateMember', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/members/{user_id}', [projectId, userId]), body }, options);
  }

  /** Update a project; omitted fields keep their values. */
  updateProject(id: string, body?: Body<'updateProject'>, options?: CallOptions): Promise<Answer<'updateProject', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}', [id]), body }, options);
  }

  /** Change a key's label or expiry; edges apply it within five seconds. */
  updateProjectApiKey(projectId: string, keyId: string, body: Body<'updateProjectApiKey'>, options?: CallOptions): Promise<Answer<'updateProjectApiKey', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/api-keys/{key_id}', [projectId, keyId]), body }, options);
  }

  /** Change a customer's email or metadata; by the owner's session. */
  updateProjectCustomer(projectId: string, customerId: string, body: Body<'updateProjectCustomer'>, options?: CallOptions): Promise<Answer<'updateProjectCustomer', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}', [projectId, customerId]), body }, options);
  }

  /** Merge metadata into a session; null removes a key; by the owner's session. */
  updateProjectSession(projectId: string, sessionId: string, body: Body<'updateProjectSession'>, options?: CallOptions): Promise<Answer<'updateProjectSession', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/projects/{id}/sessions/{session_id}', [projectId, sessionId]), body }, options);
  }

  /** Merge metadata into a session; null removes a key. */
  updateSession(id: string, body: Body<'updateSession'>, options?: CallOptions): Promise<Answer<'updateSession', 200>> {
    return this.caller.call({ method: 'PATCH', path: fillPath('/api/v1/sessions/{id}', [id]), body }, options);
  }

  /** Update a SQL profile; omitted fields keep their values, a policy is replaced as a whole. */
  updateSqlProfile(projectId: string, profileId: string, body?: Body<'updateSqlProfile'>, options?: CallOptions): Promise<Answer<'updateSqlProfile', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/sql-profiles/{profile_id}', [projectId, profileId]), body }, options);
  }

  /** Update a tier; omitted fields keep their values (dashboard). */
  updateTier(projectId: string, tierId: string, body?: Body<'updateTier'>, options?: CallOptions): Promise<Answer<'updateTier', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/tiers/{tier_id}', [projectId, tierId]), body }, options);
  }

  /** Update a tool hook or rotate its secret. */
  updateToolHook(projectId: string, hookId: string, body?: Body<'updateToolHook'>, options?: CallOptions): Promise<Answer<'updateToolHook', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/tool-hooks/{hook_id}', [projectId, hookId]), body }, options);
  }

  /** Update a webhook or rotate its secret. */
  updateWebhook(projectId: string, webhookId: string, body?: Body<'updateWebhook'>, options?: CallOptions): Promise<Answer<'updateWebhook', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/webhooks/{webhook_id}', [projectId, webhookId]), body }, options);
  }

  /** Create or update a customer by external id. */
  upsertCustomer(body: Body<'upsertCustomer'>, options?: CallOptions): Promise<Answer<'upsertCustomer', 200>> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/customers', body }, options);
  }

  /** Create or update a customer by external id; by the owner's session. */
  upsertProjectCustomer(projectId: string, body: Body<'upsertProjectCustomer'>, options?: CallOptions): Promise<Answer<'upsertProjectCustomer', 200>> {
    return this.caller.call({ method: 'PUT', path: fillPath('/api/v1/projects/{id}/customers', [projectId]), body }, options);
  }

  /** Validate a statement against a policy; 400 lists the reasons for refusal; by the owner's session. */
  validateProjectSql(projectId: string, body: Body<'validateProjectSql'>, options?: CallOptions): Promise<Answer<'validateProjectSql', 200>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/sql/validate', [projectId]), body }, options);
  }

  /** Validate a statement against a policy; 400 lists the reasons for refusal. */
  validateSql(body: Body<'validateSql'>, options?: CallOptions): Promise<Answer<'validateSql', 200>> {
    return this.caller.call({ method: 'POST', path: '/api/v1/sql/validate', body }, options);
  }

  /** Recompute every balance from the journal. */
  verifyLedger(options?: CallOptions): Promise<Answer<'verifyLedger', 200>> {
    return this.caller.call({ method: 'GET', path: '/api/v1/account/ledger/verify' }, options);
  }

  /** Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once. */
  withdrawCustomerCredit(id: string, body: Body<'withdrawCustomerCredit'>, options?: CallOptions): Promise<Answer<'withdrawCustomerCredit', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/customers/{id}/credit/withdraw', [id]), body, keyIn: 'header' }, options);
  }

  /** Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once; by the owner's session. */
  withdrawProjectCustomerCredit(projectId: string, customerId: string, body: Body<'withdrawProjectCustomerCredit'>, options?: CallOptions): Promise<Answer<'withdrawProjectCustomerCredit', 201>> {
    return this.caller.call({ method: 'POST', path: fillPath('/api/v1/projects/{id}/customers/{customer_id}/credit/withdraw', [projectId, customerId]), body, keyIn: 'header' }, options);
  }
}
