// Generated from runs/insert-run.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, binaryArray, textArray } from '@tollgate/postgres/columns';

/** A row of `nodes`. */
export interface InsertRunNodesRow {
  nodeId: string;
  type: string;
  position: number;
}

export interface InsertRunInput {
  runId: string;
  projectId: string;
  customerId: string | null;
  planHash: string;
  name: string | null;
  principal: Uint8Array;
  sessionId: string | null;
  input: string | null;
  modelOverride: string | null;
  now: Date;
  traceparent: string | null;
  agents: readonly (string | null)[] | null;
  deadlineAt: Date;
  nodes: readonly InsertRunNodesRow[];
}

const INSERT_RUN = `
  WITH run AS (
    INSERT INTO runs (run_id, project_id, customer_id, plan_hash, name, status, principal, session_id, input, model_override,
      created_at, traceparent, agents)
    VALUES ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9,
      $10, $11, $12)
  ),
  deadline AS (
    INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES ($2, $1, '', 'run_deadline', $13)
  )
  INSERT INTO run_nodes (run_id, node_id, position, type, status, is_queued)
  SELECT $1, n.node_id, n.position, n.type, 'pending', false FROM (SELECT nth.node_id, nth.type, ($16::bigint[])[nth.i]::int AS position FROM unnest($14::text[], $15::text[]) WITH ORDINALITY AS nth (node_id, type, i)) AS n`;

/** Inserts the rows of a run, its nodes and its deadline. */
export async function insertRun(db: Queryable, input: InsertRunInput): Promise<void> {
  await db.query({
    name: 'insert_run',
    text: INSERT_RUN,
    values: [
      input.runId,
      input.projectId,
      input.customerId,
      input.planHash,
      input.name,
      input.principal,
      input.sessionId,
      input.input,
      input.modelOverride,
      input.now,
      input.traceparent,
      input.agents,
      input.deadlineAt,
      textArray(input.nodes.map((r) => r.nodeId)),
      textArray(input.nodes.map((r) => r.type)),
      bigintArray(input.nodes, [(r) => r.position]),
    ],
  });
}

/** A row of `spawned`. */
export interface SpawnNodesSpawnedRow {
  nodeId: string;
  parentId: string;
  itemIndex: number | null | undefined;
  type: string;
  isQueued: boolean;
}

export interface SpawnNodesInput {
  runId: string;
  spawned: readonly SpawnNodesSpawnedRow[];
}

const SPAWN_NODES = `
  INSERT INTO run_nodes (run_id, node_id, position, item_index, type, status, is_queued)
  SELECT $1, s.node_id, p.position, s.item_index, s.type, 'pending', s.is_queued
  FROM (SELECT nth.node_id, nth.parent_id, nth.item_index::int AS item_index, nth.type, nth.is_queued FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bool[]) WITH ORDINALITY AS nth (node_id, parent_id, item_index, type, is_queued, i)) AS s JOIN run_nodes p ON p.run_id = $1 AND p.node_id = s.parent_id`;

/** Inserts the items or retries of nodes, at the position of their parent. */
export async function spawnNodes(db: Queryable, input: SpawnNodesInput): Promise<void> {
  await db.query({
    name: 'spawn_nodes',
    text: SPAWN_NODES,
    values: [
      input.runId,
      textArray(input.spawned.map((r) => r.nodeId)),
      textArray(input.spawned.map((r) => r.parentId)),
      binaryArray('bigint', input.spawned.map((r) => r.itemIndex)),
      textArray(input.spawned.map((r) => r.type)),
      binaryArray('bool', input.spawned.map((r) => r.isQueued)),
    ],
  });
}
