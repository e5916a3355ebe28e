import { expect, it } from '@jest/globals';
import type { Guard, Plan, PlanNode } from '../plan/plan.js';
import type { Json } from '../values/json.js';
import { newDraft, type RunDraft } from './run-draft.js';
import { openRun, startNode, succeedNode } from './run-transitions.js';
import { listNodesAfter } from './run-tree.js';

const now = new Date('2030-01-01T00:00:00.000Z');
const node = (id: string, after: string[] = [], more: object = {}) =>
  ({ id, type: 'join.all', after, ...more }) as PlanNode;
const route = (from: string, value: Json): Guard => {
  return { from, reads: false, edges: [{ source: 'node_output', op: 'equals', pointer: '/route', value }] };
};

/** Returns a run whose node `a` has started. */
function startA(nodes: PlanNode[], parallelism = 16): RunDraft {
  const execution = { max_parallelism: parallelism, node_timeout_ms: 1_000, run_timeout_ms: 10_000 };
  const plan: Plan = { kind: 'workflow.v1', nodes, outputs: [], execution };
  const draft = newDraft({ runId: 'r', projectId: 'p', customerId: null, planHash: 'h' }, plan, now);
  openRun(draft);
  startNode(draft, 'a');
  draft.toQueue.length = 0;
  return draft;
}

const graph = [
  node('a'),
  node('other'),
  node('b', ['a']),
  node('taken', ['a'], { guards: [route('a', 'x')] }),
  node('closed', ['a'], { guards: [route('a', 'y')] }),
  node('both', ['a', 'other']),
];

it.each([16, 2, 1])('lists the nodes that the end of a node queues, with a parallelism of %i', (parallelism) => {
  const draft = startA(graph, parallelism);
  const output = { route: 'x' };
  const listed = listNodesAfter(draft, 'a', output).map(({ id }) => id);
  succeedNode(draft, 'a', { output, artifact: { bytes: 2, sha256: 'x' } });
  expect(listed).toEqual(draft.toQueue.map(({ id }) => id));
  expect(listed).toEqual(parallelism === 16 ? ['b', 'taken'] : expect.anything());
});

it('does not change the run', () => {
  const draft = startA(graph);
  const before = structuredClone({ nodes: draft.nodes, events: draft.events, toQueue: draft.toQueue });
  listNodesAfter(draft, 'a', { route: 'x' });
  expect({ nodes: draft.nodes, events: draft.events, toQueue: draft.toQueue }).toEqual(before);
});
