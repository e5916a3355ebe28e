import type { PendingToolCall } from './answer-reader.js';
import type { ToolResult } from './conversation.js';

/** What is wrong with the results for these calls; undefined when they answer each call exactly once. */
export function judgeResults(calls: readonly PendingToolCall[], results: readonly ToolResult[]): string | undefined {
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

/** Whether two submissions say the same, in whatever order. */
export function isSameResults(some: readonly ToolResult[], others: readonly ToolResult[]): boolean {
  return fingerprint(some) === fingerprint(others);
}

function fingerprint(results: readonly ToolResult[]): string {
  const entries = results.map(({ tool_call_id: id, name, output }) => JSON.stringify([id, name, output]));
  return JSON.stringify(entries.sort());
}
