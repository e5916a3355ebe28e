import type { RunFailure } from './failure.js';
import type { JsonObject } from './json.js';

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
  | 'node_tool_result';

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

const NO_BODY = '{}';

export function nodeEvent(type: RunEventType, nodeId: string, fields?: object): EventDraft {
  return { type, nodeId, body: fields ? JSON.stringify(fields) : NO_BODY };
}

export function runEvent(type: RunEventType, fields?: object): EventDraft {
  return { type, body: fields ? JSON.stringify(fields) : NO_BODY };
}

/** `outputs` is JSON that was serialized once and is stored as such. */
export function runCompleted(planHash: string, outputs: string): EventDraft {
  return { type: 'run_completed', body: `{"plan_hash":${JSON.stringify(planHash)},"outputs":${outputs}}` };
}

export function runFailed(error: RunFailure): EventDraft {
  return runEvent('run_failed', { error: { code: error.code, message: error.message } });
}

export function nodeFailed(nodeId: string, error: RunFailure): EventDraft {
  return nodeEvent('node_failed', nodeId, { error: { code: error.code, message: error.message } });
}

export function nodeOutput(nodeId: string, artifact: { bytes: number; sha256: string }): EventDraft {
  const { bytes, sha256 } = artifact;
  return nodeEvent('node_output', nodeId, { node_output: { artifact_key: NODE_OUTPUT_KEY, bytes, sha256 } });
}

export function textDelta(nodeId: string, text: string): EventDraft {
  return nodeEvent('node_output_delta', nodeId, { delta: { kind: 'text', text_delta: text } });
}

/** What a node told so far is void: its model call starts over. */
export function resetDelta(nodeId: string): EventDraft {
  return nodeEvent('node_output_delta', nodeId, { delta: { kind: 'reset', text_delta: '' } });
}

export function llmCall(nodeId: string, call: JsonObject): EventDraft {
  return nodeEvent('node_llm_call', nodeId, { llm_call: call });
}

/** The last event of a run's log. */
export function isTerminalEvent(type: string): boolean {
  return type === 'run_completed' || type === 'run_failed' || type === 'run_canceled';
}

/** The public envelope as JSON. Made from the row alone, so that every reader gets the same bytes. */
export function renderEvent(runId: string, event: StoredEvent): string {
  const node = event.nodeId === null ? '' : `,"node_id":${JSON.stringify(event.nodeId)}`;
  const fields = event.body === NO_BODY ? '' : `,${event.body.slice(1, -1)}`;
  return (
    `{"envelope_version":"v0","run_id":"${runId}","seq":${event.seq},"ts":"${event.ts.toISOString()}"` +
    `,"type":"${event.type}"${node}${fields}}`
  );
}
