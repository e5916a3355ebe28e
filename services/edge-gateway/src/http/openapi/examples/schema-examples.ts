const GOOGLE_CONTENT = { role: 'user', parts: [{ text: 'What is a tollgate?' }] };
const MESSAGE = { type: 'message', role: 'user', content: [{ type: 'text', text: 'What is a tollgate?' }] };
const MODEL = 'sandbox/echo-1';
const QUESTION = { role: 'user', content: 'What is a tollgate?' };
const POLICY = { dialect: 'postgres', read_only: true, tables: { allowlist: ['public.orders'] } };
const SEARCH_TOOL = {
  type: 'function',
  function: {
    name: 'find_order',
    description: 'Finds an order by its number',
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  },
};
const SPEC = {
  kind: 'workflow.v1',
  name: 'summary',
  nodes: [
    {
      id: 'summarize',
      type: 'llm.responses',
      input: { request: { model: MODEL, input: [MESSAGE] } },
    },
  ],
  outputs: [{ name: 'summary', from: 'summarize' }],
};

/** Written examples, by the name of the schema. All others are made from the schemas. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  CreateCustomerRequest: { external_id: 'user_4711', email: 'ada@example.com', metadata: { plan: 'trial' } },
  ClaimCustomerRequest: { email: 'ada@example.com', provider: 'github', subject: '583231' },
  CreateTierRequest: {
    tier_code: 'starter',
    display_name: 'Starter',
    billing_mode: 'subscription',
    spend_limit_cents: 500,
    models: [
      { model_id: MODEL, is_default: true, input_price_per_million_cents: 100, output_price_per_million_cents: 300 },
    ],
  },
  UpdateTierRequest: { display_name: 'Starter 2', spend_limit_cents: 1_000 },
  SetSubscriptionRequest: { tier_code: 'starter' },
  MintCustomerTokenRequest: { customer_external_id: 'user_4711', ttl_seconds: 3_600 },
  CreateApiKeyRequest: { label: 'production', project_id: '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40' },
  CreateResponseRequest: { model: MODEL, input: [MESSAGE], max_output_tokens: 200 },
  CreateBatchRequest: { requests: [{ id: 'first', model: MODEL, input: [MESSAGE] }] },
  ChatCompletionRequest: { model: MODEL, messages: [QUESTION], max_completion_tokens: 200 },
  OpenAiResponseRequest: { model: MODEL, input: 'What is a tollgate?' },
  ResponsesInputTokensRequest: { model: MODEL, input: 'What is a tollgate?' },
  AnthropicMessageRequest: { model: MODEL, max_tokens: 200, messages: [QUESTION] },
  GoogleGenerateRequest: { contents: [GOOGLE_CONTENT], generationConfig: { maxOutputTokens: 200 } },
  GoogleCountTokensRequest: { contents: [GOOGLE_CONTENT] },
  GoogleEmbedRequest: { content: { parts: [{ text: 'What is a tollgate?' }] } },
  GoogleBatchEmbedRequest: { requests: [{ content: { parts: [{ text: 'What is a tollgate?' }] } }] },
  CountMessageTokensRequest: { model: MODEL, messages: [QUESTION] },
  CreateDecisionRequest: {
    model: MODEL,
    input: 'Is a cat an animal?',
    options: [
      { id: 'yes', description: 'It is one' },
      { id: 'no', description: 'It is none' },
    ],
  },
  CreateEmbeddingsRequest: { model: 'sandbox/embed-1', input: ['What is a tollgate?'] },
  CreateWebhookRequest: {
    endpoint_url: 'https://app.example.com/tollgate-events',
    events: ['request.completed', 'customer.created'],
    signature_form: 'standard',
  },
  UpdateWebhookRequest: { endpoint_url: 'https://app.example.com/events', events: ['request.completed'] },
  CreateMcpServerRequest: {
    name: 'issues',
    endpoint_url: 'https://mcp.example.com/mcp',
    headers: { Authorization: 'Bearer your-token' },
    tools_allowlist: ['create_issue'],
  },
  UpdateMcpServerRequest: { enabled: false },
  CreateToolHookRequest: { hook_type: 'tool_execute', endpoint_url: 'https://app.example.com/tools', enabled: true },
  UpdateToolHookRequest: { endpoint_url: 'https://app.example.com/tools', timeout_ms: 5_000 },
  CreateAgentRequest: {
    name: 'Support',
    slug: 'support',
    model: MODEL,
    system: 'Answer questions about orders.',
  },
  UpdateAgentRequest: { system: 'Answer questions about orders, briefly.' },
  RunAgentRequest: { input: [MESSAGE] },
  TestAgentRequest: { input: [MESSAGE], mock_tools: { find_order: { number: '42', status: 'sent' } } },
  ReplayAgentRequest: { run_id: '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40' },
  WorkflowSpec: SPEC,
  CreateRunRequest: { spec: SPEC, input: { topic: 'tollgates' } },
  SubmitToolResultsRequest: {
    node_id: 'summarize',
    step: 0,
    request_id: '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40',
    results: [{ tool_call_id: 'call_1', name: 'find_order', output: '{"status":"sent"}' }],
  },
  CreateSqlProfileRequest: { name: 'orders', policy: POLICY },
  ValidateSqlRequest: { sql: 'SELECT id FROM public.orders LIMIT 10', policy: POLICY },
  SendMessageRequest: {
    to: 'agent:support@5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40',
    subject: 'Order 42',
    body: { text: 'Where is it?' },
  },
  ToolRequest: SEARCH_TOOL,
  ApproveDeviceRequest: { user_code: 'BCDF-GHJK', customer_external_id: 'user_4711' },
  OwnerDeviceStartRequest: { client_name: 'tollgate CLI on ada-laptop' },
  OwnerDevicePreviewRequest: { user_code: 'BCDF-GHJK' },
  OwnerDeviceApproveRequest: { user_code: 'BCDF-GHJK', decision: 'approve' },
  DeviceApproveRequest: { user_code: 'BCDF-GHJK', customer_external_id: 'user_4711' },
  SqlPolicy: POLICY,
};
