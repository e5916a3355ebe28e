import { describe, expect, it } from '@jest/globals';
import type { CaseSwitchNode, JoinNode, PureNode, Transform, TransformNode } from '../plan/plan.js';
import { evaluateNode, evaluateOutputs } from './evaluate.js';
import type { Json } from './json.js';

const outputs = new Map<string, Json>([
  ['a', { x: 1, deep: { y: [true] } }],
  ['b', { x: 2, z: null }],
  ['c', 'text'],
]);

const transform = (rule: Transform): TransformNode => ({ id: 't', type: 'transform.json', after: [], transform: rule });
const join = (type: JoinNode['type'], after: string[]): JoinNode => ({ id: 'j', type, after });
const route = (more: Partial<CaseSwitchNode>): CaseSwitchNode => ({
  id: 's',
  type: 'route.switch',
  after: [],
  source: { from: 'a', pointer: '' },
  cases: [
    { route: 'two', op: 'equals', pointer: '/x', value: 2 },
    { route: 'deep', op: 'exists', pointer: '/deep' },
    { route: 'never', op: 'exists', pointer: '' },
  ],
  ...more,
});

const rows: [name: string, node: PureNode, value: Json][] = [
  [
    'a join of all is an object keyed by upstream node',
    join('join.all', ['b', 'c']),
    { b: { x: 2, z: null }, c: 'text' },
  ],
  ['a join of any is the first output', join('join.any', ['c', 'b']), 'text'],
  ['a join of any reached by a failure is null', join('join.any', []), null],
  ['a collecting join omits missing outputs', join('join.collect', ['b']), { b: { x: 2, z: null } }],
  ['a switch takes the first case that holds', route({}), { route: 'deep', value: outputs.get('a')! }],
  [
    'a switch without a case that holds takes its default',
    route({ source: { from: 'c', pointer: '' }, cases: [], default: 'else' }),
    { route: 'else', value: 'text' },
  ],
  [
    'a switch without either has no route',
    route({ source: { from: 'c', pointer: '' }, cases: [] }),
    { route: null, value: 'text' },
  ],
  [
    'a pick is the value at its pointer',
    transform({ form: 'pick', source: { from: 'a', pointer: '/deep/y/0' } }),
    true,
  ],
  [
    'an object gathers by key',
    transform({
      form: 'object',
      entries: [
        { key: 'k', source: { from: 'c', pointer: '' } },
        { key: 'n', source: { from: 'b', pointer: '/z' } },
      ],
    }),
    { k: 'text', n: null },
  ],
  [
    'a merge is shallow and the later wins',
    transform({
      form: 'merge',
      sources: [
        { from: 'a', pointer: '' },
        { from: 'b', pointer: '' },
      ],
    }),
    { x: 2, deep: { y: [true] }, z: null },
  ],
];

describe('evaluateNode', () => {
  it.each(rows)('computes the value of a node: %s', (_name, node, value) => {
    expect(evaluateNode(node, outputs, node.after)).toEqual({ ok: true, value });
  });

  it('fails with the place where a pointer finds nothing', () => {
    const result = evaluateNode(transform({ form: 'pick', source: { from: 'a', pointer: '/nope' } }), outputs, []);
    expect(result).toEqual({
      ok: false,
      failure: { code: 'POINTER_NOT_FOUND', message: 'the output of a has no value at "/nope"' },
    });
  });

  it('fails to merge values that are not objects', () => {
    const result = evaluateNode(transform({ form: 'merge', sources: [{ from: 'c', pointer: '' }] }), outputs, []);
    expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT' } });
  });

  it('does not let one large output be named again and again', () => {
    const large = new Map<string, Json>([['a', 'x'.repeat(1_000_000)]]);
    const entries = Array.from({ length: 100 }, (_, index) => ({
      key: `k${index}`,
      source: { from: 'a', pointer: '' },
    }));
    expect(evaluateNode(transform({ form: 'object', entries }), large, [])).toMatchObject({
      ok: false,
      failure: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });
});

describe('evaluateOutputs', () => {
  it('leaves out what was skipped', () => {
    const declared = [
      { name: 'there', from: 'c', pointer: '' },
      { name: 'skipped', from: 'z', pointer: '/x' },
    ];
    expect(evaluateOutputs(declared, outputs)).toEqual({ ok: true, value: { there: 'text' } });
  });

  it('returns values under their names, even under __proto__', () => {
    const declared = [
      { name: 'whole', from: 'c', pointer: '' },
      { name: '__proto__', from: 'a', pointer: '/x' },
    ];
    const result = evaluateOutputs(declared, outputs);
    if (!result.ok) throw new Error(result.failure.message);
    expect(JSON.stringify(result.value)).toBe('{"whole":"text","__proto__":1}');
  });
});
