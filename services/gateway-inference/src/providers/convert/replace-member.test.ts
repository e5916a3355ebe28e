import { describe, expect, it } from '@jest/globals';
import { replaceMember } from './replace-member.js';

const path = ['message', 'model'];

describe('replacing one string of a JSON text', () => {
  it.each([
    ['{"model":"a"}', ['model'], '{"model":"NEW"}'],
    [
      '{ "x" : [1, {"model":"a"}, "}"] ,\n "model" : "a" , "y":null}',
      ['model'],
      '{ "x" : [1, {"model":"a"}, "}"] ,\n "model" : "NEW" , "y":null}',
    ],
    [
      '{"content":[{"input":{"model":"a"}}],"model":"a"}',
      ['model'],
      '{"content":[{"input":{"model":"a"}}],"model":"NEW"}',
    ],
    ['{"s":"\\"model\\":\\"a\\" \\\\","model":"a"}', ['model'], '{"s":"\\"model\\":\\"a\\" \\\\","model":"NEW"}'],
    [
      '{"type":"x","message":{"usage":{},"model":"a\\"b","n":1.50}}',
      path,
      '{"type":"x","message":{"usage":{},"model":"NEW","n":1.50}}',
    ],
    ['{"model":"a","message":{"id":"b","model":"c"}}', path, '{"model":"a","message":{"id":"b","model":"NEW"}}'],
    ['{"a":true,"b":{},"c":[],"model":"ä👋"}', ['model'], '{"a":true,"b":{},"c":[],"model":"NEW"}'],
  ])('changes nothing else of %s', (text, at, expected) => {
    expect(replaceMember(text, at, 'NEW')).toBe(expected);
  });

  it.each([
    ['{}', ['model']],
    ['{"model":null}', ['model']],
    ['{"model":{"model":"a"}}', ['model']],
    ['{"message":"model"}', path],
    ['{"message":{"other":[]}}', path],
    ['["model","a"]', ['model']],
    ['', ['model']],
  ])('finds nothing in %s', (text, at) => {
    expect(replaceMember(text, at, 'NEW')).toBeUndefined();
  });

  it('writes a name with quotes as JSON', () => {
    expect(JSON.parse(replaceMember('{"model":"a"}', ['model'], 'x"y')!)).toEqual({ model: 'x"y' });
  });
});
