import { describe, expect, it } from '@jest/globals';
import { evaluateNode, evaluateOutputs } from './evaluate.js';
import type { Json } from './json.js';
import type { JoinNode, Transform, TransformNode } from './plan.js';

const outputs = new Map<string, Json>([
  ['a', { x: 1, deep: { y: [true] } }],
  ['b', { x: 2, z: null }],
  ['c', 'text'],
]);

const transform = (rule: Transform): TransformNode => ({ id: 't', type: 'transform.json', after: [], transform: rule });
const join = (after: string[]): JoinNode => ({ id: 'j', type: 'join.all', after });

const rows: [name: string, node: TransformNode | JoinNode, value: Json][] = [
  ['a join is an object keyed by upstream node', join(['b', 'c']), { b: { x: 2, z: null }, c: 'text' }],
  ['a pick is what the pointer finds', transform({ form: 'pick', source: { from: 'a', pointer: '/deep/y/0' } }), true],
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
  it.each(rows)('%s', (_name, node, value) => {
    expect(evaluateNode(node, outputs)).toEqual({ ok: true, value });
  });

  it('fails with the place where a pointer finds nothing', () => {
    const result = evaluateNode(transform({ form: 'pick', source: { from: 'a', pointer: '/nope' } }), outputs);
    expect(result).toEqual({
      ok: false,
      failure: { code: 'POINTER_NOT_FOUND', message: 'the output of a has nothing at "/nope"' },
    });
  });

  it('fails to merge what is no object', () => {
    const result = evaluateNode(transform({ form: 'merge', sources: [{ from: 'c', pointer: '' }] }), outputs);
    expect(result).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT' } });
  });

  it('does not let one large output be named again and again', () => {
    const large = new Map<string, Json>([['a', 'x'.repeat(1_000_000)]]);
    const entries = Array.from({ length: 100 }, (_, index) => ({
      key: `k${index}`,
      source: { from: 'a', pointer: '' },
    }));
    expect(evaluateNode(transform({ form: 'object', entries }), large)).toMatchObject({
      ok: false,
      failure: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });
});

describe('evaluateOutputs', () => {
  it('keys values by name', () => {
    const declared = [
      { name: 'whole', from: 'c', pointer: '' },
      { name: '__proto__', from: 'a', pointer: '/x' },
    ];
    const result = evaluateOutputs(declared, outputs);
    if (!result.ok) throw new Error(result.failure.message);
    expect(JSON.stringify(result.value)).toBe('{"whole":"text","__proto__":1}');
  });
});
