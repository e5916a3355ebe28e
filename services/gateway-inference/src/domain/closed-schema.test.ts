import { describe, expect, it } from '@jest/globals';
import { closeSchema } from './closed-schema.js';

const text = { type: 'string' };

describe('closeSchema', () => {
  it('closes every object at any depth and requires all its properties', () => {
    const schema = {
      type: 'object',
      additionalProperties: true,
      required: ['a'],
      properties: { a: text, b: { type: ['object', 'null'], properties: { c: text } } },
      $defs: { d: { properties: { e: text } } },
    };
    expect(closeSchema(schema, 's')).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['a', 'b'],
      properties: {
        a: text,
        b: { type: ['object', 'null'], properties: { c: text }, additionalProperties: false, required: ['c'] },
      },
      $defs: { d: { properties: { e: text }, additionalProperties: false, required: ['e'] } },
    });
  });

  it.each([
    ['items', { items: { properties: {} } }],
    ['anyOf', { anyOf: [{ properties: {} }] }],
    ['prefixItems', { prefixItems: [{ properties: {} }] }],
    ['items', { items: [{ properties: {} }] }],
    ['additionalItems', { additionalItems: { properties: {} } }],
    ['dependentSchemas', { dependentSchemas: { a: { properties: {} } } }],
    ['not', { not: { additionalProperties: true } }],
  ])('closes schemas inside %s', (keyword, schema) => {
    expect(JSON.stringify(closeSchema(schema, 's'))).toContain('"additionalProperties":false');
    expect(closeSchema(schema, 's')).toHaveProperty(keyword);
  });

  it.each([
    [{ additionalProperties: text }, 's.additionalProperties'],
    [{ properties: { m: { items: { additionalProperties: {} } } } }, 's.properties.m.items.additionalProperties'],
    [{ anyOf: [text, { additionalProperties: text }] }, 's.anyOf[1].additionalProperties'],
    [{ items: [text, { additionalProperties: text }] }, 's.items[1].additionalProperties'],
    [{ dependentSchemas: { a: { additionalProperties: text } } }, 's.dependentSchemas.a.additionalProperties'],
  ])('rejects a map-style object by its path', (schema, path) => {
    expect(() => closeSchema(schema, 's')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining(path) }),
    );
  });

  it('leaves the given schema and data that looks like a schema unchanged', () => {
    const schema = { type: 'object', properties: { a: { enum: [{ type: 'object' }], default: { type: 'object' } } } };
    const before = structuredClone(schema);
    const closed = closeSchema(schema, 's');
    expect(schema).toEqual(before);
    expect(closed.properties).toEqual(schema.properties);
  });

  it('does not let a property name reach the prototype', () => {
    const closed = closeSchema(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), 's');
    expect(Object.getPrototypeOf(closed.properties)).toBe(Object.prototype);
  });
});
