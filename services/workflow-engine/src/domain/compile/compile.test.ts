import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../plan/plan.js';
import { compileSpec } from './compile.js';

const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });
const model = (id: string, input: object = { model: 'm', input: [message('hi')] }) => ({
  id,
  type: 'llm.responses',
  input,
});
const pick = (id: string, from: string, pointer = '') => ({ id, type: 'transform.json', input: { from, pointer } });
const spec = (nodes: unknown[], more: object = {}) => ({ kind: 'workflow.v0', nodes, ...more });

function compilePlan(value: unknown): Plan {
  const result = compileSpec(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.plan;
}

function findIssues(value: unknown): string[] {
  const result = compileSpec(value);
  return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`);
}

describe('a valid spec', () => {
  it('gets all defaults and explicit dependencies', () => {
    const plan = compilePlan(
      spec([model('a'), { id: 'j', type: 'join.all' }, pick('b', 'j', '/a')], {
        name: 'n',
        edges: [{ from: 'a', to: 'j' }],
        outputs: [{ name: 'o', from: 'b' }],
      }),
    );
    expect(plan).toEqual({
      kind: 'workflow.v0',
      name: 'n',
      nodes: [
        {
          id: 'a',
          type: 'llm.responses',
          after: [],
          request: { model: 'm', input: [message('hi')] },
          stream: true,
          tool_execution: { mode: 'server' },
          tool_limits: { max_llm_calls: 8, max_tool_calls_per_step: 16, wait_ttl_ms: 86_400_000 },
          bindings: [],
        },
        { id: 'j', type: 'join.all', after: ['a'] },
        {
          id: 'b',
          type: 'transform.json',
          after: ['j'],
          transform: { form: 'pick', source: { from: 'j', pointer: '/a' } },
        },
      ],
      outputs: [{ name: 'o', from: 'b', pointer: '' }],
      execution: { max_parallelism: 16, node_timeout_ms: 600_000, run_timeout_ms: 86_400_000 },
    });
  });

  it('reads the options of a model node next to the body or around it', () => {
    const request = { model: 'm', input: [message('say {{x}}')] };
    const options = {
      stream: false,
      tool_execution: { mode: 'client' },
      bindings: [{ from: 'a', to_placeholder: 'x' }],
    };
    const bare = compilePlan(spec([model('a'), model('b', { ...request, ...options })])).nodes[1];
    const wrapped = compilePlan(spec([model('a'), model('b', { request, ...options })])).nodes[1];
    expect(wrapped).toEqual(bare);
    expect(wrapped).toMatchObject({ request, stream: false, tool_execution: { mode: 'client' }, after: ['a'] });
  });

  it('keeps every key of an object transform, `__proto__` included', () => {
    const object = JSON.parse('{"__proto__":{"from":"a"},"constructor":{"from":"a","pointer":"/x"}}');
    const plan = compilePlan(spec([model('a'), { id: 'o', type: 'transform.json', input: { object } }]));
    expect(plan.nodes[1]).toMatchObject({
      transform: {
        form: 'object',
        entries: [
          { key: '__proto__', source: { from: 'a', pointer: '' } },
          { key: 'constructor', source: { from: 'a', pointer: '/x' } },
        ],
      },
    });
  });

  it('compiles all forms of a transform with their dependencies', () => {
    const plan = compilePlan(
      spec([
        model('a'),
        model('b'),
        { id: 'o', type: 'transform.json', input: { object: { x: { from: 'b', pointer: '/model' } } } },
        { id: 'm', type: 'transform.json', input: { merge: [{ from: 'b' }, { from: 'a' }] } },
      ]),
    );
    expect(plan.nodes.map((node) => node.after)).toEqual([[], [], ['b'], ['a', 'b']]);
    expect(plan.nodes[3]).toMatchObject({
      transform: { form: 'merge', sources: [{ from: 'b', pointer: '' }, { from: 'a' }] },
    });
  });

  it('hashes equal content equally in any key order', () => {
    const one = compileSpec({ kind: 'workflow.v0', nodes: [model('a')], outputs: [{ name: 'o', from: 'a' }] });
    const two = compileSpec({ outputs: [{ from: 'a', name: 'o' }], nodes: [{ ...model('a') }], kind: 'workflow.v0' });
    const other = compileSpec({ kind: 'workflow.v0', nodes: [model('a')], outputs: [{ name: 'p', from: 'a' }] });
    if (!one.ok || !two.ok || !other.ok) throw new Error('expected plans');
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(two.hash).toBe(one.hash);
    expect(other.hash).not.toBe(one.hash);
  });

  it('does not check parts of the request that a binding fills', () => {
    const request = { model: 'm', input: [{ type: 'message', role: 'user', content: [{ type: 'text' }] }] };
    const bindings = [{ from: 'a', pointer: '/model', to: '/input/0/content/0/text' }];
    expect(findIssues(spec([model('a'), model('b', { request, bindings })]))).toEqual([]);
    expect(findIssues(spec([model('a'), model('b', { request })]))).toEqual([
      'REQUIRED /nodes/1/input/request/input/0/content/0/text',
    ]);
  });
});

const faults: [name: string, value: unknown, issues: string[]][] = [
  ['an array instead of an object', [], ['INVALID_VALUE ']],
  ['no fields', {}, ['REQUIRED /kind', 'REQUIRED /nodes']],
  ['no nodes', spec([]), ['INVALID_VALUE /nodes']],
  ['an unknown kind', { kind: 'workflow.v9', nodes: [model('a')] }, ['INVALID_VALUE /kind']],
  [
    'an agent that does not exist',
    spec([{ id: 'a', type: 'agent.run', agent: 'x@1', input: [] }]),
    ['UNKNOWN_AGENT /nodes/0/agent'],
  ],
  ['an unknown node type', spec([{ id: 'a', type: 'toString' }]), ['UNKNOWN_NODE_TYPE /nodes/0/type']],
  ['a malformed node id', spec([model('A-1')]), ['INVALID_VALUE /nodes/0/id']],
  ['an endless node id', spec([model(`a${'b'.repeat(64)}`)]), ['LIMIT_EXCEEDED /nodes/0/id']],
  ['two nodes of one id', spec([model('a'), model('a')]), ['DUPLICATE_NODE /nodes/1/id']],
  ['a model node without input', spec([{ id: 'a', type: 'llm.responses' }]), ['REQUIRED /nodes/0/input']],
  [
    'a bad model request',
    spec([model('a', { input: [message('hi')], temperature: 3 })]),
    ['LIMIT_EXCEEDED /nodes/0/input/temperature'],
  ],
  ['a reference to nowhere', spec([pick('a', 'ghost')]), ['UNKNOWN_NODE /nodes/0/input/from']],
  ['a bad pointer', spec([model('a'), pick('b', 'a', 'output')]), ['INVALID_VALUE /nodes/1/input/pointer']],
  [
    'a transform of two forms',
    spec([model('a'), { id: 't', type: 'transform.json', input: { from: 'a', merge: [] } }]),
    ['INVALID_VALUE /nodes/1/input'],
  ],
  ['an edge to nowhere', spec([model('a')], { edges: [{ from: 'a', to: 'b' }] }), ['UNKNOWN_NODE /edges/0/to']],
  [
    'a conditional edge',
    spec([model('a'), model('b')], { edges: [{ from: 'a', to: 'b', when: {} }] }),
    ['UNSUPPORTED_FIELD /edges/0/when'],
  ],
  ['a retry', spec([{ ...model('a'), retry: { max_attempts: 2 } }]), ['UNSUPPORTED_FIELD /nodes/0/retry']],
  ['a join of nothing', spec([{ id: 'j', type: 'join.all' }]), ['REQUIRED /edges']],
  ['a cycle', spec([pick('a', 'b'), pick('b', 'a')]), ['CYCLE /nodes']],
  ['a node after itself', spec([pick('a', 'a')]), ['CYCLE /nodes']],
  [
    'an output from nowhere',
    spec([model('a')], { outputs: [{ name: 'o', from: 'x' }] }),
    ['UNKNOWN_NODE /outputs/0/from'],
  ],
  [
    'two outputs of one name',
    spec([model('a')], {
      outputs: [
        { name: 'o', from: 'a' },
        { name: 'o', from: 'a' },
      ],
    }),
    ['DUPLICATE_OUTPUT /outputs/1/name'],
  ],
  [
    'limits out of range',
    spec([model('a')], { execution: { max_parallelism: 0, node_timeout_ms: 1e12 } }),
    ['INVALID_VALUE /execution/max_parallelism', 'LIMIT_EXCEEDED /execution/node_timeout_ms'],
  ],
  [
    'a binding without a target',
    spec([model('a'), model('b', { request: { model: 'm', input: [message('x')] }, bindings: [{ from: 'a' }] })]),
    ['INVALID_VALUE /nodes/1/input/bindings/0'],
  ],
  [
    'a binding to no place',
    spec([
      model('a'),
      model('b', { request: { model: 'm', input: [message('x')] }, bindings: [{ from: 'a', to: '/nowhere/at/all' }] }),
    ]),
    ['BINDING_TARGET /nodes/1/input/bindings/0/to'],
  ],
  [
    'a binding to a missing placeholder',
    spec([
      model('a'),
      model('b', { request: { model: 'm', input: [message('x')] }, bindings: [{ from: 'a', to_placeholder: 'y' }] }),
    ]),
    ['BINDING_TARGET /nodes/1/input/bindings/0/to_placeholder'],
  ],
  ['too many nodes', spec(Array.from({ length: 501 }, (_, index) => model(`n${index}`))), ['LIMIT_EXCEEDED /nodes']],
];

describe('an invalid spec', () => {
  it.each(faults)('rejects a spec with %s', (_name, value, issues) => {
    expect(findIssues(value)).toEqual(issues);
  });

  it('reports all issues at once', () => {
    const bad = spec([{ id: 'X', type: 'nope' }, pick('b', 'ghost')], {
      edges: [{ from: 'b' }],
      outputs: [{ name: '', from: 'c' }],
      execution: { run_timeout_ms: 'soon' },
    });
    expect(findIssues(bad)).toEqual([
      'INVALID_VALUE /nodes/0/id',
      'UNKNOWN_NODE_TYPE /nodes/0/type',
      'UNKNOWN_NODE /nodes/1/input/from',
      'REQUIRED /edges/0/to',
      'INVALID_VALUE /outputs/0/name',
      'INVALID_VALUE /execution/run_timeout_ms',
    ]);
  });

  it('reports issues of neighboring fields separately', () => {
    const request = { model: 7, input: [message('x')] };
    const options = { stream: 'no', bindings: [{ from: 'a' }, { from: 'ghost', to_placeholder: 'y' }] };
    const object = { k: { from: 'a', pointer: 'x' }, l: { from: 'ghost' } };
    const merge = [{ pointer: '' }, { from: 'ghost' }];
    const bad = spec(
      [
        model('a'),
        model('b', { request, ...options }),
        { id: 'c', type: 'transform.json', input: { object } },
        { id: 'd', type: 'transform.json', input: { merge } },
      ],
      { outputs: [{ name: 'o' }, { name: 'p', from: 'a' }, { name: 'p', from: 'ghost' }] },
    );
    expect(findIssues(bad)).toEqual([
      'INVALID_VALUE /nodes/1/input/stream',
      'INVALID_VALUE /nodes/1/input/bindings/0',
      'BINDING_TARGET /nodes/1/input/bindings/1/to_placeholder',
      'INVALID_VALUE /nodes/1/input/request/model',
      'INVALID_VALUE /nodes/2/input/object/k/pointer',
      'REQUIRED /nodes/3/input/merge/0/from',
      'UNKNOWN_NODE /nodes/2/input/object/l/from',
      'UNKNOWN_NODE /nodes/3/input/merge/1/from',
      'REQUIRED /outputs/0/from',
      'DUPLICATE_OUTPUT /outputs/2/name',
      'UNKNOWN_NODE /outputs/2/from',
    ]);
  });

  it('limits the number of reported issues', () => {
    const nodes = Array.from({ length: 500 }, (_, index) => pick(`n${index}`, 'ghost'));
    expect(findIssues(spec(nodes))).toHaveLength(200);
  });
});
