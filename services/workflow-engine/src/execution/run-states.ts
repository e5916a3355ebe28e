import { elapsed } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import type { NodeState } from '../domain/run/run-draft.js';
import { NODE_OUTPUT_KEY } from '../domain/run/run-event.js';
import { isTerminal, type RunStatus } from '../domain/run/status.js';
import type { Artifact } from '../store/artifacts.js';
import type { LockedRun } from '../store/runs/lock-run.js';
import type { RunWrite, WrittenRun } from '../store/runs/write-runs.js';

/** A run as this process has last written it. */
export interface RunState {
  run: LockedRun;
  revision: string;
  status: RunStatus;
  nodes: Map<string, NodeState>;
  lastSeq: number;
  keptBytes: number;
  /** Small outputs that this process has written, by node id. */
  outputs: Map<string, Artifact>;
  /** The database's clock when the state was written, and the reading of this process's clock then. */
  now: Date;
  readAtMs: number;
}

const STATES_BYTES_MAX = 64 * 1024 * 1024;
const NODE_BYTES = 512;
const OUTPUT_BYTES_MAX = 64 * 1024;
/** Beyond this age the database's clock is read again, because the two clocks may drift apart. */
const AGE_MS_MAX = 5_000;

/**
 * Remembers the runs that this process has written, so that their next transition needs no query. A state is only a guess:
 * the write of a transition fails if another process has changed the run since. Also puts the transitions of a run by
 * this process in order.
 */
export class RunStates {
  readonly #states = new LRUCache<string, RunState>({ maxSize: STATES_BYTES_MAX });
  readonly #lastChanges = new Map<string, Promise<unknown>>();

  /** Returns the state for a transition, which must remember the run again. */
  take(runId: string): RunState | undefined {
    const state = this.peek(runId);
    this.#states.delete(runId);
    return state;
  }

  /** Returns the state for a look. Do not change it. */
  peek(runId: string): RunState | undefined {
    const state = this.#states.get(runId);
    return state && elapsed() - state.readAtMs < AGE_MS_MAX ? state : undefined;
  }

  /** Remembers a run after its transition was committed. `before`: the outputs that were known. */
  remember(
    run: LockedRun,
    { draft, artifacts }: Pick<RunWrite, 'draft' | 'artifacts'>,
    { revision, now }: WrittenRun,
    before = new Map<string, Artifact>(),
  ): void {
    // Other artifacts may replace earlier ones, and then the sum of their bytes must be read again. New nodes are read
    // again for their order.
    const isKnown = draft.spawned.length === 0 && artifacts.every(({ key }) => key === NODE_OUTPUT_KEY);
    if (isTerminal(draft.status) || !isKnown) return;
    for (const artifact of artifacts) if (artifact.bytes <= OUTPUT_BYTES_MAX) before.set(artifact.nodeId, artifact);
    const state: RunState = {
      run,
      revision,
      status: draft.status,
      nodes: draft.nodes,
      lastSeq: draft.lastSeq + draft.events.length,
      keptBytes: artifacts.reduce((sum, { bytes }) => sum + bytes, draft.keptBytes),
      outputs: before,
      now: now > draft.now ? now : draft.now,
      readAtMs: elapsed(),
    };
    this.#states.set(run.runId, state, { size: countBytes(state) });
  }

  forget(runId: string): void {
    this.#states.delete(runId);
  }

  /** Runs one transition of a run after the other, in the order of the calls. */
  async inOrder<T>(runId: string, change: () => Promise<T>): Promise<T> {
    const before = this.#lastChanges.get(runId);
    const changed = before ? before.then(change, change) : change();
    this.#lastChanges.set(runId, changed);
    try {
      return await changed;
    } finally {
      if (this.#lastChanges.get(runId) === changed) this.#lastChanges.delete(runId);
    }
  }
}

/** Returns the time by the database's clock. */
export function estimateNow({ now, readAtMs }: RunState): Date {
  return new Date(now.getTime() + Math.floor(elapsed() - readAtMs));
}

function countBytes({ run, nodes, outputs }: RunState): number {
  const texts = run.principal.byteLength + (run.input?.length ?? 0);
  return [...outputs.values()].reduce((sum, { bytes }) => sum + bytes, texts + nodes.size * NODE_BYTES);
}
