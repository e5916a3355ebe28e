import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AgentService, type ResolveAgentRequest } from '@tollgate/contracts/agents/v1/agents_pb.js';
import {
  type ApplyToolOperationsRequest,
  ToolStateService,
  type WriteAgentMemoryRequest,
} from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import {
  type CallMcpToolRequest,
  type ListMcpToolsRequest,
  McpServerService,
} from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import {
  HookDecision,
  type ListToolHooksRequest,
  type RunToolHooksRequest,
  type RunToolHooksResponseSchema,
  ToolHookService,
} from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import {
  MessagingService,
  type ReadInboxRequest,
  type SendMessageRequest,
} from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, LocalNetwork } from '@tollgate/rpc';
import { applyToolOperation, EMPTY_TOOL_STATE, type StateToolName, type ToolState } from '@tollgate/tools';

type HookAnswer = MessageInitShape<typeof RunToolHooksResponseSchema>;

/** Fakes of the services that tools call, in memory. */
export class ToolPeers {
  /** Scopes that exist, by id. */
  readonly scopes = new Map<string, ToolState>();
  readonly memories: WriteAgentMemoryRequest[] = [];
  readonly hookCalls: RunToolHooksRequest[] = [];
  /** The answer of the hook of this type; absent: there is no such hook. */
  readonly hooks = new Map<string, (req: RunToolHooksRequest, call: Call) => HookAnswer | Promise<HookAnswer>>();
  /** Allowlist of the tool_execute hooks. */
  executedTools: string[] = [];
  /** Number of hooks of other types before them. */
  otherHooks = 0;
  areHooksUnavailable = false;
  isStateUnavailable = false;
  readonly mcpCalls: CallMcpToolRequest[] = [];
  mcpResult = '"by the server"';
  isMcpUnavailable = false;
  readonly sent: SendMessageRequest[] = [];
  readonly inboxes: ReadInboxRequest[] = [];
  /** JSON of the body of the message in every mailbox. */
  messageBody = '{"n":1}';

  join(network: LocalNetwork): void {
    network.register(
      {
        service: ToolStateService,
        handlers: {
          applyToolOperations: (req: ApplyToolOperationsRequest) => this.#apply(req),
          writeAgentMemory: (req: WriteAgentMemoryRequest) => {
            this.memories.push(req);
            return {};
          },
        },
      },
      {
        service: ToolHookService,
        handlers: {
          runToolHooks: (req: RunToolHooksRequest, call: Call) => this.#runHooks(req, call),
          listToolHooks: ({ limit, offset }: ListToolHooksRequest) => {
            const hooks = [
              ...Array(this.otherHooks).fill({ hookType: 'post_tool_use', enabled: true }),
              { hookType: 'tool_execute', enabled: true, toolsAllowlist: this.executedTools },
              { hookType: 'tool_execute', enabled: false, toolsAllowlist: ['switched_off'] },
              { hookType: 'pre_tool_use', enabled: true, toolsAllowlist: ['looked_at'] },
            ];
            return { hooks: hooks.slice(offset, offset + limit), hasMore: hooks.length > offset + limit };
          },
        },
      },
      {
        service: McpServerService,
        handlers: {
          callMcpTool: (req: CallMcpToolRequest) => {
            if (this.isMcpUnavailable) throw new AppError('SERVICE_UNAVAILABLE', 'unavailable');
            this.mcpCalls.push(req);
            return { resultJson: this.mcpResult };
          },
          listMcpTools: ({ servers }: ListMcpToolsRequest) => ({ listings: servers.map((server) => ({ server })) }),
        },
      },
      {
        service: AgentService,
        handlers: {
          resolveAgent: ({ by }: ResolveAgentRequest) => {
            if (by.value === 'nobody') throw new AppError('NOT_FOUND', 'agent not found');
            return { snapshot: {} };
          },
        },
      },
      { service: MessagingService, handlers: this.#messaging() },
    );
  }

  reset(): void {
    this.scopes.clear();
    this.hooks.clear();
    this.executedTools = [];
    this.otherHooks = 0;
    this.areHooksUnavailable = false;
    this.isStateUnavailable = false;
    this.isMcpUnavailable = false;
    this.mcpResult = '"by the server"';
    for (const list of [this.memories, this.hookCalls, this.mcpCalls, this.sent, this.inboxes]) list.length = 0;
    this.messageBody = '{"n":1}';
  }

  #apply({ scope, operations }: ApplyToolOperationsRequest) {
    if (this.isStateUnavailable) throw new AppError('SERVICE_UNAVAILABLE', 'unavailable');
    const found = this.scopes.get(scope.value ?? '');
    if (!found) throw new AppError('NOT_FOUND', 'state handle not found');
    let state: ToolState = found;
    const outputs: string[] = [];
    for (const { name, argumentsJson } of operations) {
      const outcome = applyToolOperation(state, name as StateToolName, JSON.parse(argumentsJson));
      state = outcome.state;
      outputs.push(JSON.stringify(outcome.output));
    }
    this.scopes.set(scope.value ?? '', state);
    return { outputs };
  }

  async #runHooks(req: RunToolHooksRequest, call: Call): Promise<HookAnswer> {
    this.hookCalls.push(req);
    if (this.areHooksUnavailable) throw new AppError('SERVICE_UNAVAILABLE', 'unavailable');
    return (await this.hooks.get(req.hookType)?.(req, call)) ?? { decision: HookDecision.NONE };
  }

  #messaging() {
    const toMessage = () => ({
      id: 'a0000000-0000-4000-8000-0000000000aa',
      from: 'agent:other@p',
      to: 'agent:api@p',
      subject: 'Hello',
      bodyJson: this.messageBody,
      threadId: 'a0000000-0000-4000-8000-0000000000bb',
      createdAt: timestampFromMs(0),
    });
    return {
      sendMessage: (req: SendMessageRequest) => {
        if (!/^(agent|run):/.test(req.to)) throw new AppError('VALIDATION_ERROR', 'to: is not an address');
        this.sent.push(req);
        const message = toMessage();
        return { message: { ...message, threadId: req.threadId || message.id } };
      },
      readInbox: (req: ReadInboxRequest) => {
        this.inboxes.push(req);
        return { messages: [toMessage()] };
      },
      getMessage: () => ({ message: toMessage() }),
    };
  }
}

export function stateWith(kv: Record<string, string>): ToolState {
  return { ...EMPTY_TOOL_STATE, kv };
}
