import { describe, expect, it } from '@jest/globals';
import { tidy } from './tidy.js';

describe('schemas for generators of clients', () => {
  it('leaves out empty objects as defaults, which become calls without arguments', () => {
    const policy = { $ref: '#/components/schemas/Policy', default: {} };
    expect(tidy({ type: 'object', properties: { policy, count: { type: 'string', default: 'one' } } })).toEqual({
      type: 'object',
      properties: { policy: { $ref: '#/components/schemas/Policy' }, count: { type: 'string', default: 'one' } },
    });
  });

  it('leaves out the second spelling of a property, because generators give both one name', () => {
    const text = { type: 'string' };
    expect(tidy({ type: 'object', properties: { aName: text, a_name: text, b_name: text } })).toEqual({
      type: 'object',
      properties: { aName: text, b_name: text },
    });
  });

  it('keeps a property that is named default', () => {
    const schema = { type: 'object', properties: { default: { type: 'string' } } };
    expect(tidy(schema)).toEqual(schema);
  });

  it('describes the only value of a boolean, which becomes an enum of texts otherwise', () => {
    const store = { anyOf: [{ type: 'boolean', const: false }, { type: 'null' }] };
    expect(tidy(store)).toEqual({ type: ['boolean', 'null'], description: 'Always `false`' });
  });

  it('writes a date with or without a time as a text, because one type of a language is not both', () => {
    const formats = [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ];
    expect(tidy({ anyOf: formats })).toEqual({
      type: 'string',
      description: 'A date, or a date with a time and an offset, as in ISO 8601',
    });
    expect(tidy({ anyOf: formats, description: 'The first day' }).description).toBe('The first day');
  });
});
