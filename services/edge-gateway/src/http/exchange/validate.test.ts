import { describe, expect, it } from '@jest/globals';
import { responsesBody } from '@tollgate/api/model-requests';
import { isAppError } from '@tollgate/errors';
import { z } from 'zod';
import { validate } from './validate.js';

function listFaultyFields(schema: z.ZodType, value: unknown): unknown {
  try {
    return validate(schema, value);
  } catch (error) {
    return isAppError(error) ? error.fields : error;
  }
}

const part = z.discriminatedUnion('type', [z.object({ type: z.literal('text'), text: z.string() })], {
  error: ({ code }) => (code === 'invalid_union' ? 'not this kind' : undefined),
});
const schema = z.object({
  content: z.union([z.string(), z.array(z.object({ parts: z.union([z.string(), z.array(part)]) }))]),
});

describe('validate', () => {
  it.each([
    [{ content: [{ parts: [{ type: 'text' }] }] }, 'content[0].parts[0].text'],
    [{ content: [{ parts: [{ type: 'video' }] }] }, 'content[0].parts[0].type'],
    [{ content: [{ parts: 5 }] }, 'content[0].parts'],
    [{ content: 5 }, 'content'],
  ])('names the field in the variant that %j matches best', (value, field) => {
    expect(listFaultyFields(schema, value)).toMatchObject([{ field }]);
  });

  it('returns the output of the schema', () => {
    expect(listFaultyFields(schema, { content: [{ parts: [{ type: 'video' }] }] })).toMatchObject([
      { message: 'not this kind' },
    ]);
  });

  it('reports a missing field as required', () => {
    expect(listFaultyFields(z.object({ name: z.string(), age: z.number() }), { age: 'x' })).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'age', message: expect.stringContaining('number') },
    ]);
  });

  it('refuses a text of a query that is not a number', () => {
    const query = z.object({ limit: z.coerce.number().int(), offset: z.coerce.number().default(0) });
    expect(listFaultyFields(query, { limit: 'x' })).toEqual([{ field: 'limit', message: 'must be a number' }]);
  });

  it('lists at most fifty errors', () => {
    expect(listFaultyFields(z.array(z.string()), Array(80).fill(1))).toHaveLength(50);
  });
});

describe('a value with very many errors', () => {
  const wrong = Array(199_000).fill(1);

  it('reports the first fifty of very many errors', () => {
    const fields = listFaultyFields(z.array(z.string()), wrong);
    expect(fields).toHaveLength(50);
    expect(fields).toContainEqual({ field: '[0]', message: 'Invalid input: expected string, received number' });
  });

  it.each([
    ['in an object', z.object({ parts: z.array(z.string()) })],
    ['in one form of a union', z.object({ parts: z.union([z.string(), z.array(z.string())]) })],
    ['in a prompt', responsesBody],
  ])('throws VALIDATION_ERROR for very many errors %s', (_where, schema) => {
    const prompt = { input: [{ type: 'message', role: 'user', content: wrong }], model: 'm', parts: wrong };
    expect(() => validate(schema, prompt)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});

describe('the error of validate', () => {
  const schema = z.object({ input: z.array(z.object({ role: z.enum(['user']) })), name: z.string() });

  it('names every invalid field by its path', () => {
    expect(() => validate(schema, { input: [{ role: 'user' }, { role: 'x' }] })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('input[1].role'),
        fields: [
          { field: 'input[1].role', message: expect.any(String) },
          { field: 'name', message: expect.any(String) },
        ],
      }),
    );
  });
});
