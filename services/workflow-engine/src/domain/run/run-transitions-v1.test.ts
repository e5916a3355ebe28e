import { describe, expect, it } from '@jest/globals';
import type { RunFailure } from '../failure.js';
import type { FanoutNode, Guard, Plan, PlanNode } from '../plan/plan.js';
import type { Json } from '../values/json.js';
import type { Condition } from './condition.js';
import { newDraft, openDraft, type RunDraft } from './run-draft.js';
import { failNode, isComplete, openRun, spawnNodes, startNode, succeedNode, waitNode } from './run-transitions.js';

const facts = { runId: 'r', projectId: 'p', customerId: null, planHash: 'h' };
const now = new Date('2030-01-01T00:00:00.000Z');
const failure: RunFailure = { code: 'PROVIDER_TIMEOUT', message: 'late' };

const node = (id: string, after: string[] = [], more: object = {}) => {
  return { id, type: 'join.all', after, ...more } as PlanNode;
};
const guard = (from: string, ...edges: (Condition | null)[]): Guard => ({ from, reads: false, edges });
const when = (value: Json): Condition => ({ source: 'node_output', op: 'equals', pointer: '/route', value });
const onStatus = (value: string): Condition => ({ source: 'node_status', op: 'equals', pointer: '', value });

function opened(nodes: PlanNode[], parallelism = 16): RunDraft {
  const execution = { max_parallelism: parallelism, node_timeout_ms: 1_000, run_timeout_ms: 10_000 };
  const plan: Plan = { kind: 'workflow.v1', nodes, outputs: [], execution };
  const draft = newDraft(facts, plan, now);
  openRun(draft);
  return draft;
}

function next(draft: RunDraft): RunDraft {
  const { nodes, status } = draft;
  return openDraft(facts, draft.plan, now, { nodes, status, keptBytes: 0, lastSeq: 0 });
}

function succeed(draft: RunDraft, id: string, output: Json = {}): RunDraft {
  const current = next(draft);
  startNode(current, id);
  succeedNode(current, id, { output, artifact: { bytes: 2, sha256: 'x' } });
  return current;
}

function fail(draft: RunDraft, id: string, why = failure): RunDraft {
  const current = next(draft);
  startNode(current, id);
  failNode(current, id, why);
  return current;
}

const queuedBy = (draft: RunDraft) => draft.toQueue.map(({ id }) => id);
const toStates = (draft: RunDraft) => Object.fromEntries([...draft.nodes].map(([id, { status }]) => [id, status]));
const findBody = (draft: RunDraft, type: string) => {
  const event = draft.events.find((candidate) => candidate.type === type);
  return event && (JSON.parse(event.body) as object);
};

describe('a condition on an edge', () => {
  const branches = [
    node('s'),
    node('a', ['s'], { guards: [guard('s', when('a'))] }),
    node('b', ['s'], { guards: [guard('s', when('b'))] }),
    node('after_b', ['b']),
    node('any', ['a', 'b'], { type: 'join.any' }),
    node('some', ['a', 'b'], { type: 'join.collect' }),
    node('all', ['a', 'b']),
  ];

  it('runs its target, and skips the other branches with their dependents', () => {
    const draft = succeed(opened(branches), 's', { route: 'a' });
    expect(queuedBy(draft)).toEqual(['a']);
    expect(toStates(draft)).toEqual({
      s: 'succeeded',
      a: 'pending',
      b: 'canceled',
      after_b: 'canceled',
      any: 'pending',
      some: 'pending',
      all: 'canceled',
    });
    expect(findBody(draft, 'node_succeeded')).toEqual({ canceled_nodes: ['b', 'after_b', 'all'] });
    const done = succeed(draft, 'a');
    expect(queuedBy(done)).toEqual(['any', 'some']);
    expect(isComplete(succeed(succeed(done, 'any'), 'some'))).toBe(true);
  });

  it('completes the run when it holds for no branch', () => {
    const draft = succeed(opened(branches), 's', { route: null });
    expect(queuedBy(draft)).toEqual([]);
    expect(isComplete(draft)).toBe(true);
  });

  it('acts as an alternative to other edges between the same nodes', () => {
    const ways = guard('s', when('a'), onStatus('failed'));
    const draft = opened([node('s'), node('a', ['s'], { guards: [ways] })]);
    expect(queuedBy(succeed(draft, 's', { route: 'a' }))).toEqual(['a']);
    expect(queuedBy(fail(opened(draft.plan.nodes), 's'))).toEqual(['a']);
    expect(toStates(succeed(opened(draft.plan.nodes), 's', { route: 'b' })).a).toBe('canceled');
  });

  it('skips a node whose required output is missing', () => {
    const reads = { ...guard('s', onStatus('failed')), reads: true };
    expect(toStates(fail(opened([node('s'), node('a', ['s'], { guards: [reads] })]), 's')).a).toBe('canceled');
  });
});

