import { createHash } from 'node:crypto';
import type { Tx } from '@tollgate/postgres';
import { failed, type Made, made } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import { limits } from '../domain/limits.js';
import type { NodeOutputs } from '../domain/read-source.js';
import { NODE_OUTPUT_KEY } from '../domain/run-event.js';
import type { Artifact } from './write-run.js';

/** A node's output as the artifact that keeps it; too large an output fails its node. */
export function outputArtifact(nodeId: string, output: Json, keptBytes: number): Made<Artifact> {
  const body = JSON.stringify(output);
  const bytes = Buffer.byteLength(body);
  if (bytes > limits.nodeOutputBytes) {
    return failed('PAYLOAD_TOO_LARGE', `the output is larger than ${limits.nodeOutputBytes} bytes`);
  }
  if (keptBytes + bytes > limits.runArtifactsBytes) {
    return failed('PAYLOAD_TOO_LARGE', `the run's outputs together are larger than ${limits.runArtifactsBytes} bytes`);
  }
  const sha256 = createHash('sha256').update(body).digest('hex');
  return made({ nodeId, key: NODE_OUTPUT_KEY, bytes, sha256, body });
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
  const total = await totalBytes(tx, runId, wanted);
  if (total > maxBytes) return failed('PAYLOAD_TOO_LARGE', `the inputs together are larger than ${maxBytes} bytes`);
  const result = await tx.query<{ node_id: string; body: string }>({
    name: 'run_artifacts.load',
    text: 'SELECT node_id, body FROM run_artifacts WHERE run_id = $1 AND key = $2 AND node_id = ANY($3)',
    values: [runId, NODE_OUTPUT_KEY, wanted],
  });
  return made(new Map(result.rows.map((row) => [row.node_id, JSON.parse(row.body) as Json])));
}

async function totalBytes(tx: Tx, runId: string, nodeIds: readonly string[]): Promise<number> {
  const result = await tx.query<{ total: bigint }>({
    name: 'run_artifacts.total_bytes',
    text: `SELECT coalesce(sum(bytes), 0) AS total FROM run_artifacts
           WHERE run_id = $1 AND key = $2 AND node_id = ANY($3)`,
    values: [runId, NODE_OUTPUT_KEY, nodeIds],
  });
  return Number(result.rows[0]?.total ?? 0);
}
