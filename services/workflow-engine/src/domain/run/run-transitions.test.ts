import { describe, expect, it } from '@jest/globals';
import type { Plan, PlanNode } from '../plan/plan.js';
import { newDraft, openDraft, type RunDraft } from './run-draft.js';
import {
  cancelRun,
  completeRun,
  failNode,
  failRun,
  isComplete,
  openRun,
  resumeNode,
  startNode,
  succeedNode,
  waitNode,
} from './run-transitions.js';

const facts = { runId: 'r', projectId: 'p', customerId: null, planHash: 'h' };
const result = { output: {}, artifact: { bytes: 2, sha256: 'x' } };
const failure = { code: 'PROVIDER_ERROR', message: 'no' } as const;
const now = new Date('2030-01-01T00:00:00.000Z');

/** Returns a plan of joins by their dependencies; the node types do not matter here. */
function buildPlan(after: Record<string, string[]>, parallelism = 16): Plan {
  const nodes = Object.entries(after).map(([id, ids]): PlanNode => ({ id, type: 'join.all', after: ids }));
  const execution = { max_parallelism: parallelism, node_timeout_ms: 1_000, run_timeout_ms: 10_000 };
  return { kind: 'workflow.v0', nodes, outputs: [], execution };
}

function opened(after: Record<string, string[]>, parallelism?: number): RunDraft {
  const draft = newDraft(facts, buildPlan(after, parallelism), now);
  openRun(draft);
  return draft;
}

/** Starts the next transition of the same run: keeps the queue and resets the changes. */
function next(draft: RunDraft): RunDraft {
  return openDraft(facts, draft.plan, now, { nodes: draft.nodes, status: draft.status, keptBytes: 0, lastSeq: 0 });
}

function run(draft: RunDraft, ...ids: string[]): RunDraft {
  let current = draft;
  for (const id of ids) {
    current = next(current);
    startNode(current, id);
    succeedNode(current, id, result);
  }
  return current;
}

const queuedBy = (draft: RunDraft) => draft.toQueue.map(({ id }) => id);
const listTypes = (draft: RunDraft) => draft.events.map(({ type, nodeId }) => (nodeId ? `${type} ${nodeId}` : type));
const toStates = (draft: RunDraft) => Object.fromEntries([...draft.nodes].map(([id, node]) => [id, node.status]));

describe('the queue', () => {
  const diamond = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] };

  it('starts with nodes without dependencies', () => {
    const draft = opened({ ...diamond, e: [] });
    expect(queuedBy(draft)).toEqual(['a', 'e']);
    expect(listTypes(draft)).toEqual(['run_compiled', 'run_started']);
  });

  it('continues with nodes whose last dependency has succeeded', () => {
    const start = opened(diamond);
    expect(queuedBy(run(start, 'a'))).toEqual(['b', 'c']);
    expect(queuedBy(run(start, 'c'))).toEqual([]);
    expect(queuedBy(run(start, 'b'))).toEqual(['d']);
  });

  it('respects the parallelism of the run, in the order of the spec', () => {
    const draft = opened({ a: [], b: [], c: [], d: [] }, 2);
    expect(queuedBy(draft)).toEqual(['a', 'b']);
    expect(queuedBy(run(draft, 'b'))).toEqual(['c']);
    expect(queuedBy(run(draft, 'a'))).toEqual(['d']);
  });

  it('frees the place of a node that waits for its client', () => {
    const draft = next(opened({ a: [], b: [] }, 1));
    startNode(draft, 'a');
    waitNode(draft, 'a', {});
    expect(queuedBy(draft)).toEqual(['b']);
    expect(draft.status).toBe('running');
  });
});

describe('a node', () => {
  it('emits its start once, however often it resumes', () => {
    const draft = next(opened({ a: [] }));
    startNode(draft, 'a');
    const again = next(draft);
    startNode(again, 'a');
    expect(listTypes(draft)).toEqual(['node_started a']);
    expect(listTypes(again)).toEqual([]);
    expect(again.nodes.get('a')?.deadlineAt).toEqual(new Date(now.getTime() + 1_000));
  });

  it('throws when it ends twice', () => {
    const draft = run(opened({ a: [], b: [] }), 'a');
    expect(() => succeedNode(next(draft), 'a', result)).toThrow();
  });
});

