import { describe, expect, it } from '@jest/globals';
import { toJsonSchema } from './google-schema.js';

describe('a schema of the form of Google', () => {
  it('becomes JSON Schema, at all levels', () => {
    const schema = {
      type: 'OBJECT',
      propertyOrdering: ['b', 'a'],
      properties: {
        a: { type: 'ARRAY', items: { type: 'STRING', format: 'enum', enum: ['x'] }, minItems: '1', maxItems: '3' },
        type: { type: 'INTEGER', minimum: 0, example: 5 },
        b: { anyOf: [{ type: 'NUMBER' }, { type: 'NULL' }] },
      },
      required: ['a'],
    };
    expect(toJsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string', format: 'enum', enum: ['x'] }, minItems: 1, maxItems: 3 },
        type: { type: 'integer', minimum: 0 },
        b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
      required: ['a'],
    });
  });

  it.each([
    [{ type: 'STRING', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'STRING', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ anyOf: [{ type: 'STRING' }], nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ type: 'STRING', nullable: false }, { type: 'string' }],
    [{ type: 'TYPE_UNSPECIFIED' }, {}],
    [{ nullable: true }, {}],
  ])('converts %j to %j', (schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
  });

  it('keeps the prototype of the schema', () => {
    const schema = JSON.parse(
      '{"__proto__":{"type":"X"},"properties":{"__proto__":{"type":"X"},"a":{"type":"STRING"}}}',
    );
    const converted = toJsonSchema(schema);
    expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
    expect(converted).toEqual({ properties: { a: { type: 'string' } } });
  });
});
