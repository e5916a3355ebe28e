import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { countSandboxTokens, splitSandboxTokens } from './sandbox-tokens.js';
import { estimateInputTokens, exceedsContextWindow, likelyInputTokens, likelyOutputTokens } from './token-estimates.js';

const catalog = loadCatalog({ sandbox: true });
const sandbox = catalog.find('sandbox/echo-1')!;
const openai = catalog.find('gpt-6-luna')!;

const texts = [
  '',
  'a',
  'four',
  'fives',
  'héllo wörld',
  '日本語のテキスト',
  '👩‍👩‍👧‍👦 family',
  'x'.repeat(1000),
  '\ud800 lone surrogate',
];

describe('sandbox tokens', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['four', 1],
    ['fives', 2],
    ['é', 1],
    ['日本', 2],
    ['👍', 1],
  ])('counts %p as %i', (text, tokens) => {
    expect(countSandboxTokens(text)).toBe(tokens);
  });

  it.each(texts)('splits %p into pieces that join to the text and count as one token each', (text) => {
    const pieces = splitSandboxTokens(text);
    expect(pieces.join('')).toBe(text);
    for (let length = 0; length <= pieces.length; length++) {
      expect(countSandboxTokens(pieces.slice(0, length).join(''))).toBe(length);
    }
  });

  it('counts a request: 4 per message, a quarter of the bytes, 256 per file', () => {
    const input = { messages: ['fives', 'hi'], extras: ['{"a":1}'], files: [{ mimeType: 'image/png', bytes: 9_999 }] };
    expect(estimateInputTokens(sandbox, input)).toBe(2 + 4 + (1 + 4) + 2 + 256);
    expect(likelyInputTokens(sandbox, input)).toBe(estimateInputTokens(sandbox, input));
    expect(estimateInputTokens(sandbox, 'fives')).toBe(6);
    expect(likelyOutputTokens(5)).toBe(countSandboxTokens('fives'));
  });
});

describe('estimate of other models', () => {
  it.each(texts)('estimates %p at no less than its UTF-8 bytes', (text) => {
    const bytes = Buffer.byteLength(text);
    expect(estimateInputTokens(openai, text)).toBeGreaterThanOrEqual(bytes);
    expect(likelyInputTokens(openai, text)).toBeLessThanOrEqual(estimateInputTokens(openai, text));
    expect(likelyOutputTokens(bytes)).toBe(Math.ceil(bytes / 4));
  });

  it('counts tools and files, and never more than the context window', () => {
    const plain = estimateInputTokens(openai, { messages: ['hi'] });
    expect(estimateInputTokens(openai, { messages: ['hi'], extras: ['{}'] })).toBeGreaterThan(plain + 1000);
    expect(
      estimateInputTokens(openai, { messages: ['hi'], files: [{ mimeType: 'IMAGE/PNG', bytes: 5_000_000 }] }),
    ).toBe(plain + 16_384);
    expect(
      estimateInputTokens(openai, { messages: ['hi'], files: [{ mimeType: 'application/pdf', bytes: 90_000_000 }] }),
    ).toBe(openai.context_window);
  });

  it('covers reasoning that a vendor has sealed, for which only that vendor charges', () => {
    const plain = { messages: ['hi'] };
    const sealed = { ...plain, sealedBytes: 5_000 };
    expect(estimateInputTokens(openai, sealed)).toBe(estimateInputTokens(openai, plain) + 5_000);
    expect(likelyInputTokens(openai, sealed)).toBe(likelyInputTokens(openai, plain));
    expect(estimateInputTokens(sandbox, sealed)).toBe(estimateInputTokens(sandbox, plain));
  });

  it('adds what the chat template of a server adds to a prompt, within the window', () => {
    const plain = estimateInputTokens(openai, { messages: ['hi'] });
    const local = { ...openai, prompt_overhead_tokens: 64 };
    expect(estimateInputTokens(local, { messages: ['hi'] })).toBe(plain + 64);
    expect(estimateInputTokens({ ...local, context_window: plain + 9 }, { messages: ['hi'] })).toBe(plain + 9);
    // Embeddings have no chat template.
    expect(estimateInputTokens(local, 'hi')).toBe(estimateInputTokens(openai, 'hi'));
  });

  it('refuses only requests that are likely longer than the window', () => {
    expect(exceedsContextWindow(openai, { messages: ['x'.repeat(openai.context_window)] })).toBe(false);
    expect(exceedsContextWindow(openai, { messages: ['x'.repeat(openai.context_window * 5)] })).toBe(true);
  });
});
