import { createHash } from 'node:crypto';
import type { Tx } from '@tollgate/postgres';
import { failed, type Made, made } from '../domain/failure.js';
import { limits } from '../domain/limits.js';
import { NODE_ITEM_KEY, NODE_OUTPUT_KEY } from '../domain/run/run-event.js';
import type { Json } from '../domain/values/json.js';
import type { NodeOutputs } from '../domain/values/read-source.js';
import type { Artifact } from './write-run.js';

/** A node's output as the artifact that keeps it; too large an output fails its node. */
export function outputArtifact(nodeId: string, output: Json, keptBytes: number): Made<Artifact> {
  const artifact = artifactOf(nodeId, NODE_OUTPUT_KEY, output);
  if (artifact.bytes > limits.nodeOutputBytes) {
    return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${limits.nodeOutputBytes} bytes`);
  }
  return keptBytes + artifact.bytes > limits.runArtifactsBytes ? tooMuch() : made(artifact);
}

/** The items of a fan-out, each kept for its sub-node. */
export function itemArtifacts(nodeIds: readonly string[], items: readonly Json[], keptBytes: number): Made<Artifact[]> {
  const artifacts = items.map((item, index) => artifactOf(nodeIds[index] as string, NODE_ITEM_KEY, item));
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, keptBytes);
  return bytes > limits.runArtifactsBytes ? tooMuch() : made(artifacts);
}

function tooMuch(): Made<never> {
  return failed('PAYLOAD_TOO_LARGE', `what the run keeps is larger than ${limits.runArtifactsBytes} bytes`);
}

function artifactOf(nodeId: string, key: string, value: Json): Artifact {
  const body = JSON.stringify(value);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { nodeId, key, bytes: Buffer.byteLength(body), sha256, body };
}

/** Reads the outputs of succeeded nodes; their sizes are added up before a byte of them is read. */
export async function loadOutputs(
  tx: Tx,
  runId: string,
  nodeIds: readonly string[],
  maxBytes: number,
): Promise<Made<NodeOutputs>> {
  const wanted = [...new Set(nodeIds)];
  if (wanted.length === 0) return made(new Map());
  const result = await tx.query<{ node_id: string; body: string | null }>({
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
    outputs.set(node_id, JSON.parse(body) as Json);
  }
  return made(outputs);
}

/** The item that a fan-out's sub-node works on. */
export async function loadItem(tx: Tx, runId: string, nodeId: string): Promise<Json> {
  const result = await tx.query<{ body: string }>({
    name: 'run_artifacts.item',
    text: 'SELECT body FROM run_artifacts WHERE run_id = $1 AND key = $2 AND node_id = $3',
    values: [runId, NODE_ITEM_KEY, nodeId],
  });
  const body = result.rows[0]?.body;
  if (body === undefined) throw new Error(`node ${nodeId} of run ${runId} has lost its item`);
  return JSON.parse(body) as Json;
}
