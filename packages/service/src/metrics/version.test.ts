import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { VERSION } from './version.js';

it('equals the version of the package', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).version).toBe(VERSION);
});
