import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/runtime';
import { findVendorRefusal } from '@tollgate/testkit/vendor-rules';
import { toArgumentsSchema } from './arguments-schema.js';

const text = { type: 'string' };
const number = { type: 'number' };

/** Expects that the vendors take a schema, and returns it. */
function accepted(parameters: JsonObject | undefined): JsonObject {
  const schema = toArgumentsSchema(parameters)!;
  const forOpenAi = { properties: {}, ...schema };
  const user = { role: 'user', content: 'hi' };
  const chat = [{ type: 'function', function: { name: 'a', parameters: forOpenAi } }];
  expect(findVendorRefusal('/chat/completions', { model: 'm', messages: [user], tools: chat })).toBeUndefined();
  const claude = { model: 'm', max_tokens: 1, messages: [user], tools: [{ name: 'a', input_schema: schema }] };
  expect(findVendorRefusal('/messages', claude)).toBeUndefined();
  return schema;
}

describe('the top of the schema', () => {
  it.each<[string, JsonObject | undefined]>([
    ['no schema', undefined],
    ['an empty schema', {}],
    ['an object without properties', { type: 'object' }],
    ['an object or null', { type: ['object', 'null'] }],
    ['properties that are a list', { type: 'object', properties: [] }],
    ['the name of another type', { type: 'dict' }],
  ])('makes an object without properties of %s', (_, parameters) => {
    const { properties = {}, ...schema } = accepted(parameters);
    expect({ properties, ...schema }).toEqual({ type: 'object', properties: {} });
  });

  it('keeps an object as it is', () => {
    const schema = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };
    expect(accepted({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })).toEqual(schema);
  });

  it.each(['anyOf', 'oneOf'])('merges the objects of %s, and describes them', (keyword) => {
    const alternatives = [
      { type: 'object', properties: { kind: { const: 'a' }, a: text }, required: ['kind', 'a'] },
      { type: 'object', properties: { kind: { const: 'b' }, b: number }, required: ['kind'] },
    ];
    const { description, ...schema } = accepted({ description: 'Looks.', [keyword]: alternatives });
    expect(schema).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, a: text, b: number },
      required: ['kind'],
    });
    expect(description).toBe(`Looks.\n\n{one of: ${JSON.stringify(alternatives)}}`);
  });

  it('keeps the properties beside alternatives of what is required', () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }];
    const { description, ...schema } = accepted({ type: 'object', properties: { a: text, b: text }, anyOf });
    expect(schema).toEqual({ type: 'object', properties: { a: text, b: text } });
    expect(description).toContain(JSON.stringify(anyOf));
  });

  it('merges allOf', () => {
    const allOf = [{ properties: { b: number }, required: ['b'] }, { properties: { a: { minLength: 1 } } }];
    expect(accepted({ type: 'object', properties: { a: text }, required: ['a'], allOf })).toEqual({
      type: 'object',
      properties: { a: { allOf: [text, { minLength: 1 }] }, b: number },
      required: ['a', 'b'],
    });
  });

  it.each(['$defs', 'definitions'])('follows a reference into %s, and keeps those inside', (place) => {
    const schema = { [place]: { In: { type: 'object', properties: { next: { $ref: `#/${place}/In` } } } } };
    expect(accepted({ $ref: `#/${place}/In`, ...schema })).toMatchObject({
      type: 'object',
      properties: { next: { $ref: `#/${place}/In` } },
      ...schema,
    });
  });

  it.each(['not', 'enum', 'if', 'const'])('describes %s', (keyword) => {
    const value = keyword === 'enum' ? [{ a: '1' }] : { required: ['b'] };
    const schema = accepted({ type: 'object', properties: { a: text }, [keyword]: value });
    expect(schema).not.toHaveProperty(keyword);
    expect(schema.description).toContain(`${keyword}: ${JSON.stringify(value)}`);
  });

  it.each<[string, JsonObject]>([
    ['a text', text],
    ['a list', { type: 'array', items: text }],
    ['alternatives without an object', { anyOf: [text, number] }],
    ['an unknown reference', { $ref: '#/$defs/Missing' }],
    ['a reference to itself', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }],
  ])('has no form for %s', (_, parameters) => {
    expect(toArgumentsSchema(parameters)).toBeUndefined();
  });
});

describe('inside the schema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'a list of one item schema',
      { type: 'array', items: [text] },
      { type: 'array', prefixItems: [text], items: text },
    ],
    [
      'a list of item schemas',
      { type: 'array', items: [text, number], additionalItems: false },
      { type: 'array', prefixItems: [text, number], items: { anyOf: [text, number] }, maxItems: 2 },
    ],
    ['an empty list of item schemas', { type: 'array', items: [] }, { type: 'array', items: {} }],
    [
      'a Boolean bound',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'a Boolean bound that is off',
      { type: 'number', minimum: 1, exclusiveMinimum: false },
      { type: 'number', minimum: 1 },
    ],
    ['the name of another type', { type: 'any' }, {}],
    ['an empty list of literals', { type: 'string', enum: [] }, text],
    ['an empty list of alternatives', { type: 'string', anyOf: [] }, text],
    ['a schema that is none', null as unknown as JsonObject, {}],
  ])('corrects %s', (_, given, corrected) => {
    expect(accepted({ type: 'object', properties: { a: given } }).properties).toEqual({ a: corrected });
    expect(accepted({ type: 'object', properties: { a: { anyOf: [given] } } }).properties).toEqual({
      a: { anyOf: [corrected] },
    });
  });

  it('lists properties that say themselves that they are required', () => {
    expect(accepted({ type: 'object', properties: { a: { type: 'string', required: true }, b: text } })).toEqual({
      type: 'object',
      properties: { a: text, b: text },
      required: ['a'],
    });
  });
});
