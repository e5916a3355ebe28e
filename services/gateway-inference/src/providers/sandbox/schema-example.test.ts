import { describe, expect, it } from '@jest/globals';
import { createExample } from './schema-example.js';

const CHARACTERS_MAX = 4_000;

/** Returns `schema` inside of `depth` arrays that each demand 64 items. */
function nested(schema: unknown, depth: number): unknown {
  return depth === 0 ? schema : { type: 'array', minItems: 1e9, items: nested(schema, depth - 1) };
}

const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`p${i}`, { $ref: '#' }]));
const nulls = Array.from({ length: 20_000 }, () => ({ type: 'null' }));

describe('createExample', () => {
  it('returns a whole value within its bounds', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 5 }, b: { const: [1] } } };
    expect(createExample(schema, CHARACTERS_MAX)).toEqual({ value: { a: 'axxxx', b: [1] }, isCut: false });
  });

  it('merges the parts of allOf', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/a' }, { properties: { b: { type: 'integer' } } }],
      $defs: { a: { type: 'object', properties: { a: { type: 'boolean' } } } },
    };
    expect(createExample(schema, CHARACTERS_MAX)).toEqual({ value: { a: true, b: 1 }, isCut: false });
  });

  it('takes a reference with a stray percent sign as it is written', () => {
    const schema = { $ref: '#/$defs/100%', $defs: { '100%': { type: 'boolean' } } };
    expect(createExample(schema, CHARACTERS_MAX).value).toBe(true);
  });

  it.each([
    ['a long string', { type: 'string', minLength: 5e8 }],
    ['nested arrays', nested({ type: 'null' }, 12)],
    ['nested arrays of long strings', nested({ type: 'string', minLength: 1e8 }, 4)],
    ['nested arrays of a long constant', nested({ const: 'x'.repeat(100_000) }, 4)],
    ['nested arrays of a long list of alternatives', nested({ anyOf: nulls }, 4)],
    ['nested arrays of a wide object', nested({ $ref: '#/items' }, 4)],
    ['recursion by many properties', { type: 'object', properties: wide }],
    ['recursion by parts of allOf', { allOf: [{ $ref: '#' }, { properties: wide }] }],
    ['recursion by prefixed items', { type: 'array', prefixItems: nulls.map(() => ({ $ref: '#' })) }],
  ])('cuts %s', (_what, schema) => {
    const { value, isCut } = createExample(schema, CHARACTERS_MAX);
    expect(isCut).toBe(true);
    // A constant is written whole; its request is bounded.
    expect(JSON.stringify(value).length).toBeLessThan(200_000);
  });

  it('ends parts of allOf that name themselves', () => {
    expect(createExample({ allOf: [{ $ref: '#' }] }, CHARACTERS_MAX)).toEqual({ value: null, isCut: false });
  });
});
