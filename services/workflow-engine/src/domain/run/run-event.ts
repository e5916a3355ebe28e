import type { RunFailure } from '../failure.js';
import type { JsonObject } from '../values/json.js';

export type RunEventType =
  | 'run_compiled'
  | 'run_started'
  | 'run_completed'
  | 'run_failed'
  | 'run_canceled'
  | 'node_started'
  | 'node_succeeded'
  | 'node_failed'
  | 'node_output'
  | 'node_output_delta'
  | 'node_waiting'
  | 'node_llm_call'
  | 'node_tool_call'
  | 'node_tool_result'
  | 'kv_updated'
  | 'task_list_updated'
  | SchedulerEventType;

/** Events of an `agent.scheduler` about its rounds. */
export type SchedulerEventType =
  | 'scheduler_started'
  | 'scheduler_round_started'
  | 'scheduler_agent_completed'
  | 'scheduler_stopped';

/** An event before it has a place in the log. */
export interface EventDraft {
  type: RunEventType;
  nodeId?: string;
  /** JSON object of the fields beyond the envelope's own. */
  body: string;
}

/** An event as it is stored. */
export interface StoredEvent {
  seq: number;
  ts: Date;
  type: string;
  nodeId: string | null;
  body: string;
}

/** The artifact that holds a node's output. */
export const NODE_OUTPUT_KEY = 'node_output.v0';
/** The artifact that holds a sub-node's input: the item of a fan-out, or the inputs of a fragment call. */
export const NODE_ITEM_KEY = 'node_item.v0';
/** The artifact that holds the agent's memory as of the node's start. */
export const AGENT_MEMORY_KEY = 'agent_memory.v0';
/**
 * The artifact that names the tools of the node's MCP servers as of the node's start. The run's artifact with that key, this one
 * and a digest, holds them.
 */
export const MCP_TOOLS_KEY = 'mcp_tools.v0';
/** The artifact that holds the key-value pairs of a run. */
export const RUN_MEMORY_KEY = 'run_memory.v0';
/** The artifact that holds the task list of a run. */
export const RUN_TASKS_KEY = 'run_tasks.v0';

const NO_BODY = '{}';

export function nodeEvent(type: RunEventType, nodeId: string, fields?: object): EventDraft {
  return { type, nodeId, body: fields ? JSON.stringify(fields) : NO_BODY };
}

export function runEvent(type: RunEventType, fields?: object): EventDraft {
  return { type, body: fields ? JSON.stringify(fields) : NO_BODY };
}

/** `outputs` is JSON that is inserted unchanged. */
export function runCompleted(planHash: string, outputs: string): EventDraft {
  return { type: 'run_completed', body: `{"plan_hash":${JSON.stringify(planHash)},"outputs":${outputs}}` };
}

export function runFailed(error: RunFailure): EventDraft {
  return runEvent('run_failed', { error: toError(error) });
}

/** `canceled`: other nodes that end with it. They have no event of their own, because they never started. */
export function nodeSucceeded(nodeId: string, canceled: readonly string[]): EventDraft {
  return nodeEvent('node_succeeded', nodeId, canceledNodes(canceled));
}

export function nodeFailed(nodeId: string, error: RunFailure, canceled: readonly string[]): EventDraft {
  return nodeEvent('node_failed', nodeId, { error: toError(error), ...canceledNodes(canceled) });
}

function canceledNodes(ids: readonly string[]): { canceled_nodes?: readonly string[] } | undefined {
  return ids.length === 0 ? undefined : { canceled_nodes: ids };
}

function toError({ code, message }: RunFailure): { code: string; message: string } {
  return { code, message };
}

export function nodeOutput(nodeId: string, artifact: { bytes: number; sha256: string }): EventDraft {
  const { bytes, sha256 } = artifact;
  return nodeEvent('node_output', nodeId, { node_output: { artifact_key: NODE_OUTPUT_KEY, bytes, sha256 } });
}

export function textDelta(nodeId: string, text: string): EventDraft {
  return nodeEvent('node_output_delta', nodeId, { delta: { kind: 'text', text_delta: text } });
}

/** Discards the text of a node so far, because its model call starts over. */
export function resetDelta(nodeId: string): EventDraft {
  return nodeEvent('node_output_delta', nodeId, { delta: { kind: 'reset', text_delta: '' } });
}

/** Discards the text of a node so far, because the node has failed and starts again. */
export function retryDelta(nodeId: string, attempt: number, error: RunFailure): EventDraft {
  const delta = { kind: 'reset', text_delta: '', attempt, error: toError(error) };
  return nodeEvent('node_output_delta', nodeId, { delta });
}

export function llmCall(nodeId: string, call: JsonObject): EventDraft {
  return nodeEvent('node_llm_call', nodeId, { llm_call: call });
}

export function toolResult(nodeId: string, result: object): EventDraft {
  return nodeEvent('node_tool_result', nodeId, { tool_result: result });
}

interface StateArtifact {
  key: string;
  bytes: number;
  sha256: string;
}

/** Reports that a key of the run's own memory was written or deleted. */
export function kvUpdated(
  nodeId: string,
  step: object,
  { key: artifact_key, bytes, sha256 }: StateArtifact,
  { key, deleted }: { key: string; deleted: boolean },
): EventDraft {
  return nodeEvent('kv_updated', nodeId, { kv_update: { ...step, artifact_key, key, deleted, bytes, sha256 } });
}

/** Reports that the run's own task list was replaced. */
export function taskListUpdated(
  nodeId: string,
  step: object,
  { key: artifact_key, bytes, sha256 }: StateArtifact,
  tasks: readonly object[],
): EventDraft {
  return nodeEvent('task_list_updated', nodeId, { task_list: { ...step, artifact_key, tasks, bytes, sha256 } });
}

export function schedulerEvent(type: SchedulerEventType, nodeId: string, fields: object): EventDraft {
  return nodeEvent(type, nodeId, fields);
}

/** Whether the event is the last of a run's log. */
export function isTerminalEvent(type: string): boolean {
  return type === 'run_completed' || type === 'run_failed' || type === 'run_canceled';
}

/** An event as readers receive it. */
export interface ReaderEvent {
  seq: number;
  type: string;
  json: string;
}

export function toReaderEvent(runId: string, event: StoredEvent): ReaderEvent {
  return { seq: event.seq, type: event.type, json: renderEvent(runId, event) };
}

/** Converts events that were committed in order after `lastSeq`. */
export function toReaderEvents(runId: string, lastSeq: number, ts: Date, events: readonly EventDraft[]): ReaderEvent[] {
  return events.map(({ type, nodeId = null, body }, index) =>
    toReaderEvent(runId, { seq: lastSeq + 1 + index, ts, type, nodeId, body }),
  );
}

/** Returns the public envelope as JSON. It depends only on the row, so that every reader gets the same bytes. */
export function renderEvent(runId: string, event: StoredEvent): string {
  const node = event.nodeId === null ? '' : `,"node_id":${JSON.stringify(event.nodeId)}`;
  const fields = event.body === NO_BODY ? '' : `,${event.body.slice(1, -1)}`;
  return (
    `{"envelope_version":"v0","run_id":"${runId}","seq":${event.seq},"ts":"${event.ts.toISOString()}"` +
    `,"type":"${event.type}"${node}${fields}}`
  );
}
