import { expect, it } from '@jest/globals';
import { toGenAiProvider } from './gen-ai.js';

it.each([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google-ai-studio', 'gcp.gemini'],
  ['xai', 'x_ai'],
  ['custom', 'custom'],
  ['sandbox', 'sandbox'],
] as const)('names provider %s %s by the conventions', (provider, name) => {
  expect(toGenAiProvider(provider)).toBe(name);
});
