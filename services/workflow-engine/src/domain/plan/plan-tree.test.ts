import { describe, expect, it } from '@jest/globals';
import type { AgentNode, Plan, PlanNode, SchedulerNode } from './plan.js';
import {
  agentAround,
  fragmentCallId,
  isFragmentCall,
  listAgents,
  listAncestorIds,
  listSiblings,
  requireNode,
  scheduledId,
  scheduledPlace,
  toLocalId,
} from './plan-tree.js';

const pin = (slug: string) => ({ id: slug, slug, revision: 1 });
const agent = (slug: string, more: object = {}) => ({
  type: 'agent.run',
  agent: pin(slug),
  routes: {},
  bindings: [],
  ...more,
});
const graph = {
  inputs: [],
  outputs: [],
  nodes: [
    {
      id: 'x',
      type: 'transform.json',
      after: [],
      transform: { form: 'pick', source: { from: '$input.q', pointer: '' } },
    },
    {
      id: 'y',
      type: 'transform.json',
      after: ['x'],
      guards: [{ from: 'x', reads: true, edges: [null] }],
      transform: { form: 'merge', sources: [{ from: 'x', pointer: '/p' }] },
    },
    { id: 'inner', after: ['y'], ...agent('b', { bindings: [{ from: 'y', pointer: '', to: '/input' }] }) },
    {
      id: 'f',
      type: 'map.fanout',
      after: [],
      items: { from: 'x', pointer: '' },
      subnode: { type: 'route.switch', source: { from: '$item', pointer: '' } },
    },
    { id: 's', type: 'route.switch', after: ['x'], source: { from: 'x', pointer: '' }, cases: [] },
    {
      id: 'o',
      type: 'transform.json',
      after: ['x'],
      transform: { form: 'object', entries: [{ key: 'k', source: { from: 'x', pointer: '' } }] },
    },
    {
      id: 'h',
      after: ['x'],
      type: 'agent.scheduler',
      agents: [{ count: 1, agent: agent('c', { bindings: [{ from: 'x', pointer: '' }] }) }],
      coordinator: agent('d'),
    },
  ] as unknown as PlanNode[],
};
const plan = {
  kind: 'workflow.v1',
  nodes: [
    { id: 'a', after: [], ...agent('a', { routes: { 'my-tool': { to: 'fragment', key: 'k', inputs: {} } } }) },
    { id: 's', type: 'agent.scheduler', after: [], agents: [{ agent: agent('w'), count: 2 }], coordinator: agent('c') },
  ],
  outputs: [],
  fragments: { k: graph },
} as unknown as Plan;

const call = fragmentCallId('a', { tool: 'my-tool', step: 3, position: 1, attempt: 0 });

describe('a sub-node', () => {
  it('resolves by its id', () => {
    expect(call).toBe('a.my-tool-3-1-0');
    expect(isFragmentCall(call)).toBe(true);
    expect(requireNode(plan, call)).toMatchObject({ type: 'fragment', graph });
    expect(
      (requireNode(plan, scheduledId('s', { round: 2, worker: { agent: 0, nth: 1 } })) as AgentNode).agent.slug,
    ).toBe('w');
    expect((requireNode(plan, scheduledId('s', { round: 2 })) as AgentNode).agent.slug).toBe('c');
  });

  it('refers to nodes of the same fragment call', () => {
    const at = (id: string) => `${call}.${id}`;
    expect(requireNode(plan, at('y'))).toMatchObject({
      id: at('y'),
      after: [at('x')],
      guards: [{ from: at('x') }],
      transform: { sources: [{ from: at('x'), pointer: '/p' }] },
    });
    expect(requireNode(plan, at('x'))).toMatchObject({ transform: { source: { from: '$input.q' } } });
    expect(requireNode(plan, at('inner'))).toMatchObject({ bindings: [{ from: at('y'), to: '/input' }] });
    expect(requireNode(plan, at('f'))).toMatchObject({
      items: { from: at('x') },
      subnode: { source: { from: '$item' } },
    });
    expect(requireNode(plan, at('s'))).toMatchObject({ source: { from: at('x') } });
    expect(requireNode(plan, at('o'))).toMatchObject({ transform: { entries: [{ source: { from: at('x') } }] } });
    expect((requireNode(plan, at('h')) as SchedulerNode).agents[0]?.agent.bindings).toMatchObject([{ from: at('x') }]);
    expect(listSiblings(plan, at('y')).map(({ id }) => id)).toEqual(graph.nodes.map(({ id }) => at(id)));
  });

  it('has no siblings, unlike a node of the spec', () => {
    expect(listSiblings(plan, scheduledId('s', { round: 1 }))).toEqual([]);
    expect(listSiblings(plan, call)).toEqual([]);
    expect(listSiblings(plan, 'a')).toBe(plan.nodes);
  });

  it('acts for its nearest agent', () => {
    expect(agentAround(plan, `${call}.x`)).toEqual(pin('a'));
    expect(agentAround(plan, `${call}.inner`)).toEqual(pin('b'));
    expect(agentAround(plan, 's')).toBeUndefined();
  });

  it.each(['a.none-0-0-0', 's.1_7_0', `${call}.z`, 'z'])('does not exist: %s', (id) => {
    expect(() => requireNode(plan, id)).toThrow('the plan has no node');
  });
});

describe('ids', () => {
  it('includes the ids of the ancestors in an id', () => {
    expect(listAncestorIds('a.b-0-0-0.c')).toEqual(['a.b-0-0-0', 'a']);
    expect(toLocalId('a.b-0-0-0.c')).toBe('c');
    expect(toLocalId('a')).toBe('a');
  });

  it.each([
    ['s.1_c', { round: 1 }],
    ['s.12_3_4', { round: 12, worker: { agent: 3, nth: 4 } }],
    ['s.1', undefined],
    ['s', undefined],
    ['a.x_1_c', undefined],
  ])('encodes a place in a scheduler, or none: %s', (id, place) => {
    expect(scheduledPlace(id)).toEqual(place);
  });
});

const toAgent = (slug: string) => ({ type: 'agent.run', agent: { id: slug, slug, revision: 1 } });

it('lists the agents of nodes, of fan-outs and of schedulers, each once', () => {
  const nodes = [
    { type: 'llm.responses' },
    toAgent('writer'),
    toAgent('writer'),
    { type: 'map.fanout', subnode: toAgent('reader') },
    { type: 'agent.scheduler', coordinator: toAgent('boss'), agents: [{ agent: toAgent('worker'), count: 2 }] },
  ];
  expect(listAgents({ nodes } as unknown as Plan)).toEqual(['boss', 'reader', 'worker', 'writer']);
});
