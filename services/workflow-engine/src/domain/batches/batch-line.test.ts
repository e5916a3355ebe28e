import { describe, expect, it } from '@jest/globals';
import { type BatchLine, readBatchLine } from './batch-line.js';

const URL = '/v1/chat/completions';
const line = (body: string) => `{"custom_id":"a","method":"POST","url":"${URL}","body":${body}}`;
const read = (body: string) => readBatchLine(line(body), 7, URL);

describe('readBatchLine', () => {
  it('reads a request', () => {
    expect(read('{"model": "m"}')).toEqual({ line: 7, customId: 'a', body: '{"model":"m"}', model: 'm' });
  });

  it.each([
    ['nested too deep', `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 'levels'],
    ['of too many elements', `{"a":[${'{},'.repeat(200_000)}{}]}`, 'members and elements'],
    ['of too many members', `{${'"a":1,'.repeat(100_000)}"b":1}`, 'members of objects'],
    ['with a number that becomes null', '{"temperature":1e400}', 'number'],
  ])('refuses a line %s', (_what, body, reason) => {
    expect(read(body)).toMatchObject({ line: 7, code: 'invalid_json_line', message: expect.stringContaining(reason) });
  });

  it.each([
    ['NUL', '"\\u0000"'],
    ['more characters than a name has', JSON.stringify('m'.repeat(257))],
    ['another type', '7'],
  ])('names no model of %s, which the request itself is refused for', (_what, model) => {
    expect((read(`{"model":${model}}`) as BatchLine).model).toBeUndefined();
  });
});
