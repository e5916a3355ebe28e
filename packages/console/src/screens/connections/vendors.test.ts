import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PRESETS } from './vendors.js';

const TABLE = '../../../../../services/gateway-inference/src/providers/connections/preset-table.ts';

it('offers every preset that gateway-inference has', () => {
  const table = readFileSync(join(import.meta.dirname, TABLE), 'utf8');
  const [, entries = ''] = table.split('export const presets');
  const names = [...entries.matchAll(/^ {2}'?([a-z.-]+)'?: /gm)].map(([, name]) => name);
  expect(names.sort()).toEqual([...PRESETS]);
});
