import { createHash } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import { EMPTY_TOOL_STATE, parseToolState, type ToolState } from '@tollgate/tools';
import { failed, ok, type Result } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import {
  MCP_TOOLS_KEY,
  NODE_ITEM_KEY,
  NODE_OUTPUT_KEY,
  RUN_MEMORY_KEY,
  RUN_TASKS_KEY,
} from '../domain/run/run-event.js';
import { type McpToolset, mcpToolset } from '../domain/tools/mcp-tools.js';
import { type Json, parseJson, writeJson } from '../domain/values/json.js';
import type { NodeOutputs } from '../domain/values/read-source.js';

export interface Artifact {
  nodeId: string;
  key: string;
  bytes: number;
  sha256: string;
  body: string;
}

/** Returns the artifact that stores a node's output, or a failure when the output is too large. `json`: the output. */
export function outputArtifact(nodeId: string, json: string, keptBytes: number): Result<Artifact> {
  const artifact = toArtifact(nodeId, NODE_OUTPUT_KEY, json);
  if (artifact.bytes > limits.nodeOutputBytes) {
    return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${limits.nodeOutputBytes} bytes`);
  }
  return keptBytes + artifact.bytes > limits.runArtifactsBytes ? runTooLarge() : ok(artifact);
}

/** Returns the artifacts that store the items of a fan-out, each for its sub-node. */
export function itemArtifacts(
  nodeIds: readonly string[],
  items: readonly Json[],
  keptBytes: number,
): Result<Artifact[]> {
  const artifacts = items.map((item, index) => toArtifact(nodeIds[index] as string, NODE_ITEM_KEY, writeJson(item)));
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, keptBytes);
  return bytes > limits.runArtifactsBytes ? runTooLarge() : ok(artifacts);
}

/**
 * Returns the artifacts that store the tools of a node's MCP servers. Nodes with the same tools share one artifact, which counts
 * once towards the stored values of the run: a fan-out has many of them.
 */
export async function mcpToolsArtifacts(
  db: Queryable,
  { runId, nodeId }: { runId: string; nodeId: string },
  tools: McpToolset,
  keptBytes: number,
): Promise<Result<Artifact[]>> {
  const set = toArtifact('', MCP_TOOLS_KEY, JSON.stringify(tools));
  const shared = { ...set, key: `${MCP_TOOLS_KEY}/${set.sha256}` };
  const own = toArtifact(nodeId, MCP_TOOLS_KEY, JSON.stringify(shared.key));
  const { rowCount } = await db.query("SELECT 1 FROM run_artifacts WHERE run_id = $1 AND node_id = '' AND key = $2", [
    runId,
    shared.key,
  ]);
  const artifacts = rowCount === 0 ? [shared, own] : [own];
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, keptBytes);
  return bytes > limits.runArtifactsBytes ? runTooLarge() : ok(artifacts);
}

function runTooLarge(): Result<never> {
  return failed('PAYLOAD_TOO_LARGE', `the stored values of the run are larger than ${limits.runArtifactsBytes} bytes`);
}

/** `body` is JSON. */
export function toArtifact(nodeId: string, key: string, body: string): Artifact {
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { nodeId, key, bytes: Buffer.byteLength(body), sha256, body };
}

/** Reads the outputs of succeeded nodes. Checks their total size before it reads any of them. */
export async function loadOutputs(
  db: Queryable,
  runId: string,
  nodeIds: readonly string[],
  maxBytes: number,
): Promise<Result<NodeOutputs>> {
  const wanted = [...new Set(nodeIds)];
  if (wanted.length === 0) return ok(new Map());
  const result = await db.query<{ node_id: string; body: string | null }>({
    name: 'run_artifacts.load',
    text: `WITH wanted AS (SELECT node_id, bytes FROM run_artifacts WHERE run_id = $1 AND key = $2 AND node_id = ANY($3))
           SELECT node_id, CASE WHEN (SELECT sum(bytes) FROM wanted) <= $4 THEN (
             SELECT body FROM run_artifacts a WHERE a.run_id = $1 AND a.key = $2 AND a.node_id = wanted.node_id) END AS body
           FROM wanted`,
    values: [runId, NODE_OUTPUT_KEY, wanted, maxBytes],
  });
  const outputs = new Map<string, Json>();
  for (const { node_id, body } of result.rows) {
    if (body === null) return failed('PAYLOAD_TOO_LARGE', `the inputs together are larger than ${maxBytes} bytes`);
    outputs.set(node_id, parseJson(body));
  }
  return ok(outputs);
}

/** Reads the item of a fan-out's sub-node, or the inputs of a fragment call. */
export async function loadItem(db: Queryable, runId: string, nodeId: string): Promise<Json> {
  const result = await db.query<{ body: string }>({
    name: 'run_artifacts.item',
    text: 'SELECT body FROM run_artifacts WHERE run_id = $1 AND key = $2 AND node_id = $3',
    values: [runId, NODE_ITEM_KEY, nodeId],
  });
  const body = result.rows[0]?.body;
  if (body === undefined) throw new Error(`the item of node ${nodeId} of run ${runId} is missing`);
  return parseJson(body);
}

/** Returns the tools of a node's MCP servers that were listed when the node started; undefined before. */
export async function loadMcpTools(db: Queryable, runId: string, nodeId: string): Promise<McpToolset | undefined> {
  const result = await db.query<{ body: string }>({
    name: 'run_artifacts.mcp_tools',
    text: `SELECT shared.body FROM run_artifacts own
           JOIN run_artifacts shared ON shared.run_id = own.run_id AND shared.node_id = '' AND shared.key = own.body::json #>> '{}'
           WHERE own.run_id = $1 AND own.node_id = $2 AND own.key = $3`,
    values: [runId, nodeId, MCP_TOOLS_KEY],
  });
  return result.rows[0] && mcpToolset.parse(JSON.parse(result.rows[0].body));
}

/** Loads the key-value pairs and tasks of a run. They change only under the run's lock. */
export async function loadToolState(db: Queryable, runId: string): Promise<ToolState> {
  const result = await db.query<{ key: string; body: string }>({
    name: 'run_artifacts.tool_state',
    text: "SELECT key, body FROM run_artifacts WHERE run_id = $1 AND node_id = '' AND key = ANY($2)",
    values: [runId, [RUN_MEMORY_KEY, RUN_TASKS_KEY]],
  });
  const bodies = new Map(result.rows.map((row) => [row.key, row.body]));
  if (bodies.size === 0) return EMPTY_TOOL_STATE;
  return parseToolState(`{"kv":${bodies.get(RUN_MEMORY_KEY) ?? '{}'},"tasks":${bodies.get(RUN_TASKS_KEY) ?? '[]'}}`);
}

/** Returns the artifact that stores the written part of the state. */
export function toolStateArtifact(state: ToolState, part: 'kv' | 'tasks'): Artifact {
  if (part === 'kv') return toArtifact('', RUN_MEMORY_KEY, JSON.stringify(state.kv));
  return toArtifact('', RUN_TASKS_KEY, JSON.stringify(state.tasks));
}
