import { expect, it } from '@jest/globals';
import { errorCatalog } from './catalog.js';
import { explanations } from './explanations.js';

it('explains each code in whole sentences', () => {
  expect(Object.keys(explanations).sort()).toEqual(Object.keys(errorCatalog).sort());
  for (const [code, { meaning, causes, remedies }] of Object.entries(explanations)) {
    const texts = [meaning, ...causes, ...remedies];
    expect([code, Math.min(causes.length, remedies.length) > 0, texts.every((text) => text.endsWith('.'))]).toEqual([
      code,
      true,
      true,
    ]);
  }
});
