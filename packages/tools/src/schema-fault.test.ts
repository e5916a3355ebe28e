import { describe, expect, it } from '@jest/globals';
import { compileFault, schemaFault } from './schema-fault.js';

const TOO_SLOW = 'the schema takes too long to check; make it simpler';
const city = { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z]' } }, required: ['city'] };

describe('arguments and the schema that a client declared', () => {
  it.each([
    [city, { city: 'Bern' }],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', ...city },
      { city: 'Bern', more: 1 },
    ],
    [{}, { anything: true }],
    [
      { type: 'object', patternProperties: { '^n_': { type: 'number' } } },
      { n_a: 1, other: 'x' },
    ],
    [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'integer' } } }, { a: 1 }],
  ])('accepts by schema %j the arguments %j', (schema, args) => {
    expect(schemaFault(schema, args)).toBeUndefined();
  });

  it.each([
    [city, {}, "must have required property 'city'"],
    [city, { city: 1 }, 'must be string'],
    [city, { city: 'bern' }, 'must match pattern'],
    [{ ...city, additionalProperties: false }, { city: 'Bern', more: 1 }, 'additional properties'],
    [{ type: 'object', patternProperties: { '^n_': { type: 'number' } } }, { n_a: 'x' }, 'must be number'],
    [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'integer' } } }, { a: 'x' }, 'must be integer'],
  ])('rejects by schema %j the arguments %j', (schema, args, fault) => {
    expect(schemaFault(schema, args)).toContain(fault);
  });

  it.each([
    ['is invalid', { type: 'nonsense' }],
    ['refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['has a pattern without linear time', { properties: { a: { pattern: '(?=x)' } } }],
    ['is huge', { enum: ['x'.repeat(70_000)] }],
  ])('ignores a schema that %s', (_how, schema) => {
    expect(schemaFault(schema, { a: 'x' })).toBeUndefined();
  });

  it('matches a pattern in linear time that takes other engines forever', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const startedAt = Date.now();
    expect(schemaFault(schema, { a: `${'a'.repeat(40)}!` })).toContain('must match pattern');
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('a schema that takes too long to check', () => {
  const branch = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
  const doubling = { $ref: '#/$defs/node', $defs: { node: { anyOf: [branch, branch, { const: 'end' }] } } };

  function nest(depth: number): object {
    return depth === 0 ? { next: 'no end' } : { next: nest(depth - 1) };
  }

  it('rejects arguments whose check doubles with each level', () => {
    expect(schemaFault(doubling, nest(40))).toBe(TOO_SLOW);
  });

  it('rejects arguments whose check grows with the square of their length', () => {
    const items = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    expect(schemaFault({ properties: { items: { uniqueItems: true } } }, { items })).toBe(TOO_SLOW);
  });

  it('checks arguments of small depth by the same schema', () => {
    expect(schemaFault(doubling, { next: { next: 'end' } })).toBeUndefined();
    expect(schemaFault(doubling, nest(2))).toContain('must match a schema in anyOf');
  });

  it('checks other arguments afterwards', () => {
    expect(schemaFault(doubling, nest(40))).toBe(TOO_SLOW);
    expect(schemaFault(city, { city: 'Bern' })).toBeUndefined();
    expect(schemaFault(city, { city: 'bern' })).toContain('must match pattern');
  });
});

describe('a schema that a client declares', () => {
  it('accepts a schema that compiles', () => {
    expect(compileFault(city)).toBeUndefined();
  });

  it.each([
    ['is invalid', { type: 'nonsense' }],
    ['refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['has a pattern without linear time', { properties: { a: { pattern: '(?=x)' } } }],
    ['is huge', { enum: ['x'.repeat(70_000)] }],
  ])('names the fault of a schema that %s', (_how, schema) => {
    expect(compileFault(schema)).toMatch(/^(is not a usable JSON Schema|has more than)/);
  });
});
