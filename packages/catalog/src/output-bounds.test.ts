import { expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { usualOutputTokens } from './output-bounds.js';
import { toPublicModel } from './public-model.js';

const catalog = loadCatalog({ sandbox: true });

it.each([
  ['gpt-6-luna', 32_768],
  ['claude-opus-5-5', 32_768],
  ['gemini-2.5-flash-lite', 32_768],
  ['grok-4.3', 30_000],
  ['gpt-4.1-mini', 8_192],
  ['sandbox/echo-1', 8_192],
  ['text-embedding-3-small', 0],
])('defaults %s to %d output tokens when the request names no maximum', (id, tokens) => {
  expect(usualOutputTokens(catalog.find(id)!)).toBe(tokens);
});

it('keeps the mark of reasoning out of the public record', () => {
  expect(toPublicModel(catalog.find('gpt-6-luna')!)).not.toHaveProperty('reasons');
});
