import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { SqlService } from '@tollgate/contracts/agents/v1/sql_pb.js';
import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { ConnectionService } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { McpServerService } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { ConversationService } from '@tollgate/contracts/inference/v1/conversations_pb.js';
import { ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { RealtimeService } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AgentRunService } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { BackgroundResponseService } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { BatchService, FileService } from '@tollgate/contracts/workflow/v1/batches_pb.js';
import { CompileService } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Client, Network } from '@tollgate/rpc';

/** Clients of the other services, one per proto service. */
export interface Clients {
  billing: Client<typeof BillingService>;
  holds: Client<typeof HoldService>;
  connections: Client<typeof ConnectionService>;
  payments: Client<typeof PaymentService>;
  inference: Client<typeof InferenceService>;
  compat: Client<typeof CompatService>;
  realtime: Client<typeof RealtimeService>;
  images: Client<typeof ImageService>;
  storedResponses: Client<typeof StoredResponseService>;
  conversations: Client<typeof ConversationService>;
  workflow: Client<typeof WorkflowService>;
  files: Client<typeof FileService>;
  batches: Client<typeof BatchService>;
  backgroundResponses: Client<typeof BackgroundResponseService>;
  compile: Client<typeof CompileService>;
  agentRuns: Client<typeof AgentRunService>;
  agents: Client<typeof AgentService>;
  state: Client<typeof StateService>;
  toolState: Client<typeof ToolStateService>;
  sessions: Client<typeof SessionService>;
  sql: Client<typeof SqlService>;
  hooks: Client<typeof HookService>;
  toolHooks: Client<typeof ToolHookService>;
  mcpServers: Client<typeof McpServerService>;
  messaging: Client<typeof MessagingService>;
}

export function createClients(network: Network): Clients {
  return {
    billing: network.client(BillingService),
    holds: network.client(HoldService),
    connections: network.client(ConnectionService),
    payments: network.client(PaymentService),
    inference: network.client(InferenceService),
    compat: network.client(CompatService),
    realtime: network.client(RealtimeService),
    images: network.client(ImageService),
    storedResponses: network.client(StoredResponseService),
    conversations: network.client(ConversationService),
    workflow: network.client(WorkflowService),
    files: network.client(FileService),
    batches: network.client(BatchService),
    backgroundResponses: network.client(BackgroundResponseService),
    compile: network.client(CompileService),
    agentRuns: network.client(AgentRunService),
    agents: network.client(AgentService),
    state: network.client(StateService),
    toolState: network.client(ToolStateService),
    sessions: network.client(SessionService),
    sql: network.client(SqlService),
    hooks: network.client(HookService),
    toolHooks: network.client(ToolHookService),
    mcpServers: network.client(McpServerService),
    messaging: network.client(MessagingService),
  };
}
