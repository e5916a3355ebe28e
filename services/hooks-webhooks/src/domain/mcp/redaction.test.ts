import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redactHeaders, redactSchema, redactStrings } from './redaction.js';

describe('redactHeaders', () => {
  it('removes values and the tokens behind a scheme, also those that JSON escapes', () => {
    const redact = redactHeaders({ Authorization: 'Bearer abc"def', 'X-Key': 'abc"defgh', 'X-Short': 'on' });
    expect(['Bearer abc"def', 'x abc"def y', 'abc"defgh', 'turn it on'].map(redact)).toEqual([
      '[redacted]',
      'x [redacted] y',
      '[redacted]',
      'turn it on',
    ]);
  });
});

describe('redactStrings', () => {
  it('changes strings only, not keys or numbers', () => {
    const redact = redactHeaders({ 'X-Account-Id': '1234567', 'X-Mode': 'result' });
    const value = { result: [1234567, 'a result of 1234567', null, true], nested: { n: -12345678.5 } };
    expect(redactStrings(value, redact)).toEqual({
      result: [1234567, 'a [redacted] of [redacted]', null, true],
      nested: { n: -12345678.5 },
    });
  });

  it('keeps the shape of every value, and leaves no header value in its strings', () => {
    const headerValue = fc.stringMatching(/^[!-~]{6,12}$/).filter((value) => !'[redacted]'.includes(value));
    fc.assert(
      fc.property(headerValue, fc.jsonValue({ maxDepth: 3 }), (secret, value) => {
        const given = { value, echo: `got ${secret}\n` };
        const shown = redactStrings(given, redactHeaders({ 'X-Key': secret })) as typeof given;
        expect(JSON.parse(JSON.stringify(shown))).toMatchObject({ echo: 'got [redacted]\n' });
        expect(Object.keys(Object(shown.value))).toEqual(Object.keys(Object(value)));
      }),
    );
  });
});

describe('redactSchema', () => {
  it('changes annotations only: a plain word of a header may be a type, a name or a constraint', () => {
    const redact = redactHeaders({ 'X-Mode': 'string', 'X-Toolset': 'issues', 'X-Id': '1234567' });
    const unchanged = {
      type: 'object',
      properties: { description: { type: 'string' }, issues: { enum: ['issues', 'pulls'], maximum: 1234567 } },
      required: ['issues'],
    };
    const schema = (text: string) => ({
      ...unchanged,
      title: text,
      examples: [{ a: text }],
      allOf: [{ default: text }],
    });
    expect(redactSchema(schema('issues'), redact)).toEqual(schema('[redacted]'));
  });
});
