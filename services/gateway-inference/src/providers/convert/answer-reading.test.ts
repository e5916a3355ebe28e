import { describe, expect, it } from '@jest/globals';
import { argumentsText, retryAfterSeconds } from './answer-reading.js';

describe('retryAfterSeconds', () => {
  it.each([
    [{ 'retry-after': '3' }, 3],
    [{ 'retry-after': '3', 'retry-after-ms': '2500' }, 3],
    [{ 'retry-after-ms': '2500' }, 3],
    [{ 'retry-after-ms': '20' }, 1],
    [{ 'retry-after-ms': 'soon' }, undefined],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:01:40 GMT' }, 100],
    [{}, undefined],
  ])('reads %j as %j', (headers, expected) => {
    expect(retryAfterSeconds(headers, 0)).toBe(expected);
  });
});

describe('argumentsText', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['', '{}'],
    [undefined, '{}'],
    [null, '{}'],
    [{ a: 1 }, '{"a":1}'],
  ])('writes %j as %j', (value, expected) => {
    expect(argumentsText(value)).toBe(expected);
  });
});
