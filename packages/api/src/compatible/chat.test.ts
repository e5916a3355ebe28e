import { describe, expect, it } from '@jest/globals';
import { chatCompletionsBody, chatMaxOutputTokens } from './chat.js';

const messages = [{ role: 'user', content: 'hi' }];

function bound(more: object): number | undefined {
  return chatMaxOutputTokens(chatCompletionsBody.parse({ messages, ...more }));
}

describe('chatMaxOutputTokens', () => {
  it.each([
    [{}, undefined],
    [{ n: 3 }, undefined],
    [{ max_tokens: 10 }, 10],
    [{ max_tokens: 10, max_completion_tokens: 7 }, 7],
    [{ max_tokens: 10, n: null }, 10],
    [{ max_tokens: 10, n: 3 }, 30],
    [{ max_tokens: 2_147_483_647, n: 128 }, 2_147_483_647],
  ])('bounds the output of all choices of %j', (more, tokens) => {
    expect(bound(more)).toBe(tokens);
  });
});

describe('chatCompletionsBody', () => {
  it.each([{ n: 0 }, { n: 129 }, { n: 1.5 }, { frequency_penalty: 3 }, { top_logprobs: 21 }, { seed: 'x' }])(
    'refuses %j',
    (more) => {
      expect(chatCompletionsBody.safeParse({ messages, ...more }).success).toBe(false);
    },
  );
});