describe('joins', () => {
  it('continues with the first output for join.any', () => {
    const draft = opened([node('a'), node('b'), node('j', ['a', 'b'], { type: 'join.any' })]);
    expect(queuedBy(succeed(draft, 'b'))).toEqual(['j']);
  });

  it('waits for all outputs or for the limit for join.collect', () => {
    const plan = (limit?: number) => {
      const join = node('j', ['a', 'b', 'c'], { type: 'join.collect', ...(limit && { limit }) });
      return opened([node('a'), node('b'), node('c'), join]);
    };
    expect(queuedBy(succeed(succeed(plan(), 'a'), 'b'))).toEqual([]);
    expect(queuedBy(succeed(succeed(succeed(plan(), 'a'), 'b'), 'c'))).toEqual(['j']);
    expect(queuedBy(succeed(succeed(plan(2), 'c'), 'a'))).toEqual(['j']);
  });

  it('skips joins when nothing arrives', () => {
    const guards = [guard('s', when('a'))];
    const draft = opened([
      node('s'),
      node('a', ['s'], { guards }),
      node('any', ['a'], { type: 'join.any' }),
      node('some', ['a'], { type: 'join.collect' }),
    ]);
    expect(toStates(succeed(draft, 's', {}))).toEqual({
      s: 'succeeded',
      a: 'canceled',
      any: 'canceled',
      some: 'canceled',
    });
  });
});

describe('a failure', () => {
  const caught = [
    node('s'),
    node('after', ['s']),
    node('rescue', ['s'], { guards: [guard('s', { ...onStatus('PROVIDER_TIMEOUT'), pointer: '/error/code' })] }),
  ];

  it('does not end the run when an edge handles it', () => {
    const draft = fail(opened(caught), 's');
    expect(draft.status).toBe('running');
    expect(toStates(draft)).toEqual({ s: 'failed', after: 'canceled', rescue: 'pending' });
    expect(queuedBy(draft)).toEqual(['rescue']);
    expect(findBody(draft, 'node_failed')).toEqual({ error: failure, canceled_nodes: ['after'] });
    expect(isComplete(succeed(draft, 'rescue'))).toBe(true);
  });

  it('ends the run when no edge handles it', () => {
    const draft = fail(opened(caught), 's', { code: 'INVALID_INPUT', message: 'no' });
    expect(draft.status).toBe('failed');
  });
});

