import type { MessageInitShape } from '@bufbuild/protobuf';
import type { McpListingSchema } from '@tollgate/contracts/hooks/v1/mcp_servers_pb.js';
import { type ExecuteToolRequest, ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { AppError } from '@tollgate/errors';
import { type Call, type Registration, register } from '@tollgate/rpc';
import {
  applyToolOperation,
  canonicalToolName,
  isStateTool,
  parseToolArguments,
  parseToolState,
} from '@tollgate/tools';

export interface FakeToolReply {
  /** The default output of tools without state: their arguments as JSON. */
  output?: unknown;
  errorCode?: string;
  /** The arguments after hooks. */
  arguments?: string;
  handled?: boolean;
  costMicrocents?: bigint;
  /** Waits for this before it answers; an abort ends the wait. */
  gate?: Promise<void>;
  error?: AppError;
}

export interface FakeToolCall {
  request: ExecuteToolRequest;
  customerId: string;
  isAborted: boolean;
}

/**
 * Executes tools like the tool service: key-value and task tools on the run's state, others by
 * script.
 */
export class FakeTools {
  readonly calls: FakeToolCall[] = [];
  reply: (request: ExecuteToolRequest) => FakeToolReply = () => ({});
  /** The servers of each listing. */
  readonly listed: string[][] = [];
  /** Listings wait for this before they answer. */
  listingGate: Promise<void> | undefined;
  listing: (server: string) => Omit<MessageInitShape<typeof McpListingSchema>, '$typeName' | 'server'> = () => ({});

  registration(): Registration {
    return register(ToolService, {
      executeTool: (request, call) => this.#execute(request, call),
      listMcpTools: async ({ servers }, call) => {
        this.listed.push(servers);
        await gateOpen(this.listingGate, call);
        return { listings: servers.map((server) => ({ server, ...this.listing(server) })) };
      },
    });
  }

  /** The ids of all calls, once each. */
  distinct(): Set<string> {
    return new Set(this.calls.map(({ request }) => `${request.holdId}/${request.toolCallId}`));
  }

  async #execute(request: ExecuteToolRequest, call: Call) {
    const entry = { request, customerId: call.requirePrincipal().customerId, isAborted: false };
    this.calls.push(entry);
    const reply = this.reply(request);
    if (reply.error) throw reply.error;
    await gateOpen(reply.gate, call).catch((error: unknown) => {
      entry.isAborted = true;
      throw error;
    });
    const args = reply.arguments ?? request.arguments;
    const common = { handled: reply.handled ?? true, arguments: args, costMicrocents: reply.costMicrocents ?? 0n };
    const onState = reply.output === undefined ? this.#onState(request, args) : undefined;
    if (onState) return { ...common, ...onState };
    const output = reply.output === undefined ? { ran: request.name, with: JSON.parse(args) as unknown } : reply.output;
    return { ...common, output: JSON.stringify(output), errorCode: reply.errorCode ?? '' };
  }

  #onState({ name: written, context }: ExecuteToolRequest, args: string) {
    const name = canonicalToolName(written);
    const stateJson = Buffer.from(context?.runStateJson ?? []).toString('utf8');
    if (!name || !isStateTool(name) || stateJson === '') return undefined;
    const parsed = parseToolArguments(name, args);
    if (!parsed.ok) return { output: JSON.stringify(parsed.error), errorCode: parsed.error.error.code };
    const { state, output, change } = applyToolOperation(parseToolState(stateJson), name, parsed.arguments);
    const errorCode = 'error' in output ? output.error.code : '';
    return {
      output: JSON.stringify(output),
      errorCode,
      ...(change && {
        runStateJson: Buffer.from(JSON.stringify(state)),
        changedKey: change.kind === 'kv' ? change.key : '',
      }),
    };
  }
}

async function gateOpen(gate: Promise<void> | undefined, { signal }: Call): Promise<void> {
  if (!gate) return;
  await new Promise<void>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    gate.then(resolve, reject);
  });
}
