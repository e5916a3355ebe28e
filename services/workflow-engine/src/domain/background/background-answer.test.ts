import { describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import { toBackgroundResponse, toEndedHead, toResponseFailure, toUnstoredAnswer } from './background-answer.js';

const UUID = '0193f0c5-5a5e-7a54-9a51-222222222222';
const id = toBackgroundResponseId(UUID);
const head = JSON.stringify({ id, object: 'response' });

describe('toBackgroundResponse', () => {
  it('writes a response without an answer, with its failure', () => {
    const error = JSON.stringify({ code: 'server_error', message: 'no' });
    const json = toBackgroundResponse({ head, status: 'failed', error, answer: null });
    expect(JSON.parse(json!)).toMatchObject({
      id,
      status: 'failed',
      error: { message: 'no' },
      output: [],
      usage: null,
    });
  });

  it('returns nothing for a complete response that is stored elsewhere', () => {
    expect(toBackgroundResponse({ head, status: 'completed', error: null, answer: null })).toBeUndefined();
  });
});

describe('toEndedHead', () => {
  it('keeps a short head, and leaves the long members of a long one out', () => {
    const whole = { id, instructions: 'x'.repeat(100), tools: [{ type: 'function' }], metadata: { a: 'b' } };
    expect(toEndedHead(whole, 100, 100)).toBeUndefined();
    const left = JSON.parse(toEndedHead(whole, 101, 100)!);
    expect(left).toMatchObject({ id, instructions: null, tools: [], metadata: { a: 'b' } });
  });
});

describe('toUnstoredAnswer', () => {
  it('keeps no answer that is stored under the id of the response', () => {
    expect(toUnstoredAnswer(JSON.stringify({ id, store: true }), UUID)).toBeUndefined();
  });

  it.each([
    ['is not stored', { id, store: false }],
    ['is stored under another id', { id: 'resp_1', store: true }],
  ])('keeps an answer that %s, under the id of the response', (_what, answer) => {
    expect(JSON.parse(toUnstoredAnswer(JSON.stringify(answer), UUID)!)).toMatchObject({ id, background: true });
  });
});

it.each([
  [new AppError('VALIDATION_ERROR', 'no'), 'invalid_prompt'],
  [new AppError('RATE_LIMIT', 'no'), 'rate_limit_exceeded'],
  [new AppError('SERVICE_UNAVAILABLE', 'no'), 'server_error'],
])('names why a response failed: %s', (error, code) => {
  expect(toResponseFailure(error)).toMatchObject({ code });
});
