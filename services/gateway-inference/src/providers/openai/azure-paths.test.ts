import { expect, it } from '@jest/globals';
import { azurePaths } from './azure-paths.js';

it.each([
  ['/chat/completions', '/deployments/my%20gpt/chat/completions?api-version=2024-10-21'],
  ['/embeddings', '/deployments/my%20gpt/embeddings?api-version=2024-10-21'],
  ['/responses', '/responses?api-version=2024-10-21'],
])('reaches %s of a deployment', (path, expected) => {
  expect(azurePaths('2024-10-21')(path, 'my gpt')).toBe(expected);
});
