import { describe, expect, it } from '@jest/globals';
import { compileFault, schemaFault } from './schema-fault.js';

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
