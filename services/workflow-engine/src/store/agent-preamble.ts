import type { Queryable } from '@tollgate/postgres';
import { scheduledPlace } from '../domain/plan/plan-tree.js';
import { AGENT_MEMORY_KEY, NODE_ITEM_KEY } from '../domain/run/run-event.js';
import { type Artifact, toArtifact } from './artifacts.js';

/** The context of an agent's node that precedes its messages. */
interface Preamble {
  /** The agent's memory as of the node's start. */
  memory: string;
  /** From its scheduler. */
  context: string[];
}

export async function loadPreamble(db: Queryable, runId: string, nodeId: string): Promise<Preamble> {
  const result = await db.query<{ key: string; body: string }>({
    name: 'run_artifacts.preamble',
    text: 'SELECT key, body FROM run_artifacts WHERE run_id = $1 AND node_id = $2 AND key = ANY($3)',
    values: [runId, nodeId, scheduledPlace(nodeId) ? [AGENT_MEMORY_KEY, NODE_ITEM_KEY] : [AGENT_MEMORY_KEY]],
  });
  const bodies = new Map(result.rows.map((row) => [row.key, row.body]));
  return {
    memory: JSON.parse(bodies.get(AGENT_MEMORY_KEY) ?? '""') as string,
    context: JSON.parse(bodies.get(NODE_ITEM_KEY) ?? '[]') as string[],
  };
}

export async function hasMemory(db: Queryable, runId: string, nodeId: string): Promise<boolean> {
  const result = await db.query({
    name: 'run_artifacts.has_memory',
    text: 'SELECT 1 FROM run_artifacts WHERE run_id = $1 AND node_id = $2 AND key = $3',
    values: [runId, nodeId, AGENT_MEMORY_KEY],
  });
  return (result.rowCount ?? 0) > 0;
}

export function memoryArtifact(nodeId: string, memory: string): Artifact {
  return toArtifact(nodeId, AGENT_MEMORY_KEY, JSON.stringify(memory));
}
