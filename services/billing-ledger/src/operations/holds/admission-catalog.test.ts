import { expect, it } from '@jest/globals';
import { loadCatalog } from '@tollgate/catalog';
import { outputTokens } from '../../domain/plan-admission.js';
import { AdmissionCatalog } from './admission-catalog.js';

const models = new AdmissionCatalog(loadCatalog({ sandbox: true }));

it.each([
  ['gpt-6-luna', undefined, { outputTokensWanted: 32_768n, outputTokensMin: 256n }],
  ['gpt-4.1-mini', undefined, { outputTokensWanted: 8_192n, outputTokensMin: 256n }],
  ['grok-4.3', undefined, { outputTokensWanted: 30_000n, outputTokensMin: 256n }],
  ['gpt-6-luna', 100, { outputTokensWanted: 100n, outputTokensMin: 100n }],
  ['gpt-6-luna', 1_000_000, { outputTokensWanted: 128_000n, outputTokensMin: 128_000n }],
])('bounds the held output of %s for %p tokens by the usual output and the model’s maximum', (id, named, held) => {
  expect(outputTokens(named, models.find(id)!.outputBounds)).toEqual(held);
});
