"""Types of the API. Generated from the OpenAPI document. Do not edit: pnpm --filter @tollgate/client run generate-core."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict, final


@final
class AcceptInvitationResult(TypedDict):
    project: AcceptInvitationResultProject
    role: Role


@final
class AcceptInvitationResultProject(TypedDict):
    id: str
    name: str


@final
class AcceptedToolResults(TypedDict):
    accepted: int
    status: RunStatus


@final
class AccountAdmissionBlockedWebhookEvent(TypedDict):
    event_type: Literal['account.admission_blocked']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookAdmissionData


@final
class AccountBalance(TypedDict):
    balance_microcents: int
    balance_formatted: str
    currency: str
    low_balance_threshold_cents: int


@final
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


@final
class AccountStatementStatementLine(TypedDict):
    kind: str
    model: NotRequired[str]
    entries: int
    amount_microcents: int


@final
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


@final
class AccountUsage(TypedDict):
    usage: list[AccountUsageUsage]
    overrun_microcents: int
    unreconciled_microcents: int
    forfeited_microcents: int
    written_off_microcents: int
    next_cursor: NotRequired[str]


@final
class AccountUsageUsage(TypedDict):
    group: str
    requests: int
    input_tokens: int
    output_tokens: int
    images: int
    customer_microcents: int
    provider_microcents: int


@final
class AddConversationItemsRequest(TypedDict):
    items: list[ExpandedResponsesItem]


@final
class Agent(TypedDict):
    id: str
    project_id: str
    slug: str
    name: str
    description: NotRequired[str]
    current_revision: int
    created_at: str
    updated_at: str


@final
class AgentFragment(TypedDict):
    kind: NotRequired[Literal['workflow.v1']]
    inputs: NotRequired[list[AgentFragmentInput]]
    nodes: list[AgentFragmentNode]
    outputs: list[AgentFragmentOutput]


@final
class AgentFragmentInput(TypedDict):
    name: str


@final
class AgentFragmentNode(TypedDict):
    id: str
    type: str


@final
class AgentFragmentOutput(TypedDict):
    name: str


@final
class AgentInput(TypedDict):
    type: Literal['object']
    properties: NotRequired[dict[str, dict[str, Any]]]
    required: NotRequired[list[str]]


@final
class AgentMemory(TypedDict):
    customer_id: NotRequired[str]
    content: str


@final
class AgentMemoryRequest(TypedDict):
    content: str
    customer_id: NotRequired[str]


@final
class AgentMemoryResult(TypedDict):
    memory: AgentMemory


@final
class AgentResult(TypedDict):
    agent: AgentSnapshot


@final
class AgentRunResult(TypedDict):
    run_id: str
    status: RunStatus
    output: list[OutputMessage]
    usage: AgentRunUsage
    steps: list[RunStep]
    error: NotRequired[AgentRunResultError]


@final
class AgentRunResultError(TypedDict):
    code: str
    message: str


@final
class AgentRunUsage(TypedDict):
    total_steps: int
    total_llm_calls: int
    total_tool_calls: int
    total_input_tokens: int
    total_output_tokens: int
    total_cost_cents: int
    total_cost_microcents: int


@final
class AgentSnapshot(TypedDict):
    agent: Agent
    version: AgentVersion


@final
class AgentTestResult(TypedDict):
    run_id: str
    status: RunStatus
    output: list[OutputMessage]
    usage: AgentRunUsage
    steps: list[RunStep]
    error: NotRequired[AgentTestResultError]
    mocks: AgentTestResultMocks


@final
class AgentTestResultError(TypedDict):
    code: str
    message: str


@final
class AgentTestResultMocks(TypedDict):
    served: dict[str, int]
    unconsumed: dict[str, int]
    unmocked: dict[str, int]


@final
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


@final
class AnthropicError(TypedDict):
    type: Literal['error']
    error: AnthropicErrorError
    request_id: str


@final
class AnthropicErrorError(TypedDict):
    type: str
    message: str
    details: NotRequired[AnthropicErrorErrorDetails]


@final
class AnthropicErrorErrorDetails(TypedDict):
    code: NotRequired[str]
    error_code: NotRequired[str]


@final
class AnthropicMessage(TypedDict):
    id: str
    type: Literal['message']
    role: Literal['assistant']
    model: str
    content: list[AnthropicMessageContent]
    stop_reason: str
    usage: AnthropicMessageUsage


@final
class AnthropicMessageContent(TypedDict):
    type: str


@final
class AnthropicMessageEvent(TypedDict):
    type: str


@final
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


@final
class AnthropicMessageRequestOutputConfig(TypedDict):
    effort: NotRequired[Literal['low', 'medium', 'high', 'xhigh', 'max'] | None]
    format: NotRequired[AnthropicMessageRequestOutputFormat | None]


@final
class AnthropicMessageRequestOutputFormat(TypedDict):
    type: Literal['json_schema']
    schema: dict[str, Any]


@final
class AnthropicMessageUsage(TypedDict):
    input_tokens: int
    output_tokens: int


@final
class AnthropicModel(TypedDict):
    type: Literal['model']
    id: str
    display_name: str
    created_at: str


@final
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


@final
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


@final
class ApiErrorIssue(TypedDict):
    code: str
    path: str
    message: str


@final
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


@final
class ApiKeyResult(TypedDict):
    api_key: ApiKey


@final
class AppendSessionMessageRequest(TypedDict):
    role: Literal['system', 'user', 'assistant', 'tool']
    content: str | list[AppendSessionMessageRequestContent]
    run_id: NotRequired[str | None]


@final
class AppendSessionMessageRequestContent(TypedDict):
    type: str


@final
class AuditEvent(TypedDict):
    id: str
    action: str
    actor: AuditEventActor
    project_id: NotRequired[str]
    subject_id: NotRequired[str]
    changes: NotRequired[list[AuditEventChange]]
    address: str
    request_id: str
    at: str


@final
class AuditEventActor(TypedDict):
    kind: Literal['user', 'key', 'customer', 'anonymous', 'system']
    id: str


@final
class AuditEventChange(TypedDict):
    field: str
    before: NotRequired[str]
    after: NotRequired[str]


@final
class AuditLogResult(TypedDict):
    events: list[AuditEvent]
    next_cursor: NotRequired[str]


@final
class AuthResult(TypedDict):
    access_token: str
    expires_at: str
    refresh_token: str
    tokens: AuthTokens
    user: User
    signup_project: NotRequired[SignupProject]


@final
class AuthTokens(TypedDict):
    access_token: str
    expires_at: str
    refresh_token: str


@final
class AuthorizeMcpServerRequest(TypedDict):
    client_id: NotRequired[str | None]
    client_secret: NotRequired[str | None]
    scope: NotRequired[str | None]


@final
class AuthorizeMcpServerResult(TypedDict):
    authorization_url: str
    expires_in: int


@final
class AutoTopUp(TypedDict):
    enabled: bool
    threshold_cents: int
    amount_cents: int
    failure_count: int
    limits: AutoTopUpLimits
    payment_method: NotRequired[AutoTopUpPaymentMethod]
    last_triggered_at: NotRequired[str]


@final
class AutoTopUpLimits(TypedDict):
    min_topup_cents: int
    max_single_cents: int
    max_daily_cents: int
    max_monthly_cents: int


@final
class AutoTopUpPaymentMethod(TypedDict):
    id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int


@final
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


@final
class BalanceHistory(TypedDict):
    entries: list[BalanceEntry]
    next_cursor: NotRequired[str]


@final
class Batch(TypedDict):
    id: str
    results: list[BatchResultSuccess | BatchResultError]
    usage: BatchUsage


@final
class BatchResultError(TypedDict):
    id: str
    status: Literal['error']
    error: ApiError


@final
class BatchResultSuccess(TypedDict):
    id: str
    status: Literal['success']
    response: ModelResponse


@final
class BatchUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    total_input_tokens: int
    total_output_tokens: int
    total_requests: int
    successful_requests: int
    failed_requests: int


@final
class BillingDisputeOpenedWebhookEvent(TypedDict):
    event_type: Literal['billing.dispute_opened']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookDisputeData


@final
class BillingPaymentFailedWebhookEvent(TypedDict):
    event_type: Literal['billing.payment_failed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookFailedPaymentData


@final
class BillingPaymentRefundedWebhookEvent(TypedDict):
    event_type: Literal['billing.payment_refunded']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookRefundData


@final
class BillingPaymentSucceededWebhookEvent(TypedDict):
    event_type: Literal['billing.payment_succeeded']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookPaymentData


@final
class BillingPortal(TypedDict):
    url: str


@final
class BillingPortalInput(TypedDict):
    return_url: str


@final
class BillingSubscriptionChangedWebhookEvent(TypedDict):
    event_type: Literal['billing.subscription_changed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookSubscriptionData


@final
class BrowserSession(TypedDict):
    access_token: str
    expires_at: str


@final
class CardSetup(TypedDict):
    setup_intent_id: str
    client_secret: str
    status: NotRequired[str]


@final
class CardSetupCheckout(TypedDict):
    checkout_session_id: str
    checkout_url: str
    expires_at: str


@final
class CardVerification(TypedDict):
    verified: bool
    credit_granted: bool
    verified_at: NotRequired[str]
    card_brand: NotRequired[str]
    card_last4: NotRequired[str]
    grant_amount_cents: NotRequired[int]
    grant_already_used_by_card: NotRequired[bool]


@final
class CardVerificationSession(TypedDict):
    verification_id: str
    checkout_session_id: str
    checkout_url: str
    expires_at: str


@final
class ChangeTierRequest(TypedDict):
    tier_code: str


@final
class ChatCompletion(TypedDict):
    id: str
    object: Literal['chat.completion']
    created: int
    model: str
    choices: list[ChatCompletionChoice]
    usage: ChatCompletionUsage


@final
class ChatCompletionChoice(TypedDict):
    index: int
    message: ChatCompletionChoiceMessage
    finish_reason: Literal['stop', 'length', 'tool_calls', 'content_filter']


@final
class ChatCompletionChoiceMessage(TypedDict):
    role: Literal['assistant']
    content: str | None
    refusal: str | None
    tool_calls: NotRequired[list[ChatCompletionChoiceMessageToolCall]]


@final
class ChatCompletionChoiceMessageToolCall(TypedDict):
    id: str
    type: Literal['function']
    function: ChatCompletionChoiceMessageToolCallFunction


@final
class ChatCompletionChoiceMessageToolCallFunction(TypedDict):
    name: str
    arguments: str


@final
class ChatCompletionChunk(TypedDict):
    id: str
    object: Literal['chat.completion.chunk']
    created: int
    model: str
    choices: list[ChatCompletionChunkChoice]
    usage: NotRequired[ChatCompletionChunkUsage | None]


@final
class ChatCompletionChunkChoice(TypedDict):
    index: int
    delta: ChatCompletionChunkChoiceDelta
    finish_reason: NotRequired[str | None]


@final
class ChatCompletionChunkChoiceDelta(TypedDict):
    role: NotRequired[str]
    content: NotRequired[str | None]
    refusal: NotRequired[str | None]
    tool_calls: NotRequired[list[ChatCompletionChunkChoiceDeltaToolCall] | None]


@final
class ChatCompletionChunkChoiceDeltaToolCall(TypedDict):
    index: int
    id: NotRequired[str]
    type: NotRequired[Literal['function']]
    function: NotRequired[ChatCompletionChunkChoiceDeltaToolCallFunction]


@final
class ChatCompletionChunkChoiceDeltaToolCallFunction(TypedDict):
    name: NotRequired[str]
    arguments: NotRequired[str]


@final
class ChatCompletionChunkUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


ChatCompletionEvent: TypeAlias = "ChatCompletionChunk | OpenAiError"


@final
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


@final
class ChatCompletionRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]


@final
class ChatCompletionUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


ChatContentPart: TypeAlias = "MessagesTextBlock | ChatContentPartRefusal | ChatContentPartImageUrl | ChatContentPartInputAudio | ChatContentPartFile"


@final
class ChatContentPartFile(TypedDict):
    type: Literal['file']
    file: ChatContentPartFileFile


@final
class ChatContentPartFileFile(TypedDict):
    file_data: str
    filename: NotRequired[str]


@final
class ChatContentPartImageUrl(TypedDict):
    type: Literal['image_url']
    image_url: ChatContentPartImageUrlImageUrl


@final
class ChatContentPartImageUrlImageUrl(TypedDict):
    url: str
    detail: NotRequired[Literal['auto', 'low', 'high']]


@final
class ChatContentPartInputAudio(TypedDict):
    type: Literal['input_audio']
    input_audio: ChatContentPartInputAudioInputAudio


@final
class ChatContentPartInputAudioInputAudio(TypedDict):
    data: str
    format: str


@final
class ChatContentPartRefusal(TypedDict):
    type: Literal['refusal']
    refusal: str


ChatMessage: TypeAlias = "ChatMessageSystem | ChatMessageAssistant | ChatMessageTool"


@final
class ChatMessageAssistant(TypedDict):
    role: Literal['assistant']
    name: NotRequired[str | None]
    content: NotRequired[str | list[ChatContentPart] | None]
    refusal: NotRequired[str | None]
    tool_calls: NotRequired[list[ChatToolCall] | None]


@final
class ChatMessageSystem(TypedDict):
    role: Literal['system', 'developer', 'user']
    content: str | list[ChatContentPart]
    name: NotRequired[str | None]


@final
class ChatMessageTool(TypedDict):
    role: Literal['tool']
    content: str | list[MessagesTextBlock]
    tool_call_id: str


ChatResponseFormat: TypeAlias = "ChatResponseFormatText | ChatResponseFormatJsonObject | ChatResponseFormatJsonSchema"


@final
class ChatResponseFormatJsonObject(TypedDict):
    type: Literal['json_object']


@final
class ChatResponseFormatJsonSchema(TypedDict):
    type: Literal['json_schema']
    json_schema: ChatResponseFormatJsonSchemaJsonSchema


@final
class ChatResponseFormatJsonSchemaJsonSchema(TypedDict):
    name: str
    description: NotRequired[str]
    schema: NotRequired[dict[str, Any]]
    strict: NotRequired[bool | None]


@final
class ChatResponseFormatText(TypedDict):
    type: Literal['text']


@final
class ChatTool(TypedDict):
    type: Literal['function']
    function: ChatToolFunction


@final
class ChatToolCall(TypedDict):
    id: str
    type: Literal['function']
    function: ChatToolCallFunction


@final
class ChatToolCallFunction(TypedDict):
    name: str
    arguments: str


ChatToolChoice: TypeAlias = "Literal['none', 'auto', 'required'] | ChatToolChoiceObject"


ChatToolChoiceObject: TypeAlias = "ChatToolChoiceObjectFunction | ChatToolChoiceObjectAllowedTools"


@final
class ChatToolChoiceObjectAllowedTools(TypedDict):
    type: Literal['allowed_tools']
    allowed_tools: ChatToolChoiceObjectAllowedToolsAllowedTools


@final
class ChatToolChoiceObjectAllowedToolsAllowedTools(TypedDict):
    mode: Literal['auto', 'required']
    tools: list[ChatToolChoiceObjectFunction]


@final
class ChatToolChoiceObjectFunction(TypedDict):
    type: Literal['function']
    function: ChatToolChoiceObjectFunctionFunction


@final
class ChatToolChoiceObjectFunctionFunction(TypedDict):
    name: str


@final
class ChatToolFunction(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


@final
class CheckoutSession(TypedDict):
    session_id: str
    url: str


@final
class Citation(TypedDict):
    title: str
    url: str


@final
class ClaimCustomerRequest(TypedDict):
    email: str
    provider: str
    subject: str


@final
class ClaimedCustomer(TypedDict):
    customer: ClaimedCustomerCustomer
    subscription: Subscription | None


@final
class ClaimedCustomerCustomer(TypedDict):
    id: str
    project_id: str
    external_id: str
    email: str
    metadata: NotRequired[dict[str, Any]]
    blocked_at: NotRequired[str]
    created_at: str
    updated_at: str


@final
class CompilePluginRequest(TypedDict):
    source: NotRequired[str | None]
    files: NotRequired[dict[str, str] | None]
    model: NotRequired[str | None]
    max_attempts: NotRequired[int]
    mode: NotRequired[Literal['intent']]
    workflow_kind: NotRequired[Literal['workflow.v0', 'workflow.v1']]


@final
class CompilePluginResult(TypedDict):
    workflow: CompilePluginResultWorkflow
    plugin: CompilePluginResultPlugin
    compiled_at: str
    source_ref: str
    warnings: list[CompilePluginResultWarning]


@final
class CompilePluginResultPlugin(TypedDict):
    name: str
    description: str
    agents: list[CompilePluginResultPluginAgent]


@final
class CompilePluginResultPluginAgent(TypedDict):
    name: str
    system_prompt: str


@final
class CompilePluginResultWarning(TypedDict):
    file: str
    key: str
    message: str
    line: NotRequired[int]


@final
class CompilePluginResultWorkflow(TypedDict):
    kind: Literal['workflow.v0', 'workflow.v1']


@final
class CompileSkillRequest(TypedDict):
    source: NotRequired[str | None]
    files: NotRequired[dict[str, str] | None]
    model: NotRequired[str | None]
    max_attempts: NotRequired[int]


@final
class CompileSkillResult(TypedDict):
    workflow: CompileSkillResultWorkflow
    skill: CompileSkillResultSkill
    compiled_at: str
    source_ref: str
    warnings: list[CompilePluginResultWarning]


@final
class CompileSkillResultSkill(TypedDict):
    name: str
    description: str
    agents: list[str]


@final
class CompileSkillResultWorkflow(TypedDict):
    kind: Literal['workflow.v1']


@final
class CompileWorkflowResult(TypedDict):
    plan_json: CompileWorkflowResultPlanJson
    plan_hash: str


@final
class CompileWorkflowResultPlanJson(TypedDict):
    kind: str


@final
class CompleteMcpAuthorizationRequest(TypedDict):
    state: str
    code: str
    iss: NotRequired[str | None]


@final
class CompletePasswordResetRequest(TypedDict):
    code: str
    password: str


@final
class Completion(TypedDict):
    id: str
    object: Literal['text_completion']
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: NotRequired[ChatCompletionUsage | None]


@final
class CompletionChoice(TypedDict):
    index: int
    text: str
    finish_reason: Literal['stop', 'length', 'content_filter'] | None


@final
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


@final
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


@final
class CompletionsRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]


@final
class ConfirmCardSetupRequest(TypedDict):
    setup_intent_id: str


@final
class ConfirmCardVerificationRequest(TypedDict):
    checkout_session_id: str


@final
class ConnectMcpClientRequest(TypedDict):
    client_id: str
    client_secret: str
    scope: NotRequired[str | None]


@final
class Connection(TypedDict):
    id: str
    project_id: str
    name: str
    mode: ConnectionMode
    preset: NotRequired[str]
    wire: NotRequired[str]
    base_url: NotRequired[str]
    auth: NotRequired[ConnectionAuth]
    timeouts: NotRequired[ConnectionTimeouts]
    keys: list[ConnectionKey]
    header_names: list[str]
    models: list[ConnectionModel]
    created_at: str
    updated_at: str


@final
class ConnectionAuth(TypedDict):
    type: str
    name: NotRequired[str]
    prefix: NotRequired[str]
    region: NotRequired[str]
    service: NotRequired[str]
    scope: NotRequired[str]
    project: NotRequired[str]
    location: NotRequired[str]
    tenant_id: NotRequired[str]
    client_id: NotRequired[str]
    api_version: NotRequired[str]


@final
class ConnectionKey(TypedDict):
    id: NotRequired[str]
    last_four: str
    access_key_id: NotRequired[str]
    weight: int


ConnectionMode: TypeAlias = "Literal['prefer', 'only']"


@final
class ConnectionModel(TypedDict):
    model: str
    upstream_model: str


@final
class ConnectionResult(TypedDict):
    connection: Connection


@final
class ConnectionTimeouts(TypedDict):
    connect_ms: NotRequired[int]
    response_ms: NotRequired[int]
    idle_ms: NotRequired[int]


ContentPart: TypeAlias = "TextPart | FilePart"


@final
class Conversation(TypedDict):
    id: str
    object: Literal['conversation']
    created_at: int
    metadata: dict[str, str]


@final
class ConversationItem(TypedDict):
    id: str
    type: str


@final
class ConversationItems(TypedDict):
    object: Literal['list']
    data: list[ConversationItem]
    first_id: str | None
    last_id: str | None
    has_more: bool


@final
class CountMessageTokensRequest(TypedDict):
    model: NotRequired[str]
    messages: list[MessagesMessage]
    system: NotRequired[MessagesSystem | None]
    tools: NotRequired[list[MessagesTool] | None]
    tool_choice: NotRequired[MessagesToolChoice | None]
    thinking: NotRequired[MessagesThinking | None]
    output_config: NotRequired[AnthropicMessageRequestOutputConfig | None]
    output_format: NotRequired[AnthropicMessageRequestOutputFormat | None]


@final
class CountMessageTokensResult(TypedDict):
    input_tokens: int


@final
class CountResponseTokensResult(TypedDict):
    object: Literal['response.input_tokens']
    input_tokens: int


@final
class CreateAccountTopUpRequest(TypedDict):
    amount_cents: int
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


@final
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


@final
class CreateApiKeyRequest(TypedDict):
    label: str
    kind: NotRequired[Literal['secret', 'publishable']]
    project_id: NotRequired[str]
    expires_at: NotRequired[str]
    spend_limit_cents: NotRequired[int]


@final
class CreateBatchRequest(TypedDict):
    requests: list[CreateBatchRequestRequest]
    options: NotRequired[CreateBatchRequestOptions]


@final
class CreateBatchRequestOptions(TypedDict):
    max_concurrent: NotRequired[int]
    fail_fast: NotRequired[bool]
    timeout_ms: NotRequired[int]


@final
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


@final
class CreateBatchRequestRequestInput(TypedDict):
    type: Literal['message']
    role: Literal['system', 'user', 'assistant', 'tool']
    content: NotRequired[list[TextPart | FilePart]]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


CreateCompletionResult: TypeAlias = "Completion | OpenAiError"


@final
class CreateConnectionRequest(TypedDict):
    name: str
    mode: NotRequired[Literal['prefer', 'only']]
    preset: NotRequired[str]
    wire: NotRequired[str]
    base_url: NotRequired[str]
    auth: NotRequired[ConnectionAuth]
    timeouts: NotRequired[ConnectionTimeouts]
    keys: NotRequired[list[CreateConnectionRequestKey]]
    headers: NotRequired[dict[str, str]]
    models: list[CreateConnectionRequestModel]


@final
class CreateConnectionRequestKey(TypedDict):
    id: NotRequired[str]
    secret: str
    access_key_id: NotRequired[str]
    session_token: NotRequired[str]
    weight: NotRequired[int]


@final
class CreateConnectionRequestModel(TypedDict):
    model: str
    upstream_model: NotRequired[str]


@final
class CreateConversationRequest(TypedDict):
    items: NotRequired[list[ExpandedResponsesItem] | None]
    metadata: NotRequired[dict[str, str] | None]


@final
class CreateCustomerRequest(TypedDict):
    external_id: str
    email: str
    metadata: NotRequired[dict[str, Any]]


@final
class CreateDecisionRequest(TypedDict):
    input: str | list[ChatMessage]
    options: list[CreateDecisionRequestOption]
    model: NotRequired[str]
    instructions: NotRequired[str | None]
    max_output_tokens: NotRequired[int | None]
    temperature: NotRequired[float | None]
    reasoning_effort: NotRequired[Literal['none', 'low', 'medium', 'high'] | None]
    stream: NotRequired[bool | None]


@final
class CreateDecisionRequestOption(TypedDict):
    id: str
    description: str


@final
class CreateEmbeddingsRequest(TypedDict):
    model: str
    input: str | list[int] | list[str] | list[list[int]]
    encoding_format: NotRequired[Literal['float', 'base64'] | None]
    dimensions: NotRequired[int | None]
    user: NotRequired[str | None]


@final
class CreateFileBatchRequest(TypedDict):
    input_file_id: str
    endpoint: Literal['/v1/chat/completions', '/v1/responses', '/v1/embeddings']
    completion_window: Literal['24h']
    metadata: NotRequired[dict[str, str] | None]
    output_expires_after: NotRequired[FileExpiry | None]


@final
class CreateInvitationRequest(TypedDict):
    email: str
    role: Role


@final
class CreateMcpServerRequest(TypedDict):
    name: NotRequired[str | None]
    endpoint_url: NotRequired[str | None]
    headers: NotRequired[dict[str, str] | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    tools_allowlist: NotRequired[list[str] | None]


@final
class CreateMyCheckoutRequest(TypedDict):
    tier_code: str
    success_url: str
    cancel_url: str


@final
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


@final
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


@final
class CreateRunRequest(TypedDict):
    spec: NotRequired[WorkflowSpec]
    plan_hash: NotRequired[str]
    input: NotRequired[dict[str, Any]]
    session_id: NotRequired[str]
    model_override: NotRequired[str]
    options: NotRequired[CreateRunRequestOptions]


@final
class CreateRunRequestOptions(TypedDict):
    idempotency_key: NotRequired[str]


@final
class CreateRunResult(TypedDict):
    run_id: str
    status: RunStatus
    plan_hash: str


@final
class CreateSessionRequest(TypedDict):
    customer_id: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | None]


@final
class CreateSpeechRequest(TypedDict):
    model: str
    input: str
    voice: str | CreateSpeechRequestVoice
    instructions: NotRequired[str | None]
    response_format: NotRequired[Literal['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] | None]
    speed: NotRequired[float | None]
    stream_format: NotRequired[Literal['audio', 'sse'] | None]


@final
class CreateSpeechRequestVoice(TypedDict):
    id: str


@final
class CreateSqlProfileRequest(TypedDict):
    name: str
    policy: SqlPolicy


@final
class CreateStateHandleRequest(TypedDict):
    ttl_seconds: NotRequired[int | None]


@final
class CreateTierCheckoutRequest(TypedDict):
    success_url: str
    cancel_url: str


@final
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
    visibility: NotRequired[Literal['portal', 'link', 'private']]
    sort_order: NotRequired[int]
    features: NotRequired[list[str]]
    group: NotRequired[str]
    allow_promotion_codes: NotRequired[bool]
    id: NotRequired[Any]
    project_id: NotRequired[Any]
    price_sync: NotRequired[Any]
    price_sync_failure: NotRequired[Any]
    created_at: NotRequired[Any]
    updated_at: NotRequired[Any]


@final
class CreateTierResult(TypedDict):
    tier: Tier


@final
class CreateToolHookRequest(TypedDict):
    hook_type: NotRequired[str | None]
    endpoint_url: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    fail_behavior: NotRequired[str | None]
    tools_allowlist: NotRequired[list[str] | None]
    allow_mutation: NotRequired[bool | None]


@final
class CreateToolHookResult(TypedDict):
    hook: ToolHook
    signing_secret: str


@final
class CreateWebhookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    events: NotRequired[list[str] | None]
    enabled: NotRequired[bool | None]
    signature_form: NotRequired[str | None]
    retry_schedule: NotRequired[str | None]


@final
class CreditWithdrawal(TypedDict):
    balance_microcents: int
    applied: bool


@final
class Customer(TypedDict):
    id: str
    project_id: str
    external_id: str
    email: str
    metadata: dict[str, Any]
    blocked_at: NotRequired[str]
    created_at: str
    updated_at: str


@final
class CustomerBalance(TypedDict):
    customer_id: str
    billing_profile_id: str
    balance_microcents: int
    reserved_microcents: int
    currency: str
    granted_microcents: NotRequired[int]


@final
class CustomerChange(TypedDict):
    email: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


@final
class CustomerCreatedWebhookEvent(TypedDict):
    event_type: Literal['customer.created']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookCustomerData


@final
class CustomerCredit(TypedDict):
    balance_microcents: int
    applied: bool


@final
class CustomerCreditInput(TypedDict):
    amount_cents: int
    reason: Literal['promo', 'adjustment']


@final
class CustomerDeletedWebhookEvent(TypedDict):
    event_type: Literal['customer.deleted']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookDeletedCustomerData


@final
class CustomerDevice(TypedDict):
    id: str
    kind: Literal['device', 'portal']
    user_agent: NotRequired[str]
    signed_in_at: str
    expires_at: str


@final
class CustomerDeviceListResult(TypedDict):
    devices: list[CustomerDevice]


@final
class CustomerEnvelope(TypedDict):
    customer: Customer
    subscription: Subscription | None


@final
class CustomerList(TypedDict):
    customers: list[CustomerEnvelope]
    total: NotRequired[int]
    next_cursor: NotRequired[str]


@final
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


@final
class CustomerUpdatedWebhookEvent(TypedDict):
    event_type: Literal['customer.updated']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookCustomerData


@final
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


@final
class DailyUsage(TypedDict):
    date: str
    requests: int
    tokens: int
    cost_microcents: int


@final
class Decision(TypedDict):
    decision: DecisionDecision
    usage: ResponseUsage


@final
class DecisionDecision(TypedDict):
    id: str
    confidence: float
    reason: str


@final
class DeleteCompatibleResponseResult(TypedDict):
    id: str
    object: Literal['response']
    deleted: bool


@final
class DeleteFileResult(TypedDict):
    id: str
    object: Literal['file']
    deleted: bool


@final
class DeletedConversation(TypedDict):
    id: str
    object: Literal['conversation.deleted']
    deleted: bool


@final
class DeviceApproveRequest(TypedDict):
    user_code: str
    decision: NotRequired[Literal['approve', 'deny']]
    customer_id: NotRequired[str]
    customer_external_id: NotRequired[str]


@final
class DeviceStartResult(TypedDict):
    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


@final
class DeviceTokenError(TypedDict):
    error: Literal['authorization_pending', 'slow_down', 'expired_token', 'invalid_grant', 'access_denied']
    error_description: str
    interval: NotRequired[int]


@final
class DeviceTokenRequest(TypedDict):
    device_code: str


@final
class EdgeCondition(TypedDict):
    source: Literal['node_output', 'node_status']
    op: Literal['equals', 'matches', 'exists']
    path: NotRequired[str]
    value: NotRequired[Any]


@final
class EmbeddingsResult(TypedDict):
    object: Literal['list']
    model: str
    data: list[EmbeddingsResultData]
    usage: EmbeddingsResultUsage


@final
class EmbeddingsResultData(TypedDict):
    object: Literal['embedding']
    index: int
    embedding: list[float] | str


@final
class EmbeddingsResultUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


ErrorCause: TypeAlias = "Literal['validation', 'authentication', 'authorization', 'rate_limit', 'timeout', 'canceled', 'transport', 'upstream_response', 'invalid_response', 'unavailable', 'internal']"


@final
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


@final
class ExpandedResponsesItem2(TypedDict):
    type: Literal['reasoning']


@final
class ExpandedResponsesItem3(TypedDict):
    type: Literal['web_search_call']


@final
class ExpandedResponsesItemType(TypedDict):
    type: str


@final
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


@final
class FanoutInput(TypedDict):
    items: PathSource
    item_bindings: NotRequired[list[ItemBinding]]
    subnode: FanoutInputSubnode
    max_parallelism: NotRequired[int]
    max_items: NotRequired[int]


@final
class FanoutInputSubnode(TypedDict):
    id: NotRequired[str]
    type: str
    input: NotRequired[Any]


@final
class FieldError(TypedDict):
    field: str
    message: str


@final
class File(TypedDict):
    id: str
    object: Literal['file']
    bytes: int
    created_at: int
    expires_at: int
    filename: str
    purpose: Literal['batch', 'user_data', 'vision', 'assistants', 'evals', 'batch_output']
    status: Literal['processed']


@final
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


@final
class FileBatchErrors(TypedDict):
    object: Literal['list']
    data: list[FileBatchErrorsData]


@final
class FileBatchErrorsData(TypedDict):
    code: str
    message: str
    line: int | None
    param: str | None


@final
class FileBatchRequestCounts(TypedDict):
    total: int
    completed: int
    failed: int


@final
class FileBatchUsage(TypedDict):
    input_tokens: int
    input_tokens_details: FileBatchUsageInputTokensDetails
    output_tokens: int
    output_tokens_details: FileBatchUsageOutputTokensDetails
    total_tokens: int


@final
class FileBatchUsageInputTokensDetails(TypedDict):
    cached_tokens: int


@final
class FileBatchUsageOutputTokensDetails(TypedDict):
    reasoning_tokens: int


@final
class FileExpiry(TypedDict):
    anchor: Literal['created_at']
    seconds: int


@final
class FilePart(TypedDict):
    type: Literal['file']
    file: FilePartFile


@final
class FilePartFile(TypedDict):
    data_base64: str
    mime_type: str
    filename: NotRequired[str]
    size_bytes: NotRequired[int]


@final
class GenerateImageRequest(TypedDict):
    model: NotRequired[str]
    prompt: str
    response_format: NotRequired[Literal['url', 'b64_json']]
    n: NotRequired[int]
    size: NotRequired[str]


@final
class GetCustomerSubscriptionResult(TypedDict):
    subscription: Subscription


@final
class GetMcpMetadataResult(TypedDict):
    resource: str
    resource_name: str
    bearer_methods_supported: list[Literal['header']]
    resource_documentation: str


@final
class GetMeResult(TypedDict):
    customer: Customer
    subscription: Subscription | None
    tier: Tier | None


@final
class GetMySubscriptionResult(TypedDict):
    subscription: Subscription


@final
class GetMyUsageResult(TypedDict):
    usage: CustomerUsage


@final
class GetOpenApiDocumentResult(TypedDict):
    openapi: str


@final
class GetProjectCustomerUsageResult(TypedDict):
    usage: CustomerUsage


@final
class GetProjectRequestResult(TypedDict):
    request: GetProjectRequestResultRequest


@final
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


@final
class GetProjectRequestResultRequestAdmission(TypedDict):
    verdict: Literal['allowed', 'refused']
    limits: list[GetProjectRequestResultRequestAdmissionLimit]


@final
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


@final
class GetProjectRequestResultRequestAttempt(TypedDict):
    provider: str
    connection: NotRequired[str]
    own_connection: NotRequired[bool]
    model: str
    outcome: Literal['answered', 'failed', 'canceled', 'skipped'] | str
    duration_ms: int
    failure: NotRequired[str]
    http_status: NotRequired[int]


@final
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


@final
class GetProjectRequestResultRequestHoldHeldFor(TypedDict):
    input_tokens: int
    output_tokens: int
    images: int


@final
class GetProjectRequestResultRequestPrices(TypedDict):
    currency: Literal['usd']
    customer: NotRequired[GetProjectRequestResultRequestPricesCustomer]
    owner: GetProjectRequestResultRequestPricesCustomer


@final
class GetProjectRequestResultRequestPricesCustomer(TypedDict):
    input_per_million_cents: int
    cached_input_per_million_cents: NotRequired[int]
    output_per_million_cents: int
    per_image_cents: int


@final
class GetProjectUsageResult(TypedDict):
    usage: list[GetProjectUsageResultUsage]
    totals: GetProjectUsageResultTotals
    has_more: bool


@final
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


@final
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


@final
class GetStatusResult(TypedDict):
    status: Literal['operational', 'degraded', 'down']
    areas: list[GetStatusResultArea]


@final
class GetStatusResultArea(TypedDict):
    name: str
    status: Literal['operational', 'degraded', 'down']


@final
class GetTierResult(TypedDict):
    tier: Tier


GetWorkflowSchemaResult: TypeAlias = "dict[str, Any]"


@final
class GoogleBatchEmbedRequest(TypedDict):
    requests: list[GoogleEmbedRequest]


@final
class GoogleBatchEmbedResult(TypedDict):
    embeddings: list[GoogleBatchEmbedResultEmbedding]
    usageMetadata: GoogleBatchEmbedResultUsageMetadata


@final
class GoogleBatchEmbedResultEmbedding(TypedDict):
    values: list[float]


@final
class GoogleBatchEmbedResultUsageMetadata(TypedDict):
    promptTokenCount: int


@final
class GoogleBlob(TypedDict):
    mimeType: str
    data: str


@final
class GoogleContent(TypedDict):
    role: NotRequired[Literal['user', 'model', 'function'] | None]
    parts: NotRequired[list[GooglePart] | None]


@final
class GoogleCountTokensRequest(TypedDict):
    contents: NotRequired[list[GoogleContent] | None]
    generateContentRequest: NotRequired[GoogleGenerateRequest | None]


@final
class GoogleCountTokensResult(TypedDict):
    totalTokens: int


@final
class GoogleEmbedRequest(TypedDict):
    content: GoogleEmbedRequestContent
    model: NotRequired[str | None]
    taskType: NotRequired[str | None]
    title: NotRequired[str | None]
    outputDimensionality: NotRequired[int | None]


@final
class GoogleEmbedRequestContent(TypedDict):
    parts: list[GoogleEmbedRequestContentPart]


@final
class GoogleEmbedRequestContentPart(TypedDict):
    text: str


@final
class GoogleEmbedResult(TypedDict):
    embedding: GoogleEmbedResultEmbedding
    usageMetadata: GoogleEmbedResultUsageMetadata


@final
class GoogleEmbedResultEmbedding(TypedDict):
    values: list[float]


@final
class GoogleEmbedResultUsageMetadata(TypedDict):
    promptTokenCount: int


@final
class GoogleError(TypedDict):
    error: GoogleErrorError


@final
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


@final
class GoogleGenerateRequest(TypedDict):
    contents: list[GoogleContent]
    systemInstruction: NotRequired[GoogleSystemInstruction | None]
    tools: NotRequired[list[GoogleTool] | None]
    toolConfig: NotRequired[GoogleToolConfig | None]
    generationConfig: NotRequired[GoogleGenerateRequestGenerationConfig | None]
    safetySettings: NotRequired[list[dict[str, Any]] | None]
    model: NotRequired[str | None]
    store: NotRequired[bool | None]
    serviceTier: NotRequired[str | None]


@final
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


@final
class GoogleGenerateRequestGenerationConfigThinkingConfig(TypedDict):
    includeThoughts: NotRequired[bool | None]
    thinkingBudget: NotRequired[int | None]
    thinkingLevel: NotRequired[Literal['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] | None]


@final
class GoogleGenerateResult(TypedDict):
    candidates: NotRequired[list[GoogleGenerateResultCandidate]]
    usageMetadata: NotRequired[GoogleGenerateResultUsageMetadata]
    modelVersion: NotRequired[str]
    responseId: NotRequired[str]


@final
class GoogleGenerateResultCandidate(TypedDict):
    content: NotRequired[GoogleGenerateResultCandidateContent]
    finishReason: NotRequired[str]
    index: NotRequired[int]


@final
class GoogleGenerateResultCandidateContent(TypedDict):
    role: NotRequired[str]
    parts: NotRequired[list[GoogleGenerateResultCandidateContentPart]]


GoogleGenerateResultCandidateContentPart: TypeAlias = "dict[str, Any]"


@final
class GoogleGenerateResultUsageMetadata(TypedDict):
    promptTokenCount: NotRequired[int]
    candidatesTokenCount: NotRequired[int]
    totalTokenCount: NotRequired[int]


@final
class GoogleModel(TypedDict):
    name: str
    baseModelId: str
    version: str
    displayName: str
    description: str
    inputTokenLimit: int
    outputTokenLimit: int
    supportedGenerationMethods: list[str]


@final
class GoogleModelList(TypedDict):
    models: list[GoogleModel]
    nextPageToken: NotRequired[str]


@final
class GooglePart(TypedDict):
    text: NotRequired[str | None]
    inlineData: NotRequired[GoogleBlob | None]
    functionCall: NotRequired[GooglePartFunctionCall | None]
    functionResponse: NotRequired[GooglePartFunctionResponse | None]
    thought: NotRequired[bool | None]
    thoughtSignature: NotRequired[str | None]


@final
class GooglePartFunctionCall(TypedDict):
    id: NotRequired[str | None]
    name: str
    args: NotRequired[dict[str, Any] | None]


@final
class GooglePartFunctionResponse(TypedDict):
    id: NotRequired[str | None]
    name: str
    response: NotRequired[dict[str, Any] | None]
    parts: NotRequired[list[GooglePartFunctionResponsePart] | None]


@final
class GooglePartFunctionResponsePart(TypedDict):
    inlineData: NotRequired[GoogleBlob | None]


@final
class GoogleSystemInstruction(TypedDict):
    parts: NotRequired[list[GoogleSystemInstructionPart] | None]


@final
class GoogleSystemInstructionPart(TypedDict):
    text: str


@final
class GoogleTool(TypedDict):
    functionDeclarations: NotRequired[list[GoogleToolFunctionDeclaration] | None]
    googleSearch: NotRequired[GoogleToolGoogleSearch | None]
    codeExecution: NotRequired[dict[str, Any] | None]
    computerUse: NotRequired[dict[str, Any] | None]


@final
class GoogleToolConfig(TypedDict):
    functionCallingConfig: NotRequired[GoogleToolConfigFunctionCallingConfig | None]


@final
class GoogleToolConfigFunctionCallingConfig(TypedDict):
    mode: NotRequired[Literal['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'] | None]
    allowedFunctionNames: NotRequired[list[str] | None]


@final
class GoogleToolFunctionDeclaration(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    parametersJsonSchema: NotRequired[dict[str, Any] | None]


@final
class GoogleToolGoogleSearch(TypedDict):
    searchTypes: NotRequired[GoogleToolGoogleSearchSearchTypes | None]


GoogleToolGoogleSearchSearchTypes: TypeAlias = "dict[str, Any]"


@final
class ImageData(TypedDict):
    id: str
    url: NotRequired[str]
    b64_json: NotRequired[str]
    mime_type: str


@final
class ImageGenerationResult(TypedDict):
    id: str
    model: str
    data: list[ImageData]
    usage: ImageGenerationResultUsage


@final
class ImageGenerationResultUsage(TypedDict):
    images: int


@final
class ImagesError(TypedDict):
    error: ImagesErrorError


@final
class ImagesErrorError(TypedDict):
    code: str
    message: str


@final
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


@final
class ImagesResult(TypedDict):
    created: int
    data: list[ImagesResultData]
    output_format: NotRequired[str]
    usage: NotRequired[ImagesResultUsage]


@final
class ImagesResultData(TypedDict):
    b64_json: NotRequired[str]
    url: NotRequired[str]


@final
class ImagesResultUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: ImagesResultUsageInputTokensDetails


@final
class ImagesResultUsageInputTokensDetails(TypedDict):
    text_tokens: int
    image_tokens: int


@final
class InputMessage(TypedDict):
    type: Literal['message']
    role: Literal['system', 'user', 'assistant', 'tool']
    content: NotRequired[list[ContentPart]]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


@final
class Invitation(TypedDict):
    id: str
    email: str
    role: Role
    invited_by: str
    created_at: str
    expires_at: str
    url: NotRequired[str]


@final
class InvitationCodeRequest(TypedDict):
    code: str


@final
class InvitationListResult(TypedDict):
    invitations: list[Invitation]
    next_cursor: NotRequired[str]


@final
class InvitationPreviewResult(TypedDict):
    project: InvitationPreviewResultProject
    email: str
    role: Role
    expires_at: str


@final
class InvitationPreviewResultProject(TypedDict):
    name: str


@final
class InvitationResult(TypedDict):
    invitation: Invitation


@final
class ItemBinding(TypedDict):
    pointer: NotRequired[str]
    path: NotRequired[str]
    to: NotRequired[str]
    to_placeholder: NotRequired[str]
    encoding: NotRequired[Literal['json', 'json_string']]


@final
class JoinAnyInput(TypedDict):
    predicate: NotRequired[EdgeCondition]


@final
class JoinCollectInput(TypedDict):
    predicate: NotRequired[EdgeCondition]
    limit: NotRequired[int]
    timeout_ms: NotRequired[int]


@final
class KeepBrowserSessionRequest(TypedDict):
    refresh_token: str


@final
class KeepaliveEvent(TypedDict):
    stream_version: Literal['v2']
    type: Literal['keepalive']


@final
class KvUpdatedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    kv_update: KvUpdatedEventKvUpdate
    type: Literal['kv_updated']


@final
class KvUpdatedEventKvUpdate(TypedDict):
    step: int
    request_id: str
    artifact_key: str
    bytes: int
    sha256: str
    tool_call_id: str
    key: str
    deleted: bool


@final
class LedgerVerify(TypedDict):
    differences: list[LedgerVerifyDifference]
    open_holds: int
    overrun_microcents: int
    unreconciled_microcents: int


@final
class LedgerVerifyDifference(TypedDict):
    account: str
    field: str
    stored: str
    recomputed: str


@final
class LintWorkflowResult(TypedDict):
    valid: bool
    issues: list[WorkflowIssue]


@final
class ListAccountTopUpsResult(TypedDict):
    topups: list[AccountTopUp]
    next_cursor: NotRequired[str]


@final
class ListAgentVersionsResult(TypedDict):
    versions: list[AgentVersion]
    next_cursor: NotRequired[str]


@final
class ListAgentsResult(TypedDict):
    agents: list[AgentSnapshot]
    next_cursor: NotRequired[str]


@final
class ListApiKeysResult(TypedDict):
    api_keys: list[ApiKey]
    next_cursor: NotRequired[str]


@final
class ListBatchesResult(TypedDict):
    object: Literal['list']
    data: list[FileBatch]
    first_id: str | None
    last_id: str | None
    has_more: bool


@final
class ListConnectionsResult(TypedDict):
    connections: list[Connection]
    next_cursor: NotRequired[str]


@final
class ListFilesResult(TypedDict):
    object: Literal['list']
    data: list[File]
    first_id: str | None
    last_id: str | None
    has_more: bool


@final
class ListMailboxesResult(TypedDict):
    mailboxes: list[Mailbox]
    next_cursor: NotRequired[str]


@final
class ListMcpServersResult(TypedDict):
    servers: list[McpServer]
    next_cursor: NotRequired[str]


@final
class ListMessagesResult(TypedDict):
    messages: list[Message]
    next_cursor: NotRequired[str]


@final
class ListModelsResult(TypedDict):
    models: list[Model]


@final
class ListMyTiersResult(TypedDict):
    tiers: list[Tier]


@final
class ListProjectRequestsResult(TypedDict):
    requests: list[StreamProjectRequestsResult]
    next_cursor: NotRequired[str]


@final
class ListProjectsResult(TypedDict):
    projects: list[Project]
    next_cursor: NotRequired[str]


@final
class ListResponseInputItemsResult(TypedDict):
    object: Literal['list']
    data: list[ListResponseInputItemsResultData]
    first_id: str | None
    last_id: str | None
    has_more: bool


@final
class ListResponseInputItemsResultData(TypedDict):
    id: str
    type: str


@final
class ListRunStepsResult(TypedDict):
    steps: list[RunStep]
    next_cursor: NotRequired[str]


@final
class ListRunTasksResult(TypedDict):
    tasks: list[RunTask]


@final
class ListRunsResult(TypedDict):
    runs: list[RunSummary]
    next_cursor: NotRequired[str]


@final
class ListSessionsResult(TypedDict):
    sessions: list[Session]
    next_cursor: NotRequired[str]


@final
class ListSigningKeysResult(TypedDict):
    keys: list[ListSigningKeysResultKey]


@final
class ListSigningKeysResultKey(TypedDict):
    kty: Literal['OKP']
    crv: Literal['Ed25519']
    x: str
    kid: str
    use: Literal['sig']
    alg: Literal['EdDSA']


@final
class ListSqlProfilesResult(TypedDict):
    profiles: list[SqlProfile]
    next_cursor: NotRequired[str]


@final
class ListStateHandlesResult(TypedDict):
    state_handles: list[StateHandle]
    next_cursor: NotRequired[str]


@final
class ListToolHookEventsResult(TypedDict):
    events: list[ToolHookEvent]
    next_cursor: NotRequired[str]


@final
class ListToolHooksResult(TypedDict):
    hooks: list[ToolHook]
    next_cursor: NotRequired[str]


@final
class ListWebhookEventTypesResult(TypedDict):
    event_types: list[ListWebhookEventTypesResultEventType]


@final
class ListWebhookEventTypesResultEventType(TypedDict):
    type: WebhookEventType
    description: str
    schema: dict[str, Any]
    example: dict[str, Any]


@final
class ListWebhookEventsResult(TypedDict):
    events: list[WebhookDelivery]
    next_cursor: NotRequired[str]


@final
class ListWebhooksResult(TypedDict):
    webhooks: list[Webhook]
    next_cursor: NotRequired[str]


@final
class LoginRequest(TypedDict):
    email: str
    password: str


@final
class Mailbox(TypedDict):
    address: str
    unread_count: int
    last_message_at: str
    last_subject: str


@final
class McpMessageRequest(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | int]
    method: str
    params: NotRequired[dict[str, Any]]


@final
class McpResult(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | int | None]
    method: NotRequired[str]
    params: NotRequired[dict[str, Any]]
    result: NotRequired[dict[str, Any]]
    error: NotRequired[McpResultError]


@final
class McpResultError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]


@final
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


@final
class McpServerResult(TypedDict):
    server: McpServer


McpServerTestStatus: TypeAlias = "Literal['success', 'timeout', 'error']"


@final
class McpTool(TypedDict):
    name: str
    tool: str
    description: str
    parameters: dict[str, Any]


@final
class MeResult(TypedDict):
    user: User


@final
class Member(TypedDict):
    user_id: str
    email: str
    role: Role
    account_owner: bool
    joined_at: str


@final
class MemberListResult(TypedDict):
    members: list[Member]
    next_cursor: NotRequired[str]


@final
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


@final
class MessagesAddedToolName(TypedDict):
    type: NotRequired[Literal['custom'] | None]
    name: str
    description: NotRequired[str | None]
    input_schema: dict[str, Any]


@final
class MessagesAddedToolType(TypedDict):
    type: str
    name: NotRequired[str]
    max_uses: NotRequired[int | None]
    max_content_tokens: NotRequired[int | None]
    allowed_domains: NotRequired[list[str] | None]
    blocked_domains: NotRequired[list[str] | None]
    user_location: NotRequired[dict[str, Any] | None]


MessagesAssistantBlock: TypeAlias = "MessagesTextBlock | MessagesAssistantBlockToolUse | MessagesAssistantBlockThinking | MessagesAssistantBlockRedactedThinking | MessagesAssistantBlockServerToolUse | MessagesAssistantBlockType"


@final
class MessagesAssistantBlockRedactedThinking(TypedDict):
    type: Literal['redacted_thinking']


@final
class MessagesAssistantBlockServerToolUse(TypedDict):
    type: Literal['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'tool_search_tool_result', 'code_execution_tool_result', 'bash_code_execution_tool_result', 'text_editor_code_execution_tool_result']


@final
class MessagesAssistantBlockThinking(TypedDict):
    type: Literal['thinking']


@final
class MessagesAssistantBlockToolUse(TypedDict):
    type: Literal['tool_use']
    id: str
    name: str
    input: Any


@final
class MessagesAssistantBlockType(TypedDict):
    type: str


@final
class MessagesContextManagement(TypedDict):
    edits: NotRequired[list[MessagesContextManagementEdit] | None]


@final
class MessagesContextManagementEdit(TypedDict):
    type: str


MessagesMessage: TypeAlias = "MessagesMessageUser | MessagesMessageAssistant | MessagesMessageSystem"


@final
class MessagesMessageAssistant(TypedDict):
    role: Literal['assistant']
    content: str | list[MessagesAssistantBlock]


@final
class MessagesMessageSystem(TypedDict):
    role: Literal['system']
    content: str | list[MessagesTextBlock | MessagesMessageSystemContentToolAddition]


@final
class MessagesMessageSystemContentToolAddition(TypedDict):
    type: Literal['tool_addition', 'tool_removal']
    tool: MessagesMessageSystemContentToolAdditionToolToolReference | MessagesMessageSystemContentToolAdditionToolToolDefinition


@final
class MessagesMessageSystemContentToolAdditionToolToolDefinition(TypedDict):
    type: Literal['tool_definition']
    definition: MessagesAddedTool


@final
class MessagesMessageSystemContentToolAdditionToolToolReference(TypedDict):
    type: Literal['tool_reference']
    name: str


@final
class MessagesMessageUser(TypedDict):
    role: Literal['user']
    content: str | list[MessagesUserBlock]


MessagesSystem: TypeAlias = "str | list[MessagesTextBlock]"


@final
class MessagesTextBlock(TypedDict):
    type: Literal['text']
    text: str


MessagesThinking: TypeAlias = "MessagesThinkingEnabled | MessagesThinkingDisabled | MessagesThinkingAdaptive | MessagesThinkingBetweenTools"


@final
class MessagesThinkingAdaptive(TypedDict):
    type: Literal['adaptive']


@final
class MessagesThinkingBetweenTools(TypedDict):
    type: Literal['between_tools']


@final
class MessagesThinkingDisabled(TypedDict):
    type: Literal['disabled']


@final
class MessagesThinkingEnabled(TypedDict):
    type: Literal['enabled']
    budget_tokens: int


MessagesTool: TypeAlias = "MessagesAddedToolName | MessagesAddedToolType"


MessagesToolChoice: TypeAlias = "MessagesToolChoiceAuto | MessagesToolChoiceAny | MessagesToolChoiceTool | MessagesToolChoiceNone"


@final
class MessagesToolChoiceAny(TypedDict):
    type: Literal['any']
    disable_parallel_tool_use: NotRequired[bool]


@final
class MessagesToolChoiceAuto(TypedDict):
    type: Literal['auto']
    disable_parallel_tool_use: NotRequired[bool]


@final
class MessagesToolChoiceNone(TypedDict):
    type: Literal['none']


@final
class MessagesToolChoiceTool(TypedDict):
    type: Literal['tool']
    name: str
    disable_parallel_tool_use: NotRequired[bool]


MessagesUserBlock: TypeAlias = "MessagesTextBlock | MessagesUserBlockImage | MessagesUserBlockDocument | MessagesUserBlockSearchResult | MessagesUserBlockToolResult | MessagesUserBlockType"


@final
class MessagesUserBlockDocument(TypedDict):
    type: Literal['document']
    title: NotRequired[str | None]
    context: NotRequired[str | None]
    source: MessagesUserBlockImageSourceBase64 | MessagesUserBlockDocumentSourceText | MessagesUserBlockDocumentSourceContent


@final
class MessagesUserBlockDocumentSourceContent(TypedDict):
    type: Literal['content']
    content: str | list[MessagesTextBlock | MessagesUserBlockImage]


@final
class MessagesUserBlockDocumentSourceText(TypedDict):
    type: Literal['text']
    data: str


@final
class MessagesUserBlockImage(TypedDict):
    type: Literal['image']
    source: MessagesUserBlockImageSourceBase64 | MessagesUserBlockImageSourceUrl


@final
class MessagesUserBlockImageSourceBase64(TypedDict):
    type: Literal['base64']
    data: str
    media_type: str


@final
class MessagesUserBlockImageSourceUrl(TypedDict):
    type: Literal['url']
    url: str


@final
class MessagesUserBlockSearchResult(TypedDict):
    type: Literal['search_result']
    source: str
    title: str
    content: list[MessagesTextBlock]


@final
class MessagesUserBlockToolResult(TypedDict):
    type: Literal['tool_result']
    tool_use_id: str
    content: NotRequired[str | list[MessagesTextBlock | MessagesUserBlockImage | MessagesUserBlockDocument | MessagesUserBlockSearchResult | MessagesUserBlockToolResultContentToolReference]]
    is_error: NotRequired[bool]


@final
class MessagesUserBlockToolResultContentToolReference(TypedDict):
    type: Literal['tool_reference']
    tool_name: str


@final
class MessagesUserBlockType(TypedDict):
    type: str


@final
class MintCustomerTokenRequest(TypedDict):
    customer_id: NotRequired[str]
    customer_external_id: NotRequired[str]
    ttl_seconds: NotRequired[int]
    tier_code: NotRequired[str]
    project_id: NotRequired[Any]


@final
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


@final
class ModelResponse(TypedDict):
    id: str
    output: list[OutputMessage]
    model: str
    provider: str
    stop_reason: str
    usage: ResponseUsage
    citations: NotRequired[list[Citation]]
    tool_results: NotRequired[list[ToolResult]]


@final
class ModelRoute(TypedDict):
    model_id: str
    provider: str
    upstream_model: str
    circuit: Literal['closed', 'open', 'half_open'] | str
    failures: int
    since: NotRequired[str]
    next_probe_at: NotRequired[str]


@final
class ModelRoutesResult(TypedDict):
    routes: list[ModelRoute]


@final
class ModerationsRequest(TypedDict):
    model: NotRequired[str | None]
    input: str | list[str] | list[ModerationsRequestInputText | ModerationsRequestInputImageUrl]


@final
class ModerationsRequestInputImageUrl(TypedDict):
    type: Literal['image_url']
    image_url: ModerationsRequestInputImageUrlImageUrl


@final
class ModerationsRequestInputImageUrlImageUrl(TypedDict):
    url: str


@final
class ModerationsRequestInputText(TypedDict):
    type: Literal['text']
    text: str


@final
class ModerationsResult(TypedDict):
    id: str
    model: str
    results: list[ModerationsResultResult]


@final
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


@final
class NodeFailedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    error: NodeFailedEventError
    canceled_nodes: NotRequired[list[str]]
    type: Literal['node_failed']


@final
class NodeFailedEventError(TypedDict):
    code: str
    message: str


@final
class NodeLlmCallEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    llm_call: NodeLlmCallEventLlmCall
    type: Literal['node_llm_call']


@final
class NodeLlmCallEventLlmCall(TypedDict):
    step: int
    request_id: str
    provider: str
    model: str
    response_id: str
    stop_reason: str
    usage: NodeLlmCallEventLlmCallUsage


@final
class NodeLlmCallEventLlmCallUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


@final
class NodeOutputDeltaEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    delta: NodeOutputDeltaEventDelta
    type: Literal['node_output_delta']


@final
class NodeOutputDeltaEventDelta(TypedDict):
    kind: Literal['text', 'reset']
    text_delta: str
    attempt: NotRequired[int]
    error: NotRequired[NodeOutputDeltaEventDeltaError]


@final
class NodeOutputDeltaEventDeltaError(TypedDict):
    code: str
    message: str


@final
class NodeOutputEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    node_output: NodeOutputEventNodeOutput
    type: Literal['node_output']


@final
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


@final
class NodeStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    type: Literal['node_started']


NodeStatus: TypeAlias = "Literal['pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled']"


@final
class NodeSucceededEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    canceled_nodes: NotRequired[list[str]]
    type: Literal['node_succeeded']


@final
class NodeToolCallEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    tool_call: NodeToolCallEventToolCall
    type: Literal['node_tool_call']


@final
class NodeToolCallEventToolCall(TypedDict):
    step: int
    request_id: str
    tool_call_id: str
    name: str
    arguments: str


@final
class NodeToolResultEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    tool_result: NodeToolResultEventToolResult
    type: Literal['node_tool_result']


@final
class NodeToolResultEventToolResult(TypedDict):
    step: int
    request_id: str
    tool_call_id: str
    name: str
    output: str


@final
class NodeWaitingEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    waiting: NodeWaitingEventWaiting
    type: Literal['node_waiting']


@final
class NodeWaitingEventWaiting(TypedDict):
    step: int
    request_id: str
    pending_tool_calls: list[NodeWaitingEventWaitingPendingToolCall]


@final
class NodeWaitingEventWaitingPendingToolCall(TypedDict):
    tool_call_id: str
    name: str
    arguments: str


@final
class OauthStartResult(TypedDict):
    redirect_url: str


@final
class OpenAiError(TypedDict):
    error: OpenAiErrorError


@final
class OpenAiErrorError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str | None


@final
class OpenAiModel(TypedDict):
    id: str
    object: Literal['model']
    created: int
    owned_by: str
    context_length: int
    architecture: OpenAiModelArchitecture
    supported_parameters: list[str]


@final
class OpenAiModelArchitecture(TypedDict):
    input_modalities: list[str]
    output_modalities: list[str]


@final
class OpenAiModelList(TypedDict):
    object: Literal['list']
    data: list[OpenAiModel]


@final
class OpenAiResponse(TypedDict):
    id: str
    object: Literal['response']
    created_at: int
    status: Literal['completed', 'incomplete', 'queued', 'in_progress', 'failed', 'cancelled']
    model: str
    output: list[OpenAiResponseOutput]
    usage: OpenAiResponseUsage | None


@final
class OpenAiResponseEvent(TypedDict):
    type: str
    sequence_number: NotRequired[int]


@final
class OpenAiResponseOutput(TypedDict):
    type: str


@final
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
    service_tier: NotRequired[str | None]
    metadata: NotRequired[dict[str, str] | None]


@final
class OpenAiResponseRequestConversation(TypedDict):
    id: str


@final
class OpenAiResponseRequestReasoning(TypedDict):
    effort: NotRequired[str | None]
    mode: NotRequired[Literal['standard'] | None]


@final
class OpenAiResponseRequestText(TypedDict):
    format: NotRequired[ResponsesTextFormat | None]


@final
class OpenAiResponseUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


@final
class OutputFormat(TypedDict):
    type: Literal['text', 'json_schema', 'json_object']
    json_schema: NotRequired[OutputFormatJsonSchema]


@final
class OutputFormatJsonSchema(TypedDict):
    name: str
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool]


@final
class OutputMessage(TypedDict):
    type: Literal['message']
    role: Literal['assistant', 'tool']
    content: list[ContentPart]
    tool_calls: NotRequired[list[ToolCall]]
    tool_call_id: NotRequired[str]


@final
class OwnerDevice(TypedDict):
    client_name: str
    address: str
    requested_at: str
    expires_at: str


@final
class OwnerDeviceApproveRequest(TypedDict):
    user_code: str
    decision: Literal['approve', 'deny']


@final
class OwnerDevicePreviewRequest(TypedDict):
    user_code: str


@final
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


@final
class Payment(TypedDict):
    id: str
    kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice', 'refund', 'dispute']
    status: Literal['pending', 'completed', 'expired', 'failed', 'disputed', 'won', 'lost']
    customer_id: NotRequired[str]
    tier_id: NotRequired[str]
    parent_id: NotRequired[str]
    amount_cents: NotRequired[int]
    tax_cents: NotRequired[int]
    currency: NotRequired[str]
    period_start: NotRequired[str]
    period_end: NotRequired[str]
    invoice_url: NotRequired[str]
    receipt_url: NotRequired[str]
    reversed_cents: int
    failure: NotRequired[str]
    undone: bool
    created_at: str
    ended_at: NotRequired[str]


@final
class PaymentDetail(TypedDict):
    payment: Payment
    refundable_cents: int
    refunds: list[Refund]


@final
class PaymentList(TypedDict):
    payments: list[Payment]
    totals: NotRequired[list[PaymentTotals]]
    next_cursor: NotRequired[str]


@final
class PaymentTotals(TypedDict):
    currency: str
    received_cents: int
    tax_cents: int
    refunded_cents: int
    disputed_cents: int
    net_cents: int
    count: int


@final
class PendingToolCalls(TypedDict):
    node_id: str
    step: int
    request_id: str
    tool_calls: list[RunStepToolCall]


@final
class PendingToolsResult(TypedDict):
    run_id: str
    pending: list[PendingToolCalls]


Permission: TypeAlias = "Literal['project.read', 'project.update', 'project.delete', 'members.read', 'members.manage', 'membership.end', 'money.read', 'money.manage', 'tiers.read', 'tiers.manage', 'customers.read', 'customers.manage', 'customers.delete', 'requests.read', 'keys.read', 'keys.manage', 'resources.read', 'resources.manage', 'models.use']"


@final
class PortalLinkRequest(TypedDict):
    return_url: NotRequired[str]


@final
class PortalLinkResult(TypedDict):
    url: str
    expires_at: str


@final
class PortalSessionResult(TypedDict):
    session_id: str
    token: str
    token_type: Literal['Bearer']
    expires_at: str
    return_url: NotRequired[str]
    project: PortalSessionResultProject


@final
class PortalSessionResultProject(TypedDict):
    id: str
    name: str
    portal_color: NotRequired[str]


@final
class PriceMigration(TypedDict):
    preview: bool
    subscriptions: int
    before_cents: int
    after_cents: int
    currency: str
    interval: str


@final
class PriceMigrationInput(TypedDict):
    preview: NotRequired[bool]


@final
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


@final
class ProjectResult(TypedDict):
    project: Project


Provider: TypeAlias = "Literal['openai', 'anthropic', 'google-ai-studio', 'xai', 'custom', 'sandbox']"


@final
class ReceiveStripeWebhookResult(TypedDict):
    received: bool


@final
class RecoverWebhookRequest(TypedDict):
    since: str


@final
class Refund(TypedDict):
    id: str
    payment_id: str
    amount_cents: int
    currency: NotRequired[str]
    status: Literal['pending', 'succeeded', 'failed']
    failure: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str]


@final
class RefundPaymentRequest(TypedDict):
    amount_cents: NotRequired[int]


@final
class RefundResult(TypedDict):
    refund: Refund


@final
class RefusedMcpTool(TypedDict):
    tool: str
    reason: str


@final
class RegisterRequest(TypedDict):
    email: str
    password: str
    billing_provider: NotRequired[Literal['stripe', 'crypto', 'app_store', 'external']]


@final
class ReplayAgentRequest(TypedDict):
    input: NotRequired[list[InputMessage]]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]
    mock_tools: NotRequired[dict[str, Any]]
    run_id: NotRequired[str]


@final
class RequestCompletedWebhookEvent(TypedDict):
    event_type: Literal['request.completed']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookRequestData


@final
class RequestPasswordResetRequest(TypedDict):
    email: str


ResponseEvent: TypeAlias = "StartEvent | UpdateEvent | ToolUseStartEvent | ToolUseDeltaEvent | ToolUseStopEvent | CompletionEvent | ErrorEvent | KeepaliveEvent"


@final
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


@final
class ResponsesContentPartInputFile(TypedDict):
    type: Literal['input_file']
    file_data: str
    filename: NotRequired[str | None]


@final
class ResponsesContentPartInputImage(TypedDict):
    type: Literal['input_image']
    image_url: str


@final
class ResponsesContentPartInputText(TypedDict):
    type: Literal['input_text', 'output_text']
    text: str


ResponsesInputItem: TypeAlias = "ResponsesInputItemRole | ResponsesInputItem2 | ResponsesInputItem3 | ResponsesInputItem4 | ResponsesInputItemInput | ResponsesInputItem5 | ResponsesInputItemAction | ResponsesInputItem6 | ResponsesInputItem7 | ResponsesInputItem8 | ResponsesInputItem9 | ResponsesInputItemId | ResponsesInputItemType"


@final
class ResponsesInputItem2(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    namespace: NotRequired[str | None]
    arguments: str


@final
class ResponsesInputItem3(TypedDict):
    type: Literal['function_call_output', 'custom_tool_call_output']
    call_id: str
    output: str | list[ResponsesContentPart]


@final
class ResponsesInputItem4(TypedDict):
    type: Literal['reasoning']


@final
class ResponsesInputItem5(TypedDict):
    type: Literal['additional_tools']
    tools: list[ResponsesTool]


@final
class ResponsesInputItem6(TypedDict):
    type: Literal['local_shell_call_output']
    id: NotRequired[str | None]
    call_id: NotRequired[str | None]
    output: str


@final
class ResponsesInputItem7(TypedDict):
    type: Literal['tool_search_call']
    call_id: NotRequired[str | None]
    execution: NotRequired[Literal['server', 'client'] | None]
    arguments: Any


@final
class ResponsesInputItem8(TypedDict):
    type: Literal['tool_search_output']
    call_id: NotRequired[str | None]
    tools: list[ResponsesTool]


@final
class ResponsesInputItem9(TypedDict):
    type: Literal['web_search_call']


@final
class ResponsesInputItemAction(TypedDict):
    type: Literal['local_shell_call']
    id: NotRequired[str | None]
    call_id: str
    action: ResponsesInputItemActionAction


@final
class ResponsesInputItemActionAction(TypedDict):
    command: list[str]


@final
class ResponsesInputItemId(TypedDict):
    type: Literal['item_reference']
    id: str


@final
class ResponsesInputItemInput(TypedDict):
    type: Literal['custom_tool_call']
    call_id: str
    name: str
    namespace: NotRequired[str | None]
    input: str


@final
class ResponsesInputItemRole(TypedDict):
    type: NotRequired[Literal['message']]
    role: Literal['user', 'assistant', 'system', 'developer']
    content: str | list[ResponsesContentPart]


@final
class ResponsesInputItemType(TypedDict):
    type: str


@final
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


@final
class ResponsesInputTokensRequestConversation(TypedDict):
    id: str


@final
class ResponsesInputTokensRequestText(TypedDict):
    format: NotRequired[ResponsesTextFormat | None]


ResponsesTextFormat: TypeAlias = "ResponsesTextFormatText | ResponsesTextFormatJsonObject | ResponsesTextFormatJsonSchema"


@final
class ResponsesTextFormatJsonObject(TypedDict):
    type: Literal['json_object']


@final
class ResponsesTextFormatJsonSchema(TypedDict):
    type: Literal['json_schema']
    name: str
    schema: dict[str, Any]
    description: NotRequired[str | None]
    strict: NotRequired[bool | None]


@final
class ResponsesTextFormatText(TypedDict):
    type: Literal['text']


ResponsesTool: TypeAlias = "ResponsesToolFunction | ResponsesToolCustom | ResponsesToolNamespace | ResponsesToolWebSearch | ResponsesToolToolSearch | ResponsesToolShell | ResponsesToolLocalShell"


ResponsesToolChoice: TypeAlias = "Literal['none', 'auto', 'required'] | ResponsesToolChoiceObject"


ResponsesToolChoiceObject: TypeAlias = "ResponsesToolChoiceObjectFunction | ResponsesToolChoiceObjectAllowedTools"


@final
class ResponsesToolChoiceObjectAllowedTools(TypedDict):
    type: Literal['allowed_tools']
    mode: Literal['auto', 'required']
    tools: list[ResponsesToolChoiceObjectAllowedToolsTool]


@final
class ResponsesToolChoiceObjectAllowedToolsTool(TypedDict):
    type: str
    name: NotRequired[str]


@final
class ResponsesToolChoiceObjectFunction(TypedDict):
    type: Literal['function', 'custom', 'web_search', 'web_search_2025_08_26', 'local_shell', 'apply_patch', 'shell']
    name: NotRequired[str]


@final
class ResponsesToolCustom(TypedDict):
    type: Literal['custom']
    name: str
    description: NotRequired[str | None]
    format: NotRequired[ResponsesToolCustomFormat | None]


@final
class ResponsesToolCustomFormat(TypedDict):
    type: str
    definition: NotRequired[str]


@final
class ResponsesToolFunction(TypedDict):
    type: Literal['function']
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


@final
class ResponsesToolLocalShell(TypedDict):
    type: Literal['local_shell', 'apply_patch', 'computer', 'computer_use_preview']


@final
class ResponsesToolNamespace(TypedDict):
    type: Literal['namespace']
    name: str
    description: NotRequired[str | None]
    tools: list[ResponsesToolFunction | ResponsesToolCustom]


@final
class ResponsesToolShell(TypedDict):
    type: Literal['shell']
    environment: ResponsesToolShellEnvironment


@final
class ResponsesToolShellEnvironment(TypedDict):
    type: Literal['local']


@final
class ResponsesToolToolSearch(TypedDict):
    type: Literal['tool_search']
    execution: NotRequired[Literal['server', 'client'] | None]
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


@final
class ResponsesToolWebSearch(TypedDict):
    type: Literal['web_search', 'web_search_2025_08_26']
    filters: NotRequired[dict[str, Any] | None]
    user_location: NotRequired[dict[str, Any] | None]


@final
class ResumeMySubscriptionResult(TypedDict):
    subscription: Subscription


@final
class RetryPolicy(TypedDict):
    max_attempts: int
    retryable_errors: NotRequired[list[str]]
    backoff_ms: NotRequired[int]


Role: TypeAlias = "Literal['owner', 'admin', 'developer', 'billing', 'viewer']"


@final
class RotateApiKeyRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    expires_at: NotRequired[str]


@final
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


@final
class RunAgentRequest(TypedDict):
    input: list[InputMessage]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]


@final
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


@final
class RunCanceledEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    type: Literal['run_canceled']


@final
class RunCompiledEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    type: Literal['run_compiled']


@final
class RunCompletedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    outputs: dict[str, Any]
    type: Literal['run_completed']


@final
class RunCost(TypedDict):
    total_usd_cents: float
    line_items: list[RunCostItem]


@final
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


@final
class RunError(TypedDict):
    code: str
    message: str


RunEvent: TypeAlias = "RunCompiledEvent | RunStartedEvent | RunCompletedEvent | RunFailedEvent | RunCanceledEvent | NodeStartedEvent | NodeSucceededEvent | NodeFailedEvent | NodeOutputEvent | NodeOutputDeltaEvent | NodeWaitingEvent | NodeLlmCallEvent | NodeToolCallEvent | NodeToolResultEvent | KvUpdatedEvent | TaskListUpdatedEvent | SchedulerStartedEvent | SchedulerRoundStartedEvent | SchedulerAgentCompletedEvent | SchedulerStoppedEvent"


@final
class RunFailedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    error: RunFailedEventError
    type: Literal['run_failed']


@final
class RunFailedEventError(TypedDict):
    code: str
    message: str


@final
class RunNode(TypedDict):
    id: str
    type: str
    depends_on: NotRequired[list[str]]
    status: NodeStatus
    started_at: NotRequired[str]
    ended_at: NotRequired[str]
    output: NotRequired[Any]
    error: NotRequired[RunNodeError]


@final
class RunNodeError(TypedDict):
    code: str
    message: str


@final
class RunStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    plan_hash: str
    type: Literal['run_started']


RunStatus: TypeAlias = "Literal['running', 'waiting', 'succeeded', 'failed', 'canceled']"


@final
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


@final
class RunStepError(TypedDict):
    code: str


@final
class RunStepLlmCall(TypedDict):
    step: int
    request_id: str
    provider: str
    model: str
    response_id: str
    stop_reason: str
    usage: RunStepLlmCallUsage


RunStepLlmCallUsage: TypeAlias = "dict[str, Any]"


@final
class RunStepToolCall(TypedDict):
    tool_call_id: str
    name: str
    arguments: str


@final
class RunStepToolResult(TypedDict):
    tool_call_id: str
    name: str
    output: str


@final
class RunSummary(TypedDict):
    run_id: str
    status: RunStatus
    plan_hash: str
    name: NotRequired[str]
    customer_id: NotRequired[str]
    created_at: str
    ended_at: NotRequired[str]


@final
class RunTask(TypedDict):
    content: str
    status: Literal['pending', 'in_progress', 'completed']


@final
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


@final
class SchedulerAgentCompletedEventError(TypedDict):
    code: str
    message: str


@final
class SchedulerPolicy(TypedDict):
    max_rounds: int
    max_concurrency: int
    max_steps: int
    timeout_ms: int


@final
class SchedulerPolicyInput(TypedDict):
    max_rounds: NotRequired[int]
    max_concurrency: NotRequired[int]
    max_steps: NotRequired[int]
    timeout_ms: NotRequired[int]


@final
class SchedulerRoundStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    round: int
    type: Literal['scheduler_round_started']


@final
class SchedulerStartedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    policy: SchedulerPolicy
    type: Literal['scheduler_started']


@final
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


@final
class Session(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    metadata: dict[str, Any]
    message_count: int
    created_at: str
    updated_at: str


@final
class SessionMessage(TypedDict):
    id: str
    seq: int
    role: Literal['system', 'user', 'assistant', 'tool']
    content: str | list[SessionMessageContent]
    run_id: NotRequired[str]
    created_at: str


@final
class SessionMessageContent(TypedDict):
    type: str


@final
class SessionWithMessages(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    metadata: dict[str, Any]
    message_count: int
    created_at: str
    updated_at: str
    messages: list[SessionMessage]


@final
class SetAutoTopUpRequest(TypedDict):
    enabled: bool
    threshold_cents: int
    amount_cents: int


@final
class SetCustomerSubscriptionResult(TypedDict):
    subscription: Subscription


@final
class SetSubscriptionRequest(TypedDict):
    tier_code: str
    subscription_status: NotRequired[Literal['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused']]
    billing_provider: NotRequired[Literal['external', 'crypto', 'app_store']]
    billing_customer_id: NotRequired[str]
    billing_subscription_id: NotRequired[str]
    current_period_start: NotRequired[str]
    current_period_end: NotRequired[str]


@final
class SignIn(TypedDict):
    id: str
    client_name: NotRequired[str]
    address: NotRequired[str]
    signed_in_at: str
    expires_at: str


@final
class SignInListResult(TypedDict):
    sign_ins: list[SignIn]
    next_cursor: NotRequired[str]


@final
class SignInOptions(TypedDict):
    oauth_providers: list[Literal['github', 'google']]
    oauth_names: dict[str, str]
    demo_owner: bool
    password_reset: bool


@final
class SignUpInBrowserRequest(TypedDict):
    email: str
    password: str


@final
class SignupProject(TypedDict):
    issued_key: ApiKey
    project: Project


@final
class SimpleError(TypedDict):
    error: str


SpeechEvent: TypeAlias = "SpeechEventType | OpenAiError"


@final
class SpeechEventType(TypedDict):
    type: str


SqlDialect: TypeAlias = "Literal['sqlite', 'postgres', 'mysql', 'sqlserver']"


@final
class SqlPolicy(TypedDict):
    dialect: SqlDialect
    read_only: bool
    tables: NotRequired[SqlPolicyTables | None]
    columns: NotRequired[SqlPolicyColumns | None]
    joins: NotRequired[SqlPolicyJoins | None]
    subqueries: NotRequired[SqlPolicySubqueries | None]
    functions: NotRequired[SqlPolicyFunctions | None]
    limits: NotRequired[SqlPolicyLimits | None]


@final
class SqlPolicyColumns(TypedDict):
    hidden: NotRequired[list[str] | None]


@final
class SqlPolicyFunctions(TypedDict):
    allowlist: NotRequired[list[str] | None]


@final
class SqlPolicyJoins(TypedDict):
    max_joins: NotRequired[int | None]


@final
class SqlPolicyLimits(TypedDict):
    default_limit: NotRequired[int | None]
    max_limit: NotRequired[int | None]
    timeout_ms: NotRequired[int | None]


@final
class SqlPolicySubqueries(TypedDict):
    allowed: NotRequired[bool | None]


@final
class SqlPolicyTables(TypedDict):
    allowlist: NotRequired[list[str] | None]
    denylist: NotRequired[list[str] | None]


@final
class SqlProfile(TypedDict):
    id: str
    project_id: str
    name: str
    policy: SqlPolicy
    created_at: str
    updated_at: str


@final
class SqlProfileResult(TypedDict):
    profile: SqlProfile


@final
class StartCardSetupCheckout(TypedDict):
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


@final
class StartCardVerificationRequest(TypedDict):
    success_url: NotRequired[str]
    cancel_url: NotRequired[str]


@final
class StartEvent(TypedDict):
    request_id: str
    provider: str
    model: str
    stream_mode: Literal['text-delta', 'structured-patch']
    stream_version: Literal['v2']
    type: Literal['start']


@final
class StartPortalSessionRequest(TypedDict):
    project_id: str
    code: str


@final
class StateHandle(TypedDict):
    id: str
    project_id: str
    customer_id: NotRequired[str]
    created_at: str
    expires_at: NotRequired[str]


@final
class StateHandleDataResult(TypedDict):
    state_handle: StateHandle
    kv: dict[str, str]
    tasks: list[RunTask]


@final
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


@final
class StatementStatementLine(TypedDict):
    kind: str
    model: NotRequired[str]
    entries: int
    amount_microcents: int


@final
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


@final
class StoredImage(TypedDict):
    id: str
    pinned: bool
    url: str
    expires_at: NotRequired[str]


@final
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


@final
class SubmitToolResultsRequest(TypedDict):
    node_id: str
    step: int
    request_id: str
    results: list[SubmitToolResultsRequestResult]


@final
class SubmitToolResultsRequestResult(TypedDict):
    tool_call_id: str
    name: str
    output: str


@final
class SubscribeCustomerRequest(TypedDict):
    tier_id: str
    success_url: str
    cancel_url: str


@final
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


@final
class SwitchCase(TypedDict):
    route: str
    op: Literal['equals', 'matches', 'exists']
    path: NotRequired[str]
    value: NotRequired[Any]


@final
class TaskListUpdatedEvent(TypedDict):
    envelope_version: Literal['v0']
    run_id: str
    seq: int
    ts: str
    node_id: str
    task_list: TaskListUpdatedEventTaskList
    type: Literal['task_list_updated']


@final
class TaskListUpdatedEventTaskList(TypedDict):
    step: int
    request_id: str
    artifact_key: str
    bytes: int
    sha256: str
    tool_call_id: str
    tasks: list[TaskListUpdatedEventTaskListTask]


@final
class TaskListUpdatedEventTaskListTask(TypedDict):
    content: str
    status: Literal['pending', 'in_progress', 'completed']


@final
class TestAgentRequest(TypedDict):
    input: list[InputMessage]
    options: NotRequired[RunAgentRequestOptions]
    customer_id: NotRequired[str]
    mock_tools: NotRequired[dict[str, Any]]


@final
class TestConnectionResult(TypedDict):
    status: Literal['success', 'error']
    response_status: int | None
    latency_ms: int
    error: str | None


@final
class TestMcpServerResult(TypedDict):
    status: McpServerTestStatus
    response_status: int | None
    latency_ms: int
    error: str | None
    tools: list[McpTool]
    refused_tools: list[RefusedMcpTool]


@final
class TestToolHookResult(TypedDict):
    status: ToolHookStatus
    response_status: int | None
    response_body: str
    latency_ms: int
    error: str | None


@final
class TestWebhookRequest(TypedDict):
    event_type: NotRequired[str | None]


@final
class TestWebhookResult(TypedDict):
    status: Literal['delivered', 'failed']
    response_status: int | None
    response_body: str
    latency_ms: int
    error: str | None


@final
class TextPart(TypedDict):
    type: Literal['text']
    text: str
    logprobs: NotRequired[list[TextPartLogprob]]


TextPartLogprob: TypeAlias = "dict[str, Any]"


@final
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
    price_sync: NotRequired[Literal['pending', 'ready', 'failed']]
    price_sync_failure: NotRequired[str]
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[str]
    trial_days: NotRequired[int]
    promo_credits_cents: NotRequired[int]
    customer_token_max_ttl_seconds: NotRequired[int]
    rate_limit_per_minute: NotRequired[int]
    overage_enabled: bool
    is_default: bool
    visibility: Literal['portal', 'link', 'private']
    sort_order: int
    features: list[str]
    group: NotRequired[str]
    allow_promotion_codes: bool
    created_at: str
    updated_at: str


@final
class TierChange(TypedDict):
    subscription: TierChangeSubscription
    action: Literal['upgraded', 'downgraded', 'changed', 'unchanged', 'scheduled_cancellation']


@final
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


@final
class TierChangeSubscription(TypedDict):
    tier_code: str
    tier_display_name: str
    price_amount_cents: NotRequired[int]
    price_currency: NotRequired[str]
    price_interval: NotRequired[Literal['month', 'year']]
    subscription_status: str
    current_period_start: str
    current_period_end: str


@final
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


@final
class TierModelInput(TypedDict):
    model_id: str
    is_default: NotRequired[bool]
    input_price_per_million_cents: NotRequired[int]
    output_price_per_million_cents: NotRequired[int]
    cached_input_price_per_million_cents: NotRequired[int]
    price_per_image_cents: NotRequired[int]
    fee_markup_percentage: NotRequired[float]
    id: NotRequired[Any]
    tier_id: NotRequired[Any]
    model_display_name: NotRequired[Any]
    description: NotRequired[Any]
    capabilities: NotRequired[Any]
    context_window: NotRequired[Any]
    max_output_tokens: NotRequired[Any]
    deprecated: NotRequired[Any]
    created_at: NotRequired[Any]
    updated_at: NotRequired[Any]


@final
class Tool(TypedDict):
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolFunction]
    web: NotRequired[ToolWeb]
    x_search: NotRequired[ToolXSearch]
    code_execution: NotRequired[ToolCodeExecution]
    image_generation: NotRequired[ToolImageGeneration]


@final
class ToolCall(TypedDict):
    id: str
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolCallFunction]


@final
class ToolCallFunction(TypedDict):
    name: str
    arguments: str


@final
class ToolChoice(TypedDict):
    type: Literal['auto', 'required', 'none']
    function: NotRequired[str]


ToolCodeExecution: TypeAlias = "dict[str, Any]"


@final
class ToolExecution(TypedDict):
    mode: NotRequired[Literal['server', 'client']]


ToolFailurePolicy: TypeAlias = "Literal['stop', 'continue', 'retry']"


@final
class ToolFunction(TypedDict):
    name: str
    description: NotRequired[str]
    parameters: NotRequired[dict[str, Any]]


@final
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


@final
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


@final
class ToolHookResult(TypedDict):
    hook: ToolHook


ToolHookStatus: TypeAlias = "Literal['success', 'blocked', 'timeout', 'error']"


ToolHookType: TypeAlias = "Literal['pre_tool_use', 'post_tool_use', 'tool_execute']"


@final
class ToolImageGeneration(TypedDict):
    model: str


@final
class ToolLimitsSpec(TypedDict):
    max_llm_calls: NotRequired[int]
    max_tool_calls_per_step: NotRequired[int]
    wait_ttl_ms: NotRequired[int]


@final
class ToolRef(TypedDict):
    definition: NotRequired[Tool]
    hook_id: NotRequired[str]
    fragment: NotRequired[ToolRefFragment]
    mcp_server: NotRequired[str]


@final
class ToolRefFragment(TypedDict):
    ref: str
    inputs: NotRequired[dict[str, str]]


@final
class ToolResult(TypedDict):
    tool_call_id: str
    name: str
    output: Any


@final
class ToolUseDeltaEvent(TypedDict):
    tool_call_delta: ToolUseStartEventToolCallDelta
    type: Literal['tool_use_delta']


@final
class ToolUseStartEvent(TypedDict):
    tool_call_delta: ToolUseStartEventToolCallDelta
    type: Literal['tool_use_start']


@final
class ToolUseStartEventToolCallDelta(TypedDict):
    id: str
    type: Literal['function', 'web', 'x_search', 'code_execution', 'image_generation']
    function: NotRequired[ToolUseStartEventToolCallDeltaFunction]
    index: int


@final
class ToolUseStartEventToolCallDeltaFunction(TypedDict):
    name: str
    arguments: str


@final
class ToolUseStopEvent(TypedDict):
    tool_calls: list[ToolCall]
    tool_result: NotRequired[ToolResult]
    type: Literal['tool_use_stop']


ToolWeb: TypeAlias = "dict[str, Any]"


ToolXSearch: TypeAlias = "dict[str, Any]"


@final
class TopUpWalletRequest(TypedDict):
    credit_amount_cents: int
    success_url: str
    cancel_url: str


TranscriptEvent: TypeAlias = "TranscriptEventType | OpenAiError"


@final
class TranscriptEventType(TypedDict):
    type: str


@final
class TranscriptionResult(TypedDict):
    text: str


@final
class UnchargedUsage(TypedDict):
    usage: list[UnchargedUsageUsage]
    next_cursor: NotRequired[str]


@final
class UnchargedUsageUsage(TypedDict):
    request_id: str
    customer_id: NotRequired[str]
    model: str
    overrun_microcents: int
    unreconciled_microcents: int
    occurred_at: str


@final
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


@final
class UpdateApiKeyRequest(TypedDict):
    label: NotRequired[str]
    expires_at: NotRequired[str | None]


@final
class UpdateConnectionRequest(TypedDict):
    name: NotRequired[str]
    mode: NotRequired[Literal['prefer', 'only']]
    preset: NotRequired[str | None]
    wire: NotRequired[str | None]
    base_url: NotRequired[str | None]
    auth: NotRequired[ConnectionAuth | None]
    timeouts: NotRequired[ConnectionTimeouts | None]
    keys: NotRequired[list[CreateConnectionRequestKey]]
    headers: NotRequired[dict[str, str]]
    models: NotRequired[list[CreateConnectionRequestModel]]


@final
class UpdateConversationRequest(TypedDict):
    metadata: dict[str, str] | None


UpdateEvent: TypeAlias = "UpdateEventDelta | UpdateEventPatch"


@final
class UpdateEventDelta(TypedDict):
    delta: str
    content: NotRequired[str]
    type: Literal['update']


@final
class UpdateEventPatch(TypedDict):
    patch: list[UpdateEventPatchPatch]
    complete_fields: list[str]
    type: Literal['update']


@final
class UpdateEventPatchPatch(TypedDict):
    op: Literal['add', 'replace']
    path: str
    value: Any


@final
class UpdateMcpServerRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    headers: NotRequired[dict[str, str] | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    tools_allowlist: NotRequired[list[str] | None]


@final
class UpdateMemberRequest(TypedDict):
    role: Role


@final
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


@final
class UpdateSessionRequest(TypedDict):
    metadata: dict[str, Any]


@final
class UpdateSqlProfileRequest(TypedDict):
    name: NotRequired[str]
    policy: NotRequired[SqlPolicy]


@final
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
    visibility: NotRequired[Literal['portal', 'link', 'private']]
    sort_order: NotRequired[int]
    features: NotRequired[list[str]]
    group: NotRequired[str | None]
    allow_promotion_codes: NotRequired[bool]
    id: NotRequired[Any]
    project_id: NotRequired[Any]
    price_sync: NotRequired[Any]
    price_sync_failure: NotRequired[Any]
    created_at: NotRequired[Any]
    updated_at: NotRequired[Any]


@final
class UpdateTierResult(TypedDict):
    tier: Tier


@final
class UpdateToolHookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    timeout_ms: NotRequired[int | None]
    fail_behavior: NotRequired[str | None]
    tools_allowlist: NotRequired[list[str] | None]
    allow_mutation: NotRequired[bool | None]
    rotate_secret: NotRequired[bool | None]


@final
class UpdateToolHookResult(TypedDict):
    hook: ToolHook
    signing_secret: NotRequired[str]


@final
class UpdateWebhookRequest(TypedDict):
    endpoint_url: NotRequired[str | None]
    events: NotRequired[list[str] | None]
    enabled: NotRequired[bool | None]
    signature_form: NotRequired[str | None]
    retry_schedule: NotRequired[str | None]
    rotate_secret: NotRequired[bool | None]
    overlap_seconds: NotRequired[int | None]


@final
class UsageThresholdExceededWebhookEvent(TypedDict):
    event_type: Literal['usage.threshold_exceeded']
    event_id: str
    timestamp: str
    project_id: str
    data: WebhookThresholdData


@final
class User(TypedDict):
    id: str
    email: str
    project_id: str
    created_at: str


@final
class ValidateSqlRequest(TypedDict):
    sql: str
    profile_id: NotRequired[str]
    policy: NotRequired[SqlPolicy]


@final
class ValidateSqlResult(TypedDict):
    valid: bool
    normalized_sql: str
    read_only: bool
    tables: list[str]
    limit: NotRequired[int]
    timeout_ms: NotRequired[int]


@final
class WalletTopUp(TypedDict):
    id: str
    session_id: str
    url: str
    checkout_url: str
    credit_amount_cents: int
    status: Literal['pending', 'completed', 'expired', 'failed']


@final
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


@final
class WebhookAdmissionData(TypedDict):
    account_id: str
    refusal_code: str
    required_microcents: int
    available_microcents: int
    shortfall_microcents: int


@final
class WebhookAttempt(TypedDict):
    attempt: int
    outcome: Literal['delivered', 'retry', 'failed', 'interrupted']
    response_status: NotRequired[int]
    latency_ms: NotRequired[int]
    error: NotRequired[str]
    started_at: str


@final
class WebhookCustomerData(TypedDict):
    customer: WebhookCustomerDataCustomer


@final
class WebhookCustomerDataCustomer(TypedDict):
    id: str
    external_id: str
    email: str
    tier_id: NotRequired[str]
    tier_code: NotRequired[str]
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


@final
class WebhookDeletedCustomerData(TypedDict):
    customer: WebhookDeletedCustomerDataCustomer


@final
class WebhookDeletedCustomerDataCustomer(TypedDict):
    id: str
    external_id: str
    email: str
    tier_id: NotRequired[str]
    tier_code: NotRequired[str]


@final
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


@final
class WebhookDisputeData(TypedDict):
    payment_id: str
    dispute_id: str
    customer_id: str
    kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice']
    amount_cents: int
    currency: str
    reason: str


@final
class WebhookEventResult(TypedDict):
    event: WebhookDelivery


WebhookEventType: TypeAlias = "Literal['customer.created', 'customer.updated', 'customer.deleted', 'usage.threshold_exceeded', 'request.completed', 'billing.subscription_changed', 'billing.payment_succeeded', 'billing.payment_refunded', 'billing.payment_failed', 'billing.dispute_opened', 'account.admission_blocked']"


@final
class WebhookFailedPaymentData(TypedDict):
    payment_id: str
    customer_id: NotRequired[str]
    kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice']
    amount_cents: int
    currency: str
    reason: str
    invoice_url: NotRequired[str]


@final
class WebhookIntervalFigures(TypedDict):
    at: str
    deliveries: WebhookIntervalFiguresDeliveries
    success_rate: float | None
    latency_ms: WebhookIntervalFiguresLatencyMs


@final
class WebhookIntervalFiguresDeliveries(TypedDict):
    pending: int
    processing: int
    delivered: int
    failed: int


@final
class WebhookIntervalFiguresLatencyMs(TypedDict):
    p50: NotRequired[int]
    p95: NotRequired[int]
    p99: NotRequired[int]


@final
class WebhookPaymentData(TypedDict):
    payment_id: str
    customer_id: str
    kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice']
    amount_cents: int
    tax_cents: int
    currency: str
    period_start: NotRequired[str]
    period_end: NotRequired[str]
    invoice_url: NotRequired[str]
    receipt_url: NotRequired[str]


@final
class WebhookRecovery(TypedDict):
    id: str
    webhook_id: str
    since: str
    status: Literal['running', 'completed', 'canceled']
    requeued: int
    remaining: int
    started_at: str
    ended_at: NotRequired[str]


@final
class WebhookRecoveryResult(TypedDict):
    recovery: WebhookRecovery


@final
class WebhookRefundData(TypedDict):
    payment_id: str
    customer_id: NotRequired[str]
    kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice']
    amount_cents: int
    currency: str


@final
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


@final
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


@final
class WebhookStatisticsResultTotal(TypedDict):
    deliveries: WebhookIntervalFiguresDeliveries
    success_rate: float | None
    latency_ms: WebhookIntervalFiguresLatencyMs


@final
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


@final
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


@final
class WithdrawCreditRequest(TypedDict):
    amount_cents: int


@final
class WorkflowExecution(TypedDict):
    max_parallelism: NotRequired[int]
    node_timeout_ms: NotRequired[int]
    run_timeout_ms: NotRequired[int]


@final
class WorkflowInput(TypedDict):
    name: str
    type: NotRequired[Literal['json', 'string', 'number', 'integer', 'boolean', 'object', 'array', 'null']]
    required: NotRequired[bool]
    default: NotRequired[Any]
    description: NotRequired[str]


@final
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


@final
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


@final
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


@final
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


@final
class WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits(TypedDict):
    max_tool_calls_per_step: NotRequired[int]
    wait_ttl_ms: NotRequired[int]


@final
class WorkflowSpecWorkflowV0NodeAgentRunInput(TypedDict):
    id: str
    type: Literal['agent.run']
    input: WorkflowSpecWorkflowV0NodeAgentRunInputInput


@final
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


@final
class WorkflowSpecWorkflowV0NodeAgentSchedulerAgents(TypedDict):
    id: str
    type: Literal['agent.scheduler']
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


@final
class WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent(TypedDict):
    agent: str
    input: list[InputMessage]
    count: NotRequired[int]


@final
class WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator(TypedDict):
    agent: str
    input: list[InputMessage]


@final
class WorkflowSpecWorkflowV0NodeAgentSchedulerInput(TypedDict):
    id: str
    type: Literal['agent.scheduler']
    input: WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput


@final
class WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput(TypedDict):
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


@final
class WorkflowSpecWorkflowV0NodeJoinAll(TypedDict):
    id: str
    type: Literal['join.all']
    input: NotRequired[Any]


@final
class WorkflowSpecWorkflowV0NodeLlmResponses(TypedDict):
    id: str
    type: Literal['llm.responses']
    input: WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV0NodeLlmResponsesInputInput


@final
class WorkflowSpecWorkflowV0NodeLlmResponsesInputInput(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[NodeBinding]]
    input: list[Any]


@final
class WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[NodeBinding]]
    request: WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest


WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest: TypeAlias = "dict[str, Any]"


@final
class WorkflowSpecWorkflowV0NodeTransformJson(TypedDict):
    id: str
    type: Literal['transform.json']
    input: WorkflowSpecWorkflowV0NodeTransformJsonInputObject | WorkflowSpecWorkflowV0NodeTransformJsonInputMerge | NodeSource


@final
class WorkflowSpecWorkflowV0NodeTransformJsonInputMerge(TypedDict):
    merge: list[NodeSource]


@final
class WorkflowSpecWorkflowV0NodeTransformJsonInputObject(TypedDict):
    object: dict[str, NodeSource]


@final
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


@final
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


@final
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


@final
class WorkflowSpecWorkflowV1NodeAgentRunInput(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.run']
    input: WorkflowSpecWorkflowV1NodeAgentRunInputInput


@final
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


@final
class WorkflowSpecWorkflowV1NodeAgentSchedulerAgents(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.scheduler']
    agents: list[WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent]
    coordinator: WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator
    policy: NotRequired[SchedulerPolicyInput]


@final
class WorkflowSpecWorkflowV1NodeAgentSchedulerInput(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['agent.scheduler']
    input: WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput


@final
class WorkflowSpecWorkflowV1NodeJoinAll(TypedDict):
    id: str
    type: Literal['join.all']
    input: NotRequired[Any]
    retry: NotRequired[RetryPolicy]


@final
class WorkflowSpecWorkflowV1NodeJoinAny(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['join.any']
    input: NotRequired[JoinAnyInput]


@final
class WorkflowSpecWorkflowV1NodeJoinCollect(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['join.collect']
    input: NotRequired[JoinCollectInput]


@final
class WorkflowSpecWorkflowV1NodeLlmResponses(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['llm.responses']
    input: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV1NodeLlmResponsesInputInput


@final
class WorkflowSpecWorkflowV1NodeLlmResponsesInputInput(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[AnyBinding]]
    input: list[Any]


@final
class WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest(TypedDict):
    stream: NotRequired[bool]
    tool_execution: NotRequired[ToolExecution]
    tool_limits: NotRequired[ToolLimitsSpec]
    mcp_servers: NotRequired[list[str]]
    bindings: NotRequired[list[AnyBinding]]
    request: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest


WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest: TypeAlias = "dict[str, Any]"


@final
class WorkflowSpecWorkflowV1NodeMapFanout(TypedDict):
    id: str
    type: Literal['map.fanout']
    input: FanoutInput


@final
class WorkflowSpecWorkflowV1NodeRouteSwitch(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['route.switch']
    input: WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest | WorkflowSpecWorkflowV1NodeLlmResponsesInputInput | WorkflowSpecWorkflowV1NodeRouteSwitchInputCases


@final
class WorkflowSpecWorkflowV1NodeRouteSwitchInputCases(TypedDict):
    cases: list[SwitchCase]
    default: NotRequired[str]


@final
class WorkflowSpecWorkflowV1NodeTransformJson(TypedDict):
    id: str
    retry: NotRequired[RetryPolicy]
    type: Literal['transform.json']
    input: WorkflowSpecWorkflowV1NodeTransformJsonInputObject | WorkflowSpecWorkflowV1NodeTransformJsonInputMerge | AnySource


@final
class WorkflowSpecWorkflowV1NodeTransformJsonInputMerge(TypedDict):
    merge: list[AnySource]


@final
class WorkflowSpecWorkflowV1NodeTransformJsonInputObject(TypedDict):
    object: dict[str, AnySource]


WebhookEvent: TypeAlias = "AccountAdmissionBlockedWebhookEvent | BillingDisputeOpenedWebhookEvent | BillingPaymentFailedWebhookEvent | BillingPaymentRefundedWebhookEvent | BillingPaymentSucceededWebhookEvent | BillingSubscriptionChangedWebhookEvent | CustomerCreatedWebhookEvent | CustomerDeletedWebhookEvent | CustomerUpdatedWebhookEvent | RequestCompletedWebhookEvent | UsageThresholdExceededWebhookEvent"
