"""The methods of the client. Generated from the OpenAPI document. Do not edit: pnpm --filter @tollgate/client run generate-core."""

from __future__ import annotations

from typing import Literal, cast

from . import types
from ._caller import Caller, EventStream
from ._pages import Pages
from ._request import ApiRequest, CallOptions, Form, fill_path


class Operations:
    """One method per operation of the API."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def accept_invitation(
        self,
        body: types.InvitationCodeRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AcceptInvitationResult:
        """Become a member of the project that an invitation is for."""
        return cast("types.AcceptInvitationResult", self._caller.call(ApiRequest("POST", "/api/v1/invitations/accept", body=body), options))

    def add_conversation_items(
        self,
        conversation_id: str,
        body: types.AddConversationItemsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ConversationItems:
        """Add items to a conversation."""
        return cast("types.ConversationItems", self._caller.call(ApiRequest("POST", fill_path("/v1/conversations/{conversation_id}/items", conversation_id), body=body, key_in="header"), options))

    def append_project_session_message(
        self,
        project_id: str,
        session_id: str,
        body: types.AppendSessionMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.SessionMessage:
        """Append a message to a session; by the owner's session."""
        return cast("types.SessionMessage", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/sessions/{session_id}/messages", project_id, session_id), body=body, key_in="header"), options))

    def append_session_message(
        self,
        id: str,
        body: types.AppendSessionMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.SessionMessage:
        """Append a message to a session."""
        return cast("types.SessionMessage", self._caller.call(ApiRequest("POST", fill_path("/api/v1/sessions/{id}/messages", id), body=body, key_in="header"), options))

    def approve_device(
        self,
        body: types.DeviceApproveRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Approve or deny a device by the code it shows."""
        return cast("None", self._caller.call(ApiRequest("POST", "/api/v1/auth/device/approve", body=body), options))

    def approve_owner_device(
        self,
        body: types.OwnerDeviceApproveRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Approve or deny a device that asks to be signed in as you."""
        return cast("None", self._caller.call(ApiRequest("POST", "/api/v1/auth/owner-device/approve", body=body), options))

    def approve_project_device(
        self,
        project_id: str,
        body: types.DeviceApproveRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Approve or deny a device by the code it shows; by the owner's session."""
        return cast("None", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/auth/device/approve", project_id), body=body), options))

    def authorize_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        body: types.AuthorizeMcpServerRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthorizeMcpServerResult:
        """Start connecting an MCP server to an account (OAuth)."""
        return cast("types.AuthorizeMcpServerResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorize", project_id, mcp_server_id), body=body), options))

    def batch_embed_google_contents(
        self,
        model: str,
        body: types.GoogleBatchEmbedRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.GoogleBatchEmbedResult:
        """Create embeddings of texts in Google's format."""
        return cast("types.GoogleBatchEmbedResult", self._caller.call(ApiRequest("POST", fill_path("/v1beta/models/{model}:batchEmbedContents", model), body=body, key_in="header"), options))

    def block_customer(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Refuse a customer's requests until it is unblocked."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/block", id)), options))

    def block_project_customer(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Refuse a customer's requests until it is unblocked; by the owner's session."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/block", project_id, customer_id)), options))

    def cancel_customer_subscription(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Cancel a customer's subscription at the end of its period."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/customers/{id}/subscription", id)), options))

    def cancel_file_batch(
        self,
        batch_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.FileBatch:
        """Cancel a batch."""
        return cast("types.FileBatch", self._caller.call(ApiRequest("POST", fill_path("/v1/batches/{batch_id}/cancel", batch_id)), options))

    def cancel_open_ai_response(
        self,
        response_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.OpenAiResponse:
        """Cancel a background response."""
        return cast("types.OpenAiResponse", self._caller.call(ApiRequest("POST", fill_path("/v1/responses/{response_id}/cancel", response_id)), options))

    def cancel_project_customer_subscription(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Cancel a customer's subscription at the end of its period; by the owner's session."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/customers/{customer_id}/subscription", project_id, customer_id)), options))

    def cancel_project_run(
        self,
        project_id: str,
        run_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Run:
        """Cancel a run; by the owner's session."""
        return cast("types.Run", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/runs/{run_id}/cancel", project_id, run_id)), options))

    def cancel_run(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Run:
        """Cancel a run."""
        return cast("types.Run", self._caller.call(ApiRequest("POST", fill_path("/api/v1/runs/{id}/cancel", id)), options))

    def change_my_tier(
        self,
        body: types.ChangeTierRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.TierChange:
        """Move your subscription to another tier."""
        return cast("types.TierChange", self._caller.call(ApiRequest("POST", "/api/v1/customers/me/change-tier", body=body, key_in="header"), options))

    def claim_customer(
        self,
        body: types.ClaimCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ClaimedCustomer:
        """Link an external identity to the customer with this email."""
        return cast("types.ClaimedCustomer", self._caller.call(ApiRequest("POST", "/api/v1/customers/claim", body=body), options))

    def claim_project_customer(
        self,
        project_id: str,
        body: types.ClaimCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ClaimedCustomer:
        """Link an external identity to the customer with this email; by the owner's session."""
        return cast("types.ClaimedCustomer", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/claim", project_id), body=body), options))

    def clear_project_session(
        self,
        project_id: str,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Delete all messages of a session; keeps metadata and tool state; by the owner's session."""
        return cast("types.Session", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/sessions/{session_id}/clear", project_id, session_id)), options))

    def clear_session(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Delete all messages of a session; keeps metadata and tool state."""
        return cast("types.Session", self._caller.call(ApiRequest("POST", fill_path("/api/v1/sessions/{id}/clear", id)), options))

    def compile_plugin(
        self,
        body: types.CompilePluginRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompilePluginResult:
        """Compile a plugin into a workflow spec."""
        return cast("types.CompilePluginResult", self._caller.call(ApiRequest("POST", "/api/v1/plugins/compile", body=body, key_in="header"), options))

    def compile_project_plugin(
        self,
        project_id: str,
        body: types.CompilePluginRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompilePluginResult:
        """Compile a plugin into a workflow spec; by the owner's session."""
        return cast("types.CompilePluginResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/plugins/compile", project_id), body=body, key_in="header"), options))

    def compile_project_skill(
        self,
        project_id: str,
        body: types.CompileSkillRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompileSkillResult:
        """Compile a skill into a workflow.v1 spec; by the owner's session."""
        return cast("types.CompileSkillResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/skills/compile", project_id), body=body, key_in="header"), options))

    def compile_project_workflow(
        self,
        project_id: str,
        body: types.WorkflowSpec | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompileWorkflowResult:
        """Compile a workflow spec; its plan_hash can start runs; by the owner's session."""
        return cast("types.CompileWorkflowResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/workflows/compile", project_id), body=body), options))

    def compile_skill(
        self,
        body: types.CompileSkillRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompileSkillResult:
        """Compile a skill into a workflow.v1 spec."""
        return cast("types.CompileSkillResult", self._caller.call(ApiRequest("POST", "/api/v1/skills/compile", body=body, key_in="header"), options))

    def compile_workflow(
        self,
        body: types.WorkflowSpec | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CompileWorkflowResult:
        """Compile a workflow spec; its plan_hash can start runs."""
        return cast("types.CompileWorkflowResult", self._caller.call(ApiRequest("POST", "/api/v1/workflows/compile", body=body), options))

    def complete_mcp_authorization(
        self,
        project_id: str,
        mcp_server_id: str,
        body: types.CompleteMcpAuthorizationRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.McpServerResult:
        """Complete the connection of an MCP server to an account."""
        return cast("types.McpServerResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization", project_id, mcp_server_id), body=body), options))

    def complete_password_reset(
        self,
        body: types.CompletePasswordResetRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Set a new password with the code from a reset email; every session of the user ends."""
        return cast("None", self._caller.call(ApiRequest("POST", "/api/v1/auth/password-reset/complete", body=body), options))

    def confirm_card_setup(
        self,
        body: types.ConfirmCardSetupRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AutoTopUp:
        """Store the card of a finished setup."""
        return cast("types.AutoTopUp", self._caller.call(ApiRequest("POST", "/api/v1/account/billing/auto-topup/confirm", body=body), options))

    def confirm_card_verification(
        self,
        body: types.ConfirmCardVerificationRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CardVerification:
        """Finish a card verification; 409 while its checkout is unfinished, 422 for a prepaid card."""
        return cast("types.CardVerification", self._caller.call(ApiRequest("POST", "/api/v1/account/card-verification/confirm", body=body), options))

    def connect_mcp_client(
        self,
        project_id: str,
        mcp_server_id: str,
        body: types.ConnectMcpClientRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.McpServerResult:
        """Connect an MCP server with client credentials (OAuth)."""
        return cast("types.McpServerResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/client-credentials", project_id, mcp_server_id), body=body), options))

    def count_google_tokens(
        self,
        model: str,
        body: types.GoogleCountTokensRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.GoogleCountTokensResult:
        """Count the input tokens of a request in Google's format with Tollgate's tokenizer."""
        return cast("types.GoogleCountTokensResult", self._caller.call(ApiRequest("POST", fill_path("/v1beta/models/{model}:countTokens", model), body=body), options))

    def count_message_tokens(
        self,
        body: types.CountMessageTokensRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CountMessageTokensResult:
        """Count the input tokens of a request in Anthropic's messages format with Tollgate's tokenizer."""
        return cast("types.CountMessageTokensResult", self._caller.call(ApiRequest("POST", "/v1/messages/count_tokens", body=body), options))

    def count_response_tokens(
        self,
        body: types.ResponsesInputTokensRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CountResponseTokensResult:
        """Count the input tokens of a request in OpenAI's responses format with Tollgate's tokenizer."""
        return cast("types.CountResponseTokensResult", self._caller.call(ApiRequest("POST", "/v1/responses/input_tokens", body=body), options))

    def create_account_top_up(
        self,
        body: types.CreateAccountTopUpRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AccountTopUp:
        """Create a checkout that tops up the owner's prepaid balance."""
        return cast("types.AccountTopUp", self._caller.call(ApiRequest("POST", "/api/v1/account/topup", body=body, key_in="header"), options))

    def create_agent(
        self,
        project_id: str,
        body: types.CreateAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentResult:
        """Create an agent."""
        return cast("types.AgentResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents", project_id), body=body, key_in="header"), options))

    def create_anthropic_message(
        self,
        body: types.AnthropicMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AnthropicMessage:
        """Ask a model in Anthropic's messages dialect; the key may come as x-api-key."""
        return cast("types.AnthropicMessage", self._caller.call(ApiRequest("POST", "/v1/messages", body=body, key_in="header"), options))

    def create_anthropic_message_stream(
        self,
        body: types.AnthropicMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.AnthropicMessageEvent]:
        """Ask a model in Anthropic's messages dialect; the key may come as x-api-key. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/messages", body={**body, "stream": True}, key_in="header", accept="text/event-stream"), options)

    def create_api_key(
        self,
        body: types.CreateApiKeyRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Create a key; only this response contains its value."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("POST", "/api/v1/api-keys", body=body), options))

    def create_card_setup_checkout(
        self,
        body: types.StartCardSetupCheckout | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CardSetupCheckout:
        """Create a checkout that stores a card for automatic top-ups."""
        return cast("types.CardSetupCheckout", self._caller.call(ApiRequest("POST", "/api/v1/account/billing/auto-topup/checkout", body=body, key_in="header"), options))

    def create_chat_completion(
        self,
        body: types.ChatCompletionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ChatCompletion:
        """Ask a model in OpenAI's chat-completions dialect."""
        return cast("types.ChatCompletion", self._caller.call(ApiRequest("POST", "/v1/chat/completions", body=body, key_in="header"), options))

    def create_chat_completion_stream(
        self,
        body: types.ChatCompletionRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.ChatCompletionEvent]:
        """Ask a model in OpenAI's chat-completions dialect. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/chat/completions", body={**body, "stream": True}, key_in="header", accept="text/event-stream"), options)

    def create_completion(
        self,
        body: types.CompletionsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Completion:
        """Complete a text in OpenAI's older dialect."""
        return cast("types.Completion", self._caller.call(ApiRequest("POST", "/v1/completions", body=body, key_in="header"), options))

    def create_completion_stream(
        self,
        body: types.CompletionsRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.CreateCompletionResult]:
        """Complete a text in OpenAI's older dialect. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/completions", body={**body, "stream": True}, key_in="header", accept="text/event-stream"), options)

    def create_connection(
        self,
        project_id: str,
        body: types.CreateConnectionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ConnectionResult:
        """Add a connection with your own key."""
        return cast("types.ConnectionResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/connections", project_id), body=body), options))

    def create_conversation(
        self,
        body: types.CreateConversationRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Create a conversation."""
        return cast("types.Conversation", self._caller.call(ApiRequest("POST", "/v1/conversations", body=body, key_in="header"), options))

    def create_customer(
        self,
        body: types.CreateCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Create a customer."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", "/api/v1/customers", body=body, key_in="header"), options))

    def create_customer_credit(
        self,
        id: str,
        body: types.CustomerCreditInput,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerCredit:
        """Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once."""
        return cast("types.CustomerCredit", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/credit", id), body=body, key_in="header"), options))

    def create_decision(
        self,
        body: types.CreateDecisionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Decision:
        """Let a model choose between options."""
        return cast("types.Decision", self._caller.call(ApiRequest("POST", "/v1/decisions", body=body, key_in="header"), options))

    def create_embeddings(
        self,
        body: types.CreateEmbeddingsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.EmbeddingsResult:
        """Create embeddings of texts or token lists."""
        return cast("types.EmbeddingsResult", self._caller.call(ApiRequest("POST", "/v1/embeddings", body=body, key_in="header"), options))

    def create_file(
        self,
        form: Form,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Upload a file."""
        return cast("types.File", self._caller.call(ApiRequest("POST", "/v1/files", form=form, key_in="header"), options))

    def create_file_batch(
        self,
        body: types.CreateFileBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.FileBatch:
        """Run the requests of an uploaded file."""
        return cast("types.FileBatch", self._caller.call(ApiRequest("POST", "/v1/batches", body=body, key_in="header"), options))

    def create_images(
        self,
        body: types.ImagesGenerationsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ImagesResult:
        """Generate images in OpenAI's dialect; billed per image."""
        return cast("types.ImagesResult", self._caller.call(ApiRequest("POST", "/v1/images/generations", body=body, key_in="header"), options))

    def create_invitation(
        self,
        project_id: str,
        body: types.CreateInvitationRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.InvitationResult:
        """Invite an address to the project in a role."""
        return cast("types.InvitationResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/invitations", project_id), body=body), options))

    def create_mcp_server(
        self,
        project_id: str,
        body: types.CreateMcpServerRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.McpServerResult:
        """Register an MCP server."""
        return cast("types.McpServerResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/mcp-servers", project_id), body=body), options))

    def create_moderation(
        self,
        body: types.ModerationsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ModerationsResult:
        """Classify texts and images by harmful content."""
        return cast("types.ModerationsResult", self._caller.call(ApiRequest("POST", "/v1/moderations", body=body, key_in="header"), options))

    def create_my_billing_portal(
        self,
        body: types.BillingPortalInput,
        *,
        options: CallOptions | None = None,
    ) -> types.BillingPortal:
        """Open the payment processor's page for your cards, invoices and cancellation."""
        return cast("types.BillingPortal", self._caller.call(ApiRequest("POST", "/api/v1/customers/me/billing-portal", body=body, key_in="header"), options))

    def create_my_checkout(
        self,
        body: types.CreateMyCheckoutRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CheckoutSession:
        """Create a checkout of a paid tier for yourself."""
        return cast("types.CheckoutSession", self._caller.call(ApiRequest("POST", "/api/v1/customers/me/checkout", body=body, key_in="header"), options))

    def create_open_ai_response(
        self,
        body: types.OpenAiResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.OpenAiResponse:
        """Ask a model in OpenAI's responses dialect."""
        return cast("types.OpenAiResponse", self._caller.call(ApiRequest("POST", "/v1/responses", body=body, key_in="header"), options))

    def create_open_ai_response_stream(
        self,
        body: types.OpenAiResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.OpenAiResponseEvent]:
        """Ask a model in OpenAI's responses dialect. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/responses", body={**body, "stream": True}, key_in="header", accept="text/event-stream"), options)

    def create_portal_session(
        self,
        id: str,
        body: types.PortalLinkRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.PortalLinkResult:
        """Create a link that opens the customer portal once."""
        return cast("types.PortalLinkResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/portal-session", id), body=body), options))

    def create_project(
        self,
        body: types.CreateProjectRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ProjectResult:
        """Create a project."""
        return cast("types.ProjectResult", self._caller.call(ApiRequest("POST", "/api/v1/projects", body=body, key_in="header"), options))

    def create_project_api_key(
        self,
        project_id: str,
        body: types.CreateApiKeyRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Create a key; only this response contains its value."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/api-keys", project_id), body=body), options))

    def create_project_customer(
        self,
        project_id: str,
        body: types.CreateCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Create a customer (dashboard)."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers", project_id), body=body, key_in="header"), options))

    def create_project_customer_credit(
        self,
        project_id: str,
        customer_id: str,
        body: types.CustomerCreditInput,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerCredit:
        """Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once; by the owner's session."""
        return cast("types.CustomerCredit", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/credit", project_id, customer_id), body=body, key_in="header"), options))

    def create_project_portal_session(
        self,
        project_id: str,
        customer_id: str,
        body: types.PortalLinkRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.PortalLinkResult:
        """Create a link that opens the customer portal once; by the owner's session."""
        return cast("types.PortalLinkResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/portal-session", project_id, customer_id), body=body), options))

    def create_project_response(
        self,
        project_id: str,
        body: types.CreateResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ModelResponse:
        """Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header; by the owner's session."""
        return cast("types.ModelResponse", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/responses", project_id), body=body, key_in="header"), options))

    def create_project_response_stream(
        self,
        project_id: str,
        body: types.CreateResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.ResponseEvent]:
        """Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header; by the owner's session. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", fill_path("/api/v1/projects/{id}/responses", project_id), body=body, key_in="header", accept="application/x-ndjson"), options)

    def create_project_response_batch(
        self,
        project_id: str,
        body: types.CreateBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Batch:
        """Run several requests in one call, each with its own result; by the owner's session."""
        return cast("types.Batch", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/responses/batch", project_id), body=body, key_in="header"), options))

    def create_project_run(
        self,
        project_id: str,
        body: types.CreateRunRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CreateRunResult:
        """Start a workflow run; by the owner's session."""
        return cast("types.CreateRunResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/runs", project_id), body=body, key_in="options"), options))

    def create_project_session(
        self,
        project_id: str,
        body: types.CreateSessionRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Create a session for messages, metadata, and the state of the key-value and task tools; by the owner's session."""
        return cast("types.Session", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/sessions", project_id), body=body, key_in="header"), options))

    def create_project_state_handle(
        self,
        project_id: str,
        body: types.CreateStateHandleRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.StateHandle:
        """Create a state handle for the key-value and task tools; by the owner's session."""
        return cast("types.StateHandle", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/state-handles", project_id), body=body, key_in="header"), options))

    def create_project_tier_checkout(
        self,
        project_id: str,
        tier_id: str,
        body: types.CreateTierCheckoutRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CheckoutSession:
        """Create a checkout of a paid tier for a new customer; by the owner's session."""
        return cast("types.CheckoutSession", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/tiers/{tier_id}/checkout", project_id, tier_id), body=body, key_in="header"), options))

    def create_response(
        self,
        body: types.CreateResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ModelResponse:
        """Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header."""
        return cast("types.ModelResponse", self._caller.call(ApiRequest("POST", "/api/v1/responses", body=body, key_in="header"), options))

    def create_response_stream(
        self,
        body: types.CreateResponseRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.ResponseEvent]:
        """Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/api/v1/responses", body=body, key_in="header", accept="application/x-ndjson"), options)

    def create_response_batch(
        self,
        body: types.CreateBatchRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Batch:
        """Run several requests in one call, each with its own result."""
        return cast("types.Batch", self._caller.call(ApiRequest("POST", "/api/v1/responses/batch", body=body, key_in="header"), options))

    def create_run(
        self,
        body: types.CreateRunRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CreateRunResult:
        """Start a workflow run."""
        return cast("types.CreateRunResult", self._caller.call(ApiRequest("POST", "/api/v1/runs", body=body, key_in="options"), options))

    def create_session(
        self,
        body: types.CreateSessionRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Create a session for messages, metadata, and the state of the key-value and task tools."""
        return cast("types.Session", self._caller.call(ApiRequest("POST", "/api/v1/sessions", body=body, key_in="header"), options))

    def create_speech(
        self,
        body: types.CreateSpeechRequest,
        *,
        options: CallOptions | None = None,
    ) -> bytes:
        """Generate spoken audio from text."""
        return cast("bytes", self._caller.call(ApiRequest("POST", "/v1/audio/speech", body=body, key_in="header", accept="*/*"), options))

    def create_speech_stream(
        self,
        body: types.CreateSpeechRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.SpeechEvent]:
        """Generate spoken audio from text. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/audio/speech", body={**body, "stream_format": "sse"}, key_in="header", accept="text/event-stream"), options)

    def create_sql_profile(
        self,
        project_id: str,
        body: types.CreateSqlProfileRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.SqlProfileResult:
        """Create a SQL profile, a policy for statements."""
        return cast("types.SqlProfileResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/sql-profiles", project_id), body=body, key_in="header"), options))

    def create_state_handle(
        self,
        body: types.CreateStateHandleRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.StateHandle:
        """Create a state handle for the key-value and task tools."""
        return cast("types.StateHandle", self._caller.call(ApiRequest("POST", "/api/v1/state-handles", body=body, key_in="header"), options))

    def create_tier(
        self,
        project_id: str,
        body: types.CreateTierRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CreateTierResult:
        """Create a tier (dashboard)."""
        return cast("types.CreateTierResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/tiers", project_id), body=body, key_in="header"), options))

    def create_tier_checkout(
        self,
        id: str,
        body: types.CreateTierCheckoutRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CheckoutSession:
        """Create a checkout of a paid tier for a new customer."""
        return cast("types.CheckoutSession", self._caller.call(ApiRequest("POST", fill_path("/api/v1/tiers/{id}/checkout", id), body=body, key_in="header"), options))

    def create_tool_hook(
        self,
        project_id: str,
        body: types.CreateToolHookRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CreateToolHookResult:
        """Create a tool hook."""
        return cast("types.CreateToolHookResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/tool-hooks", project_id), body=body), options))

    def create_transcription(
        self,
        form: Form,
        *,
        options: CallOptions | None = None,
    ) -> types.TranscriptionResult | str:
        """Transcribe a recording."""
        return cast("types.TranscriptionResult | str", self._caller.call(ApiRequest("POST", "/v1/audio/transcriptions", form=form, key_in="header"), options))

    def create_transcription_stream(
        self,
        form: Form,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.TranscriptEvent]:
        """Transcribe a recording. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/audio/transcriptions", form={**form, "stream": "true"}, key_in="header", accept="text/event-stream"), options)

    def create_translation(
        self,
        form: Form,
        *,
        options: CallOptions | None = None,
    ) -> types.TranscriptionResult | str:
        """Translate a recording into English text."""
        return cast("types.TranscriptionResult | str", self._caller.call(ApiRequest("POST", "/v1/audio/translations", form=form, key_in="header"), options))

    def create_webhook(
        self,
        project_id: str,
        body: types.CreateWebhookRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookResult:
        """Create a webhook."""
        return cast("types.WebhookResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/webhooks", project_id), body=body), options))

    def delete_agent(
        self,
        project_id: str,
        slug: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete an agent; runs that have pinned a revision continue."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/agents/{slug}", project_id, slug)), options))

    def delete_api_key(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke a key; every edge rejects it within five seconds."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/api-keys/{id}", id)), options))

    def delete_auto_top_up(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete the settings of automatic top-ups and their card."""
        return cast("None", self._caller.call(ApiRequest("DELETE", "/api/v1/account/billing/auto-topup"), options))

    def delete_connection(
        self,
        project_id: str,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a connection."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/connections/{connection_id}", project_id, connection_id)), options))

    def delete_conversation(
        self,
        conversation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.DeletedConversation:
        """Delete a conversation with its items."""
        return cast("types.DeletedConversation", self._caller.call(ApiRequest("DELETE", fill_path("/v1/conversations/{conversation_id}", conversation_id)), options))

    def delete_conversation_item(
        self,
        conversation_id: str,
        item_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Delete an item of a conversation."""
        return cast("types.Conversation", self._caller.call(ApiRequest("DELETE", fill_path("/v1/conversations/{conversation_id}/items/{item_id}", conversation_id, item_id)), options))

    def delete_customer(
        self,
        id: str,
        *,
        cancel_subscription: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a customer; expires its open checkouts and forfeits its wallet; a processor subscription is canceled only with cancel_subscription=true."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/customers/{id}", id), query={"cancel_subscription": cancel_subscription}), options))

    def delete_file(
        self,
        file_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.DeleteFileResult:
        """Delete a file."""
        return cast("types.DeleteFileResult", self._caller.call(ApiRequest("DELETE", fill_path("/v1/files/{file_id}", file_id)), options))

    def delete_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete an MCP server."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}", project_id, mcp_server_id)), options))

    def delete_open_ai_response(
        self,
        response_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.DeleteCompatibleResponseResult:
        """Delete a stored response."""
        return cast("types.DeleteCompatibleResponseResult", self._caller.call(ApiRequest("DELETE", fill_path("/v1/responses/{response_id}", response_id)), options))

    def delete_project(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a project; its keys, customer tokens and open checkouts end, its webhooks and tool hooks are deleted; 409 while its customers have running subscriptions."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}", id)), options))

    def delete_project_api_key(
        self,
        project_id: str,
        key_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke a key; every edge rejects it within five seconds."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/api-keys/{key_id}", project_id, key_id)), options))

    def delete_project_customer(
        self,
        project_id: str,
        customer_id: str,
        *,
        cancel_subscription: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a customer (dashboard)."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/customers/{customer_id}", project_id, customer_id), query={"cancel_subscription": cancel_subscription}), options))

    def delete_project_session(
        self,
        project_id: str,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a session with its messages; by the owner's session."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/sessions/{session_id}", project_id, session_id)), options))

    def delete_project_state_handle(
        self,
        project_id: str,
        state_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a state handle; by the owner's session."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/state-handles/{state_id}", project_id, state_id)), options))

    def delete_session(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a session with its messages."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/sessions/{id}", id)), options))

    def delete_sql_profile(
        self,
        project_id: str,
        profile_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a SQL profile."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/sql-profiles/{profile_id}", project_id, profile_id)), options))

    def delete_state_handle(
        self,
        state_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a state handle."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/state-handles/{state_id}", state_id)), options))

    def delete_tier(
        self,
        project_id: str,
        tier_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a tier without subscribers (dashboard)."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/tiers/{tier_id}", project_id, tier_id)), options))

    def delete_tool_hook(
        self,
        project_id: str,
        hook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a tool hook."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/tool-hooks/{hook_id}", project_id, hook_id)), options))

    def delete_webhook(
        self,
        project_id: str,
        webhook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Delete a webhook and cancel its pending deliveries."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}", project_id, webhook_id)), options))

    def dev_login(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthResult:
        """Sign in as the demo owner; only with DEV_MODE=1."""
        return cast("types.AuthResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/dev-login"), options))

    def disconnect_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Disconnect an MCP server from its account."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization", project_id, mcp_server_id)), options))

    def edit_images(
        self,
        form: Form,
        *,
        options: CallOptions | None = None,
    ) -> types.ImagesResult:
        """Generate images from other images in OpenAI's dialect; billed per generated image."""
        return cast("types.ImagesResult", self._caller.call(ApiRequest("POST", "/v1/images/edits", form=form, key_in="header"), options))

    def embed_google_content(
        self,
        model: str,
        body: types.GoogleEmbedRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.GoogleEmbedResult:
        """Create the embedding of a text in Google's format."""
        return cast("types.GoogleEmbedResult", self._caller.call(ApiRequest("POST", fill_path("/v1beta/models/{model}:embedContent", model), body=body, key_in="header"), options))

    def end_browser_session(
        self,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End the session in the cookie of this browser."""
        return cast("None", self._caller.call(ApiRequest("DELETE", "/api/v1/auth/browser-session"), options))

    def end_my_sign_in(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End one of your sign-ins."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/auth/sign-ins/{id}", id)), options))

    def generate_google_content(
        self,
        model: str,
        body: types.GoogleGenerateRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.GoogleGenerateResult:
        """Ask a model in Google's generateContent dialect; the key comes as x-goog-api-key."""
        return cast("types.GoogleGenerateResult", self._caller.call(ApiRequest("POST", fill_path("/v1beta/models/{model}:generateContent", model), body=body, key_in="header"), options))

    def generate_image(
        self,
        body: types.GenerateImageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ImageGenerationResult:
        """Generate images; billed per image."""
        return cast("types.ImageGenerationResult", self._caller.call(ApiRequest("POST", "/api/v1/images/generate", body=body, key_in="header"), options))

    def generate_project_image(
        self,
        project_id: str,
        body: types.GenerateImageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ImageGenerationResult:
        """Generate images; billed per image; by the owner's session."""
        return cast("types.ImageGenerationResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/images/generate", project_id), body=body, key_in="header"), options))

    def get_account_balance(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.AccountBalance:
        """Get the owner's prepaid balance."""
        return cast("types.AccountBalance", self._caller.call(ApiRequest("GET", "/api/v1/account/balance"), options))

    def get_account_statement(
        self,
        month: str,
        *,
        format: Literal['json', 'csv'] | None = None,
        options: CallOptions | None = None,
    ) -> types.AccountStatement | str:
        """Get what moved in the owner's prepaid balance in one month."""
        return cast("types.AccountStatement | str", self._caller.call(ApiRequest("GET", fill_path("/api/v1/account/statements/{month}", month), query={"format": format}), options))

    def get_account_top_up(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.AccountTopUp:
        """Get one of the owner's top-ups."""
        return cast("types.AccountTopUp", self._caller.call(ApiRequest("GET", fill_path("/api/v1/account/topups/{id}", id)), options))

    def get_account_usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal['day', 'model', 'customer', 'key'] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AccountUsage, types.AccountUsageUsage]:
        """Get the usage of all the owner's projects by day, model, customer or key."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/account/usage", query={"from": from_, "to": to, "group_by": group_by, "limit": limit, "offset": offset}), "usage", "offset", options)

    def get_agent(
        self,
        project_id: str,
        slug: str,
        *,
        revision: int | None = None,
        options: CallOptions | None = None,
    ) -> types.AgentResult:
        """Get an agent with its current or a named revision."""
        return cast("types.AgentResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/agents/{slug}", project_id, slug), query={"revision": revision}), options))

    def get_agent_memory(
        self,
        project_id: str,
        slug: str,
        *,
        customer_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.AgentMemoryResult:
        """Get the memory of an agent, or its memory about a customer."""
        return cast("types.AgentMemoryResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/agents/{slug}/memory", project_id, slug), query={"customer_id": customer_id}), options))

    def get_auto_top_up(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.AutoTopUp:
        """Get the settings of automatic top-ups."""
        return cast("types.AutoTopUp", self._caller.call(ApiRequest("GET", "/api/v1/account/billing/auto-topup"), options))

    def get_card_verification(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.CardVerification:
        """Get the status of the owner's card verification."""
        return cast("types.CardVerification", self._caller.call(ApiRequest("GET", "/api/v1/account/card-verification"), options))

    def get_compatible_model(
        self,
        model: str,
        *,
        options: CallOptions | None = None,
    ) -> types.OpenAiModel | types.AnthropicModel:
        """Get a model by its percent-encoded catalog id."""
        return cast("types.OpenAiModel | types.AnthropicModel", self._caller.call(ApiRequest("GET", fill_path("/v1/models/{model}", model)), options))

    def get_compatible_model_of_provider(
        self,
        provider: str,
        model: str,
        *,
        options: CallOptions | None = None,
    ) -> types.OpenAiModel | types.AnthropicModel:
        """Get a model by its catalog id."""
        return cast("types.OpenAiModel | types.AnthropicModel", self._caller.call(ApiRequest("GET", fill_path("/v1/models/{provider}/{model}", provider, model)), options))

    def get_connection(
        self,
        project_id: str,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ConnectionResult:
        """Get a connection."""
        return cast("types.ConnectionResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/connections/{connection_id}", project_id, connection_id)), options))

    def get_conversation(
        self,
        conversation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Get a conversation."""
        return cast("types.Conversation", self._caller.call(ApiRequest("GET", fill_path("/v1/conversations/{conversation_id}", conversation_id)), options))

    def get_conversation_item(
        self,
        conversation_id: str,
        item_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ConversationItem:
        """Get an item of a conversation."""
        return cast("types.ConversationItem", self._caller.call(ApiRequest("GET", fill_path("/v1/conversations/{conversation_id}/items/{item_id}", conversation_id, item_id)), options))

    def get_current_user(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.MeResult:
        """Get the signed-in user."""
        return cast("types.MeResult", self._caller.call(ApiRequest("GET", "/api/v1/auth/me"), options))

    def get_customer(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Get a customer."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("GET", fill_path("/api/v1/customers/{id}", id)), options))

    def get_customer_balance(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerBalance:
        """Get a customer's prepaid wallet."""
        return cast("types.CustomerBalance", self._caller.call(ApiRequest("GET", fill_path("/api/v1/customers/{id}/balance", id)), options))

    def get_customer_by_external_id(
        self,
        external_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Get a customer by the owner's identifier."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("GET", fill_path("/api/v1/customers/by-external-id/{external_id}", external_id)), options))

    def get_customer_subscription(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetCustomerSubscriptionResult:
        """Get a customer's subscription."""
        return cast("types.GetCustomerSubscriptionResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/customers/{id}/subscription", id)), options))

    def get_file(
        self,
        file_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Get a file without its content."""
        return cast("types.File", self._caller.call(ApiRequest("GET", fill_path("/v1/files/{file_id}", file_id)), options))

    def get_file_batch(
        self,
        batch_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.FileBatch:
        """Get a batch."""
        return cast("types.FileBatch", self._caller.call(ApiRequest("GET", fill_path("/v1/batches/{batch_id}", batch_id)), options))

    def get_file_content(
        self,
        file_id: str,
        *,
        options: CallOptions | None = None,
    ) -> bytes:
        """Download a file."""
        return cast("bytes", self._caller.call(ApiRequest("GET", fill_path("/v1/files/{file_id}/content", file_id)), options))

    def get_google_model(
        self,
        model: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GoogleModel:
        """Get a model in Google's format."""
        return cast("types.GoogleModel", self._caller.call(ApiRequest("GET", fill_path("/v1beta/models/{model}", model)), options))

    def get_image(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Get the URL of a stored image and when it expires."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("GET", fill_path("/api/v1/images/{id}", id)), options))

    def get_image_file(
        self,
        id: str,
        *,
        token: str,
        options: CallOptions | None = None,
    ) -> bytes:
        """Get the file behind an image URL; the token in the URL is the only credential."""
        return cast("bytes", self._caller.call(ApiRequest("GET", fill_path("/api/v1/images/{id}/file", id), query={"token": token}, accept="*/*"), options))

    def get_mcp_metadata(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetMcpMetadataResult:
        """Describe how clients authenticate at `/v1/mcp` (RFC 9728)."""
        return cast("types.GetMcpMetadataResult", self._caller.call(ApiRequest("GET", "/.well-known/oauth-protected-resource/v1/mcp"), options))

    def get_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.McpServerResult:
        """Get an MCP server."""
        return cast("types.McpServerResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}", project_id, mcp_server_id)), options))

    def get_me(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetMeResult:
        """Get your profile, subscription and tier."""
        return cast("types.GetMeResult", self._caller.call(ApiRequest("GET", "/api/v1/customers/me"), options))

    def get_message(
        self,
        message_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Get a message."""
        return cast("types.Message", self._caller.call(ApiRequest("GET", fill_path("/api/v1/messages/{message_id}", message_id)), options))

    def get_my_balance(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerBalance:
        """Get your prepaid wallet."""
        return cast("types.CustomerBalance", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/balance"), options))

    def get_my_subscription(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetMySubscriptionResult:
        """Get your subscription."""
        return cast("types.GetMySubscriptionResult", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/subscription"), options))

    def get_my_usage(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetMyUsageResult:
        """Get your usage in the current billing window."""
        return cast("types.GetMyUsageResult", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/usage"), options))

    def get_open_ai_response(
        self,
        response_id: str,
        *,
        stream: Literal['0', '1', 'true', 'false'] | None = None,
        starting_after: int | None = None,
        options: CallOptions | None = None,
    ) -> types.OpenAiResponse:
        """Get a stored response."""
        return cast("types.OpenAiResponse", self._caller.call(ApiRequest("GET", fill_path("/v1/responses/{response_id}", response_id), query={"stream": stream, "starting_after": starting_after}), options))

    def get_open_ai_response_stream(
        self,
        response_id: str,
        *,
        stream: Literal['0', '1', 'true', 'false'] | None = None,
        starting_after: int | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[types.OpenAiResponseEvent]:
        """Get a stored response. The answer is streamed."""
        return self._caller.stream(ApiRequest("GET", fill_path("/v1/responses/{response_id}", response_id), query={"stream": stream, "starting_after": starting_after}, accept="text/event-stream"), options)

    def get_open_api_document(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetOpenApiDocumentResult:
        """This API as an OpenAPI 3.1 document."""
        return cast("types.GetOpenApiDocumentResult", self._caller.call(ApiRequest("GET", "/api/v1/openapi.json"), options))

    def get_payment(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.PaymentDetail:
        """Get a purchase with its refunds and the amount that can be refunded."""
        return cast("types.PaymentDetail", self._caller.call(ApiRequest("GET", fill_path("/api/v1/payments/{id}", id)), options))

    def get_project(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ProjectResult:
        """Get a project."""
        return cast("types.ProjectResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}", id)), options))

    def get_project_account_balance(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.AccountBalance:
        """Get the owner's prepaid balance; by the owner's session."""
        return cast("types.AccountBalance", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/account/balance", project_id)), options))

    def get_project_account_statement(
        self,
        project_id: str,
        month: str,
        *,
        format: Literal['json', 'csv'] | None = None,
        options: CallOptions | None = None,
    ) -> types.AccountStatement | str:
        """Get what moved in the owner's prepaid balance in one month; by the owner's session."""
        return cast("types.AccountStatement | str", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/account/statements/{month}", project_id, month), query={"format": format}), options))

    def get_project_account_usage(
        self,
        project_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal['day', 'model', 'customer', 'key'] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AccountUsage, types.AccountUsageUsage]:
        """Get the usage of all the owner's projects by day, model, customer or key; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/account/usage", project_id), query={"from": from_, "to": to, "group_by": group_by, "limit": limit, "offset": offset}), "usage", "offset", options)

    def get_project_customer(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Get a customer (dashboard)."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/{customer_id}", project_id, customer_id)), options))

    def get_project_customer_balance(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerBalance:
        """Get a customer's prepaid wallet; by the owner's session."""
        return cast("types.CustomerBalance", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/{customer_id}/balance", project_id, customer_id)), options))

    def get_project_customer_by_external_id(
        self,
        project_id: str,
        external_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Get a customer by the owner's identifier; by the owner's session."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/by-external-id/{external_id}", project_id, external_id)), options))

    def get_project_customer_subscription(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetCustomerSubscriptionResult:
        """Get a customer's subscription; by the owner's session."""
        return cast("types.GetCustomerSubscriptionResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/{customer_id}/subscription", project_id, customer_id)), options))

    def get_project_customer_usage(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetProjectCustomerUsageResult:
        """Get a customer's usage in the current billing window (dashboard)."""
        return cast("types.GetProjectCustomerUsageResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/{customer_id}/usage", project_id, customer_id)), options))

    def get_project_image(
        self,
        project_id: str,
        image_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Get the URL of a stored image and when it expires; by the owner's session."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/images/{image_id}", project_id, image_id)), options))

    def get_project_message(
        self,
        project_id: str,
        message_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Get a message; by the owner's session."""
        return cast("types.Message", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/messages/{message_id}", project_id, message_id)), options))

    def get_project_payment(
        self,
        project_id: str,
        payment_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.PaymentDetail:
        """Get a purchase with its refunds and the amount that can be refunded; by the owner's session."""
        return cast("types.PaymentDetail", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/payments/{payment_id}", project_id, payment_id)), options))

    def get_project_request(
        self,
        project_id: str,
        request_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetProjectRequestResult:
        """Get one model request of a project, with its admission, hold, prices and the providers that were asked."""
        return cast("types.GetProjectRequestResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/requests/{request_id}", project_id, request_id)), options))

    def get_project_run(
        self,
        project_id: str,
        run_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Run:
        """Get a snapshot of a run; by the owner's session."""
        return cast("types.Run", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs/{run_id}", project_id, run_id)), options))

    def get_project_session(
        self,
        project_id: str,
        session_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.SessionWithMessages:
        """Get a session with its messages, oldest first; by the owner's session."""
        return cast("types.SessionWithMessages", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/sessions/{session_id}", project_id, session_id)), options))

    def get_project_state_handle(
        self,
        project_id: str,
        state_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StateHandleDataResult:
        """Get a state handle with its values and tasks; by the owner's session."""
        return cast("types.StateHandleDataResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/state-handles/{state_id}", project_id, state_id)), options))

    def get_project_tier(
        self,
        project_id: str,
        tier_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetTierResult:
        """Get a tier; by the owner's session."""
        return cast("types.GetTierResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/tiers/{tier_id}", project_id, tier_id)), options))

    def get_project_usage(
        self,
        project_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        status: Literal['succeeded', 'failed', 'refused', 'unreported'] | None = None,
        model: str | None = None,
        customer_id: str | None = None,
        key_id: str | None = None,
        tier_code: str | None = None,
        interval: Literal['hour', 'day', 'total'] | None = None,
        group_by: Literal['model', 'customer', 'key', 'tier', 'status'] | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> types.GetProjectUsageResult:
        """Add up a project's requests by hour or day and by model, customer, key, tier or status."""
        return cast("types.GetProjectUsageResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/usage", project_id), query={"from": from_, "to": to, "status": status, "model": model, "customer_id": customer_id, "key_id": key_id, "tier_code": tier_code, "interval": interval, "group_by": group_by, "limit": limit}), options))

    def get_run(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.Run:
        """Get a snapshot of a run."""
        return cast("types.Run", self._caller.call(ApiRequest("GET", fill_path("/api/v1/runs/{id}", id)), options))

    def get_run_event_schema(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetRunEventSchemaResult:
        """Get the JSON Schema of run events."""
        return cast("types.GetRunEventSchemaResult", self._caller.call(ApiRequest("GET", "/api/v1/schemas/run_event.schema.json"), options))

    def get_session(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.SessionWithMessages:
        """Get a session with its messages, oldest first."""
        return cast("types.SessionWithMessages", self._caller.call(ApiRequest("GET", fill_path("/api/v1/sessions/{id}", id)), options))

    def get_sign_in_options(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.SignInOptions:
        """Get the ways to sign in that this deployment offers."""
        return cast("types.SignInOptions", self._caller.call(ApiRequest("GET", "/api/v1/auth/sign-in-options"), options))

    def get_sql_profile(
        self,
        project_id: str,
        profile_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.SqlProfileResult:
        """Get a SQL profile."""
        return cast("types.SqlProfileResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/sql-profiles/{profile_id}", project_id, profile_id)), options))

    def get_state_handle(
        self,
        state_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StateHandleDataResult:
        """Get a state handle with its values and tasks."""
        return cast("types.StateHandleDataResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/state-handles/{state_id}", state_id)), options))

    def get_statement(
        self,
        project_id: str,
        month: str,
        *,
        format: Literal['json', 'csv'] | None = None,
        options: CallOptions | None = None,
    ) -> types.Statement | str:
        """Get what moved in the wallets of a project's customers in one month."""
        return cast("types.Statement | str", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/statements/{month}", project_id, month), query={"format": format}), options))

    def get_status(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetStatusResult:
        """Get the current status of each area, as JSON or a page."""
        return cast("types.GetStatusResult", self._caller.call(ApiRequest("GET", "/status"), options))

    def get_tier(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.GetTierResult:
        """Get a tier."""
        return cast("types.GetTierResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/tiers/{id}", id)), options))

    def get_tool_hook(
        self,
        project_id: str,
        hook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ToolHookResult:
        """Get a tool hook."""
        return cast("types.ToolHookResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/tool-hooks/{hook_id}", project_id, hook_id)), options))

    def get_webhook(
        self,
        project_id: str,
        webhook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookResult:
        """Get a webhook."""
        return cast("types.WebhookResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}", project_id, webhook_id)), options))

    def get_webhook_recovery(
        self,
        project_id: str,
        webhook_id: str,
        recovery_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookRecoveryResult:
        """Get the progress of a recovery."""
        return cast("types.WebhookRecoveryResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/recoveries/{recovery_id}", project_id, webhook_id, recovery_id)), options))

    def get_webhook_statistics(
        self,
        project_id: str,
        webhook_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal['hour', 'day'] | None = None,
        options: CallOptions | None = None,
    ) -> types.WebhookStatisticsResult:
        """Count a webhook's deliveries by status, with success rate and latency."""
        return cast("types.WebhookStatisticsResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/statistics", project_id, webhook_id), query={"from": from_, "to": to, "interval": interval}), options))

    def get_workflow_schema(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.GetWorkflowSchemaResult:
        """Get the JSON Schema of workflow specs."""
        return cast("types.GetWorkflowSchemaResult", self._caller.call(ApiRequest("GET", "/api/v1/schemas/workflow.schema.json"), options))

    def keep_browser_session(
        self,
        body: types.KeepBrowserSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.BrowserSession:
        """Move a session into a cookie of this browser that scripts cannot read."""
        return cast("types.BrowserSession", self._caller.call(ApiRequest("PUT", "/api/v1/auth/browser-session", body=body), options))

    def leave_project(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End your own membership of a project."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/membership", project_id)), options))

    def lint_project_workflow(
        self,
        project_id: str,
        body: types.WorkflowSpec | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.LintWorkflowResult:
        """List all issues of a workflow spec; by the owner's session."""
        return cast("types.LintWorkflowResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/workflows/lint", project_id), body=body), options))

    def lint_workflow(
        self,
        body: types.WorkflowSpec | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.LintWorkflowResult:
        """List all issues of a workflow spec."""
        return cast("types.LintWorkflowResult", self._caller.call(ApiRequest("POST", "/api/v1/workflows/lint", body=body), options))

    def list_account_statements(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Statements, types.StatementsStatement]:
        """List the months of the owner's statements, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/account/statements", query={"limit": limit, "cursor": cursor}), "statements", "cursor", options)

    def list_account_top_ups(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListAccountTopUpsResult, types.AccountTopUp]:
        """List the owner's top-ups, including automatic ones, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/account/topups", query={"limit": limit, "offset": offset}), "topups", "offset", options)

    def list_agent_versions(
        self,
        project_id: str,
        slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListAgentVersionsResult, types.AgentVersion]:
        """List an agent's revisions, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/agents/{slug}/versions", project_id, slug), query={"limit": limit, "offset": offset}), "versions", "offset", options)

    def list_agents(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListAgentsResult, types.AgentSnapshot]:
        """List agents with their current revisions, oldest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/agents", project_id), query={"limit": limit, "offset": offset}), "agents", "offset", options)

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        project_id: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListApiKeysResult, types.ApiKey]:
        """List the account’s keys, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/api-keys", query={"limit": limit, "offset": offset, "project_id": project_id}), "api_keys", "offset", options)

    def list_audit_log(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        action: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AuditLogResult, types.AuditEvent]:
        """List the account's security-relevant actions, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/account/audit-log", query={"limit": limit, "offset": offset, "action": action}), "events", "offset", options)

    def list_compatible_models(
        self,
        *,
        limit: int | None = None,
        after_id: str | None = None,
        before_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.OpenAiModelList | types.AnthropicModelList:
        """List models in OpenAI's format, or in Anthropic's, paginated, when `anthropic-version` is sent."""
        return cast("types.OpenAiModelList | types.AnthropicModelList", self._caller.call(ApiRequest("GET", "/v1/models", query={"limit": limit, "after_id": after_id, "before_id": before_id}), options))

    def list_connections(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListConnectionsResult, types.Connection]:
        """List connections, oldest first, which is the order in which they are asked."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/connections", project_id), query={"limit": limit, "offset": offset}), "connections", "offset", options)

    def list_conversation_items(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        order: Literal['asc', 'desc'] | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> types.ConversationItems:
        """List the items of a conversation."""
        return cast("types.ConversationItems", self._caller.call(ApiRequest("GET", fill_path("/v1/conversations/{conversation_id}/items", conversation_id), query={"limit": limit, "order": order, "after": after}), options))

    def list_customer_balance_history(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.BalanceHistory, types.BalanceEntry]:
        """List the transactions of a customer's wallet, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/customers/{id}/balance/history", id), query={"limit": limit, "offset": offset}), "entries", "offset", options)

    def list_customers(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        q: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        ids: str | None = None,
        tier_code: str | None = None,
        status: Literal['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'none'] | None = None,
        sort: Literal['created_at', '-created_at'] | None = None,
        cursor: str | None = None,
        total: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CustomerList, types.CustomerEnvelope]:
        """List the project's customers, oldest first, or search them."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/customers", query={"limit": limit, "offset": offset, "q": q, "email": email, "external_id": external_id, "ids": ids, "tier_code": tier_code, "status": status, "sort": sort, "cursor": cursor, "total": total}), "customers", "cursor or offset", options)

    def list_file_batches(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> types.ListBatchesResult:
        """List batches, newest first."""
        return cast("types.ListBatchesResult", self._caller.call(ApiRequest("GET", "/v1/batches", query={"limit": limit, "after": after}), options))

    def list_files(
        self,
        *,
        limit: int | None = None,
        order: Literal['asc', 'desc'] | None = None,
        after: str | None = None,
        purpose: str | None = None,
        options: CallOptions | None = None,
    ) -> types.ListFilesResult:
        """List uploaded files and files of batches."""
        return cast("types.ListFilesResult", self._caller.call(ApiRequest("GET", "/v1/files", query={"limit": limit, "order": order, "after": after, "purpose": purpose}), options))

    def list_google_models(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        options: CallOptions | None = None,
    ) -> types.GoogleModelList:
        """List models in Google's format."""
        return cast("types.GoogleModelList", self._caller.call(ApiRequest("GET", "/v1beta/models", query={"pageSize": page_size, "pageToken": page_token}), options))

    def list_invitations(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.InvitationListResult, types.Invitation]:
        """List a project's open invitations, oldest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/invitations", project_id), query={"limit": limit, "cursor": cursor}), "invitations", "cursor", options)

    def list_mailboxes(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        unread: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListMailboxesResult, types.Mailbox]:
        """List the mailboxes that received messages, by address."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/mailboxes", query={"limit": limit, "cursor": cursor, "unread": unread}), "mailboxes", "cursor", options)

    def list_mcp_servers(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListMcpServersResult, types.McpServer]:
        """List MCP servers, oldest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/mcp-servers", project_id), query={"limit": limit, "offset": offset}), "servers", "offset", options)

    def list_members(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.MemberListResult, types.Member]:
        """List a project's members and their roles, the first to join first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/members", project_id), query={"limit": limit, "cursor": cursor}), "members", "cursor", options)

    def list_messages(
        self,
        *,
        limit: int | None = None,
        offset: str | None = None,
        to: str | None = None,
        from_: str | None = None,
        thread_id: str | None = None,
        customer_id: str | None = None,
        unread: Literal['0', '1', 'true', 'false'] | None = None,
        sort: Literal['-created_at'] | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListMessagesResult, types.Message]:
        """List messages of a mailbox or a thread, oldest first, or search all, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/messages", query={"limit": limit, "offset": offset, "to": to, "from": from_, "thread_id": thread_id, "customer_id": customer_id, "unread": unread, "sort": sort, "cursor": cursor}), "messages", "cursor or offset", options)

    def list_model_routes(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ModelRoutesResult:
        """List the routes of the models with the state of their circuits."""
        return cast("types.ModelRoutesResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/model-routes", project_id)), options))

    def list_models(
        self,
        *,
        provider: str | None = None,
        capability: Literal['text', 'vision', 'document', 'audio', 'tool_use', 'structured_output', 'web_search', 'code_execution', 'image_generation'] | None = None,
        options: CallOptions | None = None,
    ) -> types.ListModelsResult:
        """List models with their capabilities and prices; with a customer's token, those of its tier."""
        return cast("types.ListModelsResult", self._caller.call(ApiRequest("GET", "/api/v1/models", query={"provider": provider, "capability": capability}), options))

    def list_my_balance_history(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.BalanceHistory, types.BalanceEntry]:
        """List the transactions of your wallet, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/customers/me/balance/history", query={"limit": limit, "offset": offset}), "entries", "offset", options)

    def list_my_devices(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerDeviceListResult:
        """List the devices that are signed in for you, newest first."""
        return cast("types.CustomerDeviceListResult", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/devices"), options))

    def list_my_payments(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice', 'refund', 'dispute'] | None = None,
        status: Literal['pending', 'completed', 'expired', 'failed', 'disputed', 'won', 'lost'] | None = None,
        from_: str | None = None,
        to: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentList:
        """List your payments, newest first."""
        return cast("types.PaymentList", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/payments", query={"limit": limit, "cursor": cursor, "kind": kind, "status": status, "from": from_, "to": to}), options))

    def list_my_sign_ins(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.SignInListResult, types.SignIn]:
        """List where you are signed in, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/auth/sign-ins", query={"limit": limit, "cursor": cursor}), "sign_ins", "cursor", options)

    def list_my_tiers(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.ListMyTiersResult:
        """List the tiers that you can choose, and your own."""
        return cast("types.ListMyTiersResult", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/tiers"), options))

    def list_pending_tool_calls(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.PendingToolsResult:
        """List tool calls that wait for results."""
        return cast("types.PendingToolsResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/runs/{id}/pending-tools", id)), options))

    def list_project_account_statements(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Statements, types.StatementsStatement]:
        """List the months of the owner's statements, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/account/statements", project_id), query={"limit": limit, "cursor": cursor}), "statements", "cursor", options)

    def list_project_api_keys(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListApiKeysResult, types.ApiKey]:
        """List the project’s keys, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/api-keys", project_id), query={"limit": limit, "offset": offset}), "api_keys", "offset", options)

    def list_project_customer_balance_history(
        self,
        project_id: str,
        customer_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.BalanceHistory, types.BalanceEntry]:
        """List the transactions of a customer's wallet, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers/{customer_id}/balance/history", project_id, customer_id), query={"limit": limit, "offset": offset}), "entries", "offset", options)

    def list_project_customers(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        q: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        ids: str | None = None,
        tier_code: str | None = None,
        status: Literal['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'none'] | None = None,
        sort: Literal['created_at', '-created_at'] | None = None,
        cursor: str | None = None,
        total: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CustomerList, types.CustomerEnvelope]:
        """List a project's customers, oldest first, or search them (dashboard)."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/customers", project_id), query={"limit": limit, "offset": offset, "q": q, "email": email, "external_id": external_id, "ids": ids, "tier_code": tier_code, "status": status, "sort": sort, "cursor": cursor, "total": total}), "customers", "cursor or offset", options)

    def list_project_mailboxes(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        unread: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListMailboxesResult, types.Mailbox]:
        """List the mailboxes that received messages, by address; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/mailboxes", project_id), query={"limit": limit, "cursor": cursor, "unread": unread}), "mailboxes", "cursor", options)

    def list_project_messages(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: str | None = None,
        to: str | None = None,
        from_: str | None = None,
        thread_id: str | None = None,
        customer_id: str | None = None,
        unread: Literal['0', '1', 'true', 'false'] | None = None,
        sort: Literal['-created_at'] | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListMessagesResult, types.Message]:
        """List messages of a mailbox or a thread, oldest first, or search all, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/messages", project_id), query={"limit": limit, "offset": offset, "to": to, "from": from_, "thread_id": thread_id, "customer_id": customer_id, "unread": unread, "sort": sort, "cursor": cursor}), "messages", "cursor or offset", options)

    def list_project_payments(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        customer_id: str | None = None,
        kind: Literal['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice', 'refund', 'dispute'] | None = None,
        status: Literal['pending', 'completed', 'expired', 'failed', 'disputed', 'won', 'lost'] | None = None,
        from_: str | None = None,
        to: str | None = None,
        totals: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentList:
        """List the payments of a project's customers, newest first."""
        return cast("types.PaymentList", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/payments", project_id), query={"limit": limit, "cursor": cursor, "customer_id": customer_id, "kind": kind, "status": status, "from": from_, "to": to, "totals": totals}), options))

    def list_project_pending_tool_calls(
        self,
        project_id: str,
        run_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.PendingToolsResult:
        """List tool calls that wait for results; by the owner's session."""
        return cast("types.PendingToolsResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs/{run_id}/pending-tools", project_id, run_id)), options))

    def list_project_requests(
        self,
        project_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        status: Literal['succeeded', 'failed', 'refused', 'unreported'] | None = None,
        model: str | None = None,
        customer_id: str | None = None,
        key_id: str | None = None,
        tier_code: str | None = None,
        error_code: str | None = None,
        request_id: str | None = None,
        min_duration_ms: int | None = None,
        min_cost_microcents: int | None = None,
        uncharged: Literal['0', '1', 'true', 'false'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListProjectRequestsResult, types.StreamProjectRequestsResult]:
        """List a project's model requests, newest first, with outcome, tokens, cost and latency; seconds late."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/requests", project_id), query={"from": from_, "to": to, "status": status, "model": model, "customer_id": customer_id, "key_id": key_id, "tier_code": tier_code, "error_code": error_code, "request_id": request_id, "min_duration_ms": min_duration_ms, "min_cost_microcents": min_cost_microcents, "uncharged": uncharged, "limit": limit, "cursor": cursor}), "requests", "cursor", options)

    def list_project_run_steps(
        self,
        project_id: str,
        run_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListRunStepsResult, types.RunStep]:
        """List the model calls of a run with their requests, answers and tools; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs/{run_id}/steps", project_id, run_id), query={"limit": limit, "offset": offset}), "steps", "offset", options)

    def list_project_run_tasks(
        self,
        project_id: str,
        run_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ListRunTasksResult:
        """List the tasks of a run; by the owner's session."""
        return cast("types.ListRunTasksResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs/{run_id}/tasks", project_id, run_id)), options))

    def list_project_runs(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: types.RunStatus | None = None,
        customer_id: str | None = None,
        agent: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListRunsResult, types.RunSummary]:
        """List runs, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs", project_id), query={"limit": limit, "offset": offset, "status": status, "customer_id": customer_id, "agent": agent, "from": from_, "to": to}), "runs", "offset", options)

    def list_project_sessions(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListSessionsResult, types.Session]:
        """List sessions without their messages, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/sessions", project_id), query={"limit": limit, "offset": offset}), "sessions", "offset", options)

    def list_project_state_handles(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListStateHandlesResult, types.StateHandle]:
        """List state handles that have not expired, newest first; by the owner's session."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/state-handles", project_id), query={"limit": limit, "offset": offset}), "state_handles", "offset", options)

    def list_project_tiers(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ListMyTiersResult:
        """List a project's tiers (dashboard)."""
        return cast("types.ListMyTiersResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/tiers", project_id)), options))

    def list_project_webhook_event_types(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ListWebhookEventTypesResult:
        """List the event types that a webhook can receive, with the schema and an example of each body; by the owner's session."""
        return cast("types.ListWebhookEventTypesResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhook-event-types", project_id)), options))

    def list_projects(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListProjectsResult, types.Project]:
        """List your projects: the account’s, then those of which you are a member; oldest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/projects", query={"limit": limit, "offset": offset}), "projects", "offset", options)

    def list_response_input_items(
        self,
        response_id: str,
        *,
        limit: int | None = None,
        order: Literal['asc', 'desc'] | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> types.ListResponseInputItemsResult:
        """List the items that a stored response was made of."""
        return cast("types.ListResponseInputItemsResult", self._caller.call(ApiRequest("GET", fill_path("/v1/responses/{response_id}/input_items", response_id), query={"limit": limit, "order": order, "after": after}), options))

    def list_run_steps(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListRunStepsResult, types.RunStep]:
        """List the model calls of a run with their requests, answers and tools."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/runs/{id}/steps", id), query={"limit": limit, "offset": offset}), "steps", "offset", options)

    def list_run_tasks(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.ListRunTasksResult:
        """List the tasks of a run."""
        return cast("types.ListRunTasksResult", self._caller.call(ApiRequest("GET", fill_path("/api/v1/runs/{id}/tasks", id)), options))

    def list_runs(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: types.RunStatus | None = None,
        customer_id: str | None = None,
        agent: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListRunsResult, types.RunSummary]:
        """List runs, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/runs", query={"limit": limit, "offset": offset, "status": status, "customer_id": customer_id, "agent": agent, "from": from_, "to": to}), "runs", "offset", options)

    def list_sessions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListSessionsResult, types.Session]:
        """List sessions without their messages, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/sessions", query={"limit": limit, "offset": offset}), "sessions", "offset", options)

    def list_signing_keys(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.ListSigningKeysResult:
        """Get the public keys of tokens; two during a key rotation."""
        return cast("types.ListSigningKeysResult", self._caller.call(ApiRequest("GET", "/.well-known/jwks.json"), options))

    def list_sql_profiles(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListSqlProfilesResult, types.SqlProfile]:
        """List SQL profiles, oldest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/sql-profiles", project_id), query={"limit": limit, "offset": offset}), "profiles", "offset", options)

    def list_state_handles(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListStateHandlesResult, types.StateHandle]:
        """List state handles that have not expired, newest first."""
        return Pages(self._caller, ApiRequest("GET", "/api/v1/state-handles", query={"limit": limit, "offset": offset}), "state_handles", "offset", options)

    def list_statements(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Statements, types.StatementsStatement]:
        """List the months of a project's statements, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/statements", project_id), query={"limit": limit, "cursor": cursor}), "statements", "cursor", options)

    def list_tiers(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.ListMyTiersResult:
        """List the project's tiers."""
        return cast("types.ListMyTiersResult", self._caller.call(ApiRequest("GET", "/api/v1/tiers"), options))

    def list_tool_hook_events(
        self,
        project_id: str,
        hook_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListToolHookEventsResult, types.ToolHookEvent]:
        """List a tool hook's calls, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/tool-hooks/{hook_id}/events", project_id, hook_id), query={"limit": limit, "offset": offset}), "events", "offset", options)

    def list_tool_hooks(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListToolHooksResult, types.ToolHook]:
        """List tool hooks, oldest first, which is the order in which they are called."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/tool-hooks", project_id), query={"limit": limit, "offset": offset}), "hooks", "offset", options)

    def list_uncharged_usage(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        customer_id: str | None = None,
        kind: Literal['overrun', 'unreconciled'] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.UnchargedUsage, types.UnchargedUsageUsage]:
        """List requests with usage that no customer paid for, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/uncharged-usage", project_id), query={"limit": limit, "cursor": cursor, "customer_id": customer_id, "kind": kind}), "usage", "cursor", options)

    def list_webhook_event_types(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.ListWebhookEventTypesResult:
        """List the event types that a webhook can receive, with the schema and an example of each body."""
        return cast("types.ListWebhookEventTypesResult", self._caller.call(ApiRequest("GET", "/api/v1/webhook-event-types"), options))

    def list_webhook_events(
        self,
        project_id: str,
        webhook_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        event_type: types.WebhookEventType | None = None,
        status: types.WebhookDeliveryStatus | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListWebhookEventsResult, types.WebhookDelivery]:
        """List a webhook's deliveries, newest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/events", project_id, webhook_id), query={"limit": limit, "offset": offset, "event_type": event_type, "status": status}), "events", "offset", options)

    def list_webhooks(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListWebhooksResult, types.Webhook]:
        """List webhooks, oldest first."""
        return Pages(self._caller, ApiRequest("GET", fill_path("/api/v1/projects/{id}/webhooks", project_id), query={"limit": limit, "offset": offset}), "webhooks", "offset", options)

    def login(
        self,
        body: types.LoginRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthResult:
        """Sign in with email and password."""
        return cast("types.AuthResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/login", body=body), options))

    def logout(
        self,
        body: types.KeepBrowserSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """End the session of a refresh token."""
        return cast("None", self._caller.call(ApiRequest("POST", "/api/v1/auth/logout", body=body), options))

    def mark_message_read(
        self,
        message_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Mark a message as read; idempotent."""
        return cast("None", self._caller.call(ApiRequest("POST", fill_path("/api/v1/messages/{message_id}/read", message_id)), options))

    def mark_project_message_read(
        self,
        project_id: str,
        message_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Mark a message as read; idempotent; by the owner's session."""
        return cast("None", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/messages/{message_id}/read", project_id, message_id)), options))

    def migrate_tier_price(
        self,
        project_id: str,
        tier_id: str,
        body: types.PriceMigrationInput | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.PriceMigration:
        """Move a tier's subscribers to its present price (dashboard)."""
        return cast("types.PriceMigration", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/tiers/{tier_id}/migrate-price", project_id, tier_id), body=body, key_in="header"), options))

    def mint_customer_token(
        self,
        body: types.MintCustomerTokenRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerToken:
        """Mint a token for one customer."""
        return cast("types.CustomerToken", self._caller.call(ApiRequest("POST", "/api/v1/auth/customer-token", body=body), options))

    def mint_project_customer_token(
        self,
        project_id: str,
        body: types.MintCustomerTokenRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerToken:
        """Mint a token for one customer; by the owner's session."""
        return cast("types.CustomerToken", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/auth/customer-token", project_id), body=body), options))

    def pin_image(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Keep an image beyond its expiry."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("POST", fill_path("/api/v1/images/{id}/pin", id)), options))

    def pin_project_image(
        self,
        project_id: str,
        image_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Keep an image beyond its expiry; by the owner's session."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/images/{image_id}/pin", project_id, image_id)), options))

    def poll_device_token(
        self,
        body: types.DeviceTokenRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerToken:
        """Poll for the token of a device sign-in."""
        return cast("types.CustomerToken", self._caller.call(ApiRequest("POST", "/api/v1/auth/device/token", body=body), options))

    def poll_owner_device_token(
        self,
        body: types.DeviceTokenRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthTokens:
        """Poll for the tokens of an owner whose device sign-in was approved."""
        return cast("types.AuthTokens", self._caller.call(ApiRequest("POST", "/api/v1/auth/owner-device/token", body=body), options))

    def poll_project_device_token(
        self,
        project_id: str,
        body: types.DeviceTokenRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerToken:
        """Poll for the token of a device sign-in; by the owner's session."""
        return cast("types.CustomerToken", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/auth/device/token", project_id), body=body), options))

    def preview_invitation(
        self,
        body: types.InvitationCodeRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.InvitationPreviewResult:
        """Show what the link of an invitation is for."""
        return cast("types.InvitationPreviewResult", self._caller.call(ApiRequest("POST", "/api/v1/invitations/preview", body=body), options))

    def preview_my_tier_change(
        self,
        *,
        tier_code: str,
        options: CallOptions | None = None,
    ) -> types.TierChangePreview:
        """Preview a move of your subscription to another tier."""
        return cast("types.TierChangePreview", self._caller.call(ApiRequest("GET", "/api/v1/customers/me/change-tier", query={"tier_code": tier_code}), options))

    def preview_owner_device(
        self,
        body: types.OwnerDevicePreviewRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.OwnerDevice:
        """Show which device asks to be signed in as you."""
        return cast("types.OwnerDevice", self._caller.call(ApiRequest("POST", "/api/v1/auth/owner-device/preview", body=body), options))

    def recover_webhook(
        self,
        project_id: str,
        webhook_id: str,
        body: types.RecoverWebhookRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookRecoveryResult:
        """Send a webhook's failed deliveries since a time again."""
        return cast("types.WebhookRecoveryResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/recover", project_id, webhook_id), body=body, key_in="header"), options))

    def redeliver_webhook_event(
        self,
        project_id: str,
        webhook_id: str,
        event_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookEventResult:
        """Redeliver an event."""
        return cast("types.WebhookEventResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/events/{event_id}/redeliver", project_id, webhook_id, event_id)), options))

    def refresh_session(
        self,
        body: types.KeepBrowserSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthTokens:
        """Exchange a refresh token for a new pair, once."""
        return cast("types.AuthTokens", self._caller.call(ApiRequest("POST", "/api/v1/auth/refresh", body=body), options))

    def refund_payment(
        self,
        id: str,
        body: types.RefundPaymentRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.RefundResult:
        """Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once."""
        return cast("types.RefundResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/payments/{id}/refund", id), body=body, key_in="header"), options))

    def refund_project_payment(
        self,
        project_id: str,
        payment_id: str,
        body: types.RefundPaymentRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.RefundResult:
        """Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once; by the owner's session."""
        return cast("types.RefundResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/payments/{payment_id}/refund", project_id, payment_id), body=body, key_in="header"), options))

    def register(
        self,
        body: types.RegisterRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AuthResult:
        """Create an account with a first project and its first secret key."""
        return cast("types.AuthResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/register", body=body), options))

    def remove_member(
        self,
        project_id: str,
        user_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Remove a member; every edge refuses it within five seconds."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/members/{user_id}", project_id, user_id)), options))

    def replay_agent(
        self,
        project_id: str,
        slug: str,
        body: types.ReplayAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentTestResult:
        """Rerun an agent with recorded answers and tool results, or with mocked tools."""
        return cast("types.AgentTestResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/replay", project_id, slug), body=body, key_in="header"), options))

    def replay_agent_stream(
        self,
        project_id: str,
        slug: str,
        body: types.ReplayAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.RunEvent]:
        """Rerun an agent with recorded answers and tool results, or with mocked tools. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/replay", project_id, slug), body=body, key_in="header", accept="application/x-ndjson"), options)

    def request_password_reset(
        self,
        body: types.RequestPasswordResetRequest,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Send an email with a link that resets the password."""
        return cast("None", self._caller.call(ApiRequest("POST", "/api/v1/auth/password-reset", body=body), options))

    def resend_invitation(
        self,
        project_id: str,
        invitation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.InvitationResult:
        """Send an invitation again with a new link."""
        return cast("types.InvitationResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/invitations/{invitation_id}/resend", project_id, invitation_id)), options))

    def resume_browser_session(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.BrowserSession:
        """Get an access token for the session in the cookie of this browser."""
        return cast("types.BrowserSession", self._caller.call(ApiRequest("POST", "/api/v1/auth/browser-session"), options))

    def resume_my_subscription(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.ResumeMySubscriptionResult:
        """Take the scheduled cancellation of your subscription back."""
        return cast("types.ResumeMySubscriptionResult", self._caller.call(ApiRequest("POST", "/api/v1/customers/me/subscription/resume", key_in="header"), options))

    def revoke_invitation(
        self,
        project_id: str,
        invitation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Revoke an invitation; its links end."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/invitations/{invitation_id}", project_id, invitation_id)), options))

    def rotate_api_key(
        self,
        id: str,
        body: types.RotateApiKeyRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Replace a key by a new one of the same label and kind; the old one keeps working for the overlap."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/api-keys/{id}/rotate", id), body=body), options))

    def rotate_project_api_key(
        self,
        project_id: str,
        key_id: str,
        body: types.RotateApiKeyRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Replace a key by a new one of the same label and kind; the old one keeps working for the overlap."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/api-keys/{key_id}/rotate", project_id, key_id), body=body), options))

    def run_agent(
        self,
        project_id: str,
        slug: str,
        body: types.RunAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentRunResult:
        """Run an agent and return its result, or stream its events with options.stream."""
        return cast("types.AgentRunResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/run", project_id, slug), body=body, key_in="header"), options))

    def run_agent_stream(
        self,
        project_id: str,
        slug: str,
        body: types.RunAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.RunEvent]:
        """Run an agent and return its result, or stream its events with options.stream. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/run", project_id, slug), body=body, key_in="header", accept="application/x-ndjson"), options)

    def send_mcp_message(
        self,
        body: types.McpMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.McpResult:
        """Serve the project's agents as tools of the Model Context Protocol."""
        return cast("types.McpResult", self._caller.call(ApiRequest("POST", "/v1/mcp", body=body), options))

    def send_mcp_message_stream(
        self,
        body: types.McpMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.McpResult]:
        """Serve the project's agents as tools of the Model Context Protocol. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", "/v1/mcp", body=body, accept="text/event-stream"), options)

    def send_message(
        self,
        body: types.SendMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Send a message to an agent or a run."""
        return cast("types.Message", self._caller.call(ApiRequest("POST", "/api/v1/messages", body=body, key_in="header"), options))

    def send_project_message(
        self,
        project_id: str,
        body: types.SendMessageRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Send a message to an agent or a run; by the owner's session."""
        return cast("types.Message", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/messages", project_id), body=body, key_in="header"), options))

    def set_auto_top_up(
        self,
        body: types.SetAutoTopUpRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AutoTopUp:
        """Set up automatic top-ups; 409 when no card is stored."""
        return cast("types.AutoTopUp", self._caller.call(ApiRequest("PUT", "/api/v1/account/billing/auto-topup", body=body), options))

    def set_customer_subscription(
        self,
        id: str,
        body: types.SetSubscriptionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.SetCustomerSubscriptionResult:
        """Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier."""
        return cast("types.SetCustomerSubscriptionResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/customers/{id}/subscription", id), body=body), options))

    def set_project_customer_subscription(
        self,
        project_id: str,
        customer_id: str,
        body: types.SetSubscriptionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.SetCustomerSubscriptionResult:
        """Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier; by the owner's session."""
        return cast("types.SetCustomerSubscriptionResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/customers/{customer_id}/subscription", project_id, customer_id), body=body), options))

    def sign_out_my_device(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Sign one of your devices out."""
        return cast("None", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/customers/me/devices/{id}", id)), options))

    def sign_up_in_browser(
        self,
        body: types.SignUpInBrowserRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.BrowserSession:
        """Create an account and sign this browser in."""
        return cast("types.BrowserSession", self._caller.call(ApiRequest("POST", "/api/v1/auth/browser-session/sign-up", body=body), options))

    def start_card_setup(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.CardSetup:
        """Start storing a card for automatic top-ups."""
        return cast("types.CardSetup", self._caller.call(ApiRequest("POST", "/api/v1/account/billing/auto-topup/setup"), options))

    def start_card_verification(
        self,
        body: types.StartCardVerificationRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.CardVerificationSession:
        """Create a checkout that verifies a card of the owner; 409 when a card is verified."""
        return cast("types.CardVerificationSession", self._caller.call(ApiRequest("POST", "/api/v1/account/card-verification", body=body, key_in="header"), options))

    def start_device(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.DeviceStartResult:
        """Start a device sign-in (RFC 8628)."""
        return cast("types.DeviceStartResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/device/start"), options))

    def start_oauth(
        self,
        *,
        provider: Literal['github', 'google'],
        return_to: str | None = None,
        handoff_nonce: str | None = None,
        options: CallOptions | None = None,
    ) -> types.OauthStartResult:
        """Start a sign-in with GitHub or Google; returns the URL to open in a browser."""
        return cast("types.OauthStartResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/oauth/start", query={"provider": provider, "return_to": return_to, "handoff_nonce": handoff_nonce}), options))

    def start_owner_device(
        self,
        body: types.OwnerDeviceStartRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.DeviceStartResult:
        """Start signing an owner in on a device (RFC 8628)."""
        return cast("types.DeviceStartResult", self._caller.call(ApiRequest("POST", "/api/v1/auth/owner-device/start", body=body), options))

    def start_portal_session(
        self,
        body: types.StartPortalSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.PortalSessionResult:
        """Exchange the code of a link to the portal for a session."""
        return cast("types.PortalSessionResult", self._caller.call(ApiRequest("POST", "/api/v1/portal/session", body=body), options))

    def start_project_device(
        self,
        project_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.DeviceStartResult:
        """Start a device sign-in (RFC 8628); by the owner's session."""
        return cast("types.DeviceStartResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/auth/device/start", project_id)), options))

    def stream_google_content(
        self,
        model: str,
        body: types.GoogleGenerateRequest,
        *,
        alt: Literal['sse', 'json'] | None = None,
        options: CallOptions | None = None,
    ) -> list[types.GoogleGenerateEvent]:
        """Ask a model in Google's generateContent dialect, with a streamed answer."""
        return cast("list[types.GoogleGenerateEvent]", self._caller.call(ApiRequest("POST", fill_path("/v1beta/models/{model}:streamGenerateContent", model), query={"alt": alt}, body=body, key_in="header"), options))

    def stream_google_content_stream(
        self,
        model: str,
        body: types.GoogleGenerateRequest,
        *,
        alt: Literal['sse', 'json'] | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[types.GoogleGenerateEvent]:
        """Ask a model in Google's generateContent dialect, with a streamed answer. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", fill_path("/v1beta/models/{model}:streamGenerateContent", model), query={"alt": alt}, body=body, key_in="header", accept="text/event-stream"), options)

    def stream_project_requests(
        self,
        project_id: str,
        *,
        status: Literal['succeeded', 'failed', 'refused', 'unreported'] | None = None,
        model: str | None = None,
        customer_id: str | None = None,
        key_id: str | None = None,
        tier_code: str | None = None,
        wait: Literal['0', '1', 'true', 'false'] | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[types.StreamProjectRequestsResult]:
        """Stream a project's requests as they end: those of the last minute, then, with wait=true, new ones."""
        return self._caller.stream(ApiRequest("GET", fill_path("/api/v1/projects/{id}/requests/live", project_id), query={"status": status, "model": model, "customer_id": customer_id, "key_id": key_id, "tier_code": tier_code, "wait": wait}, accept="application/x-ndjson"), options)

    def stream_project_run_events(
        self,
        project_id: str,
        run_id: str,
        *,
        after_seq: int | None = None,
        wait: Literal['0', '1', 'true', 'false'] | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[types.RunEvent]:
        """Stream the event log of a run: stored events, then new ones; by the owner's session."""
        return self._caller.stream(ApiRequest("GET", fill_path("/api/v1/projects/{id}/runs/{run_id}/events", project_id, run_id), query={"after_seq": after_seq, "wait": wait, "limit": limit}, accept="application/x-ndjson"), options)

    def stream_run_events(
        self,
        id: str,
        *,
        after_seq: int | None = None,
        wait: Literal['0', '1', 'true', 'false'] | None = None,
        limit: int | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[types.RunEvent]:
        """Stream the event log of a run: stored events, then new ones."""
        return self._caller.stream(ApiRequest("GET", fill_path("/api/v1/runs/{id}/events", id), query={"after_seq": after_seq, "wait": wait, "limit": limit}, accept="application/x-ndjson"), options)

    def submit_project_tool_results(
        self,
        project_id: str,
        run_id: str,
        body: types.SubmitToolResultsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AcceptedToolResults:
        """Submit results for the tool calls of a waiting node; by the owner's session."""
        return cast("types.AcceptedToolResults", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/runs/{run_id}/tool-results", project_id, run_id), body=body), options))

    def submit_tool_results(
        self,
        id: str,
        body: types.SubmitToolResultsRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AcceptedToolResults:
        """Submit results for the tool calls of a waiting node."""
        return cast("types.AcceptedToolResults", self._caller.call(ApiRequest("POST", fill_path("/api/v1/runs/{id}/tool-results", id), body=body), options))

    def subscribe_customer(
        self,
        id: str,
        body: types.SubscribeCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CheckoutSession:
        """Create a checkout of a paid tier for a customer."""
        return cast("types.CheckoutSession", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/subscribe", id), body=body, key_in="header"), options))

    def subscribe_project_customer(
        self,
        project_id: str,
        customer_id: str,
        body: types.SubscribeCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CheckoutSession:
        """Create a checkout of a paid tier for a customer; by the owner's session."""
        return cast("types.CheckoutSession", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/subscribe", project_id, customer_id), body=body, key_in="header"), options))

    def test_agent(
        self,
        project_id: str,
        slug: str,
        body: types.TestAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentTestResult:
        """Run an agent with mocked tools."""
        return cast("types.AgentTestResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/test", project_id, slug), body=body, key_in="header"), options))

    def test_agent_stream(
        self,
        project_id: str,
        slug: str,
        body: types.TestAgentRequest,
        *,
        options: CallOptions | None = None,
    ) -> EventStream[types.RunEvent]:
        """Run an agent with mocked tools. The answer is streamed."""
        return self._caller.stream(ApiRequest("POST", fill_path("/api/v1/projects/{id}/agents/{slug}/test", project_id, slug), body=body, key_in="header", accept="application/x-ndjson"), options)

    def test_connection(
        self,
        project_id: str,
        connection_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.TestConnectionResult:
        """Ask a connection now."""
        return cast("types.TestConnectionResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/connections/{connection_id}/test", project_id, connection_id)), options))

    def test_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.TestMcpServerResult:
        """List the tools of an MCP server now."""
        return cast("types.TestMcpServerResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}/test", project_id, mcp_server_id)), options))

    def test_tool_hook(
        self,
        project_id: str,
        hook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.TestToolHookResult:
        """Send a sample call to the hook now."""
        return cast("types.TestToolHookResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/tool-hooks/{hook_id}/test", project_id, hook_id)), options))

    def test_webhook(
        self,
        project_id: str,
        webhook_id: str,
        body: types.TestWebhookRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.TestWebhookResult:
        """Send a sample event now."""
        return cast("types.TestWebhookResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}/test", project_id, webhook_id), body=body), options))

    def top_up_customer_wallet(
        self,
        id: str,
        body: types.TopUpWalletRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.WalletTopUp:
        """Create a checkout that tops up a customer's wallet."""
        return cast("types.WalletTopUp", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/topup", id), body=body, key_in="header"), options))

    def top_up_my_wallet(
        self,
        body: types.TopUpWalletRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.WalletTopUp:
        """Create a checkout that tops up the customer's wallet."""
        return cast("types.WalletTopUp", self._caller.call(ApiRequest("POST", "/api/v1/customers/me/topup", body=body, key_in="header"), options))

    def top_up_project_customer_wallet(
        self,
        project_id: str,
        customer_id: str,
        body: types.TopUpWalletRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.WalletTopUp:
        """Create a checkout that tops up a customer's wallet; by the owner's session."""
        return cast("types.WalletTopUp", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/topup", project_id, customer_id), body=body, key_in="header"), options))

    def unblock_customer(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Accept a blocked customer's requests again."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/unblock", id)), options))

    def unblock_project_customer(
        self,
        project_id: str,
        customer_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Accept a blocked customer's requests again; by the owner's session."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/unblock", project_id, customer_id)), options))

    def unpin_image(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Unpin an image; it expires after its full lifetime from now."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/images/{id}/pin", id)), options))

    def unpin_project_image(
        self,
        project_id: str,
        image_id: str,
        *,
        options: CallOptions | None = None,
    ) -> types.StoredImage:
        """Unpin an image; it expires after its full lifetime from now; by the owner's session."""
        return cast("types.StoredImage", self._caller.call(ApiRequest("DELETE", fill_path("/api/v1/projects/{id}/images/{image_id}/pin", project_id, image_id)), options))

    def update_agent(
        self,
        project_id: str,
        slug: str,
        body: types.UpdateAgentRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentResult:
        """Update an agent; a changed configuration makes a new revision."""
        return cast("types.AgentResult", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/agents/{slug}", project_id, slug), body=body), options))

    def update_agent_memory(
        self,
        project_id: str,
        slug: str,
        body: types.AgentMemoryRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.AgentMemoryResult:
        """Replace the memory of an agent, or its memory about a customer."""
        return cast("types.AgentMemoryResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/agents/{slug}/memory", project_id, slug), body=body), options))

    def update_api_key(
        self,
        id: str,
        body: types.UpdateApiKeyRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Change a key's label or expiry; edges apply it within five seconds."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/api-keys/{id}", id), body=body), options))

    def update_connection(
        self,
        project_id: str,
        connection_id: str,
        body: types.UpdateConnectionRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.ConnectionResult:
        """Update a connection or its keys."""
        return cast("types.ConnectionResult", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/connections/{connection_id}", project_id, connection_id), body=body), options))

    def update_conversation(
        self,
        conversation_id: str,
        body: types.UpdateConversationRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Replace the metadata of a conversation."""
        return cast("types.Conversation", self._caller.call(ApiRequest("POST", fill_path("/v1/conversations/{conversation_id}", conversation_id), body=body), options))

    def update_customer(
        self,
        id: str,
        body: types.CustomerChange,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Change a customer's email or metadata."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/customers/{id}", id), body=body), options))

    def update_mcp_server(
        self,
        project_id: str,
        mcp_server_id: str,
        body: types.UpdateMcpServerRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.McpServerResult:
        """Update an MCP server or its credentials."""
        return cast("types.McpServerResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/mcp-servers/{mcp_server_id}", project_id, mcp_server_id), body=body), options))

    def update_member(
        self,
        project_id: str,
        user_id: str,
        body: types.UpdateMemberRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.MemberResult:
        """Change a member's role; edges apply it within five seconds."""
        return cast("types.MemberResult", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/members/{user_id}", project_id, user_id), body=body), options))

    def update_project(
        self,
        id: str,
        body: types.UpdateProjectRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.ProjectResult:
        """Update a project; omitted fields keep their values."""
        return cast("types.ProjectResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}", id), body=body), options))

    def update_project_api_key(
        self,
        project_id: str,
        key_id: str,
        body: types.UpdateApiKeyRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ApiKeyResult:
        """Change a key's label or expiry; edges apply it within five seconds."""
        return cast("types.ApiKeyResult", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/api-keys/{key_id}", project_id, key_id), body=body), options))

    def update_project_customer(
        self,
        project_id: str,
        customer_id: str,
        body: types.CustomerChange,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Change a customer's email or metadata; by the owner's session."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/customers/{customer_id}", project_id, customer_id), body=body), options))

    def update_project_session(
        self,
        project_id: str,
        session_id: str,
        body: types.UpdateSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Merge metadata into a session; null removes a key; by the owner's session."""
        return cast("types.Session", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/projects/{id}/sessions/{session_id}", project_id, session_id), body=body), options))

    def update_session(
        self,
        id: str,
        body: types.UpdateSessionRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.Session:
        """Merge metadata into a session; null removes a key."""
        return cast("types.Session", self._caller.call(ApiRequest("PATCH", fill_path("/api/v1/sessions/{id}", id), body=body), options))

    def update_sql_profile(
        self,
        project_id: str,
        profile_id: str,
        body: types.UpdateSqlProfileRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.SqlProfileResult:
        """Update a SQL profile; omitted fields keep their values, a policy is replaced as a whole."""
        return cast("types.SqlProfileResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/sql-profiles/{profile_id}", project_id, profile_id), body=body), options))

    def update_tier(
        self,
        project_id: str,
        tier_id: str,
        body: types.UpdateTierRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UpdateTierResult:
        """Update a tier; omitted fields keep their values (dashboard)."""
        return cast("types.UpdateTierResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/tiers/{tier_id}", project_id, tier_id), body=body), options))

    def update_tool_hook(
        self,
        project_id: str,
        hook_id: str,
        body: types.UpdateToolHookRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UpdateToolHookResult:
        """Update a tool hook or rotate its secret."""
        return cast("types.UpdateToolHookResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/tool-hooks/{hook_id}", project_id, hook_id), body=body), options))

    def update_webhook(
        self,
        project_id: str,
        webhook_id: str,
        body: types.UpdateWebhookRequest | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.WebhookResult:
        """Update a webhook or rotate its secret."""
        return cast("types.WebhookResult", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/webhooks/{webhook_id}", project_id, webhook_id), body=body), options))

    def upsert_customer(
        self,
        body: types.CreateCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Create or update a customer by external id."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("PUT", "/api/v1/customers", body=body), options))

    def upsert_project_customer(
        self,
        project_id: str,
        body: types.CreateCustomerRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CustomerEnvelope:
        """Create or update a customer by external id; by the owner's session."""
        return cast("types.CustomerEnvelope", self._caller.call(ApiRequest("PUT", fill_path("/api/v1/projects/{id}/customers", project_id), body=body), options))

    def validate_project_sql(
        self,
        project_id: str,
        body: types.ValidateSqlRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ValidateSqlResult:
        """Validate a statement against a policy; 400 lists the reasons for refusal; by the owner's session."""
        return cast("types.ValidateSqlResult", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/sql/validate", project_id), body=body), options))

    def validate_sql(
        self,
        body: types.ValidateSqlRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.ValidateSqlResult:
        """Validate a statement against a policy; 400 lists the reasons for refusal."""
        return cast("types.ValidateSqlResult", self._caller.call(ApiRequest("POST", "/api/v1/sql/validate", body=body), options))

    def verify_ledger(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.LedgerVerify:
        """Recompute every balance from the journal."""
        return cast("types.LedgerVerify", self._caller.call(ApiRequest("GET", "/api/v1/account/ledger/verify"), options))

    def withdraw_customer_credit(
        self,
        id: str,
        body: types.WithdrawCreditRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CreditWithdrawal:
        """Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once."""
        return cast("types.CreditWithdrawal", self._caller.call(ApiRequest("POST", fill_path("/api/v1/customers/{id}/credit/withdraw", id), body=body, key_in="header"), options))

    def withdraw_project_customer_credit(
        self,
        project_id: str,
        customer_id: str,
        body: types.WithdrawCreditRequest,
        *,
        options: CallOptions | None = None,
    ) -> types.CreditWithdrawal:
        """Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once; by the owner's session."""
        return cast("types.CreditWithdrawal", self._caller.call(ApiRequest("POST", fill_path("/api/v1/projects/{id}/customers/{customer_id}/credit/withdraw", project_id, customer_id), body=body, key_in="header"), options))
