"""Types of the API. Generated from the OpenAPI document. Do not edit: pnpm --filter @tollgate/client run generate-core."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict


class AcceptInvitationResult(TypedDict):
    project: AcceptInvitationResultProject
    role: Role


class AcceptInvitationResultProject(TypedDict):
    id: str
    name: str


class AcceptedToolResults(TypedDict):
    accepted: int
    status: RunStatus


class AccountAdmissionBlockedWebhookEvent(TypedDict):
    event_type: Literal['account.admission_blocked']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookAdmissionData


class AccountBalance(TypedDict):
    balance_microcents: int
    balance_formatted: str
    currency: str
    low_balance_threshold_cents: int


class AccountStatement(TypedDict):
    statement: AccountStatementStatement


AccountStatementStatement = TypedDict(
    "AccountStatementStatement",
    {
        "account_id": "Required[str]",
        "month": "Required[str]",
        "from": "Required[str]",
        "to": "Required[str]",
        "state": "Required[Literal['open', 'closed', 'final']]",
        "currency": "Required[Literal['usd']]",
        "opening_balance_microcents": "Required[int]",
        "closing_balance_microcents": "Required[int]",
        "lines": "Required[list[AccountStatementStatementLine]]",
    },
)


class AccountStatementStatementLine(TypedDict):
    kind: str
    model: NotRequired[str]
    entries: int
    amount_microcents: int


class AccountTopUp(TypedDict):
    id: str
    session_id: NotRequired[str]
    checkout_url: NotRequired[str]
    amount_cents: int
    currency: str
    status: Literal['pending', 'completed', 'expired', 'failed']
    automatic: bool
    reversed_cents: int
    created_at: str
    completed_at: NotRequired[str]


class AccountUsage(TypedDict):
    usage: list[AccountUsageUsage]
    overrun_microcents: int
    unreconciled_microcents: int
    forfeited_microcents: int
    written_off_microcents: int
    next_cursor: NotRequired[str]


class AccountUsageUsage(TypedDict):
    group: str
    requests: int
    input_tokens: int
    output_tokens: int
    images: int
    customer_microcents: int
    provider_microcents: int


class AddConversationItemsRequest(TypedDict):
    items: list[ExpandedResponsesItem]


class Agent(TypedDict):
    id: str
    project_id: str
    slug: str
    name: str
    description: NotRequired[str]
    current_revision: int
    created_at: str
    updated_at: str


class AgentFragment(TypedDict):
    kind: NotRequired[Literal['workflow.v1']]
    inputs: NotRequired[list[AgentFragmentInput]]
    nodes: list[AgentFragmentNode]
    outputs: list[AgentFragmentOutput]


class AgentFragmentInput(TypedDict):
    name: str


class AgentFragmentNode(TypedDict):
    id: str
    type: str


class AgentFragmentOutput(TypedDict):
    name: str


class AgentInput(TypedDict):
    type: Literal['object']
    properties: NotRequired[dict[str, dict[str, Any]]]
    required: NotRequired[list[str]]


class AgentMemory(TypedDict):
    customer_id: NotRequired[str]
    content: str


class AgentMemoryRequest(TypedDict):
    content: str
    customer_id: NotRequired[str]


class AgentMemoryResult(TypedDict):
    memory: AgentMemory


class AgentResult(TypedDict):
    agent: AgentSnapshot


class AgentRunResult(TypedDict):
    run_id: str
    status: RunStatus
    output: list[OutputMessage]
    usage: AgentRunUsage
    steps: list[RunStep]
    error: NotRequired[AgentRunResultError]


class AgentRunResultError(TypedDict):
    code: str
    message: str


class AgentRunUsage(TypedDict):
    total_steps: int
    total_llm_calls: int
    total_tool_calls: int
    total_input_tokens: int
    total_output_tokens: int
    total_cost_cents: int
    total_cost_microcents: int


class AgentSnapshot(TypedDict):
    agent: Agent
    version: AgentVersion


class AgentTestResult(TypedDict):
    run_id: str
    status: RunStatus
    output: list[OutputMessage]
    usage: AgentRunUsage
    steps: list[RunStep]
    error: NotRequired[AgentTestResultError]
    mocks: AgentTestResultMocks


class AgentTestResultError(TypedDict):
    code: str
    message: str


class AgentTestResultMocks(TypedDict):
    served: dict[str, int]
    unconsumed: dict[str, int]
    unmocked: dict[str, int]


class AgentVersion(TypedDict):
    revision: int
    system: NotRequired[str]
    model: NotRequired[str]
    tools: list[ToolRef]
    fragments: NotRequired[dict[str, AgentFragment]]
    input_schema: NotRequired[AgentInput]
    max_steps: int
    max_duration_sec: int
    step_timeout_sec: int
    tool_failure_policy: ToolFailurePolicy
    tool_retry_count: NotRequired[int]
    created_at: str


class AnthropicError(TypedDict):
    type: Literal['error']
    error: AnthropicErrorError
    request_id: str


class AnthropicErrorError(TypedDict):
    type: str
    message: str
    details: NotRequired[AnthropicErrorErrorDetails]


class AnthropicErrorErrorDetails(TypedDict):
    code: NotRequired[str]
    error_code: NotRequired[str]


class AnthropicMessage(TypedDict):
    id: str
    type: Literal['message']
    role: Literal['assistant']
    model: str
    content: list[AnthropicMessageContent]
    stop_reason: str
    usage: AnthropicMessageUsage


class AnthropicMessageContent(TypedDict):
    type: str


class AnthropicMessageEvent(TypedDict):
    type: str


class AnthropicMessageRequest(TypedDict):
    model: NotRequired[str]
    messages: list[MessagesMessage]
    system: NotRequired[MessagesSystem | None]
    tools: NotRequired[list[MessagesTool] | None]
    tool_choice: NotRequired[MessagesToolChoice | None]
    thinking: NotRequired[MessagesThinking | None]
    output_config: NotRequired[AnthropicMessageRequestOutputConfig | None]
    output_format: NotRequired[AnthropicMessageRequestOutputFormat | None]
    max_tokens: int
    stream: NotRequired[bool | None]
    stop_sequences: NotRequired[list[str] | None]
    temperature: NotRequired[float | None]
    top_p: NotRequired[float | None]
    top_k: NotRequired[int | None]
    diagnostics: NotRequired[AnthropicMessageRequestDiagnostics | None]
    mcp_servers: NotRequired[list[Any] | None]
    context_management: NotRequired[MessagesContextManagement | None]
    speed: NotRequired[Literal['standard'] | None]
    inference_geo: NotRequired[Literal['global'] | None]


AnthropicMessageRequestDiagnostics: TypeAlias = "dict[str, Any]"


class AnthropicMessageRequestOutputConfig(TypedDict):
    effort: NotRequired[Literal['low', 'medium', 'high', 'xhigh', 'max'] | None]
    format: NotRequired[AnthropicMessageRequestOutputFormat | None]


class AnthropicMessageRequestOutputFormat(TypedDict):
    type: Literal['json_schema']
    schema: dict[str, Any]


class AnthropicMessageUsage(TypedDict):
    input_tokens: int
    output_tokens: int


class AnthropicModel(TypedDict):
    type: Literal['model']
    id: str
    display_name: str
    created_at: str


class AnthropicModelList(TypedDict):
    data: list[AnthropicModel]
    has_more: bool
    first_id: str | None
    last_id: str | None


AnyBinding = TypedDict(
    "AnyBinding",
    {
        "from": "NotRequired[str]",
        "from_input": "NotRequired[str]",
        "pointer": "NotRequired[str]",
        "to": "NotRequired[str]",
        "to_placeholder": "NotRequired[str]",
        "encoding": "NotRequired[Literal['json', 'json_string']]",
    },
)


AnySource = TypedDict(
    "AnySource",
    {
        "from": "NotRequired[str]",
        "from_input": "NotRequired[str]",
        "pointer": "NotRequired[str]",
    },
)


class ApiError(TypedDict):
    layer: ErrorLayer
    cause: ErrorCause
    status_code: int
    code: str
    message: str
    retryable: bool
    detail: NotRequired[str]
    request_id: NotRequired[str]
    provider_request_id: NotRequired[str]
    batch_id: NotRequired[str]
    item_id: NotRequired[str]
    error: Literal['api_error']
    fields: NotRequired[list[FieldError]]
    issues: NotRequired[list[ApiErrorIssue]]
    failures: NotRequired[list[Failure]]
    usage: NotRequired[ResponseUsage]
    charged_microcents: NotRequired[int]
    action_url: NotRequired[str]


class ApiErrorIssue(TypedDict):
    code: str
    path: str
    message: str


class ApiKey(TypedDict):
    id: str
    project_id: str
    kind: Literal['secret', 'publishable']
    label: str
    redacted_key: str
    spend_limit_cents: NotRequired[int]
    spent_microcents: NotRequired[int]
    expires_at: NotRequired[str]
    last_used_at: NotRequired[str]
    created_at: str
    secret_key: NotRequired[str]


class ApiKeyResult(TypedDict):
    api_key: ApiKey


class AppendSessionMessageRequest(TypedDict):
    role: Literal['system', 'user', 'assistant', 'tool']
    content: str | list[AppendSessionMessageRequestContent]
    run_id: NotRequired[str | None]


class AppendSessionMessageRequestContent(TypedDict):
    type: str


class AuditEvent(TypedDict):
    id: str
    action: str
    actor: AuditEventActor
    project_id: NotRequired[str]
    subject_id: NotRequired[str]
    address: str
    request_id: str
    at: str


class AuditEventActor(TypedDict):
    kind: Literal['user', 'key', 'customer', 'anonymous', 'system']
    id: str


class AuditLogResult(TypedDict):
    events: list[AuditEvent]
    next_cursor: NotRequired[str]


class AuthResult(TypedDict):
    access_token: str
    expires_at: str
    refresh_token: str
    tokens: AuthTokens
    user: User
    signup_project: NotRequired[SignupProject]


class AuthTokens(TypedDict):
    access_token: str
    expires_at: str
    refresh_token: str


class AuthorizeMcpServerRequest(TypedDict):
    client_id: NotRequired[str | None]
    client_secret: NotRequired[str | None]
    scope: NotRequired[str | None]


class AuthorizeMcpServerResult(TypedDict):
    authorization_url: str
    expires_in: int


class AutoTopUp(TypedDict):
    enabled: bool
    threshold_cents: int
    amount_cents: int
    failure_count: int
    limits: AutoTopUpLimits
    payment_method: NotRequired[AutoTopUpPaymentMethod]
    last_triggered_at: NotRequired[str]


class AutoTopUpLimits(TypedDict):
    min_topup_cents: int
    max_single_cents: int
    max_daily_cents: int
    max_monthly_cents: int


class AutoTopUpPaymentMethod(TypedDict):
    id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int


class BalanceEntry(TypedDict):
    id: str
    direction: Literal['credit', 'debit']
    amount_microcents: int
    reason: str
    occurred_at: str
    balance_after_microcents: int
    request_id: NotRequired[str]
    description: str
    model_id: NotRequired[str]
    input_tokens: NotRequired[int]
    output_tokens: NotRequired[int]


class BalanceHistory(TypedDict):
    entries: list[BalanceEntry]
    next_cursor: NotRequired[str]


class Batch(TypedDict):
    id: str
    results: list[BatchResultSuccess | BatchResultError]
    usage: BatchUsage


class BatchResultError(TypedDict):
    id: str
    status: Literal['error']
    error: ApiError


class BatchResultSuccess(TypedDict):
    id: str
    status: Literal['success']
    response: ModelResponse


class BatchUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    total_input_tokens: int
    total_output_tokens: int
    total_requests: int
    successful_requests: int
    failed_requests: int


class BillingPaymentFailedWebhookEvent(TypedDict):
    event_type: Literal['billing.payment_failed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookFailedPaymentData


class BillingPaymentRefundedWebhookEvent(TypedDict):
    event_type: Literal['billing.payment_refunded']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookRefundData


class BillingPortal(TypedDict):
    url: str


class BillingPortalInput(TypedDict):
    return_url: str


class BillingSubscriptionChangedWebhookEvent(TypedDict):
    event_type: Literal['billing.subscription_changed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookSubscriptionData


class BrowserSession(TypedDict):
    access_token: str
    expires_at: str


class CardSetup(TypedDict):
    setup_intent_id: str
    client_secret: str
    status: NotRequired[str]


class CardSetupCheckout(TypedDict):
    checkout_session_id: str
    checkout_url: str
    expires_at: str


class CardVerification(TypedDict):
    verified: bool
    credit_granted: bool
    verified_at: NotRequired[str]
    card_brand: NotRequired[str]
    card_last4: NotRequired[str]
    grant_amount_cents: NotRequired[int]
    grant_already_used_by_card: NotRequired[bool]


class CardVerificationSession(TypedDict):
    verification_id: str
    checkout_session_id: str
    checkout_url: str
    expires_at: str


class ChangeTierRequest(TypedDict):
    tier_code: str


class ChatCompletion(TypedDict):
    id: str
    object: Literal['chat.completion']
    created: int
    model: str
    choices: list[ChatCompletionChoice]
    usage: ChatCompletionUsage


class ChatCompletionChoice(TypedDict):
    index: int
    message: ChatCompletionChoiceMessage
    finish_reason: Literal['stop', 'length', 'tool_calls', 'content_filter']


class ChatCompletionChoiceMessage(TypedDict):
    role: Literal['assistant']
    content: str | None
    refusal: str | None
    tool_calls: NotRequired[list[ChatCompletionChoiceMessageToolCall]]


class ChatCompletionChoiceMessageToolCall(TypedDict):
    id: str
    type: Literal['function']
    function: ChatCompletionChoiceMessageToolCallFunction


class ChatCompletionChoiceMessageToolCallFunction(TypedDict):
    name: str
    arguments: str


class ChatCompletionChunk(TypedDict):
    id: str
    object: Literal['chat.completion.chunk']
    created: int
    model: str
    choices: list[ChatCompletionChunkChoice]
    usage: NotRequired[ChatCompletionChunkUsage | None]


class ChatCompletionChunkChoice(TypedDict):
    index: int
    delta: ChatCompletionChunkChoiceDelta
    finish_reason: NotRequired[str | None]


class ChatCompletionChunkChoiceDelta(TypedDict):
    role: NotRequired[str]
    content: NotRequired[str | None]
    refusal: NotRequired[str | None]
    tool_calls: NotRequired[list[ChatCompletionChunkChoiceDeltaToolCall] | None]


class ChatCompletionChunkChoiceDeltaToolCall(TypedDict):
    index: int
    id: NotRequired[str]
    type: NotRequired[Literal['function']]
    function: NotRequired[ChatCompletionChunkChoiceDeltaToolCallFunction]


class ChatCompletionChunkChoiceDeltaToolCallFunction(TypedDict):
    name: NotRequired[str]
    arguments: NotRequired[str]


class ChatCompletionChunkUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


ChatCompletionEvent: TypeAlias = "ChatCompletionChunk | OpenAiError"


class ChatCompletionRequest(TypedDict):
    messages: list[ChatMessage]
    model: NotRequired[str]
    stream: NotRequired[bool | None]
    stream_options: NotRequired[ChatCompletionRequestStreamOptions | None]
    max_tokens: NotRequired[int | None]
    max_completion_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    top_p: NotRequired[float | None]
    stop: NotRequired[str | list[str] | None]
    n: NotRequired[int | None]
    frequency_penalty: NotRequired[float | None]
    presence_penalty: NotRequired[float | None]
    seed: NotRequired[int | None]
    logprobs: NotRequired[bool | None]
    top_logprobs: NotRequired[int | None]
    top_k: NotRequired[int | None]
    tools: NotRequired[list[ChatTool] | None]
    tool_choice: NotRequired[ChatToolChoice | None]
    parallel_tool_calls: NotRequired[bool | None]
    response_format: NotRequired[ChatResponseFormat | None]
    reasoning_effort: NotRequired[str | None]
    store: NotRequired[bool | None]
    deferred: NotRequired[bool | None]


class ChatCompletionRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]


class ChatCompletionUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


ChatContentPart: TypeAlias = "MessagesTextBlock | ChatContentPartRefusal | ChatContentPartImageUrl | ChatContentPartInputAudio | ChatContentPartFile"


class ChatContentPartFile(TypedDict):
    type: Literal['file']
    file: ChatContentPartFileFile


class ChatContentPartFileFile(TypedDict):
    file_data: str
    filename: NotRequired[str]


class ChatContentPartImageUrl(TypedDict):
    type: Literal['image_url']
    image_url: ChatContentPartImageUrlImageUrl


class ChatContentPartImageUrlImageUrl(TypedDict):
    url: str
    detail: NotRequired[Literal['auto', 'low', 'high']]


class ChatContentPartInputAudio(TypedDict):
    type: Literal['input_audio']
    input_audio: ChatContentPartInputAudioInputAudio


class ChatContentPartInputAudioInputAudio(TypedDict):
    data: str
    format: str


class ChatContentPartRefusal(TypedDict):
    type: Literal['refusal']
    refusal: str


ChatMessage: TypeAlias = "ChatMessageSystem | ChatMessageAssistant | ChatMessageTool"


class ChatMessageAssistant(TypedDict):
    role: Literal['assistant']
    name: NotRequired[str | None]
    content: NotRequired[str | list[ChatContentPart] | None]
    refusal: NotRequired[str | None]
    tool_calls: NotRequired[list[ChatToolCall] | None]


class ChatMessageSystem(TypedDict):
    role: Literal['system', 'developer', 'user']
    content: str | list[ChatContentPart]
    name: NotRequired[str | None]


class ChatMessageTool(TypedDict):
    role: Literal['tool']
    content: str | list[MessagesTextBlock]
    tool_call_id: str


ChatResponseFormat: TypeAlias = "ChatResponseFormatText | ChatResponseFormatJsonObject | ChatResponseFormatJsonSchema"


class ChatResponseFormatJsonObject(TypedDict):
    type: Literal['json_object']


class ChatResponseFormatJsonSchema(TypedDict):
    type: Literal['json_schema']
    json_schema: ChatResponseFormatJsonSchemaJsonSchema


class ChatResponseFormatJsonSchemaJsonSchema(TypedDict):
    name: str
    description: NotRequired[str]
    schema: NotRequired[dict[str, Any]]
    strict: NotRequired[bool | None]


class ChatResponseFormatText(TypedDict):
    type: Literal['text']


class ChatTool(TypedDict):
    type: Literal['function']
    function: ChatToolFunction


class ChatToolCall(TypedDict):
    id: str
    type: Literal['function']
    function: ChatToolCallFunction


class ChatToolCallFunction(TypedDict):
    name: str
    arguments: str


ChatToolChoice: TypeAlias = "Literal['none', 'auto', 'required'] | ChatToolChoiceObject"


ChatToolChoiceObject: TypeAlias = "ChatToolChoiceObjectFunction | ChatToolChoiceObjectAllowedTools"


class ChatToolChoiceObjectAllowedTools(TypedDict):
    type: Literal['allowed_tools']
    allowed_tools: ChatToolChoiceObjectAllowedToolsAllowedTools


class ChatToolChoiceObjectAllowedToolsAllowedTools(TypedDict):
    mode: Literal['auto', 'required']
    tools: list[ChatToolChoiceObjectFunction]


class ChatToolChoiceObjectFunction(TypedDict):
    type: Literal['function']
    function: ChatToolChoiceObjectFunctionFunction


class ChatToolChoiceObjectFunctionFunction(TypedDict):
    name: str


class ChatToolFunction(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class CheckoutSession(TypedDict):
    session_id: str
    url: str


class Citation(TypedDict):
    title: str
    url: str


class ClaimCustomerRequest(TypedDict):
    email: str
    provider: str
    subject: str


class ClaimedCustomer(TypedDict):
    customer: ClaimedCustomerCustomer
    subscription: Subscription | None


class ClaimedCustomerCustomer(TypedDict):
    id: str
    project_id: str
    external_id: str
    email: str
    metadata: NotRequired[dict[str, Any]]
    blocked_at: NotRequired[str]
    created_at: str
    updated_at: str


class CompilePluginRequest(TypedDict):
    source: NotRequired[str | None]
    files: NotRequired[dict[str, str] | None]
    model: NotRequired[str | None]
    max_attempts: NotRequired[int]
    mode: NotRequired[Literal['intent']]


class CompilePluginResult(TypedDict):
    workflow: CompilePluginResultWorkflow
    plugin: CompilePluginResultPlugin
    compiled_at: str
    source_ref: str
    warnings: list[CompilePluginResultWarning]


class CompilePluginResultPlugin(TypedDict):
    name: str
    description: str
    agents: list[CompilePluginResultPluginAgent]


class CompilePluginResultPluginAgent(TypedDict):
    name: str
    system_prompt: str


class CompilePluginResultWarning(TypedDict):
    file: str
    key: str
    message: str
    line: NotRequired[int]


class CompilePluginResultWorkflow(TypedDict):
    kind: Literal['workflow.v0']


class CompileSkillRequest(TypedDict):
    source: NotRequired[str | None]
    files: NotRequired[dict[str, str] | None]
    model: NotRequired[str | None]
    max_attempts: NotRequired[int]


class CompileSkillResult(TypedDict):
    workflow: CompileSkillResultWorkflow
    skill: CompileSkillResultSkill
    compiled_at: str
    source_ref: str
    warnings: list[CompilePluginResultWarning]


class CompileSkillResultSkill(TypedDict):
    name: str
    description: str
    agents: list[str]


class CompileSkillResultWorkflow(TypedDict):
    kind: Literal['workflow.v1']


class CompileWorkflowResult(TypedDict):
    plan_json: CompileWorkflowResultPlanJson
    plan_hash: str


class CompileWorkflowResultPlanJson(TypedDict):
    kind: str


class CompleteMcpAuthorizationRequest(TypedDict):
    state: str
    code: str
    iss: NotRequired[str | None]


class CompletePasswordResetRequest(TypedDict):
    code: str
    password: str


class Completion(TypedDict):
    id: str
    object: Literal['text_completion']
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: NotRequired[ChatCompletionUsage | None]


class CompletionChoice(TypedDict):
    index: int
    text: str
    finish_reason: Literal['stop', 'length', 'content_filter'] | None


class CompletionEvent(TypedDict):
    request_id: str
    provider: str
    model: str
    response_id: str
    content: NotRequired[str]
    payload: NotRequired[Any]
    complete_fields: NotRequired[list[str]]
    tool_calls: NotRequired[list[ToolCall]]
    stop_reason: str
    usage: ResponseUsage
    citations: NotRequired[list[Citation]]
    type: Literal['completion']


class CompletionsRequest(TypedDict):
    model: NotRequired[str]
    prompt: str | list[str]
    max_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    top_p: NotRequired[float | None]
    stop: NotRequired[str | list[str] | None]
    stream: NotRequired[bool | None]
    stream_options: NotRequired[CompletionsRequestStreamOptions | None]
    frequency_penalty: NotRequired[float | None]
    presence_penalty: NotRequired[float | None]
    seed: NotRequired[int | None]
    top_k: NotRequired[int | None]
    n: NotRequired[Literal[1] | None]
    best_of: NotRequired[Literal[1] | None]
    echo: NotRequired[bool | None]


class CompletionsRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]


class ConfirmCardSetupRequest(TypedDict):
    setup_intent_id: str


class ConfirmCardVerificationRequest(TypedDict):
    checkout_session_id: str


class ConnectMcpClientRequest(TypedDict):
    client_id: str
    client_secret: str
    scope: NotRequired[str | None]


ContentPart: TypeAlias = "TextPart | FilePart"


class Conversation(TypedDict):
    id: str
    object: Literal['conversation']
    created_at: int
    metadata: dict[str, str]


class ConversationItem(TypedDict):
    id: str
    type: str


class ConversationItems(TypedDict):
    object: Literal['list']
    data: list[ConversationItem]
    first_id: str | None
    last_id: str | None
    has_more: bool


class CountMessageTokensRequest(TypedDict):
    model: NotRequired[str]
    messages: list[MessagesMessage]
    system: NotRequired[MessagesSystem | None]
    tools: NotRequired[list[MessagesTool] | None]
    tool_choice: NotRequired[MessagesToolChoice | None]
    thinking: NotRequired[MessagesThinking | None]
    output_config: NotRequired[AnthropicMessageRequestOutputConfig | None]
    output_format: NotRequired[AnthropicMessageRequestOutputFormat | None]


class CountMessageTokensResult(TypedDict):
    input_tokens: int


class CountResponseTokensResult(TypedDict):
    object: Literal['response.input_tokens']
    input_tokens: int


class CreateAccountTopUpRequest(TypedDict):
    amount_cents: int
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


class CreateAgentRequest(TypedDict):
    name: str
    slug: str
    description: NotRequired[str | None]
    system: NotRequired[str | None]
    model: NotRequired[str | None]
    tools: NotRequired[list[ToolRef] | None]
    fragments: NotRequired[dict[str, AgentFragment] | None]
    input_schema: NotRequired[AgentInput | None]
    max_steps: NotRequired[int | None]
    max_duration_sec: NotRequired[int | None]
    step_timeout_sec: NotRequired[int | None]
    tool_failure_policy: NotRequired[ToolFailurePolicy | None]
    tool_retry_count: NotRequired[int | None]


class CreateApiKeyRequest(TypedDict):
    label: str
    kind: NotRequired[Literal['secret', 'publishable']]
    project_id: NotRequired[str]
    expires_at: NotRequired[str]
    spend_limit_cents: NotRequired[int]


class CreateBatchRequest(TypedDict):
    requests: list[CreateBatchRequestRequest]
    options: NotRequired[CreateBatchRequestOptions]


class CreateBatchRequestOptions(TypedDict):
    max_concurrent: NotRequired[int]
    fail_fast: NotRequired[bool]
    timeout_ms: NotRequired[int]


class CreateBatchRequestRequest(TypedDict):
    input: list[CreateBatchRequestRequestInput]
    model: NotRequired[str]
    provider: NotRequired[Provider]
    output_format: NotRequired[OutputFormat]
    max_output_tokens: NotRequired[int]
    temperature: NotRequired[float]
    stop: NotRequired[list[str]]
    tools: NotRequired[list[Tool]]
    tool_choice: NotRequired[ToolChoice]
    state_id: NotRequired[str]
    session_id: NotRequired[str]
    reasoning_effort: NotRequired[Literal['none', 'low', 'medium', 'high']]


class CreateBatchRequestRequestInput(TypedDict):
    type: Literal['message']
    role: Literal['system', 'user', 'assistant', 'tool']
    content: NotRequired[list[TextPart | FilePart]]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


CreateCompletionResult: TypeAlias = "Completion | OpenAiError"


class CreateConversationRequest(TypedDict):
    items: NotRequired[list[ExpandedResponsesItem] | None]
    metadata: NotRequired[dict[str, str] | None]


class CreateCustomerRequest(TypedDict):
    external_id: str
    email: str
    metadata: NotRequired[dict[str, Any]]


class CreateDecisionRequest(TypedDict):
    input: str | list[ChatMessage]
    options: list[CreateDecisionRequestOption]
    model: NotRequired[str]
    instructions: NotRequired[str | None]
    max_output_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    reasoning_effort: NotRequired[Literal['none', 'low', 'medium', 'high'] | None]
    stream: NotRequired[bool | None]


class CreateDecisionRequestOption(TypedDict):
    id: str
    description: str


class CreateEmbeddingsRequest(TypedDict):
    model: str
    input: str | list[int] | list[str] | list[list[int]]
    encoding_format: NotRequired[Literal['float', 'base64'] | None]
    dimensions: NotRequired[int | None]
    user: NotRequired[str | None]


class CreateFileBatchRequest(TypedDict):
    input_file_id: str
    endpoint: Literal['/v1/chat/completions', '/v1/responses', '/v1/embeddings']
    completion_window: Literal['24h']
    metadata: NotRequired[dict[str, str] | None]
    output_expires_after: NotRequired[FileExpiry | None]


class CreateInvitationRequest(TypedDict):
    email: str
    role: Role


class CreateMcpServerRequest(TypedDict):
    name: NotRequired[str | None]
    endpoint_url: NotRequired[str | None]
    headers: NotRequired[dict[str, str] | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    tools_allowlist: NotRequired[list[str] | None]


class CreateMyCheckoutRequest(TypedDict):
    tier_code: str
    success_url: str
    cancel_url: str


class CreateProjectRequest(TypedDict):
    name: str
    description: NotRequired[str]
    billing_mode: NotRequired[Literal['managed', 'byob']]
    markup_percentage: NotRequired[float]
    publishable_claims: NotRequired[bool]
    response_cache: NotRequired[bool]
    response_storage: NotRequired[bool | None]
    unsupported_parameters: NotRequired[Literal['refuse', 'drop']]
    mcp_for_customers: NotRequired[bool]
    portal_color: NotRequired[str]
    portal_origins: NotRequired[list[str]]


class CreateResponseRequest(TypedDict):
    input: list[InputMessage]
    model: NotRequired[str]
    provider: NotRequired[Provider]
    output_format: NotRequired[OutputFormat]
    max_output_tokens: NotRequired[int]
    temperature: NotRequired[float]
    stop: NotRequired[list[str]]
    tools: NotRequired[list[Tool]]
    tool_choice: NotRequired[ToolChoice]
    state_id: NotRequired[str]
    session_id: NotRequired[str]
    reasoning_effort: NotRequired[Literal['none', 'low', 'medium', 'high']]


class CreateRunRequest(TypedDict):
    spec: NotRequired[WorkflowSpec]
    plan_hash: NotRequired[str]
    input: NotRequired[dict[str, Any]]
    session_id: NotRequired[str]
    model_override: NotRequired[str]
    options: NotRequired[CreateRunRequestOptions]


class CreateRunRequestOptions(TypedDict):
    idempotency_key: NotRequired[str]


class CreateRunResult(TypedDict):
    run_id: str
    status: RunStatus
    plan_hash: str


class CreateSessionRequest(TypedDict):
    customer_id: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | None]


class CreateSpeechRequest(TypedDict):
    model: str
    input: str
    voice: str | CreateSpeechRequestVoice
    instructions: NotRequired[str | None]
    response_format: NotRequired[Literal['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] | None]
    speed: NotRequired[float | None]
    stream_format: NotRequired[Literal['audio', 'sse'] | None]


class CreateSpeechRequestVoice(TypedDict):
    id: str


class CreateSqlProfileRequest(TypedDict):
    name: str
    policy: SqlPolicy


class CreateStateHandleRequest(TypedDict):
    ttl_seconds: NotRequired[int | None]


class CreateTierCheckoutRequest(TypedDict):
    success_url: str
    cancel_url: str


class CreateTierRequest(TypedDict):
    tier_code: str
    display_name: str
    models: list[TierModelInput]
    billing_mode: NotRequired[Literal['subscription', 'paygo']]
    spend_limit_cents: NotRequired[int | None]
    billing_provider: NotRequired[Literal['stripe', 'crypto', 'app_store', 'external']]
    billing_price_ref: NotRequired[str]
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[Literal['month', 'year']]
    trial_days: NotRequired[int]
    promo_credits_cents: NotRequired[int]
    customer_token_max_ttl_seconds: NotRequired[int]
    rate_limit_per_minute: NotRequired[int]
    overage_enabled: NotRequired[bool]
    is_default: NotRequired[bool]


class CreateTierResult(TypedDict):
    tier: Tier


class CreateToolHookRequest(TypedDict):
    hook_type: NotRequired[str | None]
    endpoint_url: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    fail_behavior: NotRequired[str | None]
    tools_allowlist: NotRequired[list[str] | None]
    allow_mutation: NotRequired[bool | None]


class CreateToolHookResult(TypedDict):
    hook: ToolHook
    signing_secret: str


class CreateWebhookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    events: NotRequired[list[str] | None]
    enabled: NotRequired[bool | None]
    signature_form: NotRequired[str | None]
    retry_schedule: NotRequired[str | None]


class CreditWithdrawal(TypedDict):
    balance_microcents: int
    applied: bool


class Customer(TypedDict):
    id: str
    project_id: str
    external_id: str
    email: str
    metadata: dict[str, Any]
    blocked_at: NotRequired[str]
    created_at: str
    updated_at: str


class CustomerBalance(TypedDict):
    customer_id: str
    billing_profile_id: str
    balance_microcents: int
    reserved_microcents: int
    currency: str
    granted_microcents: NotRequired[int]


class CustomerChange(TypedDict):
    email: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class CustomerCreatedWebhookEvent(TypedDict):
    event_type: Literal['customer.created']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookCustomerData


class CustomerCredit(TypedDict):
    balance_microcents: int
    applied: bool


class CustomerCreditInput(TypedDict):
    amount_cents: int
    reason: Literal['promo', 'adjustment']


class CustomerDeletedWebhookEvent(TypedDict):
    event_type: Literal['customer.deleted']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookDeletedCustomerData


class CustomerDevice(TypedDict):
    id: str
    kind: Literal['device', 'portal']
    user_agent: NotRequired[str]
    signed_in_at: str
    expires_at: str


class CustomerDeviceListResult(TypedDict):
    devices: list[CustomerDevice]


class CustomerEnvelope(TypedDict):
    customer: Customer
    subscription: Subscription | None


class CustomerList(TypedDict):
    customers: list[CustomerEnvelope]
    total: NotRequired[int]
    next_cursor: NotRequired[str]


class CustomerToken(TypedDict):
    token: str
    token_type: Literal['Bearer']
    expires_at: str
    expires_in: int
    project_id: str
    customer_id: str
    customer_external_id: str
    tier_code: NotRequired[str]
    billing_profile_id: NotRequired[str]


class CustomerUpdatedWebhookEvent(TypedDict):
    event_type: Literal['customer.updated']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookCustomerData


class CustomerUsage(TypedDict):
    window_start: str
    window_end: str
    requests: int
    tokens: int
    total_cost_microcents: int
    spend_limit_cents: NotRequired[int]
    spend_remaining_microcents: NotRequired[int]
    percentage_used: NotRequired[float]
    low: bool
    wallet_balance_microcents: NotRequired[int]
    wallet_reserved_microcents: NotRequired[int]
    overage_enabled: bool
    daily: list[DailyUsage]


class DailyUsage(TypedDict):
    date: str
    requests: int
    tokens: int
    cost_microcents: int


class Decision(TypedDict):
    decision: DecisionDecision
    usage: ResponseUsage


class DecisionDecision(TypedDict):
    id: str
    confidence: float
    reason: str


class DeleteCompatibleResponseResult(TypedDict):
    id: str
    object: Literal['response']
    deleted: bool


class DeleteFileResult(TypedDict):
    id: str
    object: Literal['file']
    deleted: bool


class DeletedConversation(TypedDict):
    id: str
    object: Literal['conversation.deleted']
    deleted: bool


class DeviceApproveRequest(TypedDict):
    user_code: str
    decision: NotRequired[Literal['approve', 'deny']]
    customer_id: NotRequired[str]
    customer_external_id: NotRequired[str]


class DeviceStartResult(TypedDict):
    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class DeviceTokenError(TypedDict):
    error: Literal['authorization_pending', 'slow_down', 'expired_token', 'invalid_grant', 'access_denied']
    error_description: str
    interval: NotRequired[int]


class DeviceTokenRequest(TypedDict):
    device_code: str


class EdgeCondition(TypedDict):
    source: Literal['node_output', 'node_status']
    op: Literal['equals', 'matches', 'exists']
    path: NotRequired[str]
    value: NotRequired[Any]


class EmbeddingsResult(TypedDict):
    object: Literal['list']
    model: str
    data: list[EmbeddingsResultData]
    usage: EmbeddingsResultUsage


class EmbeddingsResultData(TypedDict):
    object: Literal['embedding']
    index: int
    embedding: list[float] | str


class EmbeddingsResultUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


ErrorCause: TypeAlias = "Literal['validation', 'authentication', 'authorization', 'rate_limit', 'timeout', 'canceled', 'transport', 'upstream_response', 'invalid_response', 'unavailable', 'internal']"


class ErrorEvent(TypedDict):
    code: str
    message: str
    status: int
    retryable: bool
    request_id: str
    detail: NotRequired[str]
    provider_request_id: NotRequired[str]
    usage: NotRequired[ResponseUsage]
    charged_microcents: NotRequired[int]
    type: Literal['error']


ErrorLayer: TypeAlias = "Literal['request', 'routing', 'modelrelay', 'provider_integration', 'upstream']"


ExpandedResponsesItem: TypeAlias = "ResponsesInputItemRole | ResponsesInputItem2 | ResponsesInputItem3 | ExpandedResponsesItem2 | ResponsesInputItemInput | ResponsesInputItem5 | ResponsesInputItemAction | ResponsesInputItem6 | ResponsesInputItem7 | ResponsesInputItem8 | ExpandedResponsesItem3 | ExpandedResponsesItemType"


class ExpandedResponsesItem2(TypedDict):
    type: Literal['reasoning']


class ExpandedResponsesItem3(TypedDict):
    type: Literal['web_search_call']


class ExpandedResponsesItemType(TypedDict):
    type: str


class Failure(TypedDict):
    layer: ErrorLayer
    cause: ErrorCause
    status_code: int
    code: str
    message: str
    retryable: bool
    detail: NotRequired[str]
    request_id: NotRequired[str]
    provider_request_id: NotRequired[str]
    batch_id: NotRequired[str]
    item_id: NotRequired[str]


class FanoutInput(TypedDict):
    items: PathSource
    item_bindings: NotRequired[list[ItemBinding]]
    subnode: FanoutInputSubnode
    max_parallelism: NotRequired[int]
    max_items: NotRequired[int]


class FanoutInputSubnode(TypedDict):
    id: NotRequired[str]
    type: str
    input: NotRequired[Any]


class FieldError(TypedDict):
    field: str
    message: str


class File(TypedDict):
    id: str
    object: Literal['file']
    bytes: int
    created_at: int
    expires_at: int
    filename: str
    purpose: Literal['batch', 'user_data', 'vision', 'assistants', 'evals', 'batch_output']
    status: Literal['processed']


class FileBatch(TypedDict):
    id: str
    object: Literal['batch']
    endpoint: Literal['/v1/chat/completions', '/v1/responses', '/v1/embeddings']
    errors: FileBatchErrors | None
    input_file_id: str
    completion_window: Literal['24h']
    status: Literal['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled']
    model: NotRequired[str]
    output_file_id: str | None
    error_file_id: str | None
    created_at: int
    in_progress_at: int | None
    expires_at: int | None
    finalizing_at: int | None
    completed_at: int | None
    failed_at: int | None
    expired_at: int | None
    cancelling_at: int | None
    cancelled_at: int | None
    request_counts: FileBatchRequestCounts
    usage: FileBatchUsage
    metadata: dict[str, str] | None


class FileBatchErrors(TypedDict):
    object: Literal['list']
    data: list[FileBatchErrorsData]


class FileBatchErrorsData(TypedDict):
    code: str
    message: str
    line: int | None
    param: str | None


class FileBatchRequestCounts(TypedDict):
    total: int
    completed: int
    failed: int


class FileBatchUsage(TypedDict):
    input_tokens: int
    input_tokens_details: FileBatchUsageInputTokensDetails
    output_tokens: int
    output_tokens_details: FileBatchUsageOutputTokensDetails
    total_tokens: int


class FileBatchUsageInputTokensDetails(TypedDict):
    cached_tokens: int


class FileBatchUsageOutputTokensDetails(TypedDict):
    reasoning_tokens: int


class FileExpiry(TypedDict):
    anchor: Literal['created_at']
    seconds: int


class FilePart(TypedDict):
    type: Literal['file']
    file: FilePartFile


class FilePartFile(TypedDict):
    data_base64: str
    mime_type: str
    filename: NotRequired[str]
    size_bytes: NotRequired[int]


class GenerateImageRequest(TypedDict):
    model: NotRequired[str]
    prompt: str
    response_format: NotRequired[Literal['url', 'b64_json']]
    n: NotRequired[int]
    size: NotRequired[str]


class GetCustomerSubscriptionResult(TypedDict):
    subscription: Subscription


class GetMcpMetadataResult(TypedDict):
    resource: str
    resource_name: str
    bearer_methods_supported: list[Literal['header']]
    resource_documentation: str


class GetMeResult(TypedDict):
    customer: Customer
    subscription: Subscription | None
    tier: Tier | None


class GetMySubscriptionResult(TypedDict):
    subscription: Subscription


class GetMyUsageResult(TypedDict):
    usage: CustomerUsage


class GetOpenApiDocumentResult(TypedDict):
    openapi: str


class GetProjectCustomerUsageResult(TypedDict):
    usage: CustomerUsage


class GetProjectRequestResult(TypedDict):
    request: GetProjectRequestResultRequest


class GetProjectRequestResultRequest(TypedDict):
    id: str
    request_id: str
    at: str
    status: Literal['succeeded', 'failed', 'refused', 'unreported']
    http_status: NotRequired[int]
    error_code: NotRequired[str]
    customer_id: NotRequired[str]
    key_id: NotRequired[str]
    tier_code: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]
    streaming: bool
    cached: bool
    estimated: bool
    stop_reason: NotRequired[str]
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int
    cache_write_input_tokens: int
    reasoning_tokens: int
    images: int
    revenue_microcents: int
    cost_microcents: int
    overrun_microcents: int
    unreconciled_microcents: int
    duration_ms: NotRequired[int]
    first_output_ms: NotRequired[int]
    trace_id: NotRequired[str]
    admission_ms: NotRequired[int]
    admission: NotRequired[GetProjectRequestResultRequestAdmission]
    hold: NotRequired[GetProjectRequestResultRequestHold]
    prices: NotRequired[GetProjectRequestResultRequestPrices]
    attempts: NotRequired[list[GetProjectRequestResultRequestAttempt]]


class GetProjectRequestResultRequestAdmission(TypedDict):
    verdict: Literal['allowed', 'refused']
    limits: list[GetProjectRequestResultRequestAdmissionLimit]


class GetProjectRequestResultRequestAdmissionLimit(TypedDict):
    limit: Literal['allowance', 'wallet', 'key', 'owner', 'daily_cap', 'quota'] | str
    unit: Literal['microcents', 'units']
    total: NotRequired[int]
    used_before: NotRequired[int]
    available_before: NotRequired[int]
    required: NotRequired[int]
    held: NotRequired[int]
    charged: NotRequired[int]
    verdict: Literal['allowed', 'refused', 'not_needed']


class GetProjectRequestResultRequestAttempt(TypedDict):
    provider: str
    model: str
    outcome: Literal['answered', 'failed', 'canceled', 'skipped'] | str
    duration_ms: int
    failure: NotRequired[str]
    http_status: NotRequired[int]


class GetProjectRequestResultRequestHold(TypedDict):
    state: Literal['open', 'posted', 'released', 'expired', 'late'] | str
    opened_at: NotRequired[str]
    ended_at: NotRequired[str]
    expires_at: NotRequired[str]
    held_for: GetProjectRequestResultRequestHoldHeldFor
    customer_held_microcents: int
    owner_held_microcents: int
    customer_charged_microcents: int
    owner_charged_microcents: int


class GetProjectRequestResultRequestHoldHeldFor(TypedDict):
    input_tokens: int
    output_tokens: int
    images: int


class GetProjectRequestResultRequestPrices(TypedDict):
    currency: Literal['usd']
    customer: NotRequired[GetProjectRequestResultRequestPricesCustomer]
    owner: GetProjectRequestResultRequestPricesCustomer


class GetProjectRequestResultRequestPricesCustomer(TypedDict):
    input_per_million_cents: int
    cached_input_per_million_cents: NotRequired[int]
    output_per_million_cents: int
    per_image_cents: int


class GetProjectUsageResult(TypedDict):
    usage: list[GetProjectUsageResultUsage]
    totals: GetProjectUsageResultTotals
    has_more: bool


class GetProjectUsageResultTotals(TypedDict):
    requests: int
    succeeded: int
    failed: int
    refused: int
    unreported: int
    input_tokens: int
    output_tokens: int
    images: int
    revenue_microcents: int
    cost_microcents: int
    margin_microcents: int
    duration_p50_ms: NotRequired[int]
    duration_p95_ms: NotRequired[int]
    duration_p99_ms: NotRequired[int]
    first_output_p50_ms: NotRequired[int]
    first_output_p95_ms: NotRequired[int]


class GetProjectUsageResultUsage(TypedDict):
    requests: int
    succeeded: int
    failed: int
    refused: int
    unreported: int
    input_tokens: int
    output_tokens: int
    images: int
    revenue_microcents: int
    cost_microcents: int
    margin_microcents: int
    duration_p50_ms: NotRequired[int]
    duration_p95_ms: NotRequired[int]
    duration_p99_ms: NotRequired[int]
    first_output_p50_ms: NotRequired[int]
    first_output_p95_ms: NotRequired[int]
    start: NotRequired[str]
    group: NotRequired[str]


GetRunEventSchemaResult: TypeAlias = "dict[str, Any]"


class GetStatusResult(TypedDict):
    status: Literal['operational', 'degraded', 'down']
    areas: list[GetStatusResultArea]


class GetStatusResultArea(TypedDict):
    name: str
    status: Literal['operational', 'degraded', 'down']


class GetTierResult(TypedDict):
    tier: Tier


GetWorkflowSchemaResult: TypeAlias = "dict[str, Any]"


class GoogleBatchEmbedRequest(TypedDict):
    requests: list[GoogleEmbedRequest]


class GoogleBatchEmbedResult(TypedDict):
    embeddings: list[GoogleBatchEmbedResultEmbedding]
    usageMetadata: GoogleBatchEmbedResultUsageMetadata


class GoogleBatchEmbedResultEmbedding(TypedDict):
    values: list[float]


class GoogleBatchEmbedResultUsageMetadata(TypedDict):
    promptTokenCount: int


class GoogleBlob(TypedDict):
    mimeType: str
    data: str


class GoogleContent(TypedDict):
    role: NotRequired[Literal['user', 'model', 'function'] | None]
    parts: NotRequired[list[GooglePart] | None]


class GoogleCountTokensRequest(TypedDict):
    contents: NotRequired[list[GoogleContent] | None]
    generateContentRequest: NotRequired[GoogleGenerateRequest | None]


class GoogleCountTokensResult(TypedDict):
    totalTokens: int


class GoogleEmbedRequest(TypedDict):
    content: GoogleEmbedRequestContent
    model: NotRequired[str | None]
    taskType: NotRequired[str | None]
    title: NotRequired[str | None]
    outputDimensionality: NotRequired[int | None]


class GoogleEmbedRequestContent(TypedDict):
    parts: list[GoogleEmbedRequestContentPart]


class GoogleEmbedRequestContentPart(TypedDict):
    text: str


class GoogleEmbedResult(TypedDict):
    embedding: GoogleEmbedResultEmbedding
    usageMetadata: GoogleEmbedResultUsageMetadata


class GoogleEmbedResultEmbedding(TypedDict):
    values: list[float]


class GoogleEmbedResultUsageMetadata(TypedDict):
    promptTokenCount: int


class GoogleError(TypedDict):
    error: GoogleErrorError


class GoogleErrorError(TypedDict):
    code: int
    message: str
    status: str
    details: list[GoogleErrorErrorDetail]


GoogleErrorErrorDetail = TypedDict(
    "GoogleErrorErrorDetail",
    {
        "@type": "Required[str]",
    },
)


GoogleGenerateEvent: TypeAlias = "GoogleGenerateResult | GoogleError"


class GoogleGenerateRequest(TypedDict):
    contents: list[GoogleContent]
    systemInstruction: NotRequired[GoogleSystemInstruction | None]
    tools: NotRequired[list[GoogleTool] | None]
    toolConfig: NotRequired[GoogleToolConfig | None]
    generationConfig: NotRequired[GoogleGenerateRequestGenerationConfig | None]
    safetySettings: NotRequired[list[dict[str, Any]] | None]
    model: NotRequired[str | None]
    store: NotRequired[bool | None]
    serviceTier: NotRequired[Literal['unspecified', 'standard', 'flex'] | None]


class GoogleGenerateRequestGenerationConfig(TypedDict):
    maxOutputTokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    topP: NotRequired[float | None]
    topK: NotRequired[float | None]
    candidateCount: NotRequired[Literal[1] | None]
    stopSequences: NotRequired[list[str] | None]
    responseMimeType: NotRequired[str | None]
    responseSchema: NotRequired[dict[str, Any] | None]
    responseJsonSchema: NotRequired[dict[str, Any] | None]
    responseModalities: NotRequired[list[Literal['TEXT', 'MODALITY_UNSPECIFIED']] | None]
    thinkingConfig: NotRequired[GoogleGenerateRequestGenerationConfigThinkingConfig | None]
    presencePenalty: NotRequired[float | None]
    frequencyPenalty: NotRequired[float | None]
    responseLogprobs: NotRequired[bool | None]
    logprobs: NotRequired[int | None]
    mediaResolution: NotRequired[str | None]


class GoogleGenerateRequestGenerationConfigThinkingConfig(TypedDict):
    includeThoughts: NotRequired[bool | None]
    thinkingBudget: NotRequired[int | None]
    thinkingLevel: NotRequired[Literal['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] | None]


class GoogleGenerateResult(TypedDict):
    candidates: NotRequired[list[GoogleGenerateResultCandidate]]
    usageMetadata: NotRequired[GoogleGenerateResultUsageMetadata]
    modelVersion: NotRequired[str]
    responseId: NotRequired[str]


class GoogleGenerateResultCandidate(TypedDict):
    content: NotRequired[GoogleGenerateResultCandidateContent]
    finishReason: NotRequired[str]
    index: NotRequired[int]


class GoogleGenerateResultCandidateContent(TypedDict):
    role: NotRequired[str]
    parts: NotRequired[list[GoogleGenerateResultCandidateContentPart]]


GoogleGenerateResultCandidateContentPart: TypeAlias = "dict[str, Any]"


class GoogleGenerateResultUsageMetadata(TypedDict):
    promptTokenCount: NotRequired[int]
    candidatesTokenCount: NotRequired[int]
    totalTokenCount: NotRequired[int]


class GoogleModel(TypedDict):
    name: str
    baseModelId: str
    version: str
    displayName: str
    description: str
    inputTokenLimit: int
    outputTokenLimit: int
    supportedGenerationMethods: list[str]


class GoogleModelList(TypedDict):
    models: list[GoogleModel]
    nextPageToken: NotRequired[str]


class GooglePart(TypedDict):
    text: NotRequired[str | None]
    inlineData: NotRequired[GoogleBlob | None]
    functionCall: NotRequired[GooglePartFunctionCall | None]
    functionResponse: NotRequired[GooglePartFunctionResponse | None]
    thought: NotRequired[bool | None]
    thoughtSignature: NotRequired[str | None]


class GooglePartFunctionCall(TypedDict):
    id: NotRequired[str | None]
    name: str
    args: NotRequired[dict[str, Any] | None]


class GooglePartFunctionResponse(TypedDict):
    id: NotRequired[str | None]
    name: str
    response: NotRequired[dict[str, Any] | None]
    parts: NotRequired[list[GooglePartFunctionResponsePart] | None]


class GooglePartFunctionResponsePart(TypedDict):
    inlineData: NotRequired[GoogleBlob | None]


class GoogleSystemInstruction(TypedDict):
    parts: NotRequired[list[GoogleSystemInstructionPart] | None]


class GoogleSystemInstructionPart(TypedDict):
    text: str


class GoogleTool(TypedDict):
    functionDeclarations: NotRequired[list[GoogleToolFunctionDeclaration] | None]
    googleSearch: NotRequired[GoogleToolGoogleSearch | None]
    codeExecution: NotRequired[dict[str, Any] | None]
    computerUse: NotRequired[dict[str, Any] | None]


class GoogleToolConfig(TypedDict):
    functionCallingConfig: NotRequired[GoogleToolConfigFunctionCallingConfig | None]


class GoogleToolConfigFunctionCallingConfig(TypedDict):
    mode: NotRequired[Literal['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'] | None]
    allowedFunctionNames: NotRequired[list[str] | None]


class GoogleToolFunctionDeclaration(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    parametersJsonSchema: NotRequired[dict[str, Any] | None]


class GoogleToolGoogleSearch(TypedDict):
    searchTypes: NotRequired[GoogleToolGoogleSearchSearchTypes | None]


GoogleToolGoogleSearchSearchTypes: TypeAlias = "dict[str, Any]"


class ImageData(TypedDict):
    id: str
    url: NotRequired[str]
    b64_json: NotRequired[str]
    mime_type: str


class ImageGenerationResult(TypedDict):
    id: str
    model: str
    data: list[ImageData]
    usage: ImageGenerationResultUsage


class ImageGenerationResultUsage(TypedDict):
    images: int


class ImagesError(TypedDict):
    error: ImagesErrorError


class ImagesErrorError(TypedDict):
    code: str
    message: str


class ImagesGenerationsRequest(TypedDict):
    model: NotRequired[str]
    prompt: str
    n: NotRequired[int | None]
    size: NotRequired[str | None]
    response_format: NotRequired[Literal['url', 'b64_json'] | None]
    quality: NotRequired[str | None]
    background: NotRequired[str | None]
    moderation: NotRequired[str | None]
    output_format: NotRequired[str | None]
    style: NotRequired[str | None]
    input_fidelity: NotRequired[str | None]
    output_compression: NotRequired[int | None]
    stream: NotRequired[bool | None]
    partial_images: NotRequired[Literal[0] | None]


class ImagesResult(TypedDict):
    created: int
    data: list[ImagesResultData]
    output_format: NotRequired[str]
    usage: NotRequired[ImagesResultUsage]


class ImagesResultData(TypedDict):
    b64_json: NotRequired[str]
    url: NotRequired[str]


class ImagesResultUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: ImagesResultUsageInputTokensDetails


class ImagesResultUsageInputTokensDetails(TypedDict):
    text_tokens: int
    image_tokens: int


class InputMessage(TypedDict):
    type: Literal['message']
    role: Literal['system', 'user', 'assistant', 'tool']
    content: NotRequired[list[ContentPart]]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


class Invitation(TypedDict):
    id: str
    email: str
    role: Role
    invited_by: str
    created_at: str
    expires_at: str
    url: NotRequired[str]


class InvitationCodeRequest(TypedDict):
    code: str


class InvitationListResult(TypedDict):
    invitations: list[Invitation]
    next_cursor: NotRequired[str]


class InvitationPreviewResult(TypedDict):
    project: InvitationPreviewResultProject
    email: str
    role: Role
    expires_at: str


class InvitationPreviewResultProject(TypedDict):
    name: str


class InvitationResult(TypedDict):
    invitation: Invitation


class ItemBinding(TypedDict):
    pointer: NotRequired[str]
    path: NotRequired[str]
    to: NotRequired[str]
    to_placeholder: NotRequired[str]
    encoding: NotRequired[Literal['json', 'json_string']]


class JoinAnyInput(TypedDict):
    predicate: NotRequired[EdgeCondition]


class JoinCollectInput(TypedDict):
    predicate: NotRequired[EdgeCondition]
    limit: NotRequired[int]
    timeout_ms: NotRequired[int]


class KeepBrowserSessionRequest(TypedDict):
    refresh_token: str


class KeepaliveEvent(TypedDict):
    stream_version: Literal['v2']
    type: Literal['keepalive']


class KvUpdatedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    kv_update: KvUpdatedEventKvUpdate
    type: Literal['kv_updated']


class KvUpdatedEventKvUpdate(TypedDict):
    step: int
    request_id: str
    artifact_key: str
    bytes: int
    sha256: str
    tool_call_id: str
    key: str
    deleted: bool


class LedgerVerify(TypedDict):
    differences: list[LedgerVerifyDifference]
    open_holds: int
    overrun_microcents: int
    unreconciled_microcents: int


class LedgerVerifyDifference(TypedDict):
    account: str
    field: str
    stored: str
    recomputed: str


class LintWorkflowResult(TypedDict):
    valid: bool
    issues: list[WorkflowIssue]


class ListAccountTopUpsResult(TypedDict):
    topups: list[AccountTopUp]
    next_cursor: NotRequired[str]


class ListAgentVersionsResult(TypedDict):
    versions: list[AgentVersion]
    next_cursor: NotRequired[str]


class ListAgentsResult(TypedDict):
    agents: list[AgentSnapshot]
    next_cursor: NotRequired[str]


class ListApiKeysResult(TypedDict):
    api_keys: list[ApiKey]
    next_cursor: NotRequired[str]


class ListBatchesResult(TypedDict):
    object: Literal['list']
    data: list[FileBatch]
    first_id: str | None
    last_id: str | None
    has_more: bool


class ListFilesResult(TypedDict):
    object: Literal['list']
    data: list[File]
    first_id: str | None
    last_id: str | None
    has_more: bool


class ListMailboxesResult(TypedDict):
    mailboxes: list[Mailbox]
    next_cursor: NotRequired[str]


class ListMcpServersResult(TypedDict):
    servers: list[McpServer]
    next_cursor: NotRequired[str]


class ListMessagesResult(TypedDict):
    messages: list[Message]
    next_cursor: NotRequired[str]


class ListModelsResult(TypedDict):
    models: list[Model]


class ListMyTiersResult(TypedDict):
    tiers: list[Tier]


class ListProjectRequestsResult(TypedDict):
    requests: list[StreamProjectRequestsResult]
    next_cursor: NotRequired[str]


class ListProjectsResult(TypedDict):
    projects: list[Project]
    next_cursor: NotRequired[str]


class ListResponseInputItemsResult(TypedDict):
    object: Literal['list']
    data: list[ListResponseInputItemsResultData]
    first_id: str | None
    last_id: str | None
    has_more: bool


class ListResponseInputItemsResultData(TypedDict):
    id: str
    type: str


class ListRunStepsResult(TypedDict):
    steps: list[RunStep]
    next_cursor: NotRequired[str]


class ListRunTasksResult(TypedDict):
    tasks: list[RunTask]


class ListRunsResult(TypedDict):
    runs: list[RunSummary]
    next_cursor: NotRequired[str]


class ListSessionsResult(TypedDict):
    sessions: list[Session]
    next_cursor: NotRequired[str]


class ListSigningKeysResult(TypedDict):
    keys: list[ListSigningKeysResultKey]


class ListSigningKeysResultKey(TypedDict):
    kty: Literal['OKP']
    crv: Literal['Ed25519']
    x: str
    kid: str
    use: Literal['sig']
    alg: Literal['EdDSA']


class ListSqlProfilesResult(TypedDict):
    profiles: list[SqlProfile]
    next_cursor: NotRequired[str]


class ListStateHandlesResult(TypedDict):
    state_handles: list[StateHandle]
    next_cursor: NotRequired[str]


class ListToolHookEventsResult(TypedDict):
    events: list[ToolHookEvent]
    next_cursor: NotRequired[str]


class ListToolHooksResult(TypedDict):
    hooks: list[ToolHook]
    next_cursor: NotRequired[str]


class ListWebhookEventTypesResult(TypedDict):
    event_types: list[ListWebhookEventTypesResultEventType]


class ListWebhookEventTypesResultEventType(TypedDict):
    type: WebhookEventType
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


class ListWebhookEventsResult(TypedDict):
    events: list[WebhookDelivery]
    next_cursor: NotRequired[str]


class ListWebhooksResult(TypedDict):
    webhooks: list[Webhook]
    next_cursor: NotRequired[str]


class LoginRequest(TypedDict):
    email: str
    password: str


class Mailbox(TypedDict):
    address: str
    unread_count: int
    last_message_at: str
    last_subject: str


class McpMessageRequest(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | int]
    method: str
    params: NotRequired[dict[str, Any]]


class McpResult(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | int | None]
    method: NotRequired[str]
    params: NotRequired[dict[str, Any]]
    result: NotRequired[dict[str, Any]]
    error: NotRequired[McpResultError]


class McpResultError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]


class McpServer(TypedDict):
    id: str
    project_id: str
    name: str
    endpoint_url: str
    enabled: bool
    timeout_ms: int
    tools_allowlist: list[str]
    header_names: list[str]
    authorization_status: Literal['none', 'authorized', 'authorization_required']
    created_at: str
    updated_at: str


class McpServerResult(TypedDict):
    server: McpServer


McpServerTestStatus: TypeAlias = "Literal['success', 'timeout', 'error']"


class McpTool(TypedDict):
    name: str
    tool: str
    description: str
    parameters: dict[str, Any]


class MeResult(TypedDict):
    user: User


class Member(TypedDict):
    user_id: str
    email: str
    role: Role
    account_owner: bool
    joined_at: str


class MemberListResult(TypedDict):
    members: list[Member]
    next_cursor: NotRequired[str]


class MemberResult(TypedDict):
    member: Member


Message = TypedDict(
    "Message",
    {
        "id": "Required[str]",
        "project_id": "Required[str]",
        "customer_id": "NotRequired[str]",
        "from": "Required[str]",
        "to": "Required[str]",
        "subject": "Required[str]",
        "body": "Required[dict[str, Any]]",
        "thread_id": "Required[str]",
        "read": "Required[bool]",
        "read_at": "NotRequired[str]",
        "created_at": "Required[str]",
    },
)


MessagesAddedTool: TypeAlias = "MessagesAddedToolName | MessagesAddedToolType"


class MessagesAddedToolName(TypedDict):
    type: NotRequired[Literal['custom'] | None]
    name: str
    description: NotRequired[str | None]
    input_schema: dict[str, Any]


class MessagesAddedToolType(TypedDict):
    type: str
    name: NotRequired[str]
    max_uses: NotRequired[int | None]
    max_content_tokens: NotRequired[int | None]
    allowed_domains: NotRequired[list[str] | None]
    blocked_domains: NotRequired[list[str] | None]
    user_location: NotRequired[dict[str, Any] | None]


MessagesAssistantBlock: TypeAlias = "MessagesTextBlock | MessagesAssistantBlockToolUse | MessagesAssistantBlockThinking | MessagesAssistantBlockRedactedThinking | MessagesAssistantBlockServerToolUse | MessagesAssistantBlockType"


class MessagesAssistantBlockRedactedThinking(TypedDict):
    type: Literal['redacted_thinking']


class MessagesAssistantBlockServerToolUse(TypedDict):
    type: Literal['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'tool_search_tool_result', 'code_execution_tool_result', 'bash_code_execution_tool_result', 'text_editor_code_execution_tool_result']


class MessagesAssistantBlockThinking(TypedDict):
    type: Literal['thinking']


class MessagesAssistantBlockToolUse(TypedDict):
    type: Literal['tool_use']
    id: str
    name: str
    input: Any


class MessagesAssistantBlockType(TypedDict):
    type: str


class MessagesContextManagement(TypedDict):
    edits: NotRequired[list[MessagesContextManagementEdit] | None]


class MessagesContextManagementEdit(TypedDict):
    type: str


MessagesMessage: TypeAlias = "MessagesMessageUser | MessagesMessageAssistant | MessagesMessageSystem"


class MessagesMessageAssistant(TypedDict):
    role: Literal['assistant']
    content: str | list[MessagesAssistantBlock]


class MessagesMessageSystem(TypedDict):
    role: Literal['system']
    content: str | list[MessagesTextBlock | MessagesMessageSystemContentToolAddition]


class MessagesMessageSystemContentToolAddition(TypedDict):
    type: Literal['tool_addition', 'tool_removal']
    tool: MessagesMessageSystemContentToolAdditionToolToolReference | MessagesMessageSystemContentToolAdditionToolToolDefinition


class MessagesMessageSystemContentToolAdditionToolToolDefinition(TypedDict):
    type: Literal['tool_definition']
    definition: MessagesAddedTool


class MessagesMessageSystemContentToolAdditionToolToolReference(TypedDict):
    type: Literal['tool_reference']
    name: str


class MessagesMessageUser(TypedDict):
    role: Literal['user']
    content: str | list[MessagesUserBlock]


MessagesSystem: TypeAlias = "str | list[MessagesTextBlock]"


class MessagesTextBlock(TypedDict):
    type: Literal['text']
    text: str


MessagesThinking: TypeAlias = "MessagesThinkingEnabled | MessagesThinkingDisabled | MessagesThinkingAdaptive | MessagesThinkingBetweenTools"


class MessagesThinkingAdaptive(TypedDict):
    type: Literal['adaptive']


class MessagesThinkingBetweenTools(TypedDict):
    type: Literal['between_tools']


class MessagesThinkingDisabled(TypedDict):
    type: Literal['disabled']


class MessagesThinkingEnabled(TypedDict):
    type: Literal['enabled']
    budget_tokens: int


MessagesTool: TypeAlias = "MessagesAddedToolName | MessagesAddedToolType"


MessagesToolChoice: TypeAlias = "MessagesToolChoiceAuto | MessagesToolChoiceAny | MessagesToolChoiceTool | MessagesToolChoiceNone"


class MessagesToolChoiceAny(TypedDict):
    type: Literal['any']
    disable_parallel_tool_use: NotRequired[bool]


class MessagesToolChoiceAuto(TypedDict):
    type: Literal['auto']
    disable_parallel_tool_use: NotRequired[bool]


class MessagesToolChoiceNone(TypedDict):
    type: Literal['none']


class MessagesToolChoiceTool(TypedDict):
    type: Literal['tool']
    name: str
    disable_parallel_tool_use: NotRequired[bool]


MessagesUserBlock: TypeAlias = "MessagesTextBlock | MessagesUserBlockImage | MessagesUserBlockDocument | MessagesUserBlockSearchResult | MessagesUserBlockToolResult | MessagesUserBlockType"


class MessagesUserBlockDocument(TypedDict):
    type: Literal['document']
    title: NotRequired[str | None]
    context: NotRequired[str | None]
    source: MessagesUserBlockImageSourceBase64 | MessagesUserBlockDocumentSourceText | MessagesUserBlockDocumentSourceContent


class MessagesUserBlockDocumentSourceContent(TypedDict):
    type: Literal['content']
    content: str | list[MessagesTextBlock | MessagesUserBlockImage]


class MessagesUserBlockDocumentSourceText(TypedDict):
    type: Literal['text']
    data: str


class MessagesUserBlockImage(TypedDict):
    type: Literal['image']
    source: MessagesUserBlockImageSourceBase64 | MessagesUserBlockImageSourceUrl


class MessagesUserBlockImageSourceBase64(TypedDict):
    type: Literal['base64']
    data: str
    media_type: str


class MessagesUserBlockImageSourceUrl(TypedDict):
    type: Literal['url']
    url: str


class MessagesUserBlockSearchResult(TypedDict):
    type: Literal['search_result']
    source: str
    title: str
    content: list[MessagesTextBlock]


class MessagesUserBlockToolResult(TypedDict):
    type: Literal['tool_result']
    tool_use_id: str
    content: NotRequired[str | list[MessagesTextBlock | MessagesUserBlockImage | MessagesUserBlockDocument | MessagesUserBlockSearchResult | MessagesUserBlockToolResultContentToolReference]]
    is_error: NotRequired[bool]


class MessagesUserBlockToolResultContentToolReference(TypedDict):
    type: Literal['tool_reference']
    tool_name: str


class MessagesUserBlockType(TypedDict):
    type: str


class MintCustomerTokenRequest(TypedDict):
    customer_id: NotRequired[str]
    customer_external_id: NotRequired[str]
    ttl_seconds: NotRequired[int]
    tier_code: NotRequired[str]
    project_id: NotRequired[Any]


class Model(TypedDict):
    model_id: str
    display_name: str
    provider: str
    description: str
    capabilities: list[Literal['text', 'vision', 'document', 'audio', 'tool_use', 'structured_output', 'web_search', 'code_execution', 'image_generation']]
    context_window: int
    max_output_tokens: int
    training_cutoff: NotRequired[str]
    deprecated: bool
    deprecation_message: NotRequired[str]
    serves: NotRequired[Literal['embeddings', 'moderation', 'speech', 'transcription', 'realtime']]
    metered_in: NotRequired[Literal['tokens', 'characters', 'seconds']]
    input_cost_per_million_cents: NotRequired[int]
    output_cost_per_million_cents: NotRequired[int]
    audio_input_cost_per_million_cents: NotRequired[int]
    image_input_cost_per_million_cents: NotRequired[int]
    audio_output_cost_per_million_cents: NotRequired[int]
    price_per_image_cents: NotRequired[int]


class ModelResponse(TypedDict):
    id: str
    output: list[OutputMessage]
    model: str
    provider: str
    stop_reason: str
    usage: ResponseUsage
    citations: NotRequired[list[Citation]]
    tool_results: NotRequired[list[ToolResult]]


class ModelRoute(TypedDict):
    model_id: str
    provider: str
    upstream_model: str
    circuit: Literal['closed', 'open', 'half_open'] | str
    failures: int
    since: NotRequired[str]
    next_probe_at: NotRequired[str]


class ModelRoutesResult(TypedDict):
    routes: list[ModelRoute]


class ModerationsRequest(TypedDict):
    model: NotRequired[str | None]
    input: str | list[str] | list[ModerationsRequestInputText | ModerationsRequestInputImageUrl]


class ModerationsRequestInputImageUrl(TypedDict):
    type: Literal['image_url']
    image_url: ModerationsRequestInputImageUrlImageUrl


class ModerationsRequestInputImageUrlImageUrl(TypedDict):
    url: str


class ModerationsRequestInputText(TypedDict):
    type: Literal['text']
    text: str


class ModerationsResult(TypedDict):
    id: str
    model: str
    results: list[ModerationsResultResult]


class ModerationsResultResult(TypedDict):
    flagged: bool
    categories: dict[str, bool | None]
    category_scores: dict[str, float]


NodeBinding = TypedDict(
    "NodeBinding",
    {
        "from": "Required[str]",
        "pointer": "NotRequired[str]",
        "to": "NotRequired[str]",
        "to_placeholder": "NotRequired[str]",
        "encoding": "NotRequired[Literal['json', 'json_string']]",
    },
)


class NodeFailedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    error: NodeFailedEventError
    canceled_nodes: NotRequired[list[str]]
    type: Literal['node_failed']


class NodeFailedEventError(TypedDict):
    code: str
    message: str


class NodeLlmCallEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    llm_call: NodeLlmCallEventLlmCall
    type: Literal['node_llm_call']


class NodeLlmCallEventLlmCall(TypedDict):
    step: int
    request_id: str
    provider: str
    model: str
    response_id: str
    stop_reason: str
    usage: NodeLlmCallEventLlmCallUsage


class NodeLlmCallEventLlmCallUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


class NodeOutputDeltaEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    delta: NodeOutputDeltaEventDelta
    type: Literal['node_output_delta']


class NodeOutputDeltaEventDelta(TypedDict):
    kind: Literal['text', 'reset']
    text_delta: str
    attempt: NotRequired[int]
    error: NotRequired[NodeOutputDeltaEventDeltaError]


class NodeOutputDeltaEventDeltaError(TypedDict):
    code: str
    message: str


class NodeOutputEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    node_output: NodeOutputEventNodeOutput
    type: Literal['node_output']


class NodeOutputEventNodeOutput(TypedDict):
    artifact_key: str
    bytes: int
    sha256: str


NodeSource = TypedDict(
    "NodeSource",
    {
        "from": "Required[str]",
        "pointer": "NotRequired[str]",
    },
)


class NodeStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    type: Literal['node_started']


NodeStatus: TypeAlias = "Literal['pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled']"


class NodeSucceededEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    canceled_nodes: NotRequired[list[str]]
    type: Literal['node_succeeded']


class NodeToolCallEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    tool_call: NodeToolCallEventToolCall
    type: Literal['node_tool_call']


class NodeToolCallEventToolCall(TypedDict):
    step: int
    request_id: str
    tool_call_id: str
    name: str
    arguments: str


class NodeToolResultEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    tool_result: NodeToolResultEventToolResult
    type: Literal['node_tool_result']


class NodeToolResultEventToolResult(TypedDict):
    step: int
    request_id: str
    tool_call_id: str
    name: str
    output: str


class NodeWaitingEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    waiting: NodeWaitingEventWaiting
    type: Literal['node_waiting']


class NodeWaitingEventWaiting(TypedDict):
    step: int
    request_id: str
    pending_tool_calls: list[NodeWaitingEventWaitingPendingToolCall]


class NodeWaitingEventWaitingPendingToolCall(TypedDict):
    tool_call_id: str
    name: str
    arguments: str


class OauthStartResult(TypedDict):
    redirect_url: str


class OpenAiError(TypedDict):
    error: OpenAiErrorError


class OpenAiErrorError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str | None


class OpenAiModel(TypedDict):
    id: str
    object: Literal['model']
    created: int
    owned_by: str
    context_length: int
    architecture: OpenAiModelArchitecture
    supported_parameters: list[str]


class OpenAiModelArchitecture(TypedDict):
    input_modalities: list[str]
    output_modalities: list[str]


class OpenAiModelList(TypedDict):
    object: Literal['list']
    data: list[OpenAiModel]


class OpenAiResponse(TypedDict):
    id: str
    object: Literal['response']
    created_at: int
    status: Literal['completed', 'incomplete', 'queued', 'in_progress', 'failed', 'cancelled']
    model: str
    output: list[OpenAiResponseOutput]
    usage: OpenAiResponseUsage | None


class OpenAiResponseEvent(TypedDict):
    type: str
    sequence_number: NotRequired[int]


class OpenAiResponseOutput(TypedDict):
    type: str


class OpenAiResponseRequest(TypedDict):
    input: str | list[ResponsesInputItem]
    model: NotRequired[str]
    instructions: NotRequired[str | None]
    tools: NotRequired[list[ResponsesTool] | None]
    tool_choice: NotRequired[ResponsesToolChoice | None]
    text: NotRequired[OpenAiResponseRequestText | None]
    reasoning: NotRequired[OpenAiResponseRequestReasoning | None]
    parallel_tool_calls: NotRequired[bool | None]
    previous_response_id: NotRequired[str | None]
    conversation: NotRequired[str | OpenAiResponseRequestConversation | None]
    include: NotRequired[list[str] | None]
    stream: NotRequired[bool | None]
    max_output_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    top_p: NotRequired[float | None]
    store: NotRequired[bool | None]
    background: NotRequired[bool | None]
    top_logprobs: NotRequired[int | None]
    service_tier: NotRequired[Literal['auto', 'default', 'flex'] | None]
    metadata: NotRequired[dict[str, str] | None]


class OpenAiResponseRequestConversation(TypedDict):
    id: str


class OpenAiResponseRequestReasoning(TypedDict):
    effort: NotRequired[str | None]
    mode: NotRequired[Literal['standard'] | None]


class OpenAiResponseRequestText(TypedDict):
    format: NotRequired[ResponsesTextFormat | None]


class OpenAiResponseUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


class OutputFormat(TypedDict):
    type: Literal['text', 'json_schema', 'json_object']
    json_schema: NotRequired[OutputFormatJsonSchema]


class OutputFormatJsonSchema(TypedDict):
    name: str
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool]


class OutputMessage(TypedDict):
    type: Literal['message']
    role: Literal['assistant', 'tool']
    content: list[ContentPart]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


class OwnerDevice(TypedDict):
    client_name: str
    address: str
    requested_at: str
    expires_at: str


class OwnerDeviceApproveRequest(TypedDict):
    user_code: str
    decision: Literal['approve', 'deny']


class OwnerDevicePreviewRequest(TypedDict):
    user_code: str


class OwnerDeviceStartRequest(TypedDict):
    client_name: str


PathSource = TypedDict(
    "PathSource",
    {
        "from": "NotRequired[str]",
        "from_input": "NotRequired[str]",
        "pointer": "NotRequired[str]",
        "path": "NotRequired[str]",
    },
)


class Payment(TypedDict):
    id: str
    kind: Literal['wallet_topup', 'subscription', 'tier_change']
    status: Literal['pending', 'completed', 'expired', 'failed']
    customer_id: NotRequired[str]
    tier_id: NotRequired[str]
    amount_cents: NotRequired[int]
    currency: NotRequired[str]
    reversed_cents: int
    failure: NotRequired[str]
    undone: bool
    created_at: str
    ended_at: NotRequired[str]


class PaymentDetail(TypedDict):
    payment: Payment
    refundable_cents: int
    refunds: list[Refund]


class PaymentList(TypedDict):
    payments: list[Payment]
    next_cursor: NotRequired[str]


class PendingToolCalls(TypedDict):
    node_id: str
    step: int
    request_id: str
    tool_calls: list[RunStepToolCall]


class PendingToolsResult(TypedDict):
    run_id: str
    pending: list[PendingToolCalls]


Permission: TypeAlias = "Literal['project.read', 'project.update', 'project.delete', 'members.read', 'members.manage', 'membership.end', 'money.read', 'money.manage', 'tiers.read', 'tiers.manage', 'customers.read', 'customers.manage', 'customers.delete', 'requests.read', 'keys.read', 'keys.manage', 'resources.read', 'resources.manage', 'models.use']"


class PortalLinkRequest(TypedDict):
    return_url: NotRequired[str]


class PortalLinkResult(TypedDict):
    url: str
    expires_at: str


class PortalSessionResult(TypedDict):
    session_id: str
    token: str
    token_type: Literal['Bearer']
    expires_at: str
    return_url: NotRequired[str]
    project: PortalSessionResultProject


class PortalSessionResultProject(TypedDict):
    id: str
    name: str
    portal_color: NotRequired[str]


class Project(TypedDict):
    id: str
    owner_id: str
    name: str
    description: NotRequired[str]
    billing_mode: Literal['managed', 'byob']
    markup_percentage: float
    publishable_claims: bool
    response_cache: bool
    response_storage: bool | None
    unsupported_parameters: Literal['refuse', 'drop']
    mcp_for_customers: bool
    portal_color: NotRequired[str]
    portal_origins: list[str]
    role: NotRequired[Role]
    permissions: NotRequired[list[Permission]]
    created_at: str
    updated_at: str


class ProjectResult(TypedDict):
    project: Project


Provider: TypeAlias = "Literal['openai', 'anthropic', 'google-ai-studio', 'xai', 'sandbox']"


class ReceiveStripeWebhookResult(TypedDict):
    received: bool


class RecoverWebhookRequest(TypedDict):
    since: str


class Refund(TypedDict):
    id: str
    payment_id: str
    amount_cents: int
    currency: NotRequired[str]
    status: Literal['pending', 'succeeded', 'failed']
    failure: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str]


class RefundPaymentRequest(TypedDict):
    amount_cents: NotRequired[int]


class RefundResult(TypedDict):
    refund: Refund


class RefusedMcpTool(TypedDict):
    tool: str
    reason: str


class RegisterRequest(TypedDict):
    email: str
    password: str
    billing_provider: NotRequired[Literal['stripe', 'crypto', 'app_store', 'external']]


class ReplayAgentRequest(TypedDict):
    input: NotRequired[list[InputMessage]]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]
    mock_tools: NotRequired[dict[str, Any]]
    run_id: NotRequired[str]


class RequestCompletedWebhookEvent(TypedDict):
    event_type: Literal['request.completed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookRequestData


class RequestPasswordResetRequest(TypedDict):
    email: str


ResponseEvent: TypeAlias = "StartEvent | UpdateEvent | ToolUseStartEvent | ToolUseDeltaEvent | ToolUseStopEvent | CompletionEvent | ErrorEvent | KeepaliveEvent"


class ResponseUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    cache_read_input_tokens: NotRequired[int]
    cache_write_input_tokens: NotRequired[int]
    reasoning_tokens: NotRequired[int]
    web_search_requests: NotRequired[int]
    estimated: NotRequired[bool]


ResponsesContentPart: TypeAlias = "ResponsesContentPartInputText | ChatContentPartRefusal | ResponsesContentPartInputImage | ResponsesContentPartInputFile"


class ResponsesContentPartInputFile(TypedDict):
    type: Literal['input_file']
    file_data: str
    filename: NotRequired[str | None]


class ResponsesContentPartInputImage(TypedDict):
    type: Literal['input_image']
    image_url: str


class ResponsesContentPartInputText(TypedDict):
    type: Literal['input_text', 'output_text']
    text: str


ResponsesInputItem: TypeAlias = "ResponsesInputItemRole | ResponsesInputItem2 | ResponsesInputItem3 | ResponsesInputItem4 | ResponsesInputItemInput | ResponsesInputItem5 | ResponsesInputItemAction | ResponsesInputItem6 | ResponsesInputItem7 | ResponsesInputItem8 | ResponsesInputItem9 | ResponsesInputItemId | ResponsesInputItemType"


class ResponsesInputItem2(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    namespace: NotRequired[str | None]
    arguments: str


class ResponsesInputItem3(TypedDict):
    type: Literal['function_call_output', 'custom_tool_call_output']
    call_id: str
    output: str | list[ResponsesContentPart]


class ResponsesInputItem4(TypedDict):
    type: Literal['reasoning']


class ResponsesInputItem5(TypedDict):
    type: Literal['additional_tools']
    tools: list[ResponsesTool]


class ResponsesInputItem6(TypedDict):
    type: Literal['local_shell_call_output']
    id: NotRequired[str | None]
    call_id: NotRequired[str | None]
    output: str


class ResponsesInputItem7(TypedDict):
    type: Literal['tool_search_call']
    call_id: NotRequired[str | None]
    execution: NotRequired[Literal['server', 'client'] | None]
    arguments: Any


class ResponsesInputItem8(TypedDict):
    type: Literal['tool_search_output']
    call_id: NotRequired[str | None]
    tools: list[ResponsesTool]


class ResponsesInputItem9(TypedDict):
    type: Literal['web_search_call']


class ResponsesInputItemAction(TypedDict):
    type: Literal['local_shell_call']
    id: NotRequired[str | None]
    call_id: str
    action: ResponsesInputItemActionAction


class ResponsesInputItemActionAction(TypedDict):
    command: list[str]


class ResponsesInputItemId(TypedDict):
    type: Literal['item_reference']
    id: str


class ResponsesInputItemInput(TypedDict):
    type: Literal['custom_tool_call']
    call_id: str
    name: str
    namespace: NotRequired[str | None]
    input: str


class ResponsesInputItemRole(TypedDict):
    type: NotRequired[Literal['message']]
    role: Literal['user', 'assistant', 'system', 'developer']
    content: str | list[ResponsesContentPart]


class ResponsesInputItemType(TypedDict):
    type: str


class ResponsesInputTokensRequest(TypedDict):
    input: str | list[ResponsesInputItem]
    model: NotRequired[str]
    instructions: NotRequired[str | None]
    tools: NotRequired[list[ResponsesTool] | None]
    tool_choice: NotRequired[ResponsesToolChoice | None]
    text: NotRequired[ResponsesInputTokensRequestText | None]
    reasoning: NotRequired[OpenAiResponseRequestReasoning | None]
    parallel_tool_calls: NotRequired[bool | None]
    previous_response_id: NotRequired[str | None]
    conversation: NotRequired[str | ResponsesInputTokensRequestConversation | None]


class ResponsesInputTokensRequestConversation(TypedDict):
    id: str


class ResponsesInputTokensRequestText(TypedDict):
    format: NotRequired[ResponsesTextFormat | None]


ResponsesTextFormat: TypeAlias = "ResponsesTextFormatText | ResponsesTextFormatJsonObject | ResponsesTextFormatJsonSchema"


class ResponsesTextFormatJsonObject(TypedDict):
    type: Literal['json_object']


class ResponsesTextFormatJsonSchema(TypedDict):
    type: Literal['json_schema']
    name: str
    schema: dict[str, Any]
    description: NotRequired[str | None]
    strict: NotRequired[bool | None]


class ResponsesTextFormatText(TypedDict):
    type: Literal['text']


ResponsesTool: TypeAlias = "ResponsesToolFunction | ResponsesToolCustom | ResponsesToolNamespace | ResponsesToolWebSearch | ResponsesToolToolSearch | ResponsesToolShell | ResponsesToolLocalShell"


ResponsesToolChoice: TypeAlias = "Literal['none', 'auto', 'required'] | ResponsesToolChoiceObject"


ResponsesToolChoiceObject: TypeAlias = "ResponsesToolChoiceObjectFunction | ResponsesToolChoiceObjectAllowedTools"


class ResponsesToolChoiceObjectAllowedTools(TypedDict):
    type: Literal['allowed_tools']
    mode: Literal['auto', 'required']
    tools: list[ResponsesToolChoiceObjectAllowedToolsTool]


class ResponsesToolChoiceObjectAllowedToolsTool(TypedDict):
    type: str
    name: NotRequired[str]


class ResponsesToolChoiceObjectFunction(TypedDict):
    type: Literal['function', 'custom', 'web_search', 'web_search_2025_08_26', 'local_shell', 'apply_patch', 'shell']
    name: NotRequired[str]


class ResponsesToolCustom(TypedDict):
    type: Literal['custom']
    name: str
    description: NotRequired[str | None]
    format: NotRequired[ResponsesToolCustomFormat | None]


class ResponsesToolCustomFormat(TypedDict):
    type: str
    definition: NotRequired[str]


class ResponsesToolFunction(TypedDict):
    type: Literal['function']
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class ResponsesToolLocalShell(TypedDict):
    type: Literal['local_shell', 'apply_patch', 'computer', 'computer_use_preview']


class ResponsesToolNamespace(TypedDict):
    type: Literal['namespace']
    name: str
    description: NotRequired[str | None]
    tools: list[ResponsesToolFunction | ResponsesToolCustom]


class ResponsesToolShell(TypedDict):
    type: Literal['shell']
    environment: ResponsesToolShellEnvironment


class ResponsesToolShellEnvironment(TypedDict):
    type: Literal['local']


class ResponsesToolToolSearch(TypedDict):
    type: Literal['tool_search']
    execution: NotRequired[Literal['server', 'client'] | None]
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


class ResponsesToolWebSearch(TypedDict):
    type: Literal['web_search', 'web_search_2025_08_26']
    filters: NotRequired[dict[str, Any] | None]
    user_location: NotRequired[dict[str, Any] | None]


class RetryPolicy(TypedDict):
    max_attempts: int
    retryable_errors: NotRequired[list[str]]
    backoff_ms: NotRequired[int]


Role: TypeAlias = "Literal['owner', 'admin', 'developer', 'billing', 'viewer']"


class RotateApiKeyRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    expires_at: NotRequired[str]


class Run(TypedDict):
    run_id: str
    status: RunStatus
    plan_hash: str
    name: NotRequired[str]
    customer_id: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str]
    session_id: NotRequired[str]
    cost_summary: RunCost
    nodes: list[RunNode]
    input: NotRequired[dict[str, Any]]
    outputs: dict[str, Any]
    error: NotRequired[RunError]


class RunAgentRequest(TypedDict):
    input: list[InputMessage]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]


class RunAgentRequestOptions(TypedDict):
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    capture_tool_io: NotRequired[bool]
    dry_run: NotRequired[bool]


class RunCanceledEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    type: Literal['run_canceled']


class RunCompiledEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    type: Literal['run_compiled']


class RunCompletedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    outputs: dict[str, Any]
    type: Literal['run_completed']


class RunCost(TypedDict):
    total_usd_cents: float
    line_items: list[RunCostItem]


class RunCostItem(TypedDict):
    node_id: str
    model: str
    usd_cents: float
    provider: NotRequired[str]
    requests: NotRequired[int]
    input_tokens: NotRequired[int]
    output_tokens: NotRequired[int]
    kind: NotRequired[Literal['ambiguous_attempt']]
    request_id: NotRequired[str]
    held_usd_cents: NotRequired[float]


class RunError(TypedDict):
    code: str
    message: str


RunEvent: TypeAlias = "RunCompiledEvent | RunStartedEvent | RunCompletedEvent | RunFailedEvent | RunCanceledEvent | NodeStartedEvent | NodeSucceededEvent | NodeFailedEvent | NodeOutputEvent | NodeOutputDeltaEvent | NodeWaitingEvent | NodeLlmCallEvent | NodeToolCallEvent | NodeToolResultEvent | KvUpdatedEvent | TaskListUpdatedEvent | SchedulerStartedEvent | SchedulerRoundStartedEvent | SchedulerAgentCompletedEvent | SchedulerStoppedEvent"


class RunFailedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    error: RunFailedEventError
    type: Literal['run_failed']


class RunFailedEventError(TypedDict):
    code: str
    message: str


class RunNode(TypedDict):
    id: str
    type: str
    depends_on: NotRequired[list[str]]
    status: NodeStatus
    started_at: NotRequired[str]
    ended_at: NotRequired[str]
    output: NotRequired[Any]
    error: NotRequired[RunNodeError]


class RunNodeError(TypedDict):
    code: str
    message: str


class RunStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    type: Literal['run_started']


RunStatus: TypeAlias = "Literal['running', 'waiting', 'succeeded', 'failed', 'canceled']"


class RunStep(TypedDict):
    node_id: str
    step: int
    attempt: int
    request_id: str
    status: Literal['intent', 'dispatched', 'settled', 'failed', 'ambiguous', 'dropped']
    model: NotRequired[str]
    provider: NotRequired[str]
    llm_request: NotRequired[Any]
    llm_response: NotRequired[Any]
    llm_call: NotRequired[RunStepLlmCall]
    tool_calls: list[RunStepToolCall]
    tool_results: list[RunStepToolResult]
    error: NotRequired[RunStepError]
    started_at: str
    ended_at: NotRequired[str]


class RunStepError(TypedDict):
    code: str


class RunStepLlmCall(TypedDict):
    step: int
    request_id: str
    provider: str
    model: str
    response_id: str
    stop_reason: str
    usage: RunStepLlmCallUsage


RunStepLlmCallUsage: TypeAlias = "dict[str, Any]"


class RunStepToolCall(TypedDict):
    tool_call_id: str
    name: str
    arguments: str


class RunStepToolResult(TypedDict):
    tool_call_id: str
    name: str
    output: str


class RunSummary(TypedDict):
    run_id: str
    status: RunStatus
    plan_hash: str
    name: NotRequired[str]
    customer_id: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str]


class RunTask(TypedDict):
    content: str
    status: Literal['pending', 'in_progress', 'completed']


class SchedulerAgentCompletedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    round: int
    agent: str
    role: Literal['agent', 'coordinator']
    index: NotRequired[int]
    agent_node_id: str
    status: Literal['succeeded', 'failed']
    error: NotRequired[SchedulerAgentCompletedEventError]
    type: Literal['scheduler_agent_completed']


class SchedulerAgentCompletedEventError(TypedDict):
    code: str
    message: str


class SchedulerPolicy(TypedDict):
    max_rounds: int
    max_concurrency: int
    max_steps: int
    timeout_ms: int


class SchedulerPolicyInput(TypedDict):
    max_rounds: NotRequired[int]
    max_concurrency: NotRequired[int]
    max_steps: NotRequired[int]
    timeout_ms: NotRequired[int]


class SchedulerRoundStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    round: int
    type: Literal['scheduler_round_started']


class SchedulerStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    policy: SchedulerPolicy
    type: Literal['scheduler_started']


class SchedulerStoppedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    reason: Literal['done', 'max_rounds', 'max_steps', 'timeout', 'error']
    rounds: int
    steps: int
    type: Literal['scheduler_stopped']


SendMessageRequest = TypedDict(
    "SendMessageRequest",
    {
        "to": "Required[str]",
        "subject": "Required[str]",
        "body": "Required[dict[str, Any]]",
        "thread_id": "NotRequired[str]",
        "from": "NotRequired[str]",
    },
)


class Session(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    metadata: dict[str, Any]
    message_count: int
    created_at: str
    updated_at: str


class SessionMessage(TypedDict):
    id: str
    seq: int
    role: Literal['system', 'user', 'assistant', 'tool']
    content: str | list[SessionMessageContent]
    run_id: NotRequired[str]
    created_at: str


class SessionMessageContent(TypedDict):
    type: str


class SessionWithMessages(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    metadata: dict[str, Any]
    message_count: int
    created_at: str
    updated_at: str
    messages: list[SessionMessage]


class SetAutoTopUpRequest(TypedDict):
    enabled: bool
    threshold_cents: int
    amount_cents: int


class SetCustomerSubscriptionResult(TypedDict):
    subscription: Subscription


class SetSubscriptionRequest(TypedDict):
    tier_code: str
    subscription_status: NotRequired[Literal['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused']]
    billing_provider: NotRequired[Literal['external', 'crypto', 'app_store']]
    billing_customer_id: NotRequired[str]
    billing_subscription_id: NotRequired[str]
    current_period_start: NotRequired[str]
    current_period_end: NotRequired[str]


class SignIn(TypedDict):
    id: str
    client_name: NotRequired[str]
    address: NotRequired[str]
    signed_in_at: str
    expires_at: str


class SignInListResult(TypedDict):
    sign_ins: list[SignIn]
    next_cursor: NotRequired[str]


class SignInOptions(TypedDict):
    oauth_providers: list[Literal['github', 'google']]
    oauth_names: dict[str, str]
    demo_owner: bool
    password_reset: bool


class SignUpInBrowserRequest(TypedDict):
    email: str
    password: str


class SignupProject(TypedDict):
    issued_key: ApiKey
    project: Project


class SimpleError(TypedDict):
    error: str


SpeechEvent: TypeAlias = "SpeechEventType | OpenAiError"


class SpeechEventType(TypedDict):
    type: str


SqlDialect: TypeAlias = "Literal['sqlite', 'postgres', 'mysql', 'sqlserver']"


class SqlPolicy(TypedDict):
    dialect: SqlDialect
    read_only: bool
    tables: NotRequired[SqlPolicyTables | None]
    columns: NotRequired[SqlPolicyColumns | None]
    joins: NotRequired[SqlPolicyJoins | None]
    subqueries: NotRequired[SqlPolicySubqueries | None]
    functions: NotRequired[SqlPolicyFunctions | None]
    limits: NotRequired[SqlPolicyLimits | None]


class SqlPolicyColumns(TypedDict):
    hidden: NotRequired[list[str] | None]


class SqlPolicyFunctions(TypedDict):
    allowlist: NotRequired[list[str] | None]


class SqlPolicyJoins(TypedDict):
    max_joins: NotRequired[int | None]


class SqlPolicyLimits(TypedDict):
    default_limit: NotRequired[int | None]
    max_limit: NotRequired[int | None]
    timeout_ms: NotRequired[int | None]


class SqlPolicySubqueries(TypedDict):
    allowed: NotRequired[bool | None]


class SqlPolicyTables(TypedDict):
    allowlist: NotRequired[list[str] | None]
    denylist: NotRequired[list[str] | None]


class SqlProfile(TypedDict):
    id: str
    project_id: str
    name: str
    policy: SqlPolicy
    created_at: str
    updated_at: str


class SqlProfileResult(TypedDict):
    profile: SqlProfile


class StartCardSetupCheckout(TypedDict):
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


class StartCardVerificationRequest(TypedDict):
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


class StartEvent(TypedDict):
    request_id: str
    provider: str
    model: str
    stream_mode: Literal['text-delta', 'structured-patch']
    stream_version: Literal['v2']
    type: Literal['start']


class StartPortalSessionRequest(TypedDict):
    project_id: str
    code: str


class StateHandle(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    created_at: str
    expires_at: NotRequired[str]


class StateHandleDataResult(TypedDict):
    state_handle: StateHandle
    kv: dict[str, str]
    tasks: list[RunTask]


class Statement(TypedDict):
    statement: StatementStatement


StatementStatement = TypedDict(
    "StatementStatement",
    {
        "project_id": "Required[str]",
        "month": "Required[str]",
        "from": "Required[str]",
        "to": "Required[str]",
        "state": "Required[Literal['open', 'closed', 'final']]",
        "currency": "Required[Literal['usd']]",
        "opening_balance_microcents": "Required[int]",
        "closing_balance_microcents": "Required[int]",
        "lines": "Required[list[StatementStatementLine]]",
    },
)


class StatementStatementLine(TypedDict):
    kind: str
    model: NotRequired[str]
    entries: int
    amount_microcents: int


class Statements(TypedDict):
    statements: list[StatementsStatement]
    next_cursor: NotRequired[str]


StatementsStatement = TypedDict(
    "StatementsStatement",
    {
        "month": "Required[str]",
        "from": "Required[str]",
        "to": "Required[str]",
        "state": "Required[Literal['open', 'closed', 'final']]",
    },
)


class StoredImage(TypedDict):
    id: str
    pinned: bool
    url: str
    expires_at: NotRequired[str]


class StreamProjectRequestsResult(TypedDict):
    id: str
    request_id: str
    at: str
    status: Literal['succeeded', 'failed', 'refused', 'unreported']
    http_status: NotRequired[int]
    error_code: NotRequired[str]
    customer_id: NotRequired[str]
    key_id: NotRequired[str]
    tier_code: NotRequired[str]
    model: NotRequired[str]
    provider: NotRequired[str]
    streaming: bool
    cached: bool
    estimated: bool
    stop_reason: NotRequired[str]
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int
    cache_write_input_tokens: int
    reasoning_tokens: int
    images: int
    revenue_microcents: int
    cost_microcents: int
    overrun_microcents: int
    unreconciled_microcents: int
    duration_ms: NotRequired[int]
    first_output_ms: NotRequired[int]


class SubmitToolResultsRequest(TypedDict):
    node_id: str
    step: int
    request_id: str
    results: list[SubmitToolResultsRequestResult]


class SubmitToolResultsRequestResult(TypedDict):
    tool_call_id: str
    name: str
    output: str


class SubscribeCustomerRequest(TypedDict):
    tier_id: str
    success_url: str
    cancel_url: str


class Subscription(TypedDict):
    id: str
    project_id: str
    customer_id: str
    tier_id: str
    tier_code: str
    tier_display_name: str
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[Literal['month', 'year']]
    billing_provider: NotRequired[str]
    billing_customer_id: NotRequired[str]
    billing_subscription_id: NotRequired[str]
    subscription_status: SubscriptionStatus
    current_period_start: str
    current_period_end: str
    cancel_at: NotRequired[str]
    created_at: str
    updated_at: str


SubscriptionStatus: TypeAlias = "Literal['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused']"


class SwitchCase(TypedDict):
    route: str
    op: Literal['equals', 'matches', 'exists']
    path: NotRequired[str]
    value: NotRequired[Any]


class TaskListUpdatedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    task_list: TaskListUpdatedEventTaskList
    type: Literal['task_list_updated']


class TaskListUpdatedEventTaskList(TypedDict):
    step: int
    request_id: str
    artifact_key: str
    bytes: int
    sha256: str
    tool_call_id: str
    tasks: list[TaskListUpdatedEventTaskListTask]


class TaskListUpdatedEventTaskListTask(TypedDict):
    content: str
    status: Literal['pending', 'in_progress', 'completed']


class TestAgentRequest(TypedDict):
    input: list[InputMessage]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]
    mock_tools: NotRequired[dict[str, Any]]


class TestMcpServerResult(TypedDict):
    status: McpServerTestStatus
    response_status: int | None
    latency_ms: int
    error: str | None
    tools: list[McpTool]
    refused_tools: list[RefusedMcpTool]


class TestToolHookResult(TypedDict):
    status: ToolHookStatus
    response_status: int | None
    response_body: str
    latency_ms: int
    error: str | None


class TestWebhookRequest(TypedDict):
    event_type: NotRequired[str | None]


class TestWebhookResult(TypedDict):
    status: Literal['delivered', 'failed']
    response_status: int | None
    response_body: str
    latency_ms: int
    error: str | None


class TextPart(TypedDict):
    type: Literal['text']
    text: str
    logprobs: NotRequired[list[TextPartLogprob]]


TextPartLogprob: TypeAlias = "dict[str, Any]"


class Tier(TypedDict):
    id: str
    project_id: str
    tier_code: str
    display_name: str
    billing_mode: Literal['subscription', 'paygo']
    spend_limit_cents: NotRequired[int | None]
    models: list[TierModel]
    billing_provider: NotRequired[str]
    billing_price_ref: NotRequired[str]
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[str]
    trial_days: NotRequired[int]
    promo_credits_cents: NotRequired[int]
    customer_token_max_ttl_seconds: NotRequired[int]
    rate_limit_per_minute: NotRequired[int]
    overage_enabled: bool
    is_default: bool
    created_at: str
    updated_at: str


class TierChange(TypedDict):
    subscription: TierChangeSubscription
    action: Literal['upgraded', 'downgraded', 'changed', 'unchanged', 'scheduled_cancellation']


class TierChangePreview(TypedDict):
    action: Literal['upgraded', 'downgraded', 'changed', 'unchanged', 'scheduled_cancellation', 'checkout']
    due_now_cents: int
    credit_cents: int
    currency: NotRequired[str]
    effective_at: NotRequired[str]
    next_amount_cents: NotRequired[int]
    next_at: NotRequired[str]
    trial_days: NotRequired[int]
    lost_models: list[str]
    added_models: list[str]
    spend_limit_cents: NotRequired[TierChangePreviewSpendLimitCents]
    loses_wallet: bool


TierChangePreviewSpendLimitCents = TypedDict(
    "TierChangePreviewSpendLimitCents",
    {
        "from": "Required[int | None]",
        "to": "Required[int | None]",
    },
)


class TierChangeSubscription(TypedDict):
    tier_code: str
    tier_display_name: str
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[Literal['month', 'year']]
    subscription_status: str
    current_period_start: str
    current_period_end: str


class TierModel(TypedDict):
    id: str
    tier_id: str
    model_id: str
    model_display_name: str
    description: str
    capabilities: list[str]
    context_window: int
    max_output_tokens: int
    deprecated: bool
    input_price_per_million_cents: int
    output_price_per_million_cents: int
    cached_input_price_per_million_cents: NotRequired[int]
    price_per_image_cents: NotRequired[int]
    fee_markup_percentage: float
    is_default: bool
    created_at: str
    updated_at: str


class TierModelInput(TypedDict):
    model_id: str
    is_default: NotRequired[bool]
    input_price_per_million_cents: NotRequired[int]
    output_price_per_million_cents: NotRequired[int]
    cached_input_price_per_million_cents: NotRequired[int]
    price_per_image_cents: NotRequired[int]
    fee_markup_percentage: NotRequired[float]


class Tool(TypedDict):
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolFunction]
    web: NotRequired[ToolWeb]
    x_search: NotRequired[ToolXSearch]
    code_execution: NotRequired[ToolCodeExecution]
    image_generation: NotRequired[ToolImageGeneration]


class ToolCall(TypedDict):
    id: str
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolCallFunction]


class ToolCallFunction(TypedDict):
    name: str
    arguments: str


class ToolChoice(TypedDict):
    type: Literal['auto', 'required', 'none']
    function: NotRequired[str]


ToolCodeExecution: TypeAlias = "dict[str, Any]"


class ToolExecution(TypedDict):
    mode: NotRequired[Literal['server', 'client']]


ToolFailurePolicy: TypeAlias = "Literal['stop', 'continue', 'retry']"


class ToolFunction(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: NotRequired[dict[str, Any]]


class ToolHook(TypedDict):
    id: str
    project_id: str
    hook_type: ToolHookType
    endpoint_url: str
    enabled: bool
    timeout_ms: int
    fail_behavior: ToolHookFailBehavior
    tools_allowlist: list[str]
    allow_mutation: bool
    created_at: str
    updated_at: str


class ToolHookEvent(TypedDict):
    id: str
    hook_config_id: str
    request_id: str
    tool_call_id: str
    status: ToolHookStatus
    response_status: NotRequired[int]
    response_body: str
    latency_ms: int
    error: str | None
    created_at: str


ToolHookFailBehavior: TypeAlias = "Literal['fail_closed', 'fail_open']"


class ToolHookResult(TypedDict):
    hook: ToolHook


ToolHookStatus: TypeAlias = "Literal['success', 'blocked', 'timeout', 'error']"


ToolHookType: TypeAlias = "Literal['pre_tool_use', 'post_tool_use', 'tool_execute']"


class ToolImageGeneration(TypedDict):
    model: str


class ToolLimitsSpec(TypedDict):
    max_llm_calls: NotRequired[int]
    max_tool_calls_per_step: NotRequired[int]
    wait_ttl_ms: NotRequired[int]


class ToolRef(TypedDict):
    definition: NotRequired[Tool]
    hook_id: NotRequired[str]
    fragment: NotRequired[ToolRefFragment]
    mcp_server: NotRequired[str]


class ToolRefFragment(TypedDict):
    ref: str
    inputs: NotRequired[dict[str, str]]


class ToolResult(TypedDict):
    tool_call_id: str
    name: str
    output: Any


class ToolUseDeltaEvent(TypedDict):
    tool_call_delta: ToolUseStartEventToolCallDelta
    type: Literal['tool_use_delta']


class ToolUseStartEvent(TypedDict):
    tool_call_delta: ToolUseStartEventToolCallDelta
    type: Literal['tool_use_start']


class ToolUseStartEventToolCallDelta(TypedDict):
    id: str
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolUseStartEventToolCallDeltaFunction]
    index: int


class ToolUseStartEventToolCallDeltaFunction(TypedDict):
    name: str
    arguments: str


class ToolUseStopEvent(TypedDict):
    tool_calls: list[ToolCall]
    tool_result: NotRequired[ToolResult]
    type: Literal['tool_use_stop']


ToolWeb: TypeAlias = "dict[str, Any]"


ToolXSearch: TypeAlias = "dict[str, Any]"


class TopUpWalletRequest(TypedDict):
    credit_amount_cents: int
    success_url: str
    cancel_url: str


TranscriptEvent: TypeAlias = "TranscriptEventType | OpenAiError"


class TranscriptEventType(TypedDict):
    type: str


class TranscriptionResult(TypedDict):
    text: str


class UnchargedUsage(TypedDict):
    usage: list[UnchargedUsageUsage]
    next_cursor: NotRequired[str]


class UnchargedUsageUsage(TypedDict):
    request_id: str
    customer_id: NotRequired[str]
    model: str
    overrun_microcents: int
    unreconciled_microcents: int
    occurred_at: str


class UpdateAgentRequest(TypedDict):
    name: NotRequired[str]
    slug: NotRequired[str]
    description: NotRequired[str | None]
    system: NotRequired[str | None]
    model: NotRequired[str | None]
    tools: NotRequired[list[ToolRef] | None]
    fragments: NotRequired[dict[str, AgentFragment] | None]
    input_schema: NotRequired[AgentInput | None]
    max_steps: NotRequired[int | None]
    max_duration_sec: NotRequired[int | None]
    step_timeout_sec: NotRequired[int | None]
    tool_failure_policy: NotRequired[ToolFailurePolicy | None]
    tool_retry_count: NotRequired[int | None]
    expected_revision: NotRequired[int]


class UpdateApiKeyRequest(TypedDict):
    label: NotRequired[str]
    expires_at: NotRequired[str | None]


class UpdateConversationRequest(TypedDict):
    metadata: dict[str, str] | None


UpdateEvent: TypeAlias = "UpdateEventDelta | UpdateEventPatch"


class UpdateEventDelta(TypedDict):
    delta: str
    content: NotRequired[str]
    type: Literal['update']


class UpdateEventPatch(TypedDict):
    patch: list[UpdateEventPatchPatch]
    complete_fields: list[str]
    type: Literal['update']


class UpdateEventPatchPatch(TypedDict):
    op: Literal['add', 'replace']
    path: str
    value: Any


class UpdateMcpServerRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    headers: NotRequired[dict[str, str] | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    tools_allowlist: NotRequired[list[str] | None]


class UpdateMemberRequest(TypedDict):
    role: Role


class UpdateProjectRequest(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str | None]
    billing_mode: NotRequired[Literal['managed', 'byob']]
    markup_percentage: NotRequired[float]
    publishable_claims: NotRequired[bool]
    response_cache: NotRequired[bool]
    response_storage: NotRequired[bool | None]
    unsupported_parameters: NotRequired[Literal['refuse', 'drop']]
    mcp_for_customers: NotRequired[bool]
    portal_color: NotRequired[str | None]
    portal_origins: NotRequired[list[str]]


class UpdateSessionRequest(TypedDict):
    metadata: dict[str, Any]


class UpdateSqlProfileRequest(TypedDict):
    name: NotRequired[str]
    policy: NotRequired[SqlPolicy]


class UpdateTierRequest(TypedDict):
    tier_code: NotRequired[str]
    display_name: NotRequired[str]
    models: NotRequired[list[TierModelInput]]
    billing_mode: NotRequired[Literal['subscription', 'paygo']]
    spend_limit_cents: NotRequired[int | None]
    billing_provider: NotRequired[Literal['stripe', 'crypto', 'app_store', 'external'] | None]
    billing_price_ref: NotRequired[str | None]
    price_amount_cents: NotRequired[int | None]
    price_currency: NotRequired[str]
    price_interval: NotRequired[Literal['month', 'year']]
    trial_days: NotRequired[int | None]
    promo_credits_cents: NotRequired[int | None]
    customer_token_max_ttl_seconds: NotRequired[int | None]
    rate_limit_per_minute: NotRequired[int | None]
    overage_enabled: NotRequired[bool]
    is_default: NotRequired[bool]


class UpdateTierResult(TypedDict):
    tier: Tier


class UpdateToolHookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    fail_behavior: NotRequired[str | None]
    tools_allowlist: NotRequired[list[str] | None]
    allow_mutation: NotRequired[bool | None]
    rotate_secret: NotRequired[bool | None]


class UpdateToolHookResult(TypedDict):
    hook: ToolHook
    signing_secret: NotRequired[str]


class UpdateWebhookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    events: NotRequired[list[str] | None]
    enabled: NotRequired[bool | None]
    signature_form: NotRequired[str | None]
    retry_schedule: NotRequired[str | None]
    rotate_secret: NotRequired[bool | None]
    overlap_seconds: NotRequired[int | None]


class UsageThresholdExceededWebhookEvent(TypedDict):
    event_type: Literal['usage.threshold_exceeded']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookThresholdData


class User(TypedDict):
    id: str
    email: str
    project_id: str
    created_at: str


class ValidateSqlRequest(TypedDict):
    sql: str
    profile_id: NotRequired[str]
    policy: NotRequired[SqlPolicy]


class ValidateSqlResult(TypedDict):
    valid: bool
    normalized_sql: str
    read_only: bool
    tables: list[str]
    limit: NotRequired[int]
    timeout_ms: NotRequired[int]


class WalletTopUp(TypedDict):
    id: str
    session_id: str
    url: str
    checkout_url: str
    credit_amount_cents: int
    status: Literal['pending', 'completed', 'expired', 'failed']


class Webhook(TypedDict):
    id: str
    project_id: str
    endpoint_url: str
    signing_secret: NotRequired[str]
    enabled: bool
    disabled_reason: NotRequired[Literal['owner', 'failures', 'gone']]
    events: list[WebhookEventType]
    signature_form: WebhookSignatureForm
    retry_schedule: WebhookRetrySchedule
    created_at: str
    updated_at: str


class WebhookAdmissionData(TypedDict):
    account_id: str
    refusal_code: str
    required_microcents: int
    available_microcents: int
    shortfall_microcents: int


class WebhookAttempt(TypedDict):
    attempt: int
    outcome: Literal['delivered', 'retry', 'failed', 'interrupted']
    response_status: NotRequired[int]
    latency_ms: NotRequired[int]
    error: NotRequired[str]
    started_at: str


class WebhookCustomerData(TypedDict):
    customer: WebhookCustomerDataCustomer


class WebhookCustomerDataCustomer(TypedDict):
    id: str
    external_id: str
    email: str
    tier_id: NotRequired[str]
    tier_code: NotRequired[str]
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class WebhookDeletedCustomerData(TypedDict):
    customer: WebhookDeletedCustomerDataCustomer


class WebhookDeletedCustomerDataCustomer(TypedDict):
    id: str
    external_id: str
    email: str
    tier_id: NotRequired[str]
    tier_code: NotRequired[str]


class WebhookDelivery(TypedDict):
    id: str
    webhook_config_id: str
    event_type: WebhookEventType
    event_id: str
    payload: dict[str, Any]
    status: WebhookDeliveryStatus
    attempt_count: int
    response_status: NotRequired[int]
    latency_ms: NotRequired[int]
    error: NotRequired[str]
    attempts: list[WebhookAttempt]
    created_at: str
    updated_at: str


WebhookDeliveryStatus: TypeAlias = "Literal['pending', 'processing', 'delivered', 'failed']"


class WebhookEventResult(TypedDict):
    event: WebhookDelivery


WebhookEventType: TypeAlias = "Literal['customer.created', 'customer.updated', 'customer.deleted', 'usage.threshold_exceeded', 'request.completed', 'billing.subscription_changed', 'billing.payment_refunded', 'billing.payment_failed', 'account.admission_blocked']"


class WebhookFailedPaymentData(TypedDict):
    payment_id: str
    customer_id: NotRequired[str]
    kind: Literal['wallet_topup']
    amount_cents: int
    currency: str
    reason: str


class WebhookIntervalFigures(TypedDict):
    at: str
    deliveries: WebhookIntervalFiguresDeliveries
    success_rate: float | None
    latency_ms: WebhookIntervalFiguresLatencyMs


class WebhookIntervalFiguresDeliveries(TypedDict):
    pending: int
    processing: int
    delivered: int
    failed: int


class WebhookIntervalFiguresLatencyMs(TypedDict):
    p50: NotRequired[int]
    p95: NotRequired[int]
    p99: NotRequired[int]


class WebhookRecovery(TypedDict):
    id: str
    webhook_id: str
    since: str
    status: Literal['running', 'completed', 'canceled']
    requeued: int
    remaining: int
    started_at: str
    ended_at: NotRequired[str]


class WebhookRecoveryResult(TypedDict):
    recovery: WebhookRecovery


class WebhookRefundData(TypedDict):
    payment_id: str
    customer_id: NotRequired[str]
    kind: Literal['wallet_topup', 'subscription', 'tier_change']
    amount_cents: int
    currency: str


class WebhookRequestData(TypedDict):
    request_id: str
    response_id: NotRequired[str]
    model: str
    provider: str
    status: int
    success: bool
    streaming: bool
    execution_origin: str
    input_tokens: int
    cache_read_input_tokens: int
    cache_write_input_tokens: int
    output_tokens: int
    total_tokens: int
    duration_ms: int
    customer_id: NotRequired[str]
    tier_id: NotRequired[str]
    tier_code: NotRequired[str]


class WebhookResult(TypedDict):
    webhook: Webhook


WebhookRetrySchedule: TypeAlias = "Literal['standard', 'fast']"


WebhookSignatureForm: TypeAlias = "Literal['body', 'timestamped', 'standard']"


WebhookStatisticsResult = TypedDict(
    "WebhookStatisticsResult",
    {
        "from": "Required[str]",
        "to": "Required[str]",
        "interval": "Required[Literal['hour', 'day']]",
        "total": "Required[WebhookStatisticsResultTotal]",
        "intervals": "Required[list[WebhookIntervalFigures]]",
    },
)


class WebhookStatisticsResultTotal(TypedDict):
    deliveries: WebhookIntervalFiguresDeliveries
    success_rate: float | None
    latency_ms: WebhookIntervalFiguresLatencyMs


class WebhookSubscriptionData(TypedDict):
    customer_id: str
    tier_id: str
    tier_code: str
    billing_provider: NotRequired[str]
    billing_customer_id: NotRequired[str]
    billing_subscription_id: NotRequired[str]
    subscription_status: SubscriptionStatus
    current_period_start: NotRequired[str]
    current_period_end: NotRequired[str]


class WebhookThresholdData(TypedDict):
    customer_id: str
    tier_id: str
    tier_code: str
    plan_type: Literal['subscription']
    unit: Literal['microcents']
    threshold_percent: int
    percentage_used: float
    used: int
    limit: int
    remaining: int
    window_start: str
    window_end: str


class WithdrawCreditRequest(TypedDict):
    amount_cents: int


class WorkflowExecution(TypedDict):
    max_parallelism: NotRequired[int]
    node_timeout_ms: NotRequired[int]
    run_timeout_ms: NotRequired[int]


class WorkflowInput(TypedDict):
    name: str
    type: NotRequired[Literal['json', 'string', 'number', 'integer', 'boolean', 'object', 'array', 'null']]
    required: NotRequired[bool]
    default: NotRequired[Any]
    description: NotRequired[str]


class WorkflowIssue(TypedDict):
    code: str
    path: str
    message: str


WorkflowOutput = TypedDict(
    "WorkflowOutput",
    {
        "name": "Required[str]",
        "from": "Required[str]",
        "pointer": "NotRequired[str]",
    },
)


WorkflowSpec: TypeAlias = "WorkflowSpecWorkflowV0 | WorkflowSpecWorkflowV1"


class WorkflowSpecWorkflowV0(TypedDict):
    kind: Literal['workflow.v0']
    name: NotRequired[str]
    outputs: NotRequired[list[WorkflowOutput]]
    execution: NotRequired[WorkflowExecution]
    nodes: list[WorkflowSpecWorkflowV0NodeLlmResponses | WorkflowSpecWorkflowV0NodeJoinAll | WorkflowSpecWorkflowV0NodeTransformJson | WorkflowSpecWorkflowV0NodeAgentRun | WorkflowSpecWorkflowV0NodeAgentScheduler]
    edges: NotRequired[list[WorkflowSpecWorkflowV0Edge]]


WorkflowSpecWorkflowV0Edge = TypedDict(
    "WorkflowSpecWorkflowV0Edge",
    {
        "from": "Required[str]",
        "to": "Required[str]",
    },
)


WorkflowSpecWorkflowV0NodeAgentRun: TypeAlias = "WorkflowSpecWorkflowV0NodeAgentRunAgent | WorkflowSpecWorkflowV0NodeAgentRunInput"


class WorkflowSpecWorkflowV0NodeAgentRunAgent(TypedDict):
    id: str
    type: Literal['agent.run']
    agent: str
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[NodeBinding]]
    input: NotRequired[list[Any] | WorkflowSpecWorkflowV0NodeAgentRunAgentInput]


class WorkflowSpecWorkflowV0NodeAgentRunAgentInput(TypedDict):
    input: NotRequired[list[Any]]
    agent: NotRequired[str]
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[NodeBinding]]


class WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits(TypedDict):
    max_tool_calls_per_step: NotRequired[int]
    wait_ttl_ms: NotRequired[int]


class WorkflowSpecWorkflowV0NodeAgentRunInput(TypedDict):
    id: str
    type: Literal['agent.run']
    input: WorkflowSpecWorkflowV0NodeAgentRunInputInput


class WorkflowSpecWorkflowV0NodeAgentRunInputInput(TypedDict):
    agent: str
    input: NotRequired[list[Any]]
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[NodeBinding]]


WorkflowSpecWorkflowV0NodeAgentScheduler: TypeAlias = "WorkflowSpecWorkflowV0NodeAgentSchedulerAgents | WorkflowSpecWorkflowV0NodeAgentSchedulerInput"


class WorkflowSpecWorkflowV0NodeAgentSchedulerAgents(TypedDict):
    id: str
    type: Literal['agent.scheduler']
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


class WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent(TypedDict):
    agent: str
    input: list[InputMessage]
    count: NotRequired[int]


class WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator(TypedDict):
    agent: str
    input: list[InputMessage]


class WorkflowSpecWorkflowV0NodeAgentSchedulerInput(TypedDict):
    id: str
    type: Literal['agent.scheduler']
    input: WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput


class WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput(TypedDict):
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


class WorkflowSpecWorkflowV0NodeJoinAll(TypedDict):
    id: str
    type: Literal['join.all']
    input: NotRequired[Any]


class WorkflowSpecWorkflowV0NodeLlmResponses(TypedDict):
    id: str
    type: Literal['llm.responses']
    input: WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV0NodeLlmResponsesInputInput


class WorkflowSpecWorkflowV0NodeLlmResponsesInputInput(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[NodeBinding]]
    input: list[Any]


class WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[NodeBinding]]
    request: WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest


WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest: TypeAlias = "dict[str, Any]"


class WorkflowSpecWorkflowV0NodeTransformJson(TypedDict):
    id: str
    type: Literal['transform.json']
    input: WorkflowSpecWorkflowV0NodeTransformJsonInputObject | WorkflowSpecWorkflowV0NodeTransformJsonInputMerge | NodeSource


class WorkflowSpecWorkflowV0NodeTransformJsonInputMerge(TypedDict):
    merge: list[NodeSource]


class WorkflowSpecWorkflowV0NodeTransformJsonInputObject(TypedDict):
    object: dict[str, NodeSource]


class WorkflowSpecWorkflowV1(TypedDict):
    kind: Literal['workflow.v1']
    name: NotRequired[str]
    outputs: NotRequired[list[WorkflowOutput]]
    execution: NotRequired[WorkflowExecution]
    inputs: NotRequired[list[WorkflowInput]]
    nodes: list[WorkflowSpecWorkflowV1NodeLlmResponses | WorkflowSpecWorkflowV1NodeRouteSwitch | WorkflowSpecWorkflowV1NodeJoinAll | WorkflowSpecWorkflowV1NodeJoinAny | WorkflowSpecWorkflowV1NodeJoinCollect | WorkflowSpecWorkflowV1NodeTransformJson | WorkflowSpecWorkflowV1NodeMapFanout | WorkflowSpecWorkflowV1NodeAgentRun | WorkflowSpecWorkflowV1NodeAgentScheduler]
    edges: NotRequired[list[WorkflowSpecWorkflowV1Edge]]


WorkflowSpecWorkflowV1Edge = TypedDict(
    "WorkflowSpecWorkflowV1Edge",
    {
        "from": "Required[str]",
        "to": "Required[str]",
        "when": "NotRequired[EdgeCondition]",
    },
)


WorkflowSpecWorkflowV1NodeAgentRun: TypeAlias = "WorkflowSpecWorkflowV1NodeAgentRunAgent | WorkflowSpecWorkflowV1NodeAgentRunInput"


class WorkflowSpecWorkflowV1NodeAgentRunAgent(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.run']
    agent: str
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[AnyBinding]]
    input: NotRequired[list[Any] | WorkflowSpecWorkflowV1NodeAgentRunAgentInput]


class WorkflowSpecWorkflowV1NodeAgentRunAgentInput(TypedDict):
    input: NotRequired[list[Any]]
    agent: NotRequired[str]
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[AnyBinding]]


class WorkflowSpecWorkflowV1NodeAgentRunInput(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.run']
    input: WorkflowSpecWorkflowV1NodeAgentRunInputInput


class WorkflowSpecWorkflowV1NodeAgentRunInputInput(TypedDict):
    agent: str
    input: NotRequired[list[Any]]
    model: NotRequired[str]
    max_steps: NotRequired[int]
    max_duration_sec: NotRequired[int]
    step_timeout_sec: NotRequired[int]
    tool_failure_policy: NotRequired[ToolFailurePolicy]
    tool_retry_count: NotRequired[int]
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits]
    bindings: NotRequired[list[AnyBinding]]


WorkflowSpecWorkflowV1NodeAgentScheduler: TypeAlias = "WorkflowSpecWorkflowV1NodeAgentSchedulerAgents | WorkflowSpecWorkflowV1NodeAgentSchedulerInput"


class WorkflowSpecWorkflowV1NodeAgentSchedulerAgents(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.scheduler']
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


class WorkflowSpecWorkflowV1NodeAgentSchedulerInput(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.scheduler']
    input: WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput


class WorkflowSpecWorkflowV1NodeJoinAll(TypedDict):
    id: str
    type: Literal['join.all']
    input: NotRequired[Any]
    retry: NotRequired[RetryPolicy]


class WorkflowSpecWorkflowV1NodeJoinAny(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['join.any']
    input: NotRequired[JoinAnyInput]


class WorkflowSpecWorkflowV1NodeJoinCollect(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['join.collect']
    input: NotRequired[JoinCollectInput]


class WorkflowSpecWorkflowV1NodeLlmResponses(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['llm.responses']
    input: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV1NodeLlmResponsesInputInput


class WorkflowSpecWorkflowV1NodeLlmResponsesInputInput(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[AnyBinding]]
    input: list[Any]


class WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[AnyBinding]]
    request: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest


WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest: TypeAlias = "dict[str, Any]"


class WorkflowSpecWorkflowV1NodeMapFanout(TypedDict):
    id: str
    type: Literal['map.fanout']
    input: FanoutInput


class WorkflowSpecWorkflowV1NodeRouteSwitch(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['route.switch']
    input: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV1NodeLlmResponsesInputInput | WorkflowSpecWorkflowV1NodeRouteSwitchInputCases


class WorkflowSpecWorkflowV1NodeRouteSwitchInputCases(TypedDict):
    cases: list[SwitchCase]
    default: NotRequired[str]


class WorkflowSpecWorkflowV1NodeTransformJson(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['transform.json']
    input: WorkflowSpecWorkflowV1NodeTransformJsonInputObject | WorkflowSpecWorkflowV1NodeTransformJsonInputMerge | AnySource


class WorkflowSpecWorkflowV1NodeTransformJsonInputMerge(TypedDict):
    merge: list[AnySource]


class WorkflowSpecWorkflowV1NodeTransformJsonInputObject(TypedDict):
    object: dict[str, AnySource]


WebhookEvent: TypeAlias = "AccountAdmissionBlockedWebhookEvent | BillingPaymentFailedWebhookEvent | BillingPaymentRefundedWebhookEvent | BillingSubscriptionChangedWebhookEvent | CustomerCreatedWebhookEvent | CustomerDeletedWebhookEvent | CustomerUpdatedWebhookEvent | RequestCompletedWebhookEvent | UsageThresholdExceededWebhookEvent"
