import type { OutboxEvent } from '@tollgate/events';
import type { Queryable } from '@tollgate/postgres';
import type { NodeState, RunDraft } from '../../domain/run/run-draft.js';
import { isTerminal } from '../../domain/run/status.js';
import type { WorkItem } from '../../domain/run/work-item.js';
import type { Artifact } from '../artifacts.js';
import type { ClaimWorkRow } from '../gen/queues/run-work.js';
import * as sql from '../gen/runs/write-runs.js';
import { type Lease, toWorkItem } from '../queues/run-work.js';
import { type DispatchedStep, type EndedStep, toEndInput } from '../steps/run-steps.js';
import type { Fence } from './lock-run.js';

/** Model steps that commit with a transition. */
export interface StepWrites {
  /** New steps, whose calls are made after the commit. */
  dispatched: DispatchedStep[];
  ended: EndedStep[];
}

/** Everything that one transition writes. */
export interface RunWrite {
  draft: RunDraft;
  artifacts: readonly Artifact[];
  steps: StepWrites;
  /** The event for `tollgate.runs.v1`. */
  outbox: OutboxEvent | undefined;
  /** How many of the newly queued nodes this process keeps for itself. */
  keep: number;
  lease: Lease;
  /** The version of the run's row that the draft was made from; undefined in a transaction that has locked it. */
  revision: string | undefined;
  /** The work that must still be held; undefined when the transaction has checked it, or when there is none. */
  fence: Fence | undefined;
}

export interface WrittenRun {
  /** The version of the run's row. Every change of it, by any process, makes another one. */
  revision: string;
  /** The database's clock. */
  now: Date;
  /** The work that this process keeps. */
  kept: WorkItem[];
}

/**
 * Writes transitions of different runs in one statement: runs, nodes, events, artifacts, steps, outbox and work. Returns
 * undefined for a transition that was not written: its run has changed since, its row or its work is locked by another
 * transaction, or the work is not held any more. Such a transition does not affect the others, and none waits for a lock.
 * `seq` is taken from the run row's counter, so the log has no gaps.
 */
export async function writeRuns(db: Queryable, writes: readonly RunWrite[]): Promise<(WrittenRun | undefined)[]> {
  const rows = await sql.writeRuns(db, toPacks(writes));
  const written = new Map<string, WrittenRun>();
  const planHashes = new Map(writes.map(({ draft }) => [draft.runId, draft.planHash]));
  for (const row of rows) {
    if (row.work_id === null) written.set(row.run_id, { revision: row.revision!, now: row.now!, kept: [] });
  }
  for (const row of rows) {
    if (row.work_id === null) continue;
    // The other columns of work are null together with its id.
    const work = { ...row, plan_hash: planHashes.get(row.run_id) } as ClaimWorkRow;
    written.get(row.run_id)?.kept.push(toWorkItem(work));
  }
  return writes.map(({ draft }) => written.get(draft.runId));
}

function toPacks(writes: readonly RunWrite[]): sql.WriteRunsInput {
  /** The rows of all transitions: `item` is the number of a row's transition, `nth` its place within that, both from 1. */
  const list = <Part, Row>(
    read: (write: RunWrite) => readonly Part[],
    toRow: (part: Part, nth: number, write: RunWrite) => Row,
  ): (Row & { item: number })[] =>
    writes.flatMap((write, i) => read(write).map((part, at) => ({ ...toRow(part, at + 1, write), item: i + 1 })));
  return {
    runs: list((write) => [write], toRunRow),
    nodes: list(({ draft }) => changedNodes(draft), toNodeRow),
    events: list(
      ({ draft }) => draft.events,
      ({ type, nodeId, body }, nth) => ({ nth, type, nodeId, body }),
    ),
    artifacts: list(
      (write) => write.artifacts,
      (artifact) => artifact,
    ),
    dispatched: list(({ steps }) => steps.dispatched, toDispatchedRow),
    ended: list(
      ({ steps }) => steps.ended,
      ({ ref, end }) => ({ ...ref, ...toEndInput(end) }),
    ),
    outbox: list(
      ({ outbox }) => (outbox ? [outbox] : []),
      ({ requestId, traceparent, ...event }) => ({ ...event, requestId, traceparent }),
    ),
    work: list(
      ({ draft }) => sortWork(draft),
      ({ id: nodeId, delayMs }, nth, { keep, lease }) =>
        nth <= keep ? { nodeId, delayMs, ...lease } : { nodeId, delayMs, owner: null, leaseMs: null },
    ),
  };
}

function toRunRow({ draft, revision, fence }: RunWrite): Omit<sql.WriteRunsRunsRow, 'item'> {
  const { runId, projectId, now: at, lastSeq, status, outputs, failure, events } = draft;
  return {
    runId,
    projectId,
    at,
    lastSeq,
    eventCount: events.length,
    revision,
    workId: fence?.workId,
    leaseEpoch: fence?.epoch,
    endsWork: fence?.ends ?? false,
    status,
    outputs,
    errorCode: failure?.code,
    errorMessage: withoutNul(failure?.message),
    endedAt: isTerminal(status) ? at : null,
  };
}

function toNodeRow({ id, failure, closedTo, ...node }: NodeState): Omit<sql.WriteRunsNodesRow, 'item'> {
  return {
    ...node,
    nodeId: id,
    errorCode: failure?.code,
    errorMessage: withoutNul(failure?.message),
    closedTo: `{${closedTo.join(',')}}`,
  };
}

function toDispatchedRow({ ref, holdId, dispatch }: DispatchedStep): Omit<sql.WriteRunsDispatchedRow, 'item'> {
  const { prices, modelId, heldMicrocents, llmRequest } = dispatch;
  return {
    ...ref,
    requestId: holdId,
    modelId,
    inputPrice: prices.inputPerMillionCents,
    outputPrice: prices.outputPerMillionCents,
    imagePrice: prices.perImageCents,
    heldMicrocents,
    llmRequest,
  };
}

/** Returns the nodes to queue, by delay: this process leases the first ones itself. */
export function sortWork({ toQueue }: RunDraft): RunDraft['toQueue'] {
  return toQueue.toSorted((a, b) => a.delayMs - b.delayMs);
}

/** The nodes whose rows exist and have changed. */
function changedNodes(draft: RunDraft): NodeState[] {
  const spawned = new Set(draft.spawned.map(({ id }) => id));
  return [...draft.nodes.values()].filter(({ id }) => draft.touched.has(id) && !spawned.has(id));
}

/** Removes NUL, which a provider's message may contain and PostgreSQL rejects in text. */
function withoutNul(text: string | undefined): string | null {
  return text?.replaceAll('\0', '') ?? null;
}
