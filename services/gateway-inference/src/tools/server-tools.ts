import type { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call, Client } from '@tollgate/rpc';
import {
  isStateTool,
  memoryRefusal,
  type ServerToolName,
  type StateToolName,
  type ToolArguments,
  toolError,
} from '@tollgate/tools';
import type { Context } from '../context.js';
import type { ToolOutcome } from '../domain/turn-tools.js';
import type { ImageContext } from '../operations/images/generate-images.js';
import { generateImage } from './image-tool.js';
import { type MessageContext, readInbox, replyToMessage, sendMessage } from './message-tools.js';
import type { ToolRun } from './tool-run.js';
import { fetchPage } from './web-fetch.js';

/** The parts of the context that the service's own tools use. */
export type ServerToolContext = ImageContext & MessageContext & Pick<Context, 'toolState' | 'web' | 'webSearch'>;

type OtherToolName = Exclude<ServerToolName, StateToolName>;

interface ServerTool<Name extends ServerToolName> {
  timeoutMs: number;
  run(ctx: ServerToolContext, args: ToolArguments<Name>, run: ToolRun): Promise<ToolOutcome>;
}

const STATE_TIMEOUT_MS = 5_000;

const tools: { [Name in OtherToolName]: ServerTool<Name> } = {
  memory_write: { timeoutMs: 5_000, run: writeMemory },
  message_send: { timeoutMs: 5_000, run: sendMessage },
  message_inbox: { timeoutMs: 5_000, run: readInbox },
  message_reply: { timeoutMs: 10_000, run: replyToMessage },
  image_generation: { timeoutMs: 180_000, run: generateImage },
  web_search: {
    timeoutMs: 20_000,
    run: async ({ webSearch }, args, { call }) => {
      const results = await webSearch.search(args, call.signal);
      return { output: { results }, citations: results.map(({ title, url }) => ({ title, url })) };
    },
  },
  web_fetch: {
    timeoutMs: 25_000,
    run: async ({ web }, args, { call }) => {
      if (!web) throw new AppError('WEB_FETCH_UNAVAILABLE', 'web_fetch is disabled');
      return { output: await fetchPage(web, args, call.principal?.accountId ?? '', call.signal) };
    },
  },
};

/** Runs a tool of the service within its time limit. @throws AppError for a failure that is not a result of the tool */
export async function runServerTool(
  ctx: ServerToolContext,
  name: ServerToolName,
  args: ToolArguments<ServerToolName>,
  run: ToolRun,
): Promise<ToolOutcome> {
  if (isStateTool(name)) {
    const call = run.call.with({ timeoutMs: STATE_TIMEOUT_MS });
    return { output: await run.scope.apply(name, args as ToolArguments<typeof name>, call) };
  }
  const tool = tools[name] as ServerTool<ServerToolName>;
  return await inTime(run.call, tool.timeoutMs, (call) => tool.run(ctx, args, { ...run, call }));
}

/** Aborts the call at its deadline, because tools that make no RPCs would not notice the deadline. */
async function inTime<Result>(parent: Call, timeoutMs: number, work: (call: Call) => Promise<Result>): Promise<Result> {
  const call = parent.with({ timeoutMs });
  const timer = setTimeout(
    () => call.abort(new AppError('RELAY_TIMEOUT', 'the tool did not finish in time')),
    timeoutMs,
  );
  try {
    return await work(call);
  } finally {
    clearTimeout(timer);
  }
}

/** `memory_write`: replaces the agent's memory of the run's customer, or the agent's own memory without a customer. */
async function writeMemory(
  { toolState }: { toolState: Client<typeof ToolStateService> },
  { content }: ToolArguments<'memory_write'>,
  { agent, call }: ToolRun,
): Promise<ToolOutcome> {
  if (!agent) return { output: toolError('INVALID_INPUT', 'memory_write is only available in agent runs') };
  const refusal = memoryRefusal(content);
  if (refusal) return { output: refusal };
  await toolState.writeAgentMemory({ agentId: agent.id, content }, call);
  return { output: { ok: true } };
}
