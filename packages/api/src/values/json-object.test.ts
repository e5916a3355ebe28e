import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { jsonObject } from './json-object.js';

describe('jsonObject', () => {
  it('passes on every member, including __proto__, at any depth', () => {
    const text = '{"__proto__":{"a":1},"b":{"__proto__":2},"constructor":3}';
    expect(JSON.stringify(jsonObject.parse(JSON.parse(text)))).toBe(text);
  });

  it.each([[null], [[]], [1], ['text'], [true]])('refuses %j', (value) => {
    expect(jsonObject.safeParse(value).error?.issues[0]?.message).toBe('must be a JSON object');
  });

  it('requires a value unless the field is optional', () => {
    const body = z.object({ a: jsonObject, b: jsonObject.optional(), c: jsonObject.nullish() });
    expect(body.safeParse({}).error?.issues).toMatchObject([{ path: ['a'], message: 'is required' }]);
    expect(body.safeParse({ a: {} }).success).toBe(true);
  });

  it('renders as an object in JSON Schema', () => {
    const schema = z.toJSONSchema(z.object({ a: jsonObject }), { unrepresentable: 'any' });
    expect(schema.properties).toEqual({ a: { type: 'object', additionalProperties: true } });
  });
});
