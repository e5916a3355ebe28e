import type { Queryable } from '@tollgate/postgres';
import { EMPTY_TOOL_STATE, parseToolState, type ToolState } from '@tollgate/tools';
import { RUN_MEMORY_KEY, RUN_TASKS_KEY } from '../domain/run/run-event.js';
import { type Artifact, toArtifact } from './artifacts.js';

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
