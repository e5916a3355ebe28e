import type { ResponseResource } from '@tollgate/api/model-requests';
import { canonicalToolName, underscoredToolName } from '@tollgate/tools';
import type { RunFailure } from '../failure.js';
import type { ModelNode, ToolRoute } from '../plan/plan.js';
import { limitReached } from '../run/time-limit.js';
import { findMcpServer } from './mcp-tools.js';

/** A tool call as clients see it. */
export interface ToolCall {
  tool_call_id: string;
  name: string;
  /** A JSON string, as the model wrote it. */
  arguments: string;
}

export interface ToolResult {
  tool_call_id: string;
  name: string;
  /** A JSON string. */
  output: string;
}

/** Returns the tool calls of an answer. A call's index in this list is its position. */
export function listToolCalls(answer: ResponseResource): ToolCall[] {
  const calls = answer.output.at(-1)?.tool_calls ?? [];
  return calls.flatMap(({ id, function: fn }) =>
    fn ? [{ tool_call_id: id, name: fn.name, arguments: fn.arguments }] : [],
  );
}

/** Whether the service executes the call. In client mode, it executes only built-in tools and those with a route. */
export function runsHere(call: ToolCall, node: ModelNode): boolean {
  if (node.tool_execution.mode === 'server' || canonicalToolName(call.name) !== undefined) return true;
  return findRoute(node, call) !== undefined;
}

/** Returns the route of a call that is not executed by name. */
export function findRoute(node: ModelNode, call: ToolCall): ToolRoute | undefined {
  const name = underscoredToolName(call.name);
  if (node.type === 'agent.run' && Object.hasOwn(node.routes, name)) return node.routes[name];
  const server = findMcpServer(node, name);
  return server === undefined ? undefined : { to: 'mcp', server };
}

/** Whether one of the calls ends the agent. */
export function endsAgent(node: ModelNode, calls: readonly ToolCall[]): boolean {
  return calls.some((call) => findRoute(node, call)?.to === 'end');
}

/** The results of one step's calls so far. */
export interface CallResults {
  /** Results of calls that the service executed, by position. */
  server: ReadonlyMap<number, ToolResult>;
  client: readonly ToolResult[];
}

/** Returns the results in the order of the calls; undefined for open calls. */
export function resultsInOrder(calls: readonly ToolCall[], answered: CallResults): (ToolResult | undefined)[] {
  const byId = new Map(answered.client.map((result) => [result.tool_call_id, result]));
  return calls.map((call, position) => answered.server.get(position) ?? byId.get(call.tool_call_id));
}

export interface OpenCalls {
  /** The next call that the service executes. */
  here: { position: number; call: ToolCall } | undefined;
  /** The calls that wait for the client. */
  client: ToolCall[];
}

export function openCalls(calls: readonly ToolCall[], answered: CallResults, node: ModelNode): OpenCalls {
  const results = resultsInOrder(calls, answered);
  const open = calls.flatMap((call, position) => (results[position] ? [] : [{ position, call }]));
  return {
    here: open.find(({ call }) => runsHere(call, node)),
    client: open.filter(({ call }) => !runsHere(call, node)).map(({ call }) => call),
  };
}

/** Returns why a step's calls are not executed. `callsMade`: model calls of the node's current attempt. */
export function refuseCalls(node: ModelNode, calls: readonly ToolCall[], callsMade: number): RunFailure | undefined {
  const { max_llm_calls: llmCallsMax, max_tool_calls_per_step: callsMax } = node.tool_limits;
  if (calls.length > callsMax) {
    return {
      code: 'TOOL_LOOP_LIMIT',
      message: `the model made ${calls.length} tool calls at once; at most ${callsMax}`,
    };
  }
  // No further model call could read the results.
  if (callsMade < llmCallsMax) return undefined;
  if (node.type === 'agent.run') return limitReached(`the agent did not answer within ${llmCallsMax} steps`);
  return { code: 'TOOL_LOOP_LIMIT', message: `the node made ${llmCallsMax} model calls without an answer` };
}

/** Returns the fault of a client's results; undefined when they answer each call exactly once. */
export function judgeResults(calls: readonly ToolCall[], results: readonly ToolResult[]): string | undefined {
  const pending = new Set(calls.map((call) => call.tool_call_id));
  const answered = new Set<string>();
  for (const { tool_call_id: id } of results) {
    if (!pending.has(id)) return `no pending tool call ${id}`;
    if (answered.has(id)) return `two results for tool call ${id}`;
    answered.add(id);
  }
  const open = [...pending].find((id) => !answered.has(id));
  return open === undefined ? undefined : `no result for tool call ${open}`;
}

/** Returns the first result with another tool name than its call. Both spellings of a name are equal. */
export function misnamedResult(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): { position: number; expected: string } | undefined {
  for (const [position, result] of results.entries()) {
    const call = calls.find(({ tool_call_id: id }) => id === result.tool_call_id);
    if (call && underscoredToolName(call.name) !== underscoredToolName(result.name)) {
      return { position, expected: call.name };
    }
  }
  return undefined;
}

/** Whether two submissions contain the same results, in any order. */
export function isSameResults(some: readonly ToolResult[], others: readonly ToolResult[]): boolean {
  return fingerprint(some) === fingerprint(others);
}

function fingerprint(results: readonly ToolResult[]): string {
  const entries = results.map(({ tool_call_id: id, name, output }) => JSON.stringify([id, name, output]));
  return JSON.stringify(entries.sort());
}
