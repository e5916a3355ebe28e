import { describe, expect, it } from '@jest/globals';
import { workflowSpecSchema } from '@tollgate/api/runs';
import type { Plan } from '../plan/plan.js';
import { compileSpec } from './compile.js';

const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });
const request = (text = 'hi') => ({ model: 'm', input: [message(text)] });
const model = (id: string, input: object = request(), more: object = {}) => ({
  id,
  type: 'llm.responses',
  input,
  ...more,
});
const spec = (nodes: unknown[], more: object = {}) => ({ kind: 'workflow.v1', nodes, ...more });
const routed = (value: string) => ({ source: 'node_output', op: 'equals', path: '$.route', value });

function compilePlan(value: unknown): Plan {
  const result = compileSpec(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  // A spec compiles exactly when the published schema accepts it.
  expect(workflowSpecSchema.safeParse(value).error).toBeUndefined();
  return result.plan;
}

function findIssues(value: unknown): string[] {
  const result = compileSpec(value);
  return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`);
}

describe('a workflow.v1 spec', () => {
  it('compiles conditions of edges to guards', () => {
    const plan = compilePlan(
      spec(
        [
          { id: 'route', type: 'route.switch', input: { ...request('which'), stream: false } },
          model('billing', { request: request('{{x}}'), bindings: [{ from: 'route', to_placeholder: 'x' }] }),
          model('support'),
          { id: 'first', type: 'join.any' },
        ],
        {
          edges: [
            { from: 'route', to: 'billing', when: routed('billing') },
            { from: 'route', to: 'support', when: routed('support') },
            { from: 'route', to: 'support', when: { source: 'node_status', op: 'equals', value: 'failed' } },
            { from: 'billing', to: 'first' },
            { from: 'support', to: 'first' },
          ],
        },
      ),
    );
    const output = { source: 'node_output', op: 'equals', pointer: '/route' };
    expect(plan.nodes.map(({ guards }) => guards)).toEqual([
      undefined,
      [{ from: 'route', reads: true, edges: [{ ...output, value: 'billing' }] }],
      [
        {
          from: 'route',
          reads: false,
          edges: [
            { ...output, value: 'support' },
            { source: 'node_status', op: 'equals', pointer: '', value: 'failed' },
          ],
        },
      ],
      undefined,
    ]);
    expect(plan.nodes[3]).toEqual({ id: 'first', type: 'join.any', after: ['billing', 'support'] });
  });

  it('applies a join’s predicate to all of its incoming edges', () => {
    const predicate = { source: 'node_output', op: 'exists', path: '/model' };
    const plan = compilePlan(
      spec([model('a'), model('b'), { id: 'j', type: 'join.collect', input: { limit: 1, predicate } }], {
        edges: [
          { from: 'a', to: 'j' },
          { from: 'b', to: 'j', when: routed('x') },
        ],
      }),
    );
    expect(plan.nodes[2]).toMatchObject({
      limit: 1,
      guards: [
        { from: 'a', edges: [{ op: 'exists', pointer: '/model' }] },
        { from: 'b', edges: [{ op: 'equals', pointer: '/route' }] },
      ],
    });
  });

  it('reads declared inputs like outputs of nodes', () => {
    const plan = compilePlan(
      spec(
        [
          model('a', { request: request('{{t}}'), bindings: [{ from_input: 'topic', to_placeholder: 't' }] }),
          { id: 'p', type: 'transform.json', input: { from_input: 'topic', pointer: '/x' } },
          { id: 'm', type: 'transform.json', input: { merge: [{ from_input: 'topic' }, { from: 'a' }] } },
        ],
        {
          inputs: [
            { name: 'topic', required: true },
            { name: 'n', type: 'integer', default: 3, description: 'd' },
          ],
        },
      ),
    );
    expect(plan.inputs).toEqual([
      { name: 'topic', type: 'json', required: true },
      { name: 'n', type: 'integer', required: false, default: 3 },
    ]);
    expect(plan.nodes.map((node) => node.after)).toEqual([[], [], ['a']]);
    expect(plan.nodes[1]).toMatchObject({ transform: { source: { from: '$input.topic', pointer: '/x' } } });
  });

  it('compiles a fan-out to a sub-node that reads its item', () => {
    const subnode = {
      id: 'each',
      type: 'llm.responses',
      input: {
        request: request('{{one}} of {{all}} for {{who}}'),
        bindings: [
          { from: 'gen', to_placeholder: 'all' },
          { from: 'item', pointer: '/who', to_placeholder: 'who' },
        ],
      },
      retry: { max_attempts: 2 },
    };
    const plan = compilePlan(
      spec([
        model('gen'),
        model('item'),
        {
          id: 'fan',
          type: 'map.fanout',
          input: {
            items: { from: 'gen', path: "$.output[0]['the items']" },
            item_bindings: [{ path: '$.name', to_placeholder: 'one' }],
            subnode,
            max_parallelism: 4,
          },
        },
      ]),
    );
    const fan = plan.nodes[2];
    expect(fan).toMatchObject({
      after: ['gen'],
      items: { from: 'gen', pointer: '/output/0/the items' },
      max_items: 1_000,
      max_parallelism: 4,
      subnode: {
        type: 'llm.responses',
        bindings: [
          { from: 'gen', pointer: '' },
          { from: '$item', pointer: '/who' },
          { from: '$item', pointer: '/name', to_placeholder: 'one' },
        ],
        retry: { max_attempts: 2, backoff_ms: 1_000 },
      },
    });
    expect(fan).not.toHaveProperty('subnode.id');
  });

  it('compiles both forms of switches, and retries', () => {
    const plan = compilePlan(
      spec(
        [
          model('a', request(), { retry: { max_attempts: 3, retryable_errors: ['PROVIDER_ERROR'], backoff_ms: 5 } }),
          {
            id: 's',
            type: 'route.switch',
            input: { from: 'a', cases: [{ route: 'x', op: 'matches', path: '/model', value: '^m' }], default: 'y' },
          },
        ],
        {},
      ),
    );
    expect(plan.nodes[0]).toMatchObject({
      retry: { max_attempts: 3, retryable_errors: ['PROVIDER_ERROR'], backoff_ms: 5 },
    });
    expect(plan.nodes[1]).toMatchObject({
      source: { from: 'a', pointer: '' },
      cases: [{ route: 'x', op: 'matches', pointer: '/model', value: '^m' }],
      default: 'y',
      after: ['a'],
    });
  });
});

const edge = (when: object) => spec([model('a'), model('b')], { edges: [{ from: 'a', to: 'b', when }] });
const fan = (input: object, more: object = {}) => spec([model('a'), { id: 'f', type: 'map.fanout', input, ...more }]);
const subnode = { type: 'llm.responses', input: { request: request('{{x}}') } };

const faults: [name: string, value: unknown, issues: string[]][] = [
  ['a condition without a source', edge({ op: 'exists' }), ['REQUIRED /edges/0/when/source']],
  ['a condition of another operator', edge({ source: 'node_output', op: 'gt' }), ['INVALID_VALUE /edges/0/when/op']],
  [
    'an equals condition without a value',
    edge({ source: 'node_output', op: 'equals', path: '$.a' }),
    ['INVALID_VALUE /edges/0/when/value'],
  ],
  [
    'an invalid pattern',
    edge({ source: 'node_output', op: 'matches', path: '$.a', value: '(' }),
    ['INVALID_VALUE /edges/0/when/value'],
  ],
  [
    'a pattern with a lookahead',
    edge({ source: 'node_output', op: 'matches', path: '$.a', value: '(?=a)' }),
    ['INVALID_VALUE /edges/0/when/value'],
  ],
  [
    'a pattern that is too long',
    edge({ source: 'node_output', op: 'matches', value: 'a'.repeat(513) }),
    ['INVALID_VALUE /edges/0/when/value'],
  ],
  [
    'a path of another language',
    edge({ source: 'node_output', op: 'exists', path: '$..a' }),
    ['INVALID_VALUE /edges/0/when/path'],
  ],
  [
    'an undeclared input',
    spec([{ id: 'p', type: 'transform.json', input: { from_input: 'ghost' } }]),
    ['UNKNOWN_INPUT /nodes/0/input/from_input'],
  ],
  [
    'a source of two places',
    spec([model('a'), { id: 'p', type: 'transform.json', input: { from: 'a', from_input: 'i' } }], {
      inputs: [{ name: 'i' }],
    }),
    ['INVALID_VALUE /nodes/1/input'],
  ],
  [
    'inputs of one name and a default of another type',
    spec([model('a')], { inputs: [{ name: 'i' }, { name: 'i', type: 'string', default: 1 }] }),
    ['DUPLICATE_INPUT /inputs/1/name', 'INVALID_VALUE /inputs/1/default'],
  ],
  ['a join of nothing', spec([{ id: 'j', type: 'join.any' }]), ['REQUIRED /edges']],
  [
    'a join that collects none',
    spec([model('a'), { id: 'j', type: 'join.collect', input: { limit: 0 } }], { edges: [{ from: 'a', to: 'j' }] }),
    ['INVALID_VALUE /nodes/1/input/limit'],
  ],
  ['a fan-out of nothing', fan({ subnode }), ['REQUIRED /nodes/1/input/items']],
  [
    'a fan-out of fan-outs',
    fan({ items: { from: 'a' }, subnode: { type: 'map.fanout', input: {} } }),
    ['UNSUPPORTED_NODE_TYPE /nodes/1/input/subnode/type'],
  ],
  [
    'a fan-out of a faulty sub-node',
    fan({ items: { from: 'a' }, subnode: { type: 'transform.json', input: { from: 'ghost' } } }),
    ['UNKNOWN_NODE /nodes/1/input/subnode/input/from'],
  ],
  [
    'an item binding without its placeholder',
    fan({ items: { from: 'a' }, item_bindings: [{ to_placeholder: 'y' }], subnode }),
    ['BINDING_TARGET /nodes/1/input/item_bindings/0/to_placeholder'],
  ],
  [
    'item bindings for a sub-node without a request',
    fan({
      items: { from: 'a' },
      item_bindings: [{ to_placeholder: 'y' }],
      subnode: { type: 'transform.json', input: { from: 'item' } },
    }),
    ['BINDING_TARGET /nodes/1/input/item_bindings'],
  ],
  [
    'too many items',
    fan({ items: { from: 'a' }, subnode, max_items: 1_001, max_parallelism: 101 }),
    ['LIMIT_EXCEEDED /nodes/1/input/max_parallelism', 'LIMIT_EXCEEDED /nodes/1/input/max_items'],
  ],
  [
    'a retry of a fan-out',
    fan({ items: { from: 'a' }, subnode: { type: 'transform.json', input: { from: 'item' } } }, { retry: {} }),
    ['UNSUPPORTED_FIELD /nodes/1/retry'],
  ],
  [
    'a retry with too many attempts',
    spec([model('a', request(), { retry: { max_attempts: 11, retryable_errors: ['NOPE'] } })]),
    ['LIMIT_EXCEEDED /nodes/0/retry/max_attempts'],
  ],
  [
    'a retry of an error that does not exist',
    spec([model('a', request(), { retry: { max_attempts: 2, retryable_errors: ['RATE_LIMIT', 'NOPE'] } })]),
    ['INVALID_VALUE /nodes/0/retry/retryable_errors/1'],
  ],
  [
    'a case that compares with nothing',
    spec([
      model('a'),
      { id: 's', type: 'route.switch', input: { from: 'a', cases: [{ route: 'x', op: 'equals' }, { op: 'exists' }] } },
    ]),
    ['INVALID_VALUE /nodes/1/input/cases/0/value', 'REQUIRED /nodes/1/input/cases/1/route'],
  ],
  [
    'a cycle through a condition',
    spec([model('a'), model('b')], {
      edges: [
        { from: 'a', to: 'b', when: routed('x') },
        { from: 'b', to: 'a' },
      ],
    }),
    ['CYCLE /nodes'],
  ],
];

describe('an invalid workflow.v1 spec', () => {
  it.each(faults)('rejects a spec with %s', (_name, value, issues) => {
    expect(findIssues(value)).toEqual(issues);
  });

  it('reports all issues at once, and no others', () => {
    const cases = [
      { route: '', op: 'exists' },
      { route: 'x', op: 'matches', value: '(' },
    ];
    const bad = spec(
      [
        model('a', { request: request('{{t}}'), bindings: [{ from_input: 'topic', to_placeholder: 't' }] }),
        { id: 's', type: 'route.switch', input: { from: 'a', cases } },
        {
          id: 'f',
          type: 'map.fanout',
          input: { items: { from: 'ghost' }, item_bindings: [{}], subnode: { type: 'join.all' }, max_items: 0 },
        },
      ],
      { inputs: [{ name: 'topic' }, { name: 5 }] },
    );
    expect(findIssues(bad)).toEqual([
      'INVALID_VALUE /inputs/1/name',
      'INVALID_VALUE /nodes/1/input/cases/0/route',
      'INVALID_VALUE /nodes/1/input/cases/1/value',
      'INVALID_VALUE /nodes/2/input/max_items',
      'INVALID_VALUE /nodes/2/input/item_bindings/0',
      'UNSUPPORTED_NODE_TYPE /nodes/2/input/subnode/type',
    ]);
  });
});

describe('workflow.v0', () => {
  it.each(['route.switch', 'join.any', 'join.collect', 'map.fanout'])('has no %s', (type) => {
    expect(findIssues({ kind: 'workflow.v0', nodes: [{ id: 'a', type }] })).toEqual([
      'UNSUPPORTED_NODE_TYPE /nodes/0/type',
    ]);
  });

  it('has no inputs', () => {
    const value = { kind: 'workflow.v0', inputs: [{ name: 'i' }], nodes: [model('a')] };
    expect(findIssues(value)).toEqual(['UNSUPPORTED_FIELD /inputs']);
    const reads = { kind: 'workflow.v0', nodes: [{ id: 'p', type: 'transform.json', input: { from_input: 'i' } }] };
    expect(findIssues(reads)).toEqual(['INVALID_VALUE /nodes/0/input']);
  });
});
