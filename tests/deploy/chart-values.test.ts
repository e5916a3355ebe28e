import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { chartValues, readmeFile, withValuesTable } from './chart-values.js';

it('describes every value of the chart in its schema', () => {
  const missing = chartValues().filter(({ meaning }) => !meaning?.endsWith('.'));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it('lists in the README of the chart what its schema says', () => {
  const readme = readFileSync(readmeFile, 'utf8');
  expect(readme).toBe(withValuesTable(readme));
});