describe('retry', () => {
  const policy = { max_attempts: 2, backoff_ms: 250 };

  it('starts a node again after its backoff and resets its text', () => {
    const draft = fail(opened([node('a', [], { retry: policy }), node('b')]), 'a');
    expect(draft.toQueue).toEqual([{ id: 'a', delayMs: 250 }]);
    expect(draft.toDrop).toEqual(['a']);
    expect(toStates(draft)).toEqual({ a: 'running', b: 'pending' });
    expect(findBody(draft, 'node_output_delta')).toEqual({
      delta: { kind: 'reset', text_delta: '', attempt: 2, error: failure },
    });
    const again = next(draft);
    expect(startNode(again, 'a').deadlineAt).toEqual(new Date(now.getTime() + 1_000));
    expect(again.events).toEqual([]);
    expect(succeed(again, 'a').nodes.get('a')?.status).toBe('succeeded');
  });

  it('stops after the last attempt', () => {
    const first = fail(opened([node('a', [], { retry: policy })]), 'a');
    expect(fail(first, 'a').status).toBe('failed');
  });

  it.each<[string, string[] | undefined, RunFailure, boolean]>([
    ['what may pass by itself', undefined, failure, true],
    ['not what will not', undefined, { code: 'INVALID_INPUT', message: '' }, false],
    ['what it names', ['INVALID_INPUT'], { code: 'INVALID_INPUT', message: '' }, true],
    ['nothing else then', ['INVALID_INPUT'], failure, false],
    ['the true reason of a neutral one', ['WALLET_EMPTY'], { ...failure, trueCode: 'WALLET_EMPTY' }, true],
  ])('covers %s', (_name, codes, why, expected) => {
    const retry = { ...policy, ...(codes && { retryable_errors: codes }) };
    expect(fail(opened([node('a', [], { retry })]), 'a', why).status === 'running').toBe(expected);
  });

  it('covers a wait for tool results too', () => {
    const draft = next(opened([node('a', [], { retry: { ...policy, retryable_errors: ['TOOL_WAIT_TIMEOUT'] } })]));
    startNode(draft, 'a');
    waitNode(draft, 'a', {});
    const expired = next(draft);
    failNode(expired, 'a', { code: 'TOOL_WAIT_TIMEOUT', message: '' });
    expect(toStates(expired)).toEqual({ a: 'running' });
    expect(expired.status).toBe('running');
  });
});

describe('a fan-out', () => {
  const fan = (more: Partial<FanoutNode> = {}) =>
    node('fan', [], {
      type: 'map.fanout',
      items: { from: '$input.x', pointer: '' },
      max_items: 10,
      max_parallelism: 2,
      subnode: { type: 'transform.json', transform: { form: 'pick', source: { from: '$item', pointer: '' } } },
      ...more,
    });

  function spawned(draft: RunDraft, count: number): RunDraft {
    const current = next(draft);
    startNode(current, 'fan');
    spawnNodes(current, 'fan', Array<string>(count).fill('transform.json'));
    return current;
  }

  it('runs items in order up to its parallelism, and resumes after the last', () => {
    let draft = spawned(opened([fan(), node('after', ['fan'])]), 3);
    expect(queuedBy(draft)).toEqual(['fan.0', 'fan.1']);
    expect(draft.nodes.get('fan')?.isQueued).toBe(false);
    draft = succeed(draft, 'fan.1');
    expect(queuedBy(draft)).toEqual(['fan.2']);
    draft = succeed(succeed(draft, 'fan.0'), 'fan.2');
    expect(queuedBy(draft)).toEqual(['fan']);
    expect(queuedBy(succeed(draft, 'fan'))).toEqual(['after']);
  });

  it('respects the parallelism of the run', () => {
    const draft = spawned(opened([fan({ max_parallelism: 5 }), node('b')], 2), 4);
    expect(queuedBy(draft)).toEqual(['fan.0']);
  });

  it('fails with its first failed item and cancels the others; an edge can handle the failure', () => {
    const handled = [fan(), node('rescue', ['fan'], { guards: [guard('fan', onStatus('failed'))] })];
    const draft = fail(spawned(opened(handled), 3), 'fan.0');
    expect(toStates(draft)).toEqual({
      fan: 'failed',
      rescue: 'pending',
      'fan.0': 'failed',
      'fan.1': 'canceled',
      'fan.2': 'canceled',
    });
    expect(draft.toDrop).toEqual(['fan.0', 'fan', 'fan.1', 'fan.2']);
    expect(queuedBy(draft)).toEqual(['rescue']);
    expect(fail(spawned(opened([fan()]), 2), 'fan.0').status).toBe('failed');
  });

  it('retries each item separately', () => {
    const subnode = { ...(fan() as FanoutNode).subnode, retry: { max_attempts: 2, backoff_ms: 0 } };
    const draft = fail(spawned(opened([fan({ subnode })]), 2), 'fan.1');
    expect(toStates(draft)).toMatchObject({ fan: 'running', 'fan.1': 'running' });
    expect(queuedBy(draft)).toEqual(['fan.1']);
  });
});