describe('a run', () => {
  it('completes with its outputs when all nodes have succeeded', () => {
    const draft = run(opened({ a: [], b: ['a'] }), 'a', 'b');
    expect(isComplete(draft)).toBe(true);
    completeRun(draft, '{"o":1}');
    expect(draft).toMatchObject({ status: 'succeeded', outputs: '{"o":1}' });
    expect(draft.events.at(-1)).toEqual({ type: 'run_completed', body: '{"plan_hash":"h","outputs":{"o":1}}' });
  });

  it('throws when it is completed before all nodes have succeeded', () => {
    expect(() => completeRun(run(opened({ a: [], b: ['a'] }), 'a'), '{}')).toThrow();
  });

  it('fails with its first failed node and cancels all others', () => {
    const draft = next(run(opened({ a: [], b: [], c: ['a'], d: ['b'] }), 'a'));
    startNode(draft, 'c');
    startNode(draft, 'b');
    failNode(draft, 'b', failure);
    expect(toStates(draft)).toEqual({ a: 'succeeded', b: 'failed', c: 'canceled', d: 'canceled' });
    expect(draft).toMatchObject({ status: 'failed', failure, toQueue: [] });
    expect(listTypes(draft).slice(-2)).toEqual(['node_failed b', 'run_failed']);
    expect([...draft.nodes.values()].every((node) => !node.isQueued && node.endedAt)).toBe(true);
  });

  it('cancels all nodes that have not ended', () => {
    const draft = next(run(opened({ a: [], b: ['a'] }), 'a'));
    cancelRun(draft);
    expect(toStates(draft)).toEqual({ a: 'succeeded', b: 'canceled' });
    expect(listTypes(draft)).toEqual(['run_canceled']);
  });

  it.each<[string, (draft: RunDraft) => void]>([
    ['completed', (draft) => completeRun(draft, '{}')],
    ['failed', (draft) => failRun(draft, failure)],
    ['canceled', cancelRun],
  ])('emits nothing after it is %s', (_name, end) => {
    const draft = run(opened({ a: [] }), 'a');
    end(draft);
    for (const change of [cancelRun, (it: RunDraft) => failRun(it, failure)]) {
      expect(() => change(draft)).toThrow('no event may follow the terminal event');
    }
  });
});

describe('waiting for a client', () => {
  it('makes the run wait when no other node can continue', () => {
    const draft = next(opened({ a: [], b: [], c: ['a'] }));
    startNode(draft, 'a');
    waitNode(draft, 'a', {});
    expect(draft.status).toBe('running');
    const later = run(draft, 'b');
    expect(later.status).toBe('waiting');
  });

  it('ends with results: node and run continue under a new deadline', () => {
    const draft = next(opened({ a: [], b: [] }));
    startNode(draft, 'a');
    waitNode(draft, 'a', { step: 0 });
    const waiting = next(draft);
    startNode(waiting, 'b');
    waitNode(waiting, 'b', {});
    expect(waiting.status).toBe('waiting');
    const answered = next(waiting);
    resumeNode(answered, 'a', []);
    expect(answered).toMatchObject({ status: 'running', toQueue: [{ id: 'a', delayMs: 0 }] });
    expect(toStates(answered)).toEqual({ a: 'running', b: 'waiting' });
    expect(() => resumeNode(answered, 'a', [])).toThrow();
  });

  it('resumes when the run has room, with a new time limit', () => {
    const waiting = next(opened({ a: [], b: [], c: [] }, 1));
    startNode(waiting, 'a');
    waitNode(waiting, 'a', {});
    const answered = next(waiting);
    resumeNode(answered, 'a', []);
    expect(answered).toMatchObject({ status: 'running', toQueue: [] });
    expect(answered.nodes.get('a')).toMatchObject({ status: 'running', deadlineAt: null });
    const free = run(answered, 'b');
    expect(queuedBy(free)).toEqual(['a']);
    const taken = next(free);
    expect(startNode(taken, 'a').deadlineAt).not.toBeNull();
    expect(listTypes(taken)).toEqual([]);
  });
});
