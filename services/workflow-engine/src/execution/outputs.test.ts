import { describe, expect, it } from '@jest/globals';
import type { ResponseResource } from '@tollgate/api/model-requests';
import type { Json, JsonObject } from '../domain/values/json.js';
import { finalText } from './outputs.js';

const answer = (text: string): ResponseResource => ({
  id: 'r',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text }] }],
  model: 'm',
  provider: 'p',
  stop_reason: 'stop',
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});
const json = (value: unknown) => value as Json;

describe('finalText', () => {
  it.each<[string, Json, string]>([
    ['the text of an answer', json(answer('hello')), 'hello'],
    ['a string', 'plain', 'plain'],
    ['other values as JSON', { a: [1, null] }, '{"a":[1,null]}'],
    ['nothing of an answer without text', json({ ...answer(''), output: [] }), ''],
  ])('returns the only output: %s', (_, output, expected) => {
    expect(finalText({ o: output }, answer('other'))).toBe(expected);
  });

  it.each<JsonObject>([{}, { a: 'x', b: 'y' }, { a: null }])(
    "returns the last answer's text for the outputs %j",
    (outputs) => {
      expect(finalText(outputs, answer('last'))).toBe('last');
      expect(finalText(outputs, undefined)).toBe('');
    },
  );
});
